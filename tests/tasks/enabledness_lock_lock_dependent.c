// Two threads lock the same mutex once; the second one sees the other's write.
// Unsafe: both orders of the two lock operations must be explored although the critical sections look symmetric.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int last;

void *one(void *arg) {
  pthread_mutex_lock(&m);
  last = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

void *two(void *arg) {
  pthread_mutex_lock(&m);
  last = 2;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (last == 1) // needs two() to lock first
    reach_error();
  return 0;
}
