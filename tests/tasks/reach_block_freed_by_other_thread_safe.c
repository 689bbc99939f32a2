// Attacks steps taken together: memory that only one thread uses and another one frees, after a shared read.
// Safe: a thread that has seen the flag stops at the use of the freed block.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

int begun, freed;

void *user(void *block) {
  int *p = block;
  begun = 1;
  if (freed) {
    *p = 5;
    reach_error();
  }
  return 0;
}

void *owner(void *block) {
  if (!begun)
    return 0;
  free(block);
  freed = 1;
  return 0;
}

int main(void) {
  pthread_t a, b;
  int *p = malloc(sizeof *p);
  pthread_create(&a, 0, user, p);
  pthread_create(&b, 0, owner, p);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
