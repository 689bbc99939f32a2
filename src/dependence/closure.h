// Persistent (stubborn) sets of threads, as a closure under conflicts.
//
// At a state, a set of threads is *closed* if no thread outside of it conflicts with a member (conflict.h): no step
// that the other threads can take, now or later, as long as the members stand still, touches what the members' next
// actions touch, and none enables a blocked member. The closure of some threads is built by adding, again and again,
// each thread that conflicts with a member.
//
// What it guarantees. Let w be an execution from the state, in which some member takes a step; let m be the first such
// step. No step before m conflicts with it. So m was possible at the start: if its thread was blocked there, only a
// step that conflicts could have enabled it. And m can be moved to the front of w without changing where w leads. So it
// is enough to explore the enabled threads of a closed set, if w contains a step of a member at all. For the executions
// that contain none, each engine has a rule of its own that puts no thread off for ever (the ignoring problem): the
// cycle proviso of explicit/search.h, the members that go on in reach/reduce/persistent_threads.h, the sticky edges of
// circuit/model/scheduler.h. That rule is not part of the closure, and a closed set is not enough without it.
//
// Why blocked threads take part. Thread A is about to do x = 1. Thread B waits for a mutex and then asserts x == 1.
// Thread C will unlock the mutex. If only enabled threads were looked at, {A} would be closed: C does not touch x, and
// B cannot move. But C, then B, then A is an execution, and the assertion fails in it. B's future touches x, so B joins
// A; B is blocked, so C, which may enable it, joins, too. A thread that is not started is blocked at its start. It
// takes part as itself (explicit), or what it does counts as the future of the thread that may start it (futures.h).
//
// Enabledness. A thread counts as enabled here if it *may be enabled*: an over-approximation that does not depend on
// inputs or untracked values. The rule for enabled members contains the rule for blocked ones, so it is sound to count
// a blocked thread as enabled, and unsound to count an enabled one as blocked. `candidates` leaves out threads that can
// never take a step again, whatever the others do. It is sound to leave none out.
//
// The members that stand still keep the locks that they hold. So what another thread may do can become less when the
// set grows. The callback gets the set for this reason. It must be antitone: if a member does not pull in a thread
// while the set is small, it does not when the set is larger. Each pair is asked once. A thread that joined early might
// not have to join later; it stays, which only makes the set larger. So the result may depend on the order in which
// threads are asked; the order is fixed: rounds, in each round by number. If the callback ignores the set, the result
// is the least closed set whatever the order.
#ifndef HEDDLE_DEPENDENCE_CLOSURE_H
#define HEDDLE_DEPENDENCE_CLOSURE_H

#include "dependence/thread_set.h"

typedef struct Closure {
  ThreadMask candidates; // the threads that may join
  // Must `other`, which is not in `set`, join because of one of `members`, a part of `set`?
  bool (*joins)(void *context, ThreadMask set, ThreadMask members, ThreadId other);
  void *context;
} Closure;

// The closure of `initial`. It may stop early, as soon as it contains at least `limit` threads of `enabled`: the result
// is then good for nothing but its size. A limit of more than MOST_MASKED_THREADS is none.
enum { NO_CLOSURE_LIMIT = MOST_MASKED_THREADS + 1 };
ThreadMask closure_of(const Closure *closure, ThreadMask initial, ThreadMask enabled, unsigned limit);

// The enabled threads of the smallest closure of one of `seeds` (all enabled), counted in enabled threads; all of
// `enabled` if no closure is smaller. Ties are broken by the size of the closure under `tie`, unless that is NULL, then
// by the number of the seed.
ThreadMask closure_smallest(const Closure *closure, const Closure *tie, ThreadMask seeds, ThreadMask enabled);

#endif
