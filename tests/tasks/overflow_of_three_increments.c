// Only if all three threads have incremented does the sum of main overflow.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x = 0;

void *increment(void *arg) {
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, increment, 0);
  int sum = 2147483645 + atomic_load(&x);
  return sum == 0;
}
