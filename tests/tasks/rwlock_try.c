// The try variants return EBUSY where the plain ones would block.
#include <errno.h>
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_rwlock_t lock;

int main(void) {
  pthread_rwlock_init(&lock, 0);
  if (pthread_rwlock_tryrdlock(&lock) != 0 || pthread_rwlock_tryrdlock(&lock) != 0)
    reach_error();
  if (pthread_rwlock_trywrlock(&lock) != EBUSY)
    reach_error();
  pthread_rwlock_unlock(&lock);
  if (pthread_rwlock_trywrlock(&lock) != EBUSY)
    reach_error();
  pthread_rwlock_unlock(&lock);
  if (pthread_rwlock_trywrlock(&lock) != 0)
    reach_error();
  if (pthread_rwlock_tryrdlock(&lock) != EBUSY)
    reach_error();
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  return 0;
}
