// kill sends to the process: another thread that accepts the signal may take it, after kill has returned here.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

static atomic_int seen;

static void handler(int number) { seen = number; }

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handler);
  pthread_create(&thread, NULL, work, NULL);
  kill(0, SIGUSR1);
  if (seen == 0) reach_error();
  pthread_join(thread, NULL);
  return 0;
}
