// Like order_wait_loop_blinks, with additions that are taken back.
// Unsafe: rounds in which memory changes in between count.
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
    atomic_fetch_add(&beacon, 1);
    atomic_fetch_sub(&beacon, 1);
  }
  return 0;
}
