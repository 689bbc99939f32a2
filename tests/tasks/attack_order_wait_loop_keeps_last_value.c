// A waiting loop that keeps what it last saw of another variable.
// Unsafe: the value of the last round is used after the loop.
#include <pthread.h>

void reach_error(void) {}

volatile int f, g;

void *t(void *x) {
  g = 1;
  f = 1;
  g = 0;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int last = 0;
  while (!f)
    last = g;
  if (last == 1 && g == 0)
    reach_error();
  return 0;
}
