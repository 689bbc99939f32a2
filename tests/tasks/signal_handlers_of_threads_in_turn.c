// A slot that is used again by another thread starts with fresh thread-locals, also those that only handlers touch, and
// no signal reaches a thread that has ended.
#include <pthread.h>
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

static _Thread_local int round, seen;

static void handler(int number) {
  (void)number;
  if (seen > round) reach_error();
  seen = round;
}

static void *work(void *argument) {
  round = 1;
  round = 2;
  return argument;
}

int main(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}
