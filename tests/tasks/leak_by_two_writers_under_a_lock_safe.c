// Under the lock only one of them allocates.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char *shared;

void *provide(void *arg) {
  pthread_mutex_lock(&lock);
  if (!shared)
    shared = malloc(4);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, provide, 0);
  pthread_create(&u, 0, provide, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
