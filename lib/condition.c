// Condition variables.
//
// For properties of reachable states a wait is an unlock and a lock, and a signal does nothing: exact, because POSIX
// allows spurious wake-ups at any time. The condition variable is then only read, if every access counts: one that was
// freed is an invalid dereference.
//
// With __heddle_exact_conditions, the first int of the object is the set of threads that wait: bit n-1 for the thread
// with number n. A wait adds the thread to the set and releases the mutex in one step, waits until another thread has
// removed it from the set, and then locks the mutex in another step. A signal removes any one thread from the set (no
// order is promised), or is lost if the set is empty; a broadcast empties the set. This variant has no spurious
// wake-ups, so that a lost signal shows as a deadlock. A timed wait whose thread is scheduled before it was signalled
// has timed out.
//
// A cancelled wait locks the mutex before cleanup handlers run, and consumes no signal that another thread could get.
//
// Assumed: all waiters of one condition use the same mutex; the object is not destroyed while threads wait. At most 32
// threads may wait in the exact variant; beyond, the answer is UNKNOWN.
#include "cancel.h"
#include "mutex_steps.h"
#include "timing.h"
#include "user_data.h"

enum { MOST_WAITERS = 32 };

static void look_at_condition(const pthread_cond_t *condition) {
  if (__heddle_every_access) (void)*(const volatile int *)condition;
}

static unsigned own_bit(void) {
  int number = __heddle_self_number();
  if (number > MOST_WAITERS) __heddle_unmodelled("more than 32 threads waiting for conditions");
  return 1u << (number - 1);
}

static unsigned read_waiters(const unsigned *waiters) {
  return (unsigned)__heddle_read_initialised((const int *)waiters, "use of an uninitialised condition variable");
}

// Adds the thread to the set of waiters and releases the mutex; no effect if unlocking the mutex fails.
static int enqueue(unsigned *waiters, unsigned bit, pthread_mutex_t *mutex) {
  __heddle_atomic_begin();
  int refused = mutex_release(mutex, mutex_kind(mutex, "wait with an uninitialised mutex"));
  if (!refused) *waiters = read_waiters(waiters) | bit;
  __heddle_atomic_end();
  return refused;
}

// Waits until another thread has removed this one from the set, or it is cancelled: then it removes itself.
static int dequeue(unsigned *waiters, unsigned bit) {
  int cancelled = 0;
  __heddle_atomic_begin();
  unsigned waiting = read_waiters(waiters);
  if (__heddle_uses_cancelling()) {
    cancelled = ((waiting & bit) != 0) & cancel_requested();
    if (cancelled) *waiters = waiting & ~bit;
  }
  __heddle_await(((waiting & bit) == 0) | cancelled);
  __heddle_atomic_end();
  return cancelled;
}

static int wait_exactly(unsigned *waiters, pthread_mutex_t *mutex) {
  unsigned bit = own_bit();
  int refused = enqueue(waiters, bit, mutex);
  if (refused) return refused;
  int cancelled = dequeue(waiters, bit), failed = pthread_mutex_lock(mutex);
  if (__heddle_uses_cancelling() && cancelled) __heddle_act_on_request();
  return failed;
}

static int wait_exactly_timed(unsigned *waiters, pthread_mutex_t *mutex) {
  unsigned bit = own_bit();
  int refused = enqueue(waiters, bit, mutex), cancelled = 0;
  if (refused) return refused;
  __heddle_atomic_begin();
  unsigned before = read_waiters(waiters);
  *waiters = before & ~bit;
  if (__heddle_uses_cancelling()) cancelled = ((before & bit) != 0) & cancel_requested();
  __heddle_atomic_end();
  int failed = pthread_mutex_lock(mutex);
  if (__heddle_uses_cancelling() && cancelled) __heddle_act_on_request();
  if (failed) return failed;
  return before & bit ? ETIMEDOUT : 0;
}

// A wait that may end at any time; it has ended when the mutex is locked again. Was it ended by a request to cancel?
static int wait_briefly(pthread_mutex_t *mutex) {
  int refused = pthread_mutex_unlock(mutex);
  if (refused) return refused;
  int failed = pthread_mutex_lock(mutex);
  if (__heddle_uses_cancelling() && cancel_requested() && __heddle_fresh_bool()) __heddle_act_on_request();
  return failed;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (__heddle_exact_conditions) return wait_exactly((unsigned *)condition, mutex);
  look_at_condition(condition);
  return wait_briefly(mutex);
}

static int wait_timed(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (__heddle_exact_conditions) return wait_exactly_timed((unsigned *)condition, mutex);
  look_at_condition(condition);
  int failed = wait_briefly(mutex);
  return failed ? failed : ETIMEDOUT & -(int)__heddle_fresh_bool();
}

// The deadline is read when the wait begins.
static int timed_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                      const struct timespec *deadline) {
  if (deadline_error(deadline)) return EINVAL;
  struct timespec end = HEDDLE_PLAIN(load_time)(deadline);
  int result = wait_timed(condition, mutex);
  if (__heddle_clocks_matter && result == ETIMEDOUT) __heddle_waited_until(clock, end.tv_sec, end.tv_nsec);
  return result;
}

// The second int of the object is the clock that its attributes name, where that matters.
#define CLOCK(condition) ((int *)(condition))[1]

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  int monotonic = __heddle_clocks_matter && CLOCK(condition) == CLOCK_MONOTONIC;
  return timed_wait(condition, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, deadline);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *deadline) {
  return timed_wait(condition, mutex, clock, deadline);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  look_at_condition(condition);
  if (!__heddle_exact_conditions) return 0;
  unsigned *waiters = (unsigned *)condition;
  unsigned chosen = 1u << __heddle_fresh_bits_5();
  __heddle_atomic_begin();
  // Every value is a choice: one that names no waiter stands for the lowest waiter, or for none if the set is empty.
  unsigned waiting = read_waiters(waiters);
  if ((chosen & waiting) == 0) chosen = waiting & -waiting;
  *waiters = waiting & ~chosen;
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  look_at_condition(condition);
  if (__heddle_exact_conditions) *(unsigned *)condition = 0;
  return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  look_at_condition(condition);
  if (__heddle_exact_conditions) *(unsigned *)condition = 0;
  if (__heddle_clocks_matter) CLOCK(condition) = attributes ? *(const int *)attributes >> 1 : CLOCK_REALTIME;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  look_at_condition(condition);
  return 0;
}

// An attribute object is one int: process-shared in bit 0, the clock above it.
int pthread_condattr_init(pthread_condattr_t *attributes) {
  *(int *)attributes = 0;
  return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) { return 0; }

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  int *cell = (int *)attributes;
  __heddle_atomic_begin();
  *cell = (*cell & 1) | clock << 1;
  __heddle_atomic_end();
  return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock) {
  HEDDLE_PLAIN(store_int)(clock, *(const int *)attributes >> 1);
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  int *cell = (int *)attributes;
  __heddle_atomic_begin();
  *cell = (*cell & ~1) | shared;
  __heddle_atomic_end();
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared) {
  HEDDLE_PLAIN(store_int)(shared, *(const int *)attributes & 1);
  return 0;
}
