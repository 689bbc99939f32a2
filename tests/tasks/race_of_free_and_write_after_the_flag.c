// The flag is set before the write, so the deallocation may come at the same time.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int done;

static void *writer(void *argument) {
  done = 1;
  *(int *)argument = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  int *block = malloc(sizeof *block);
  pthread_create(&thread, 0, writer, block);
  if (done) free(block);
  return 0;
}
