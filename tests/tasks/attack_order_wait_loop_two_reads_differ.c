// A loop that ends when two reads of one variable differ.
// Unsafe: two writes may lie between the reads of one round.
#include <pthread.h>

void reach_error(void) {}

volatile int f;

void *t(void *x) {
  f = 1;
  f = 2;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int u, v;
  do {
    u = f;
    v = f;
  } while (u == v);
  if (u == 0 && v == 2)
    reach_error();
  return 0;
}
