// A section that is more than one block, since the count of its loop is not known, behind an input: a thread that
// stands before it can always enter it.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int done, sum, ready, rounds = 2;

void *worker(void *argument) {
  if (__VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    for (int i = 0; i < rounds; i++) sum |= 1;
    __VERIFIER_atomic_end();
  }
  done = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  ready = 1;
  rounds = 1;
  pthread_join(thread, 0);
  return 0;
}
