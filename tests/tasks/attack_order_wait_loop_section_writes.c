// A loop whose atomic section writes what is there already, except after another thread changed it.
// Unsafe: the second write is needed.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int f, x;

void *t(void *a) {
  __VERIFIER_atomic_begin();
  int c = x;
  if (c == 1)
    x = 2;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  c = x;
  __VERIFIER_atomic_end();
  if (c == 1)
    f = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int d;
  do {
    __VERIFIER_atomic_begin();
    x = 1;
    d = f;
    __VERIFIER_atomic_end();
  } while (!d);
  reach_error();
  return 0;
}
