// Two readers agree on the order of two independent writes.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int x, y;
int a_x, a_y, b_x, b_y;

void *write_x(void *arg) {
  x = 1;
  return 0;
}

void *write_y(void *arg) {
  y = 1;
  return 0;
}

void *read_x_then_y(void *arg) {
  a_x = x;
  a_y = y;
  return 0;
}

void *read_y_then_x(void *arg) {
  b_y = y;
  b_x = x;
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, write_x, 0);
  pthread_create(&t[1], 0, write_y, 0);
  pthread_create(&t[2], 0, read_x_then_y, 0);
  read_y_then_x(0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  if (a_x && !a_y && b_y && !b_x)
    reach_error();
  return 0;
}
