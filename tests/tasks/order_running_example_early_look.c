// Like order_running_example, but the second thread looks at x before it writes y: both results can be 1.
// Unsafe.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x = 1, y = 1, m = 0, n = 0;

void *first(void *arg) {
  x = y + 1;
  m = y;
  x = 0;
  return 0;
}

void *second(void *arg) {
  n = x;
  y = x + 1;
  y = 0;
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  if (m == 1 && n == 1)
    reach_error();
  return 0;
}
