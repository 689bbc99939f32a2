// Two threads free the same block, unordered. No thread ever looks into the block.
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block) {
  free(block);
  return NULL;
}

int main(void) {
  void *block = malloc(8);
  pthread_t thread;
  pthread_create(&thread, NULL, drop, block);
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
