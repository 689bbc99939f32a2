// Goals that are settled while a formula is being searched.
//
// When a violation was told, the search goes on for the others with the same formula and the same solver. Settling
// takes goals away, and never an execution that counts:
//
//   an error, a failing step   The thread stops there, with or without the goal, and other threads go on. So the goal
//                              is not asked for any more, and nothing else changes. Inside an atomic section it does:
//                              a section that comes to a settled error is not finished, so it does not happen at all;
//                              clauses exclude that it does.
//   a race                     The pairs of accesses to the object at the two places are not asked for any more.
//   a deadlock                 Clauses say that the threads do not stand at exactly these places.
//
// Behind a CHECK step that was settled its thread goes on, which the formula does not contain: the program has to be
// unrolled once more.
#ifndef HEDDLE_ORDER_SETTLE_H
#define HEDDLE_ORDER_SETTLE_H

#include "order/unroll/events.h"
#include "solver/solver.h"

// Settles what the events' program has settled from its finding `first` on. False: the events do not serve any more.
bool settle_goals(Events *events, Solver *solver, size_t first);

#endif
