// A section runs a loop as often as inputs say. Others see it before or after: of two looks one can see a change.
#include <pthread.h>

void reach_error(void) {}

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned char x;

void *adder(void *arg) {
  __VERIFIER_atomic_begin();
  while (__VERIFIER_nondet_bool())
    x = (x + 1) & 3;
  __VERIFIER_atomic_end();
  return 0;
}

void *looker(void *arg) {
  int first = x;
  int second = x;
  if (first != 0 && first != second)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adder, 0);
  pthread_create(&b, 0, looker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
