// Each thread frees a block of its own, and main frees one that a thread has left behind. No thread ever looks into a
// block.
#include <pthread.h>
#include <stdlib.h>

static void *left;

static void *drop(void *block) {
  free(block);
  left = malloc(8);
  return NULL;
}

int main(void) {
  void *own = malloc(8), *other = malloc(8);
  pthread_t thread;
  pthread_create(&thread, NULL, drop, other);
  free(own);
  pthread_join(thread, NULL);
  free(left);
  return 0;
}
