// A loop that ends when a variable is seen to rise, and remembers whether it was seen to fall.
// Safe: it rises once only, before it falls.
#include <pthread.h>

void reach_error(void) {}

volatile int f;

void *t(void *x) {
  f = 1;
  f = 0;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int u, v, n = 0;
  do {
    u = f;
    v = f;
    if (u > v)
      n = 1;
  } while (!(u < v));
  if (n)
    reach_error(); /* down before up: impossible */
  return 0;
}
