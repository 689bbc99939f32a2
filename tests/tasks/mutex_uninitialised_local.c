// A mutex that was never initialised: what locking it does is undefined, and named.
#include <pthread.h>

static void *work(void *argument) {
  pthread_mutex_lock(argument);
  pthread_mutex_unlock(argument);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_create(&thread, NULL, work, &lock);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
