// A section that writes through a pointer made from an input, which is assumed to be the address of a variable.
// Unsafe: the variable is written. The static facts do not foresee it, so UNKNOWN is all that can be expected.
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) {}

int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  unsigned long address = __VERIFIER_nondet_ulong();
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(address == (unsigned long)&x);
  *(int *)address = 7;
  __VERIFIER_atomic_end();
  if (x == 7)
    reach_error();
  return 0;
}
