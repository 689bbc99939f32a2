// A loop whose bound is a constant in memory until another thread raises it.
// Unsafe: two more rounds are possible.
#include <pthread.h>

void reach_error(void) {}

volatile int n = 2, x;

void *s(void *y) {
  for (int i = 0; i < n; i++)
    x = i;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, s, 0);
  if (x == 1)
    n = 4;
  pthread_join(p, 0);
  if (x == 3)
    reach_error();
  return 0;
}
