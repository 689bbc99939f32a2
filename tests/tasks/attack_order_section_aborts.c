// A section that writes a variable and then aborts, unless another thread is past the place where it looks.
// Safe: no thread sees the write of a section in which the process ended.
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int x, y;

void *s(void *a) {
  if (x == 1)
    reach_error();
  y = 1;
  return 0;
}

int main(void) {
  pthread_t q;
  pthread_create(&q, 0, s, 0);
  __VERIFIER_atomic_begin();
  x = 1;
  if (y == 0)
    abort();
  __VERIFIER_atomic_end();
  return 0;
}
