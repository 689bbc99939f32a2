// The scheduler (paper 002, section 4.2): which threads need to run in a state.
//
//   interleaved    every enabled thread
//   stubborn       the threads of a conditional stubborn set
//   transactions   the same, with fewer conflicts: what another thread can do only after it has taken a lock that this
//                  thread holds does not conflict with what this thread does now
//
// Conflicts. conflict(i, j) holds in each of these cases:
//
//   - Thread i touches now what thread j may touch now or later, and one of the two writes. If i is not enabled, only
//     cells that i reads and that j may write count.
//   - Thread i is held (transition/begin_order.h), and j is the thread that has to begin before it. Then nothing else
//     counts for i. No thread conflicts with those that it holds: they do nothing before it does.
//   - Thread i can take a backward edge, or an edge into an atomic section of several steps. Then i is sticky: it
//     conflicts with every thread j.
//
// For each thread, let J be its closure under conflicts. The chosen set is the smallest of those J that contain an
// enabled thread, counted in threads that may be enabled. Locks, the status that a join waits for, and the start of a
// thread are resources like any variable; a thread that is not started waits for its start. Only touches of cells that
// can matter (symbolic/state_words.h) count. Of the cells that a pointer may point to, only the one that it points to
// now is touched now.
//
// Why this is enough for errors and cuts. Let w be an execution from a state to a goal, and J the set chosen there.
//   1. Some thread of J moves in w. Let m be the first move of such a thread. All threads that moved before m are
//      outside J, so none of their moves conflicts with m. Hence m was possible from the start (a thread of J that is
//      not enabled becomes enabled only by a write to a cell that it reads), m touches the same cells there, and w with
//      m moved to the front leads to the same state. The rest of w is shorter.
//   2. No thread of J moves in w. Some thread of J is enabled. No edge that it can take goes back or into a section,
//      since otherwise all threads would be in J. It moves, and w is possible after it, as in case 1. Case 2 happens
//      only finitely often in a row, because edges that do not go back form no cycle.
// Locks in `transactions`: as long as thread i does not move, no other thread can take a lock that i holds. The
// scheduler uses this for an enabled thread i only (paper: step 2b only). In case 1, all moves before m were made while
// i, which is in J, did not move.
//
// Formulas without NEXT on infinite executions. Edges that a formula can see are sticky, too: edges that may write what
// is observed, that lead to or from a location that is observed, or that end the process. Executions in which a thread
// is disabled for ever do not count, so two more kinds of edges are sticky: those to a location where an assume step
// may disable the thread for ever, and those that may write what such an assume step of another thread reads. Then a
// move that the argument above moves to the front changes nothing that the formula sees. If w is infinite, case 2 may
// apply to all of w; a thread of J, which never moves in w, then may have made some moves that are not seen. Each cycle
// has a backward edge, and before that edge all threads were in the set. So the executions that are left show the same
// to the formula as all executions do, up to stuttering. This is not so with fairness: a thread that the scheduler
// leaves out would be treated unfairly.
//
// Everything here is a function of the state alone, except whether a thread is enabled, which may depend on inputs. So
// the order of the sets by size does not depend on inputs. Let J be the first set in this order that has an enabled
// thread for some inputs. Take any move of a thread of J, with its inputs: no set before J has an enabled thread, so J
// is chosen with these inputs, too. Hence the circuit follows all moves of J.
#ifndef HEDDLE_CIRCUIT_MODEL_SCHEDULER_H
#define HEDDLE_CIRCUIT_MODEL_SCHEDULER_H

#include "circuit/model/circuit.h"

// Sets `stubborn` of each thread. Needs the threads' enabledness. Returns NULL, or why it stopped early.
const char *scheduler_build(Circuit *c, Scheduling scheduling, Budget *budget);

#endif
