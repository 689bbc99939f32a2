// The assume_abort_if_not idiom: one thread aborts the process when its condition fails.
// Unsafe: the other thread may fail first.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}
void assume_abort_if_not(int condition) {
  if (!condition)
    abort();
}

int x;

void *assuming(void *arg) {
  assume_abort_if_not(x == 2);
  return 0;
}

void *faulty(void *arg) {
  x = 1;
  x = 3;
  if (x == 3)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, assuming, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
