// Two threads increment under the read lock.
// Unsafe: readers share the lock, an update is lost.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *increment(void *arg) {
  pthread_rwlock_rdlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  if (x != 2)
    reach_error();
  return 0;
}
