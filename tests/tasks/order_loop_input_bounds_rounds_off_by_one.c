// Like order_loop_input_bounds_rounds, with a limit that the fifth round passes.
// Unsafe.
#include <pthread.h>

extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) {}

int counter;

void *adder(void *arg) {
  int rounds = __VERIFIER_nondet_int();
  __VERIFIER_assume(rounds >= 0 && rounds <= 5);
  for (int i = 0; i < rounds; i++)
    counter++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, adder, 0);
  if (counter > 4)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
