// Attribute objects of threads: values are stored and can be read; only the detach state has an effect (threads.c).
//
// Assumed: attribute objects are initialised before use.
#define _GNU_SOURCE
#include "thread_attributes.h"
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <pthread.h>

enum { DEFAULT_STACK_BYTES = 8 << 20, DEFAULT_GUARD_BYTES = 4096, SMALLEST_STACK_BYTES = 16384 };

#define OF(attributes) ((struct thread_attributes *)(attributes))

int pthread_attr_init(pthread_attr_t *attributes) {
  __heddle_atomic_begin();
  OF(attributes)->detach_state = PTHREAD_CREATE_JOINABLE;
  OF(attributes)->scope = PTHREAD_SCOPE_SYSTEM;
  OF(attributes)->inherit = PTHREAD_INHERIT_SCHED;
  OF(attributes)->policy = SCHED_OTHER;
  OF(attributes)->priority = 0;
  OF(attributes)->stack_size = DEFAULT_STACK_BYTES;
  OF(attributes)->guard_size = DEFAULT_GUARD_BYTES;
  OF(attributes)->stack = NULL;
  __heddle_atomic_end();
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) { return 0; }

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED) return EINVAL;
  OF(attributes)->detach_state = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  HEDDLE_PLAIN(store_int)(state, OF(attributes)->detach_state);
  return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  if (scope == PTHREAD_SCOPE_PROCESS) return ENOTSUP;
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope) {
  HEDDLE_PLAIN(store_int)(scope, OF(attributes)->scope);
  return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit) {
  if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED) return EINVAL;
  OF(attributes)->inherit = inherit;
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit) {
  HEDDLE_PLAIN(store_int)(inherit, OF(attributes)->inherit);
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR) return EINVAL;
  OF(attributes)->policy = policy;
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy) {
  HEDDLE_PLAIN(store_int)(policy, OF(attributes)->policy);
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters) {
  OF(attributes)->priority = parameters->sched_priority;
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters) {
  HEDDLE_PLAIN(store_int)(&parameters->sched_priority, OF(attributes)->priority);
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
  if (bytes < SMALLEST_STACK_BYTES) return EINVAL;
  OF(attributes)->stack_size = bytes;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *bytes) {
  HEDDLE_PLAIN(store_size)(bytes, OF(attributes)->stack_size);
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t bytes) {
  OF(attributes)->guard_size = bytes;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *bytes) {
  HEDDLE_PLAIN(store_size)(bytes, OF(attributes)->guard_size);
  return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t bytes) {
  if (bytes < SMALLEST_STACK_BYTES) return EINVAL;
  OF(attributes)->stack = stack;
  OF(attributes)->stack_size = bytes;
  return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *bytes) {
  HEDDLE_PLAIN(store_pointer)(stack, OF(attributes)->stack);
  HEDDLE_PLAIN(store_size)(bytes, OF(attributes)->stack_size);
  return 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes, const cpu_set_t *processors) { return 0; }
int pthread_getattr_np(pthread_t handle, pthread_attr_t *attributes) { __heddle_unmodelled("pthread_getattr_np"); }
