// The attempt fails only after main has taken the mutex, behind its write of x. But a failed attempt orders nothing (C
// and POSIX do not promise it), so the two writes race, although no execution has them next to each other.
#include <pthread.h>
#include <semaphore.h>

int x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *attempt(void *argument) {
  if (pthread_mutex_trylock(&mutex) != 0) x = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, attempt, 0);
  x = 1;
  pthread_mutex_lock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
