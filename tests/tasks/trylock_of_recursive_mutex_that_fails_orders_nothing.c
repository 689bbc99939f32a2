// As with a normal mutex, which is initialised by hand here: a failed attempt orders nothing.
#include <pthread.h>
#include <semaphore.h>

int x;
pthread_mutex_t mutex;

static void *attempt(void *argument) {
  if (pthread_mutex_trylock(&mutex) != 0) x = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_create(&thread, 0, attempt, 0);
  x = 1;
  pthread_mutex_lock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
