// The amount is negative in one order of the threads.
#include <pthread.h>

int amount = 1;

void *less(void *arg) {
  amount -= 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, less, 0);
  int shifted = 256 >> amount;
  pthread_join(t, 0);
  return shifted == 0;
}
