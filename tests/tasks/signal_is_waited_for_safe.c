// A thread waits in sigwait for a signal that main sends when it has written.
#include <pthread.h>
#include <signal.h>

static int value;
static sigset_t set;

static void *work(void *unused) {
  int number;
  sigwait(&set, &number);
  value++;
  return NULL;
}

int main(void) {
  pthread_t thread;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, work, NULL);
  value = 5;
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  return 0;
}
