// One thread's assumption always fails; another thread may reach the error before that.
// Unsafe: what happened before the failed assumption happened.
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int x;

void *assuming(void *arg) {
  __VERIFIER_assume(x == 5);
  return 0;
}

void *faulty(void *arg) {
  x = 1;
  if (x == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, assuming, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
