// Steps on a mutex, for use inside an atomic section.
//
// Representation, in the first int cells of a pthread_mutex_t (an mtx_t is laid out alike):
//   __lock   0, or the owner's number
//   __count  how often a recursive mutex was locked beyond the first time
//   __kind   0 normal, 1 recursive, 2 error checking, 3 adaptive (treated as normal): set by static initialisers
#ifndef HEDDLE_LIB_MUTEX_STEPS_H
#define HEDDLE_LIB_MUTEX_STEPS_H

#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"

#include <pthread.h>

// True for kinds 0 and 3: nobody asks who owns the mutex. One expression, so that an unknown kind costs one branch.
static inline int mutex_is_plain(int kind) { return ((kind + 1) & 2) == 0; }

static inline int mutex_is_recursive(int kind) { return (kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP; }

static inline int mutex_kind(const pthread_mutex_t *mutex) { return HEDDLE_PEEK(int)(&mutex->__data.__kind); }

// Locks a recursive or error-checking mutex. `when_held` is what to answer when another thread holds it; 0: wait.
static inline int mutex_acquire_owned(pthread_mutex_t *mutex, int kind, int when_held) {
  int owner = HEDDLE_PEEK(int)(&mutex->__data.__lock);
  if (owner == __heddle_self_number()) {
    if (!mutex_is_recursive(kind)) return when_held == EBUSY ? EBUSY : EDEADLK;
    mutex->__data.__count++;
    return 0;
  }
  if (when_held != 0 && owner != 0) return when_held;
  __heddle_lock(&mutex->__data.__lock);
  return 0;
}

static inline int mutex_release_owned(pthread_mutex_t *mutex, int kind) {
  if (mutex->__data.__lock != __heddle_self_number()) return EPERM;
  if (mutex_is_recursive(kind) && mutex->__data.__count > 0)
    mutex->__data.__count--;
  else
    __heddle_unlock(&mutex->__data.__lock);
  return 0;
}

static inline int mutex_release(pthread_mutex_t *mutex) {
  int kind = mutex_kind(mutex);
  if (!mutex_is_plain(kind)) return mutex_release_owned(mutex, kind);
  __heddle_unlock(&mutex->__data.__lock);
  return 0;
}

#endif
