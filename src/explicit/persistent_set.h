// Which threads to expand at a state: persistent sets by closure over threads.
//
// A set T of threads is enough at a state if nothing that the other threads can do, as long as T stands still, touches
// what the next transitions of T touch or changes whether they can be taken. The closure starts from an enabled thread
// and adds, for each member,
//   - if the member can act (be it only to end the process): every thread that may later touch a resource of the
//     member's next transition, one of the two writing;
//   - if it is blocked: every thread that may later write a resource that its next transition reads. (A thread blocked
//     at a lock can only be released by a write that is not itself preceded by taking that lock.)
// A thread that no other can ever let go on (finished, failed assumption, in front of the end of the process) is left
// out. Threads that are not born yet are blocked at their START step, which reads what their creator writes; so what
// a thread may create counts as its own through the closure.
//
// Why HALT needs no dependence: successors.h never executes it. An execution that reaches an error contains none.
//
// What survives, with the cycle proviso of search.h: every error, cut and invalid step that some thread can reach,
// every deadlock, and every pair of racing events (race.h). For the last: let w.a.b be an execution from a state whose
// set is T, with a and b racing. If a thread of T moves in w, its first move there can go first, and the rest is
// shorter. If none moves in w, but one of T makes a or b, then both do, for they conflict; w is independent of both, so
// a.b can happen here and now, and is seen when a is explored. If none of T takes part, any move of T can go first.
//
// This is the stubborn-set condition (Valmari) with "necessary enabling" sets for blocked threads, at the granularity
// of threads; see also Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", chapter 4.
#ifndef HEDDLE_EXPLICIT_PERSISTENT_SET_H
#define HEDDLE_EXPLICIT_PERSISTENT_SET_H

#include "explicit/successors.h"

enum { MOST_THREADS = 64, MOST_NARROWED = 17 };

// The state of all threads at one state of the search.
typedef struct ThreadViews {
  size_t count;
  uint64_t enabled; // threads that can move
  uint64_t ending;  // threads whose next step ends the process, or that met a cut: they can run, but do not
  uint64_t waiting; // not enabled, at a WAIT or LOCK step (in a section: for some choice)
  uint64_t assumed; // not enabled, at an ASSUME step: the execution is over
  uint64_t dead;    // will never move again, whatever the others do
  LocationId locations[MOST_THREADS];
} ThreadViews;

// Nobody can run, somebody waits, and nobody does nothing but end the execution (by an assumption, or the process).
static inline bool views_deadlocked(const ThreadViews *views) {
  uint64_t over = (views->ending | views->assumed) & ~views->waiting;
  return views->enabled == 0 && over == 0 && views->waiting != 0;
}

void views_fill(ThreadViews *views, Mover *mover);

// The threads to expand: a subset of `views->enabled`, not empty if that is not.
uint64_t persistent_set(const ThreadViews *views, Mover *mover);

// Those of `others` (all enabled) whose next transition is independent of that of `thread`: neither touches what the
// other writes, so both orders lead to the same state.
uint64_t independent_threads(Mover *mover, ThreadId thread, uint64_t others);

#endif
