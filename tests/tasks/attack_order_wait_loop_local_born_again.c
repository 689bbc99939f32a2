// A waiting loop whose body has a local variable that another thread reads through a pointer.
// Unsafe: the local holds the value for a moment in each round.
#include <pthread.h>

void reach_error(void) {}

volatile int f;
volatile int *volatile g;

void *t(void *a) {
  volatile int *q = g;
  if (q) {
    int v = *q;
    if (v == 5) {
      f = 1;
      return 0;
    }
  }
  f = 2;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  while (!f) {
    volatile int loc;
    g = &loc;
    loc = 5;
    loc = 6;
    g = 0;
  }
  if (f == 1)
    reach_error();
  return 0;
}
