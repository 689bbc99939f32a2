// The process ends when a thread is about to free a block a second time. A block of another place is left, and is not
// counted with the first one.
#include <pthread.h>
#include <stdlib.h>

int *kept;

void *worker(void *argument) {
  free(argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  int *block = malloc(4);
  kept = malloc(4);
  free(block);
  pthread_create(&thread, 0, worker, block);
  return 0;
}
