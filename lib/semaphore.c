// Unnamed semaphores. The first int of a sem_t is the value.
//
// Exact: wait, trywait (EAGAIN), post (EOVERFLOW), getvalue. A timed wait gives up exactly when it is scheduled while
// the value is 0. Assumed: deadlines are valid; no signal interrupts a wait. Named semaphores are not modelled.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <limits.h>
#include <semaphore.h>

#define VALUE(semaphore) ((unsigned *)(semaphore))

static int fail(int code) {
  errno = code;
  return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) return fail(EINVAL);
  *VALUE(semaphore) = value;
  return 0;
}

int sem_destroy(sem_t *semaphore) { return 0; }

int sem_wait(sem_t *semaphore) {
  __heddle_atomic_begin();
  unsigned value = *VALUE(semaphore);
  __heddle_await(value != 0);
  *VALUE(semaphore) = value - 1;
  __heddle_atomic_end();
  return 0;
}

static int wait_or(sem_t *semaphore, int when_zero) {
  if (__heddle_suppose_failure()) return fail(when_zero);
  __heddle_atomic_begin();
  unsigned value = (unsigned)HEDDLE_PEEK(int)((const int *)semaphore);
  if (value != 0) *VALUE(semaphore) = value - 1;
  __heddle_atomic_end();
  return value != 0 ? 0 : fail(when_zero);
}

int sem_trywait(sem_t *semaphore) { return wait_or(semaphore, EAGAIN); }
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  __heddle_read_bytes(deadline, sizeof *deadline);
  return wait_or(semaphore, ETIMEDOUT);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  __heddle_read_bytes(deadline, sizeof *deadline);
  return wait_or(semaphore, ETIMEDOUT);
}

int sem_post(sem_t *semaphore) {
  __heddle_atomic_begin();
  unsigned value = *VALUE(semaphore);
  if (value != SEM_VALUE_MAX) *VALUE(semaphore) = value + 1;
  __heddle_atomic_end();
  return value != SEM_VALUE_MAX ? 0 : fail(EOVERFLOW);
}

int sem_getvalue(sem_t *semaphore, int *value) {
  int now = HEDDLE_PEEK(int)((const int *)semaphore);
  if (__heddle_suppose_failure()) now = __heddle_fresh_int() & INT_MAX; // it orders nothing: a value of another time
  HEDDLE_PLAIN(store_int)(value, now);
  return 0;
}

sem_t *sem_open(const char *name, int flags, ...) { __heddle_unmodelled("sem_open"); }
int sem_close(sem_t *semaphore) { __heddle_unmodelled("sem_close"); }
int sem_unlink(const char *name) { __heddle_unmodelled("sem_unlink"); }
