// A handler that locks the mutex which the interrupted thread holds waits for ever.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number) {
  (void)number;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  signal(SIGINT, handler);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
