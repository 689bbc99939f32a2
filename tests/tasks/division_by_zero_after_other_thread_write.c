// The divisor is tested, but another thread sets it to zero between the test and the remainder.
#include <pthread.h>

int divisor = 5;

void *clearing(void *arg) {
  divisor = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  int result = 0;
  pthread_create(&t, 0, clearing, 0);
  if (divisor != 0)
    result = 7 % divisor;
  pthread_join(t, 0);
  return result;
}
