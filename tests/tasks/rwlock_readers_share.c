// Two readers may hold a read-write lock at the same time.
// Unsafe: both can be inside.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
_Atomic int readers;

void *reading(void *arg) {
  pthread_rwlock_rdlock(&lock);
  if (++readers == 2)
    reach_error();
  readers--;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reading, 0);
  reading(0);
  pthread_join(t, 0);
  return 0;
}
