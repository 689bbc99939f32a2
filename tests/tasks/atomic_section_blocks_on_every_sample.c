// The section can be finished for few values of a wide input, and the samples of a search need not hit one: that is
// no proof that it blocks.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int passed;

void __VERIFIER_atomic_pass(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume((x ^ 0x5a5a) % 1000 == 777 && x > 2000000);
  passed = 1;
}

void *worker(void *unused) {
  __VERIFIER_atomic_pass();
  if (passed)
    reach_error();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
