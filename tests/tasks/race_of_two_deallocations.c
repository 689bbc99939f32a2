// Two threads free the same block, unordered. Whichever comes second is invalid, too.
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block) {
  free(block);
  return NULL;
}

int main(void) {
  int *block = malloc(sizeof *block);
  *block = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, drop, block);
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
