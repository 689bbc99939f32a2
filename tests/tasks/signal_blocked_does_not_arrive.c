// A blocked signal is not delivered; the new thread blocks what its creator blocks.
#include <pthread.h>
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

_Thread_local int busy;

static void handler(int number) {
  (void)number;
  if (busy) reach_error();
}

static void *work(void *argument) {
  busy = 1;
  busy = 2;
  return argument;
}

int main(void) {
  pthread_t thread;
  sigset_t set, old;
  signal(SIGUSR1, handler);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  pthread_create(&thread, NULL, work, NULL);
  busy = 1;
  busy = 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_join(thread, NULL);
  return 0;
}
