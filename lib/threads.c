// Threads: creation, joining, detaching, ending, and their attributes. A pthread_t is the address of the thread's
// struct heddle_thread.
//
// Exact: the handle is stored before the thread starts, as glibc does; join waits for the end and hands
// out the result; joining oneself gives EDEADLK, joining or detaching a detached thread EINVAL.
//
// Assumed: creation succeeds; a thread is joined at most once (a second join finds it finished and returns at once);
// handles are valid; scheduling attributes, stack sizes and names have no effect.
#define _GNU_SOURCE
#include "cancel.h"
#include "errors.h"
#include "heddle.h"
#include "thread_attributes.h"
#include "thread_storage.h"
#include "timing.h"
#include "user_data.h"

#include <pthread.h>
#include <stdint.h>

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  int detached = attributes && ((const struct thread_attributes *)attributes)->detach_state == PTHREAD_CREATE_DETACHED;
  struct heddle_thread *thread = __heddle_create(routine, argument, handle);
  if (detached) thread->detached = 1;
  return 0;
}

static int has_ended(const struct heddle_thread *thread) {
  if (!__heddle_joins_in_loops) return thread->status == HEDDLE_FINISHED;
  return (thread->status == HEDDLE_FINISHED) | thread->ended;
}

int pthread_join(pthread_t handle, void **result) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  if (thread == __heddle_self()) return EDEADLK;
  if (thread->detached) return EINVAL;
  void *value = NULL;
  __heddle_atomic_begin();
  int ended = has_ended(thread);
  if (!__heddle_uses_cancelling()) {
    __heddle_await(ended);
  } else if (!ended) {
    __heddle_await(cancel_requested());
    __heddle_atomic_end();
    __heddle_act_on_request();
  }
  if (result) value = thread->result;
  if (__heddle_joins_in_loops) thread->joined = 1;
  __heddle_atomic_end();
  if (result) HEDDLE_PLAIN(store_pointer)(result, value);
  return 0;
}

static int join_or(pthread_t handle, void **result, int when_running) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  if (thread == __heddle_self()) return EDEADLK;
  if (thread->detached) return EINVAL;
  if (__heddle_suppose_failure()) return when_running;
  int status = HEDDLE_PEEK(int)(&thread->status);
  if (status != HEDDLE_FINISHED && !__heddle_joins_in_loops) return when_running;
  if (!has_ended(thread)) return when_running;
  if (result) HEDDLE_PLAIN(store_pointer)(result, thread->result);
  if (__heddle_joins_in_loops) thread->joined = 1;
  return 0;
}

int pthread_tryjoin_np(pthread_t handle, void **result) { return join_or(handle, result, EBUSY); }

static int join_until(pthread_t handle, void **result, clockid_t clock, const struct timespec *deadline) {
  __heddle_read_bytes(deadline, sizeof *deadline);
  int error = join_or(handle, result, ETIMEDOUT);
  return error == ETIMEDOUT ? timed_out_by(clock, deadline) : error;
}

int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *deadline) {
  return join_until(handle, result, CLOCK_REALTIME, deadline);
}

int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, const struct timespec *deadline) {
  return join_until(handle, result, clock, deadline);
}

pthread_t pthread_self(void) { return (pthread_t)__heddle_self(); }
int pthread_equal(pthread_t one, pthread_t other) { return one == other; }

int pthread_detach(pthread_t handle) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  __heddle_atomic_begin();
  int already = thread->detached;
  thread->detached = 1;
  __heddle_atomic_end();
  return already ? EINVAL : 0;
}

int pthread_setname_np(pthread_t handle, const char *name) {
  __heddle_read_string(name, SIZE_MAX);
  return 0;
}

int pthread_setconcurrency(int level) { return 0; }
int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *parameters) {
  __heddle_read_bytes(parameters, sizeof *parameters);
  return 0;
}

int pthread_setschedprio(pthread_t handle, int priority) { return 0; }
int pthread_setaffinity_np(pthread_t handle, size_t bytes, const cpu_set_t *processors) {
  __heddle_read_bytes(processors, bytes);
  return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return 0; } // fork is unmodelled
