// A section that creates a thread and then assumes a flag.
// Safe: the section is entered only when the flag is set, and so is the thread created.
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int x, f;

void *t(void *a) {
  if (!f)
    reach_error();
  return 0;
}

void *s(void *a) {
  f = 1;
  return 0;
}

int main(void) {
  pthread_t p, q;
  pthread_create(&q, 0, s, 0);
  __VERIFIER_atomic_begin();
  pthread_create(&p, 0, t, 0);
  __VERIFIER_assume(f);
  __VERIFIER_atomic_end();
  return 0;
}
