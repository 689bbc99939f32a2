// Without fairness a thread may be passed over for ever before a local step, behind which it would be stopped for ever;
// such an execution counts. What comes behind the local step: an assumption, a null pointer (-DNULL_POINTER), a section
// that can never be finished (-DSECTION), also as all that a thread does (-DALL). And a thread that waits for what
// never comes is not stopped (-DWAITS).
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int x, local, *pointer;
static const sem_t never;

void *spins(void *argument) {
  while (1) {
  }
}

void *stops(void *argument) {
  local = 2;
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(0);
  __VERIFIER_atomic_end();
  return 0;
}

void *waits(void *argument) {
  sem_wait((sem_t *)&never);
  return 0;
}

int main(void) {
  pthread_t thread;
#if defined ALL
  pthread_create(&thread, 0, stops, 0);
  x = 1;
  while (1) {
  }
#elif defined WAITS
  pthread_create(&thread, 0, waits, 0);
  x = 1;
  pthread_join(thread, 0);
#else
  pthread_create(&thread, 0, spins, 0);
  x = 1;
  local = 1;
#if defined NULL_POINTER
  local = *pointer;
#elif defined SECTION
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(x == 0);
  __VERIFIER_atomic_end();
#else
  __VERIFIER_assume(0);
#endif
#endif
  return 0;
}
