// As race_in_a_section_that_ends_at_null, with a division by zero.
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int shared, divisor;
int *pointer;

static void *section(void *unused) {
  __VERIFIER_atomic_begin();
  shared = 1;
  pointer[1] = 1 / divisor;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(8);
  pointer = (int *)block;
  divisor = 0;
  pthread_create(&thread, 0, section, 0);
  shared = 2;
  pthread_join(thread, 0);
  return 0;
}
