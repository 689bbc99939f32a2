// Read-write locks.
//
// The first int of the object is 0 (free), the number of readers (positive), or minus the writer's number. Exact: any
// number of readers or one writer; EDEADLK for a writer that locks again and EBUSY, as in glibc; a reader that locks
// for writing waits for ever. Any waiter may be next: neither readers nor writers are preferred (the kind
// PREFER_WRITER_NONRECURSIVE_NP is UNKNOWN for no-deadlock and formulas). A timed lock times out if its thread takes
// the step while the lock is not available.
//
// The use of a lock that was not initialised is reported.
//
// Assumed: a lock is not read-locked so often that the count overflows; unlocking a free lock has
// no effect; the lock is not destroyed in use.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"
#include "timing.h"
#include "user_data.h"

#include <pthread.h>

#define STATE(lock) ((int *)(lock))

static int read_state(const pthread_rwlock_t *lock) {
  return __heddle_read_initialised(STATE(lock), "use of an uninitialised or destroyed read-write lock");
}

// Where a waiting writer blocks new readers, a thread that locks twice for reading may wait for itself; only deadlocks
// show it.
static void refuse_preference(const pthread_rwlock_t *lock) {
  if (__heddle_exact_conditions && lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    __heddle_unmodelled("a read-write lock that prefers writers");
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  if (__heddle_exact_conditions) lock->__data.__flags = attributes ? ((const int *)attributes)[1] : 0;
  *STATE(lock) = 0;
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  __heddle_atomic_begin();
  read_state(lock);
  *STATE(lock) = HEDDLE_UNINITIALISED;
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  __heddle_atomic_begin();
  int state = read_state(lock);
  refuse_preference(lock);
  int own = state == -__heddle_self_number();
  if (!own) {
    __heddle_await(state >= 0);
    *STATE(lock) = state + 1;
  }
  __heddle_atomic_end();
  return own ? EDEADLK : 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  __heddle_atomic_begin();
  int state = read_state(lock);
  int own = state == -__heddle_self_number();
  if (!own) {
    __heddle_await(state == 0);
    *STATE(lock) = -__heddle_self_number();
  }
  __heddle_atomic_end();
  return own ? EDEADLK : 0;
}

// `when_held`: the result if the lock is not free; `when_own`: if the caller holds it for writing.
static int read_lock_or(pthread_rwlock_t *lock, int when_held, int when_own) {
  int result = 0;
  if (__heddle_suppose_failure()) return when_held;
  __heddle_atomic_begin();
  int state = read_state(lock);
  if (state >= 0)
    *STATE(lock) = state + 1;
  else
    result = state == -__heddle_self_number() ? when_own : when_held;
  __heddle_atomic_end();
  return result;
}

static int write_lock_or(pthread_rwlock_t *lock, int when_held, int when_own) {
  int result = 0;
  if (__heddle_suppose_failure()) return when_held;
  __heddle_atomic_begin();
  int state = read_state(lock);
  if (state == 0)
    *STATE(lock) = -__heddle_self_number();
  else
    result = state == -__heddle_self_number() ? when_own : when_held;
  __heddle_atomic_end();
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return read_lock_or(lock, EBUSY, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return write_lock_or(lock, EBUSY, EBUSY); }

// The result of a timed lock.
static int until(int result, clockid_t clock, const struct timespec *deadline) {
  __heddle_read_bytes(deadline, sizeof *deadline);
  return result == ETIMEDOUT ? timed_out_by(clock, deadline) : result;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline) {
  return until(read_lock_or(lock, ETIMEDOUT, EDEADLK), CLOCK_REALTIME, deadline);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline) {
  return until(write_lock_or(lock, ETIMEDOUT, EDEADLK), CLOCK_REALTIME, deadline);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
  return until(read_lock_or(lock, ETIMEDOUT, EDEADLK), clock, deadline);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *deadline) {
  return until(write_lock_or(lock, ETIMEDOUT, EDEADLK), clock, deadline);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  __heddle_atomic_begin();
  int state = read_state(lock);
  *STATE(lock) = state > 0 ? state - 1 : 0;
  __heddle_atomic_end();
  return 0;
}

// An attribute object is two ints: process-shared, which has no effect, and preferred kind.
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  __heddle_atomic_begin();
  ((int *)attributes)[0] = PTHREAD_PROCESS_PRIVATE;
  ((int *)attributes)[1] = PTHREAD_RWLOCK_DEFAULT_NP;
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) { return 0; }

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  ((int *)attributes)[0] = shared;
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared) {
  HEDDLE_PLAIN(store_int)(shared, ((const int *)attributes)[0]);
  return 0;
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
  ((int *)attributes)[1] = kind;
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind) {
  HEDDLE_PLAIN(store_int)(kind, ((const int *)attributes)[1]);
  return 0;
}
