// A loop with two entries, both of which look at a flag that is set for a moment.
// Unsafe: the first entry may be the last that saw the flag.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

void reach_error(void) {}

volatile int a, b;

void *s(void *x) {
  a = 1;
  a = 0;
  b = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, s, 0);
  int n = 0;
  if (__VERIFIER_nondet_bool())
    goto B;
A:
  if (a)
    n = 1;
  if (b)
    goto out;
B:
  if (a)
    n = 2;
  goto A;
out:
  if (n == 1)
    reach_error();
  return 0;
}
