// Spin locks: exact. A thread that spins counts as blocked: one that spins for ever is deadlocked.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"

#include <pthread.h>

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  *(int *)lock = 0;
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  if (__heddle_every_access) (void)*(const volatile int *)lock;
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  __heddle_lock((int *)lock);
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  if (__heddle_suppose_failure()) return EBUSY;
  return __heddle_trylock((int *)lock) ? 0 : EBUSY;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __heddle_unlock((int *)lock);
  return 0;
}
