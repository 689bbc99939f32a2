// A section that would end the process now may go on later: the setter makes the checker's assumption true. As long as
// it does not hold, the checker looks like a thread that is about to end, but what it does later still depends on the
// clearer, so the clearer alone is not a persistent set.
#include <pthread.h>
extern void abort(void);
void reach_error(void) {}

int ready, cleared;

void __VERIFIER_atomic_assume_ready(void) {
  if (ready != 2)
    abort();
}

void *clearer(void *unused) {
  cleared = 1;
  return NULL;
}

void *setter(void *unused) {
  ready = 2;
  return NULL;
}

void *checker(void *unused) {
  __VERIFIER_atomic_assume_ready();
  if (cleared == 0)
    reach_error(); // setter, checker, and no clearer yet
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, clearer, NULL);
  pthread_create(&b, NULL, setter, NULL);
  pthread_create(&c, NULL, checker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
