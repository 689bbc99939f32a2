// Barriers.
//
// Exact: the thread that completes a round lets all waiters of that round go, also when more threads use the barrier
// than take part in one round. Kept: the set of waiting threads (bit n-1 for the thread with number n), how many there
// are, and how many make a round; a set instead of a round counter, so that the states stay finite.
//
// Assumed: PTHREAD_BARRIER_SERIAL_THREAD goes to the last to arrive, as in glibc; a barrier is not destroyed or
// initialised in use. At most 64 threads may wait; beyond, the answer is UNKNOWN.
#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <pthread.h>

enum { MOST_WAITERS = 64 };

struct barrier {
  unsigned long long waiters;
  unsigned arrived, needed;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "fits into the opaque object");

int pthread_barrier_init(pthread_barrier_t *object, const pthread_barrierattr_t *attributes, unsigned count) {
  struct barrier *barrier = (struct barrier *)object;
  if (count == 0) return EINVAL;
  __heddle_atomic_begin();
  barrier->waiters = 0;
  barrier->arrived = 0;
  barrier->needed = count;
  __heddle_atomic_end();
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *object) {
  __heddle_read_initialised((const int *)&((struct barrier *)object)->needed,
                            "destruction of an uninitialised barrier");
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *object) {
  struct barrier *barrier = (struct barrier *)object;
  int number = __heddle_self_number();
  if (number > MOST_WAITERS) __heddle_unmodelled("more than 64 threads waiting at barriers");
  unsigned long long bit = 1ull << (number - 1);
  __heddle_atomic_begin();
  unsigned needed =
      (unsigned)__heddle_read_initialised((const int *)&barrier->needed, "use of an uninitialised barrier");
  unsigned arrived = barrier->arrived + 1;
  int last = arrived >= needed;
  barrier->arrived = last ? 0 : arrived;
  barrier->waiters = last ? 0 : barrier->waiters | bit;
  __heddle_atomic_end();
  if (last) return PTHREAD_BARRIER_SERIAL_THREAD;
  __heddle_atomic_begin();
  __heddle_await((barrier->waiters & bit) == 0);
  __heddle_atomic_end();
  return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  *(int *)attributes = PTHREAD_PROCESS_PRIVATE;
  return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) { return 0; }

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
  *(int *)attributes = shared;
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared) {
  HEDDLE_PLAIN(store_int)(shared, *(const int *)attributes);
  return 0;
}
