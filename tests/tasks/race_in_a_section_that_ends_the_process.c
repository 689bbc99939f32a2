// The section never ends, because it ends the process. Its write races all the same.
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int shared, divisor;
int *pointer;

static void *section(void *unused) {
  __VERIFIER_atomic_begin();
  shared = 1;
  exit(0);
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(8);
  pointer = (int *)block;
  divisor = 1;
  pthread_create(&thread, 0, section, 0);
  shared = 2;
  pthread_join(thread, 0);
  return 0;
}
