// Semaphores. The first int of a sem_t is the value.
//
// Exact: wait, trywait (EAGAIN), post (EOVERFLOW), getvalue. A timed wait times out if its thread takes the step while
// the value is 0. A handler that runs during a wait may end it (EINTR), unless it was installed with SA_RESTART.
// The use of a semaphore that was not initialised, or was destroyed, is reported.
#define _GNU_SOURCE
#include "cancel.h"
#include "errors.h"
#include "heddle.h"
#include "signals.h"
#include "timing.h"
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

static unsigned read_value(const sem_t *semaphore) {
  return (unsigned)__heddle_read_initialised((const int *)semaphore, "use of an uninitialised or destroyed semaphore");
}

int sem_destroy(sem_t *semaphore) {
  __heddle_atomic_begin();
  read_value(semaphore);
  *VALUE(semaphore) = (unsigned)HEDDLE_UNINITIALISED;
  __heddle_atomic_end();
  return 0;
}

// A handler that has run may have run while the thread waited, or before: both are possible.
static int ends_wait(void) {
  if (!was_interrupted(HANDLED_NO_RESTART)) return 0;
  return __heddle_fresh_bool();
}

int sem_wait(sem_t *semaphore) {
  int interrupted = 0, cancelled = 0;
  interruptible();
  __heddle_atomic_begin();
  unsigned value = read_value(semaphore);
  if (__heddle_uses_handlers()) interrupted = ends_wait();
  if (__heddle_uses_cancelling()) cancelled = (value == 0) & cancel_requested();
  __heddle_await((value != 0) | interrupted | cancelled);
  if (!(interrupted | cancelled)) *VALUE(semaphore) = value - 1;
  __heddle_atomic_end();
  if (__heddle_uses_cancelling() && cancelled) __heddle_act_on_request();
  return interrupted ? fail(EINTR) : 0;
}

static int take(sem_t *semaphore) {
  if (__heddle_suppose_failure()) return 0;
  __heddle_atomic_begin();
  unsigned value = read_value(semaphore);
  if (value != 0) *VALUE(semaphore) = value - 1;
  __heddle_atomic_end();
  return value != 0;
}

static int wait_until(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  __heddle_read_bytes(deadline, sizeof *deadline);
  interruptible();
  if (__heddle_uses_handlers() && ends_wait()) return fail(EINTR);
  return take(semaphore) ? 0 : fail(timed_out_by(clock, deadline));
}

int sem_trywait(sem_t *semaphore) { return take(semaphore) ? 0 : fail(EAGAIN); }

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  return wait_until(semaphore, CLOCK_REALTIME, deadline);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
  return wait_until(semaphore, clock, deadline);
}

int sem_post(sem_t *semaphore) {
  __heddle_atomic_begin();
  unsigned value = read_value(semaphore);
  if (value != SEM_VALUE_MAX) *VALUE(semaphore) = value + 1;
  __heddle_atomic_end();
  return value != SEM_VALUE_MAX ? 0 : fail(EOVERFLOW);
}

int sem_getvalue(sem_t *semaphore, int *value) {
  int now = (int)read_value(semaphore);
  // It orders nothing, so that the value may be that of another time.
  if (__heddle_suppose_failure()) now = __heddle_fresh_int() & INT_MAX;
  HEDDLE_PLAIN(store_int)(value, now);
  return 0;
}
