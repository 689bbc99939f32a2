// A function whose name begins with __VERIFIER_atomic_ runs as one atomic section.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x;

void __VERIFIER_atomic_increment(void) {
  int local = x;
  x = local + 1;
}

void *increment(void *arg) {
  __VERIFIER_atomic_increment();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2)
    reach_error();
  return 0;
}
