// Both threads may find no block, and then one block is overwritten.
#include <pthread.h>
#include <stdlib.h>
char *_Atomic shared;

void *provide(void *arg) {
  if (!shared)
    shared = malloc(4);
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
