// Sections that read an uninitialised local of main, one of which increments it.
// Unsafe: the value may be 41 first.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int *volatile g;

void *s(void *a) {
  __VERIFIER_atomic_begin();
  int v = *g;
  *g = v + 1;
  __VERIFIER_atomic_end();
  if (v == 41)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t p;
  int loc;
  g = &loc;
  pthread_create(&p, 0, s, 0);
  __VERIFIER_atomic_begin();
  int w = loc;
  __VERIFIER_assume(w == 42);
  __VERIFIER_atomic_end();
  pthread_join(p, 0);
  return 0;
}
