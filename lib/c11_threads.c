// <threads.h>, over the POSIX models: in glibc a thrd_t is a pthread_t, and an mtx_t or cnd_t is laid out as a
// pthread_mutex_t or pthread_cond_t. call_once is in once.c, tss_* in keys.c.
//
// Exact and assumed as there. A thread's function returns int: __heddle_create gets it under a cast, and the front end
// widens the result to a pointer; only its low bits are ever looked at. Locking a plain mutex twice (undefined in C)
// blocks for ever.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <pthread.h>
#include <stdint.h>
#include <threads.h>

static int c11_result(int error) {
  if (error == 0) return thrd_success;
  if (error == EBUSY) return thrd_busy;
  if (error == ETIMEDOUT) return thrd_timedout;
  return thrd_error;
}

int thrd_create(thrd_t *handle, thrd_start_t routine, void *argument) {
  __heddle_create((void *(*)(void *))routine, argument, handle);
  return thrd_success;
}

int thrd_join(thrd_t handle, int *result) {
  void *value = NULL;
  int error = pthread_join(handle, result ? &value : NULL);
  if (error) return thrd_error;
  if (result) HEDDLE_PLAIN(store_int)(result, (int)(intptr_t)value);
  return thrd_success;
}

void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
int thrd_detach(thrd_t handle) { return c11_result(pthread_detach(handle)); }
thrd_t thrd_current(void) { return (thrd_t)__heddle_self(); }
int thrd_equal(thrd_t one, thrd_t other) { return one == other; }
void thrd_yield(void) {}
int __heddle_sleep(const struct timespec *duration, struct timespec *remaining);
int thrd_sleep(const struct timespec *duration, struct timespec *remaining) {
  int error = __heddle_sleep(duration, remaining);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

int mtx_init(mtx_t *mutex, int type) {
  pthread_mutex_t *object = (pthread_mutex_t *)mutex;
  int kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE_NP : PTHREAD_MUTEX_TIMED_NP;
  __heddle_atomic_begin();
  object->__data.__lock = 0;
  object->__data.__kind = kind;
  if (kind == PTHREAD_MUTEX_RECURSIVE_NP) object->__data.__count = 0;
  if (__heddle_uses_destroying()) object->__data.__nusers = 0;
  __heddle_atomic_end();
  return thrd_success;
}

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }
int mtx_lock(mtx_t *mutex) { return c11_result(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
int mtx_trylock(mtx_t *mutex) { return c11_result(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
int mtx_unlock(mtx_t *mutex) { return c11_result(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }

int mtx_timedlock(mtx_t *mutex, const struct timespec *deadline) {
  return c11_result(pthread_mutex_timedlock((pthread_mutex_t *)mutex, deadline));
}

int cnd_init(cnd_t *condition) { return c11_result(pthread_cond_init((pthread_cond_t *)condition, NULL)); }
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy((pthread_cond_t *)condition); }
int cnd_signal(cnd_t *condition) { return c11_result(pthread_cond_signal((pthread_cond_t *)condition)); }
int cnd_broadcast(cnd_t *condition) { return c11_result(pthread_cond_broadcast((pthread_cond_t *)condition)); }

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return c11_result(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *deadline) {
  return c11_result(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, deadline));
}
