// free conflicts with every access of the block that is not ordered with it (C11 7.22.3).
#include <pthread.h>
#include <stdlib.h>

static void *count(void *counter) {
  ++*(int *)counter;
  return NULL;
}

int main(void) {
  int *counter = calloc(1, sizeof *counter);
  pthread_t thread;
  pthread_create(&thread, NULL, count, counter);
  free(counter);
  pthread_join(thread, NULL);
  return 0;
}
