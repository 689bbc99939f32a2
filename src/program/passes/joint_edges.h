// Joint edges: what makes a property about several threads a question of reachability.
//
// A *race* is a state in which two threads stand before accesses that conflict, and one can be made directly after the
// other. A *deadlock* is a state in which no thread can take a step and some thread waits. Both are turned into edges
// of a view that end in an error (Program.joints), so that what an engine knows about errors holds for them, too:
//
//   race       An edge of one thread that can be taken if another thread stands at `partner`. Its steps are those of
//              the first event, up to its access or to the end of its section, and then those of the second event. In
//              between stand two steps without an origin: one keeps the address of the first access in a variable, the
//              other requires that the second access overlaps it. Sections count as one event. Two orders of the events
//              are asked for if one event may decide whether, or where, the other one can happen.
//   waits      Two edges at each location where the thread may wait, and one where a thread that has ended may be used
//              again. Their guards are not steps: they say that no edge can be taken here, and that one waits
//              (transition/transition.c). A deadlock is a row of such edges, one for each thread that waits; the last
//              one ends in an error. How an engine puts them together: transition/joint_index.h.
//
// Views. Such a view is reduced with the rules for infinite executions (passes/large.c), which are stricter than those
// for errors. They give what is needed here:
//   - Every access that may race is the visible step of its block. This includes accesses to memory that another thread
//     may free. So a thread that stands before the access stands at the beginning of the block, but for local steps;
//     the
//     edge contains these. If it has taken them already, they may as well be taken later.
//   - For deadlocks, a step that may wait, or the entry of a section in which the thread may wait, begins its block
//     (Program.waits_begin_blocks). So a thread that waits stands where its block begins. No block holds a step after
//     which the thread may be disabled for ever together with a visible step before it. So
//     a deadlock of the program is a state between blocks: all threads wait, or have ended.
//   - The slice is used for deadlocks, but not for races, because it removes accesses.
//
// Reductions. An engine that lets only some threads move in a state loses no race and no deadlock if its sets are
// persistent in the usual sense, where all cells that such accesses may touch (joint_cells) count:
//   - Let w lead to a race of threads s and t, and let no thread of the set J move in w. If neither s nor t is in J,
//     they race also after a step of J. If s is in J, it stands before its access from the start; then t is in J,
//     because it may later make an access that conflicts with this one, so that both stand there from the start.
//   - A deadlock: a thread of J that can take a step could still take it after w, so some thread of J moves in w.
// In both cases some thread of J moves in w, or the state itself is the goal. So engines ask joint edges in every state
// that they visit, whichever threads they let move there.
//
// Which pairs of accesses are asked for is may-add. Left out are pairs with one lock that both threads certainly hold
// (facts.h). A pair with an access that may not happen (Access.doubtful), or behind an attempt to lock that was
// supposed
// to fail (Program.supposed), ends in a cut. So does a pair with an access in a section that is not one edge.
// Settled findings (settled.h) are left out. `Program.joints_missing` says what is not asked; then the engine must
// not answer SAFE.
#ifndef HEDDLE_PROGRAM_PASSES_JOINT_EDGES_H
#define HEDDLE_PROGRAM_PASSES_JOINT_EDGES_H

#include "base/bitset.h"
#include "program/program.h"

// To be called on a view after the reducing passes; no pass may run after them. `whole` is the unreduced program.
void joint_edges_add_races(Program *view, const Program *whole);
void joint_edges_add_waits(Program *view, const Program *whole);
// The cells that accesses of race edges may touch. Free the set with bitset_free.
void joint_cells(const Program *view, Bitset *cells, Account *account);

// For the two functions above: adds the ends of joint edges, and an edge to such an end whose steps were pushed last.
void joint_edges_begin(Program *view, const Program *whole);
void joint_edges_push(Program *view, const JointEdge *joint, LocationId from, StepId first_step);

#endif
