// The mutex is released between reading and writing: no data race, yet an update is lost.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *increment(void *arg) {
  pthread_mutex_lock(&m);
  int seen = x;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  x = seen + 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
