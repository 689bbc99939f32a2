// As short_circuit_race_window, with the operands in the other order.
// Safe: once b is seen set, a is already cleared.
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
  if (b && a)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
