// As signal_blocked_does_not_arrive, but the thread is created while nothing is blocked: the handler may run in it.
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
  sigset_t set;
  signal(SIGUSR1, handler);
  pthread_create(&thread, NULL, work, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_join(thread, NULL);
  return 0;
}
