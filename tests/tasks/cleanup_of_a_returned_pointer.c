// A pointer is a local variable of the function that returns it: its block is left if the caller does not free it.
#include <pthread.h>
#include <stdlib.h>

int *chosen;

int *make(int number) {
  int *made = malloc(4);
  *made = number;
  return made;
}

void *worker(void *argument) {
  int *own = make(*(int *)argument);
  free(argument);
  return own;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, worker, make(1));
  chosen = make(2);
  pthread_join(thread, &result);
  if (*(int *)result != 1) free(result);
  free(chosen);
  return 0;
}
