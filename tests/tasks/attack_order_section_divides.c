// A section that divides by what another thread sets.
// Unsafe: the section can be entered when the divisor is one.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int x, d = 0;

void *s(void *a) {
  d = 1;
  if (x == 5)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t q;
  pthread_create(&q, 0, s, 0);
  __VERIFIER_atomic_begin();
  x = 5 / d;
  __VERIFIER_atomic_end();
  return 0;
}
