// Locking after a check that is not repeated under the lock.
// Unsafe: the object is created twice.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

atomic_int created;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *user(void *arg) {
  if (!created) {
    pthread_mutex_lock(&lock);
    created++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  user(0);
  pthread_join(t, 0);
  if (created != 1)
    reach_error();
  return 0;
}
