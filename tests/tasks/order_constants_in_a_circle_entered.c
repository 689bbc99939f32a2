// Like order_constants_in_a_circle, but one thread may also begin without having seen anything.
// Unsafe.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

atomic_int x, y;

void *other(void *arg) {
  if (y)
    x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  if (x || __VERIFIER_nondet_bool())
    y = 1;
  pthread_join(t, 0);
  if (x)
    reach_error();
  return 0;
}
