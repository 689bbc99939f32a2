// Each worker replaces the shared buffer. Without the lock both may free nothing.
#include <pthread.h>
#include <stdlib.h>
char *_Atomic shared;

void *replace(void *arg) {
  char *old = shared;
  shared = malloc(4);
  free(old);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, replace, 0);
  char *old = shared;
  if (!old)
    shared = malloc(4);
  pthread_join(t, 0);
  free(shared);
  return 0;
}
