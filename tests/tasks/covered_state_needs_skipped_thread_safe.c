// As covered_state_needs_skipped_thread, with the two reads in the other order.
// Safe: once y is set, x stays zero.
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int x, y;

void *looping(void *arg) {
  do {
    x = 1;
    x = 0;
  } while (__VERIFIER_nondet_bool());
  y = 1;
  return 0;
}

void *checking(void *arg) {
  if (y == 1)
    if (x == 1)
      reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, looping, 0);
  pthread_create(&b, 0, checking, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
