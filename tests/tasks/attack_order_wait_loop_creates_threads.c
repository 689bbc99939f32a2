// A waiting loop that creates a thread in each of its first two rounds.
// Unsafe: both threads can count before the loop ends.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

volatile int f;
int n;

void *u(void *a) {
  __VERIFIER_atomic_begin();
  n++;
  __VERIFIER_atomic_end();
  return 0;
}

void *t(void *a) {
  f = 1;
  return 0;
}

int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, t, 0);
  int k = 0;
  while (!f) {
    if (k < 2) {
      pthread_create(&q, 0, u, 0);
      k++;
    }
  }
  if (n == 2)
    reach_error();
  return 0;
}
