// The attempt fails in no execution: no other thread takes the mutex. Whether the race behind it exists is not decided
// by what the search for races supposes.
#include <pthread.h>

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
  pthread_join(thread, 0);
  return 0;
}
