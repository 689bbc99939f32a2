// Two threads write both variables in opposite order: the first writes cannot both be the last.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int x, y;

void *first(void *arg) {
  x = 1;
  y = 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  y = 1;
  x = 2;
  pthread_join(t, 0);
  if (x == 1 && y == 1)
    reach_error();
  return 0;
}
