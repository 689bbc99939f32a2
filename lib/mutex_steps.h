// Steps on a mutex, for use inside an atomic section.
//
// Representation, in the first int cells of a pthread_mutex_t (an mtx_t is laid out alike):
//   __lock   0, or the owner's number
//   __count  how often a recursive mutex was locked beyond the first time
//   __kind   0 normal, 1 recursive, 2 error checking, 3 adaptive (treated as normal): set by static initialisers;
//            with ROBUST added for a robust one
//   __nusers 0 from its initialisation until it is destroyed (in a program that destroys mutexes)
//   __owner  of a robust mutex: what became of the state that it protects
//   __list   of a robust mutex: the control block of its owner
#ifndef HEDDLE_LIB_MUTEX_STEPS_H
#define HEDDLE_LIB_MUTEX_STEPS_H

#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"

#include <pthread.h>

enum { ROBUST = 16 };                                         // as in glibc
enum { CONSISTENT = 0, OWNER_DIED = 1, NOT_RECOVERABLE = 2 }; // __owner

static inline void mutex_must_live(const pthread_mutex_t *mutex) {
  if (__heddle_uses_destroying())
    __heddle_read_initialised((const int *)&mutex->__data.__nusers, "use of a destroyed mutex");
}

#define mutex_kind(mutex, what)                                                                                        \
  ({                                                                                                                   \
    int kind_ = __heddle_read_initialised(&(mutex)->__data.__kind, what);                                              \
    mutex_must_live(mutex);                                                                                            \
    kind_;                                                                                                             \
  })

static inline int mutex_owner(const pthread_mutex_t *mutex) { return __heddle_read_known(&mutex->__data.__lock); }

// True for kinds 0 and 3, for which the owner does not matter. It is one expression, so that an unknown kind costs one
// branch.
static inline int mutex_is_plain(int kind) { return (((kind + 1) & 2) | (kind & ROBUST)) == 0; }

static inline int mutex_is_recursive(int kind) { return (kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP; }

// --- robust mutexes ---

#define OWNER(mutex) (*(struct heddle_thread **)&(mutex)->__data.__list)

// Has the thread that holds the mutex ended? Precondition: the mutex is held.
static inline int mutex_owner_died(const pthread_mutex_t *mutex) {
  if (__heddle_joins_in_loops) __heddle_unmodelled("robust mutexes in a program that joins threads in loops");
  return OWNER(mutex)->status == HEDDLE_FINISHED;
}

// Takes a robust mutex that is free or whose owner has died, unless it cannot be recovered. Returns what locking
// returns.
static inline int mutex_take_robust(pthread_mutex_t *mutex, int died) {
  if (mutex->__data.__owner == NOT_RECOVERABLE) return ENOTRECOVERABLE;
  if (died) mutex->__data.__owner = OWNER_DIED;
  mutex->__data.__count = 0;
  mutex->__data.__lock = __heddle_self_number();
  OWNER(mutex) = __heddle_self();
  return died ? EOWNERDEAD : 0;
}

// A normal robust mutex that its owner locks again blocks for ever.
static inline int mutex_acquire_robust(pthread_mutex_t *mutex, int kind, int when_held) {
  int owner = mutex_owner(mutex), died = 0;
  if (owner == __heddle_self_number() && (kind & 3) != PTHREAD_MUTEX_NORMAL) {
    if (!mutex_is_recursive(kind)) return when_held == EBUSY ? EBUSY : EDEADLK;
    mutex->__data.__count++;
    return 0;
  }
  if (owner != 0) died = mutex_owner_died(mutex);
  if (when_held != 0 && owner != 0 && !died) return when_held;
  __heddle_await(owner == 0 || died);
  return mutex_take_robust(mutex, died);
}

static inline int mutex_release_robust(pthread_mutex_t *mutex, int kind) {
  if (mutex_owner(mutex) != __heddle_self_number()) return EPERM;
  if (mutex_is_recursive(kind) && mutex->__data.__count > 0) {
    mutex->__data.__count--;
    return 0;
  }
  if (mutex->__data.__owner == OWNER_DIED) mutex->__data.__owner = NOT_RECOVERABLE;
  mutex->__data.__lock = 0;
  return 0;
}

// --- mutexes with an owner ---

// Locks a recursive, error-checking or robust mutex. `when_held`: the result if another thread holds it; 0: wait for
// it.
static inline int mutex_acquire_owned(pthread_mutex_t *mutex, int kind, int when_held) {
  if (__heddle_uses_robust() && (kind & ROBUST)) return mutex_acquire_robust(mutex, kind, when_held);
  int owner = mutex_owner(mutex);
  if (owner == __heddle_self_number()) {
    if (!mutex_is_recursive(kind)) return when_held == EBUSY ? EBUSY : EDEADLK;
    mutex->__data.__count++;
    return 0;
  }
  if (when_held != 0 && owner != 0) return when_held;
  __heddle_lock_mutex(&mutex->__data.__lock);
  return 0;
}

static inline int mutex_release_owned(pthread_mutex_t *mutex, int kind) {
  if (__heddle_uses_robust() && (kind & ROBUST)) return mutex_release_robust(mutex, kind);
  if (mutex_owner(mutex) != __heddle_self_number()) return EPERM;
  if (mutex_is_recursive(kind) && mutex->__data.__count > 0)
    mutex->__data.__count--;
  else
    __heddle_unlock(&mutex->__data.__lock);
  return 0;
}

static inline int mutex_release(pthread_mutex_t *mutex, int kind) {
  if (!mutex_is_plain(kind)) return mutex_release_owned(mutex, kind);
  __heddle_unlock(&mutex->__data.__lock);
  return 0;
}

#endif
