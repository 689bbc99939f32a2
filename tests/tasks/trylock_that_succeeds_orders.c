// An attempt that succeeds orders as a lock does; one that fails leaves x alone.
#include <pthread.h>

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *attempt(void *argument) {
  if (pthread_mutex_trylock(&mutex) != 0) return 0;
  x = 2;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, attempt, 0);
  pthread_mutex_lock(&mutex);
  x = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
