// Both threads take the two mutexes in the same order.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;

void *forwards(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  x++;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, forwards, 0);
  pthread_create(&b, 0, forwards, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2)
    reach_error();
  return 0;
}
