// A global mutex without an initialiser is all zero, which is what PTHREAD_MUTEX_INITIALIZER is on Linux.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;
int x;

void *increment(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
