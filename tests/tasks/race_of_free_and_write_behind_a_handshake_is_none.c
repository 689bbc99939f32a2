// The write comes before the flag is set, and the deallocation after it was seen.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int done;

static void *writer(void *argument) {
  *(int *)argument = 1;
  done = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  int *block = malloc(sizeof *block);
  pthread_create(&thread, 0, writer, block);
  if (done) free(block);
  return 0;
}
