// A thread picks inputs until an assumption fails; main fails after the second pick.
// Unsafe: executions whose assumptions hold so far must not be discarded with the others.
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

_Atomic int picks;

void *picking(void *arg) {
  for (int i = 0; i < 3; i++) {
    __VERIFIER_assume(__VERIFIER_nondet_bool());
    picks++;
  }
  __VERIFIER_assume(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, picking, 0);
  if (picks == 2)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
