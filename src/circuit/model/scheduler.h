// The scheduler (paper 002, section 4.2): which threads need to run in a state.
//
//   interleaved    every thread that can
//   stubborn       the threads of a conditional stubborn set
//   transactions   the same, with fewer conflicts: what another thread can only do after taking a lock that this one holds
//                  does not conflict with what this one does now
//
// The set is the smallest, counted in threads that may be able to run, of the closures J of each thread under
//
//   conflict(i, j):  i touches now what j may touch now or later, one of the two writing;
//                    i cannot run: only what i reads counts, and j writing it;
//                    i can take an edge that goes back, or into an atomic section of several steps: any j (sticky)
//
// among those with a thread that can run. Locks, the status that a join waits for, and the birth of a thread are touched like
// any variable; a thread that was not created waits for its birth. Touches are those of cells that can matter (words.h), and
// of the cells that a pointer may mean only the one that it means now.
//
// Why this is enough for errors and cuts. Let w be an execution from a state to a goal and J the set.
//   1. Some thread of J moves in w. Take its first move m. Those who moved before are not in J, so nothing that they did is
//      in conflict with m: it was possible from the start (a thread of J that cannot run is let go only by a write to what it
//      reads), means the same cells, and w with m in front leads to the same state. The rest is shorter.
//   2. None does. Some thread of J can run, and no edge that it can take goes back or into a section, since then all threads
//      would be in J. It moves, and w is possible as before. This happens only so often in a row, for edges that do not go
//      back form no cycle.
// Locks in `transactions`: as long as i stands still, nobody else can take what i holds; this is asked for i that can run
// (paper: step 2b only), for in case 1 those who moved before m moved while i, of J, stood still.
//
// For formulas without NEXT on infinite executions, sticky are also edges that formulas can see: those that may write what
// is observed, lead to or from a place that is observed, or end the process; and, since executions in which somebody is
// stopped for ever do not count, those to a location where an assumption may stop the thread, and those that may write what
// such an assumption of another one asks for. Then what was moved to the front above changes nothing that
// is seen, and whoever was there for ever in w alone may have moved a little (in case 2, w may go on for ever). Each cycle has
// an edge back, before which nobody was left out. So the executions that are left show the same as all do, up to how
// often it is repeated. Not so with fairness: a thread that is left out is passed over.
//
// Everything here is a function of the state, not of inputs, except whether a thread can run. So the sets have one order in a
// state; the first of them that has an enabled thread for some inputs is chosen for each of its threads' moves.
#ifndef HEDDLE_CIRCUIT_MODEL_SCHEDULER_H
#define HEDDLE_CIRCUIT_MODEL_SCHEDULER_H

#include "circuit/model/circuit.h"

// Gives each thread its literal `stubborn`. NULL, or why it stopped.
const char *scheduler_build(Circuit *c, Scheduling scheduling, Budget *budget);

#endif
