// The process may end when a thread is about to free what is no block; everything was freed then. If the thread frees
// first, the execution ends there, and not in an orderly way.
#include <pthread.h>
#include <stdlib.h>

int number;

void *worker(void *argument) {
  free(argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  int *block = malloc(4);
  pthread_create(&thread, 0, worker, &number);
  free(block);
  return 0;
}
