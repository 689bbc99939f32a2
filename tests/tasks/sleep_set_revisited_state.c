// Two threads switch a variable on and off again, so that states are reached again by other orders (and with other
// sleep sets); the third looks at x, then at y. Unsafe: it can see both switched on.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int x, y;

void *toggle_x(void *arg) {
  x = 1;
  x = 0;
  return 0;
}

void *toggle_y(void *arg) {
  y = 1;
  y = 0;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, toggle_x, 0);
  pthread_create(&b, 0, toggle_y, 0);
  if (x == 1)
    if (y == 1)
      reach_error();
  return 0;
}
