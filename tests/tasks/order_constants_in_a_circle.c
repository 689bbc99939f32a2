// Each of two threads writes only if it has seen what the other writes: both values stay 0, because neither can come
// first.
// Safe.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int x, y;

void *other(void *arg) {
  if (y)
    x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  if (x)
    y = 1;
  pthread_join(t, 0);
  if (x)
    reach_error();
  return 0;
}
