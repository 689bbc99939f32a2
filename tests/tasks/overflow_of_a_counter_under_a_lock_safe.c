// Each thread tests the bound and increments under the lock.
#include <limits.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x = INT_MAX - 1;

void *increment(void *arg) {
  pthread_mutex_lock(&lock);
  if (x < INT_MAX) x++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, increment, 0);
  pthread_create(&u, 0, increment, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
