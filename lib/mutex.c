// Mutexes and their attributes.
//
// Exact: normal mutexes (relocking blocks for ever), recursive and error-checking ones (EDEADLK, EPERM), robust ones
// (EOWNERDEAD, ENOTRECOVERABLE), trylock, destroying a held mutex (EBUSY). Adaptive mutexes are normal ones. Unlocking
// a normal mutex that is free or held by another thread frees it, as glibc does. A timed lock times out if its thread
// takes the step while the mutex is held, because time may pass at any speed; it never times out while the mutex is
// free. The use of a mutex that was not initialised, or was destroyed, is reported.
//
// Assumed: a recursive mutex is not locked so often that its counter overflows; priorities and ceilings do not matter
// (all schedules are considered anyway).
#include "mutex_steps.h"
#include "timing.h"
#include "user_data.h"

// An attribute object is one int: type in bits 0 and 1, process-shared 2, protocol 3 and 4, robust 5, priority ceiling
// from 8 on.
enum { SHARED_BIT = 4, PROTOCOL_SHIFT = 3, PROTOCOL_BITS = 3 << PROTOCOL_SHIFT, ROBUST_BIT = 32, CEILING_SHIFT = 8 };

static int attribute_bits(const pthread_mutexattr_t *attributes) {
  return __heddle_read_initialised((const int *)attributes, "use of uninitialised mutex attributes");
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  int bits = attributes ? attribute_bits(attributes) : PTHREAD_MUTEX_TIMED_NP;
  int kind = bits & 3;
  if (__heddle_uses_robust() && (bits & ROBUST_BIT)) kind |= ROBUST;
  __heddle_atomic_begin();
  mutex->__data.__lock = 0;
  mutex->__data.__kind = kind;
  if (mutex_is_recursive(kind)) mutex->__data.__count = 0;
  if (__heddle_uses_robust()) mutex->__data.__owner = CONSISTENT;
  if (__heddle_uses_destroying()) mutex->__data.__nusers = 0;
  __heddle_atomic_end();
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  __heddle_atomic_begin();
  mutex_kind(mutex, "destruction of an uninitialised mutex");
  int held = mutex_owner(mutex);
  if (!held) mutex->__data.__nusers = (unsigned)HEDDLE_UNINITIALISED;
  __heddle_atomic_end();
  return held ? EBUSY : 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int kind = mutex_kind(mutex, "lock of an uninitialised mutex");
  if (mutex_is_plain(kind)) {
    __heddle_lock_mutex(&mutex->__data.__lock);
    return 0;
  }
  __heddle_atomic_begin();
  int result = mutex_acquire_owned(mutex, kind, 0);
  __heddle_atomic_end();
  return result;
}

static int lock_or(pthread_mutex_t *mutex, int when_held) {
  if (__heddle_suppose_failure()) return when_held;
  int kind = mutex_kind(mutex, "lock of an uninitialised mutex");
  if (mutex_is_plain(kind)) return __heddle_trylock_mutex(&mutex->__data.__lock) ? 0 : when_held;
  __heddle_atomic_begin();
  int result = mutex_acquire_owned(mutex, kind, when_held);
  __heddle_atomic_end();
  return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) { return lock_or(mutex, EBUSY); }

static int lock_until(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  __heddle_read_bytes(deadline, sizeof *deadline);
  int result = lock_or(mutex, ETIMEDOUT);
  return result == ETIMEDOUT ? timed_out_by(clock, deadline) : result;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  return lock_until(mutex, CLOCK_REALTIME, deadline);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
  return lock_until(mutex, clock, deadline);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int kind = mutex_kind(mutex, "unlock of an uninitialised mutex");
  if (mutex_is_plain(kind)) {
    __heddle_unlock(&mutex->__data.__lock);
    return 0;
  }
  __heddle_atomic_begin();
  int result = mutex_release_owned(mutex, kind);
  __heddle_atomic_end();
  return result;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  if (!__heddle_uses_robust()) return EINVAL;
  int result = EINVAL;
  __heddle_atomic_begin();
  int own = mutex_owner(mutex) == __heddle_self_number();
  if ((mutex->__data.__kind & ROBUST) && own && mutex->__data.__owner == OWNER_DIED) {
    mutex->__data.__owner = CONSISTENT;
    result = 0;
  }
  __heddle_atomic_end();
  return result;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling) { return EINVAL; } // no priority protocol
int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old) { return EINVAL; }

static int set_attribute_bits(pthread_mutexattr_t *attributes, int mask, int bits) {
  __heddle_atomic_begin();
  *(int *)attributes = (attribute_bits(attributes) & ~mask) | bits;
  __heddle_atomic_end();
  return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  *(int *)attributes = 0;
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) { return 0; }

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < 0 || type > 3) return EINVAL;
  return set_attribute_bits(attributes, 3, type);
}

int pthread_mutexattr_setkind_np(pthread_mutexattr_t *attributes, int type) {
  return pthread_mutexattr_settype(attributes, type);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type) {
  HEDDLE_PLAIN(store_int)(type, attribute_bits(attributes) & 3);
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  return set_attribute_bits(attributes, SHARED_BIT, shared ? SHARED_BIT : 0);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
  HEDDLE_PLAIN(store_int)(shared, (attribute_bits(attributes) & SHARED_BIT) != 0);
  return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT) return EINVAL;
  return set_attribute_bits(attributes, PROTOCOL_BITS, protocol << PROTOCOL_SHIFT);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol) {
  HEDDLE_PLAIN(store_int)(protocol, (attribute_bits(attributes) & PROTOCOL_BITS) >> PROTOCOL_SHIFT);
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling) {
  return set_attribute_bits(attributes, ~((1 << CEILING_SHIFT) - 1), ceiling << CEILING_SHIFT);
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling) {
  HEDDLE_PLAIN(store_int)(ceiling, attribute_bits(attributes) >> CEILING_SHIFT);
  return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robustness) {
  if (robustness != PTHREAD_MUTEX_STALLED && robustness != PTHREAD_MUTEX_ROBUST) return EINVAL;
  return set_attribute_bits(attributes, ROBUST_BIT, robustness == PTHREAD_MUTEX_ROBUST ? ROBUST_BIT : 0);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robustness) {
  int robust = (attribute_bits(attributes) & ROBUST_BIT) != 0;
  HEDDLE_PLAIN(store_int)(robustness, robust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
  return 0;
}
