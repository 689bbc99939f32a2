// Deadlocks as a goal: every thread that was created stands still, and at least one of them waits.
//
// The unrolling records where a thread may stand (ThreadStop): finished, or before a step or section that it attempts
// and cannot finish with what it reads. The goal says of each thread that it stands at one of its stops. A thread that
// could go on, that ends the process, or that is disabled by an assumption stands at none, so there is no deadlock
// then. What a waiting thread reads is the last value of each cell: counterexample.c puts everything that the other
// threads do before the read, resting on the stops of both threads.
//
// Stops are may-add: a section that cannot be finished may contain a failed assumption instead of a wait, and there may
// be another edge that the thread can take. The judge confirms no such deadlock; when the engine is asked again after
// that, stops that may be none are suppositions, without which a violation is looked for, and which exclude SAFE.
#ifndef HEDDLE_ORDER_DEADLOCK_GOAL_H
#define HEDDLE_ORDER_DEADLOCK_GOAL_H

#include "order/unroll/events.h"

// Adds the goal, if some thread may wait, and facts that say what it means. Settled deadlocks are none.
void deadlock_goal_add(Events *events);
// Adds facts that say the same of what was settled later: the program's findings from `first` on.
void deadlock_goal_exclude(Events *events, size_t first);

#endif
