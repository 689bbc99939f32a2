// One thread frees what comes from either of two places; a block of one of them is left if both get the same.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *first, *second;

void *worker(void *argument) {
  free(argument);
  return 0;
}

int main(void) {
  pthread_t thread;
  first = malloc(4);
  second = malloc(4);
  int chosen = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, worker, chosen ? first : second);
  pthread_join(thread, 0);
  if (chosen != 7) free(chosen ? second : first);
  return 0;
}
