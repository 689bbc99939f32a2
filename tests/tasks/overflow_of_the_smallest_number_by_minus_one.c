// The quotient does not fit; the divisor comes from another thread.
#include <limits.h>
#include <pthread.h>

int divisor = 2;

void *set(void *arg) {
  __atomic_store_n(&divisor, -1, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int q = INT_MIN / __atomic_load_n(&divisor, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  return q == 0;
}
