// The other thread blocks the signal, so that its handler runs in main only and races with nothing.
#include <pthread.h>
#include <signal.h>

static int last;

static void handler(int number) { last = number; }

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  sigset_t set;
  signal(SIGINT, handler);
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, work, NULL);
  sigdelset(&set, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  last = 0;
  pthread_join(thread, NULL);
  return 0;
}
