// Under the lock each replaced buffer is freed.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char *shared;

void *replace(void *arg) {
  pthread_mutex_lock(&lock);
  free(shared);
  shared = malloc(4);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, replace, 0);
  replace(0);
  pthread_join(t, 0);
  free(shared);
  return 0;
}
