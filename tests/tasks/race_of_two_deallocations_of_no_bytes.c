// Two threads free a block of no bytes. Races are found on bytes, so the answer is UNKNOWN, and says so.
#include <pthread.h>
#include <stdlib.h>

static void *drop(void *block) {
  free(block);
  return NULL;
}

int main(void) {
  void *block = malloc(0);
  pthread_t t;
  pthread_create(&t, NULL, drop, block);
  free(block);
  pthread_join(t, NULL);
  return 0;
}
