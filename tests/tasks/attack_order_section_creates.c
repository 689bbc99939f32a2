// A thread created inside an atomic section, by a main that was alone before.
// Safe: the new thread starts when the section has ended.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int x;

void *t(void *a) {
  int v = x;
  if (v == 2)
    reach_error();
  if (v != 3)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t p;
  x = 1;
  __VERIFIER_atomic_begin();
  x = 2;
  pthread_create(&p, 0, t, 0);
  x = 3;
  __VERIFIER_atomic_end();
  return 0;
}
