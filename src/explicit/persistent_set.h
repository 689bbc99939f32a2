// Which threads to expand at a state: persistent sets of threads, and independence for sleep sets.
//
// A persistent set is a closure under conflicts (dependence/closure.h), the smallest over all enabled threads as seeds.
// Resources and what threads may touch are those of footprint.h. If the next access of a thread has a dynamic address,
// it is evaluated in the present state. In this engine:
//   - A thread is taken as an enabled member also if its next step ends the process: it can still race.
//   - A thread that is blocked at plain locks only can be enabled only by a write of a thread that did not have to take
//     the lock before (the row LATER_RELEASES).
//   - A thread that has not been started is blocked at its START step, which reads what its creator writes. So it takes
//     part as itself.
//   - A thread that no other thread can enable is left out: it has finished, stands at a failed assumption or in front
//     of the end of the process.
//
// The end of the process (HALT) needs no dependence, because transitions never execute it (successors.h): no explored
// execution contains it.
//
// What is preserved, together with the cycle proviso of search.h: every error, cut and invalid step that some thread
// can reach, every deadlock, and every pair of racing events (race.h). For races: let w.a.b be an execution from a
// state whose set is T, where a and b race.
//   - If a thread of T takes a step in w, its first step in w can be moved to the front, and the rest is shorter.
//   - If no thread of T takes a step in w, but one of T makes a or b, then both threads are in T, because a and b
//     conflict. Both are independent of w. So a.b can happen in the present state, and is seen when a is explored.
//   - If no thread of T takes part, any step of T can be moved to the front.
//
// See Valmari's stubborn sets, and Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems",
// chapter 4.
#ifndef HEDDLE_EXPLICIT_PERSISTENT_SET_H
#define HEDDLE_EXPLICIT_PERSISTENT_SET_H

#include "explicit/successors.h"

enum { MOST_NARROWED = 17 }; // the cells of 16 bytes, and the life of their object

// The state of all threads at one state of the search.
typedef struct ThreadViews {
  size_t count;
  ThreadMask enabled; // threads that can move
  ThreadMask ending;  // threads whose next step ends the process, or that met a cut: they can run, but do not
  ThreadMask waiting; // not enabled, at a WAIT or LOCK step (in a section: for some choice)
  ThreadMask assumed; // not enabled, at an ASSUME step: the execution is over
  ThreadMask dead;    // will never move again, whatever the others do
  // Main waits until all of these have finished, and then joins them in one transition (symmetry.h). It counts as
  // waiting. Empty: it does not.
  ThreadMask awaited;
  LocationId locations[MOST_MASKED_THREADS];
} ThreadViews;

// No thread can take a step, some thread waits, and no other thread ended the execution: none stands at a failed
// assumption or in front of the end of the process.
static inline bool views_deadlocked(const ThreadViews *views) {
  ThreadMask over = (views->ending | views->assumed) & ~views->waiting;
  return views->enabled == 0 && over == 0 && views->waiting != 0;
}

// The same, for a deadlock that is not settled (program/settled.h).
bool views_violate(const Program *p, const ThreadViews *views);

void views_fill(ThreadViews *views, Mover *mover);

// The threads to expand: a subset of `views->enabled`, not empty if that is not.
ThreadMask persistent_set(const ThreadViews *views, Mover *mover);

// Those of `others` (all enabled) whose next transition is independent of that of `thread`: neither touches what the
// other writes, so both orders lead to the same state.
ThreadMask independent_threads(Mover *mover, ThreadId thread, ThreadMask others);

#endif
