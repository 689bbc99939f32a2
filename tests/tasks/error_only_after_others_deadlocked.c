// Two threads may lock two mutexes in opposite order and block each other; the third detects it and fails.
// Unsafe: the error lies behind the point where two of three threads are blocked for ever.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int has_m, has_n;

void *one(void *arg) {
  pthread_mutex_lock(&m);
  has_m = 1;
  pthread_mutex_lock(&n);
  has_m = 0;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}

void *two(void *arg) {
  pthread_mutex_lock(&n);
  has_n = 1;
  pthread_mutex_lock(&m);
  has_n = 0;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  if (has_m && has_n && has_m)
    reach_error();
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
