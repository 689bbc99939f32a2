// `a && b` reads a, then b: another thread may change both in between, in the other order.
// Unsafe although a and b are never both set at the same time.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int a = 1, b;

void *moving(void *arg) {
  a = 0;
  b = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, moving, 0);
  if (a && b)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
