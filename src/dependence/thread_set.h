// Sets of threads as the bits of one word: thread t is bit t. So a program may have at most MOST_MASKED_THREADS threads
// in the engines that use them.
#ifndef HEDDLE_DEPENDENCE_THREAD_SET_H
#define HEDDLE_DEPENDENCE_THREAD_SET_H

#include "program/program.h"

enum { MOST_MASKED_THREADS = 64 };
typedef uint64_t ThreadMask;

static inline ThreadMask thread_bit(ThreadId thread) {
  assert(thread < MOST_MASKED_THREADS);
  return (ThreadMask)1 << thread;
}
static inline ThreadId first_thread(ThreadMask some) {
  assert(some != 0);
  return (ThreadId)__builtin_ctzll(some);
}
static inline unsigned thread_mask_count(ThreadMask set) { return (unsigned)__builtin_popcountll(set); }
// The threads 0 to count - 1.
static inline ThreadMask thread_mask_below(size_t count) {
  assert(count <= MOST_MASKED_THREADS);
  return count == MOST_MASKED_THREADS ? UINT64_MAX : ((ThreadMask)1 << count) - 1;
}

#endif
