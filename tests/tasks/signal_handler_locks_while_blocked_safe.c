// As signal_handler_locks_what_is_held, with the signal blocked while the mutex is held.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
  (void)number;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  signal(SIGINT, handler);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  return 0;
}
