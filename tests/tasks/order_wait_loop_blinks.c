// A waiting loop that leaves memory as it found it, but sets a beacon in between.
// Unsafe: another thread sees it go on three times, so three rounds count although nothing has changed after each.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int beacon, stop;

void *observer(void *arg) {
  if (beacon != 1 || beacon != 0 || beacon != 1 || beacon != 0 || beacon != 1)
    return 0;
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, observer, 0);
  while (!stop) {
    beacon = 1;
    beacon = 0;
  }
  return 0;
}
