// Load buffering: no value out of thin air, no load after a later store.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int x, y;
int saw_x;

void *first(void *arg) {
  saw_x = x;
  y = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  int saw_y = y;
  x = 1;
  pthread_join(t, 0);
  if (saw_x && saw_y)
    reach_error();
  return 0;
}
