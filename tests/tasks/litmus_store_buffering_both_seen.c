// Store buffering: both threads may see each other's write.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int x, y;
int saw_x, saw_y;

void *first(void *arg) {
  x = 1;
  saw_y = y;
  return 0;
}

void *second(void *arg) {
  y = 1;
  saw_x = x;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (saw_x && saw_y)
    reach_error();
  return 0;
}
