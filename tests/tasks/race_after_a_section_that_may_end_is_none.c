// In every execution that goes on after the section, the thread is joined before the other write.
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int shared, divisor;
int *pointer;

static void *section(void *unused) {
  __VERIFIER_atomic_begin();
  shared = 1;
  if (divisor == 0) *pointer = 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(8);
  pointer = (int *)block;
  pointer = 0;
  pthread_create(&thread, 0, section, 0);
  pthread_join(thread, 0);
  shared = 2;
  return 0;
}
