// A section of several steps ends the process inside as long as the setter has not moved. A thread that lets another
// enter it must also let the others move first: after the setter and before the clearer, the section can be finished.
#include <pthread.h>

void reach_error(void) {}

extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ready, cleared, rounds;

void *checker(void *arg) {
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 2; i++) {
    rounds++;
    if (!ready)
      abort();
  }
  __VERIFIER_atomic_end();
  if (!cleared)
    reach_error();
  return 0;
}

void *clearer(void *arg) {
  cleared = 1;
  return 0;
}

void *setter(void *arg) {
  ready = 1;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, checker, 0);
  pthread_create(&b, 0, clearer, 0);
  pthread_create(&c, 0, setter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
