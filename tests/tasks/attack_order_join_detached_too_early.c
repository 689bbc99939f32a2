// A thread that detaches itself before its work, while main joins it and does not look at the result.
// Unsafe: the join fails at once.
#include <pthread.h>

void reach_error(void) {}

int x;

void *u(void *a) {
  pthread_detach(pthread_self());
  x = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, u, 0);
  pthread_join(p, 0);
  if (x == 0)
    reach_error();
  return 0;
}
