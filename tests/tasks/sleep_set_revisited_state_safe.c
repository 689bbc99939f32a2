// As sleep_set_revisited_state, but all three threads work under one mutex.
// Safe: the middle of a toggle is never visible.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *toggle_x(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

void *toggle_y(void *arg) {
  pthread_mutex_lock(&m);
  y = 1;
  y = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, toggle_x, 0);
  pthread_create(&b, 0, toggle_y, 0);
  pthread_mutex_lock(&m);
  if (x == 1 || y == 1)
    reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
