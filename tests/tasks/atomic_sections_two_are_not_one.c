// A read and a write in two separate atomic sections are not one.
// Unsafe: an increment is lost between them.
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) {}

int x;

void *increment(void *arg) {
  int local;
  __VERIFIER_atomic_begin();
  local = x;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  x = local + 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  if (x != 2)
    reach_error();
  return 0;
}
