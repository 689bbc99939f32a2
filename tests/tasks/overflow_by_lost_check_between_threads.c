// The bound is tested before the increment, but another thread increments in between.
#include <pthread.h>

int x = 2147483646;

void *increment(void *arg) {
  if (x < 2147483647)
    x++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  return 0;
}
