// Persistent sets of threads: the threads that are enough to expand at a control vector. They are computed by a closure
// over what threads may still do (paper 003, algorithm 1, repaired), also in the abstraction that tracks only some
// cells (algorithms 2 to 4).
//
// The closure starts from some threads. For each member, other started threads join the closure:
//   - If the member can take a step: the threads that may still access a cell of the member's next action, where at
//     least one of the two accesses is a write.
//   - If the member is blocked, which is determined by control alone (a join, or a lock that another thread holds): the
//     threads that may still write the status or the lock that it waits for.
//   - If the member is held (transition/begin_order.h): the thread that has to begin before it.
// Blocked threads join like all other threads. What a thread may still do includes what the threads do that it may
// still create. A thread is created once, so these are threads that are not started. What a thread may still do ends
// where it would have to take a lock that a member of the closure holds (dependence/held_locks.h); a thread that is
// held by a member does nothing. The next action of a
// thread in front of an atomic section is the whole section.
//
// Why this is enough. Let w be an execution from a state of the control vector to a goal (an error or a cut) that keeps
// the begin order, and let C be the closure. While no thread of C takes a step, no lock that a thread of C holds is
// released, and no thread that a thread of C holds begins. A step that is moved to the front of w disables no other: if
// it is the beginning of its thread, others may begin after it as before.
//   1. Some thread of C takes a step in w. The steps of other threads before its first step access nothing that
//      conflicts with that step, and they do not unblock a blocked member. So the step (with the rest of its section)
//      can be taken first, and the rest of w is shorter.
//   2. No thread of C takes a step in w. Then a member that *goes on* can take a step first, and w is still an
//      execution after that step. A member goes on if in every state it can take some edge, and its edges neither end
//      the process nor lead to a cut nor start a section (in which it might become blocked). None of these edges is a
//      backward edge. There is no infinite path of edges that are not backward, so case 2 applies only finitely often
//      in a row (this solves the ignoring problem).
// A set without a member that goes on is not used: all enabled threads are expanded instead. Other members may take
// backward edges: whenever their steps are the ones that are followed, case 1 made the rest shorter. The end of the
// process needs no dependence, because no execution that reaches a goal contains it.
//
// The set depends on the control vector (and on what is tracked), not on the path or the label. The argument is about
// states: the tree is closed under the steps of the program in which, at each control vector, only the threads of the
// vector's set take steps. So any node may cover another node with the same control vector, and the coverer owes
// nothing.
//
// Cells that are not tracked. Let labels mention only tracked cells. Consider the system in which the other cells may
// have any value before each step. The labels are also correct in that system: the condition on each single edge of the
// tree (label and guard imply the next label after the updates) does not depend on the values of the other cells. In
// that system two steps conflict only over tracked cells, because the values of the other cells are inputs of each
// step. So it is enough that sets are persistent in that system. The argument is about cells: a predicate over two
// cells tracks both of them, and steps that access one cell each commute on cells, although they need not commute on
// predicates (the paper counts them as dependent). The argument holds only for domains whose labels are inductive edge
// by edge: a post of a whole path uses more than its labels say. The status of a thread and the holder of a lock
// (dependence/held_locks.h) are functions of the control vector, which is always known. So these cells always count as
// tracked. The system is the same for all nodes. If a lock were a barrier at one node and untracked at another, then it
// could be taken there at any time and would be no barrier at all.
#ifndef HEDDLE_REACH_REDUCE_PERSISTENT_THREADS_H
#define HEDDLE_REACH_REDUCE_PERSISTENT_THREADS_H

#include "dependence/futures.h"
#include "reach/tree/control.h"
#include "reach/tree/tree.h"
#include "transition/begin_order.h"

// The cells that labels may mention. A struct that knows them embeds `Tracks`. A null pointer stands for all cells.
typedef struct Tracks Tracks;
struct Tracks {
  bool (*tracks)(const Tracks *tracks, uint32_t cell); // a cell, or cells.count + object for the object's alive flag
  uint32_t stamp;                                      // changes when an answer changes, always from false to true
};

typedef struct PersistentFacts {
  const Transitions *transitions;
  const HeldLocks *locks;
  const BeginOrder *begins;
  MayTouch touch;    // rows NEXT_* and LATER_*
  Futures futures;   // of `touch` and `locks`
  uint64_t *control; // bit set: the resources whose values are functions of control: statuses of threads, locks
  bool *goes_on;     // per location: the thread goes on there
  Account *account;
} PersistentFacts;

// Earlier choices with their validity sets (paper 003, section 4.3). A choice stays persistent until a cell of its
// validity set is tracked. A choice depends only on the control vector and on the threads that were expanded before, so
// it is stored by these.
typedef struct ValidChoice {
  ThreadMask threads;
  uint32_t first, count; // range in ValidChoices.cells
  uint32_t stamp;        // Tracks.stamp when the choice was last found valid
} ValidChoice;
VECTOR(ValidChoiceVector, ValidChoice);

typedef struct ValidChoices {
  Map known; // hash of control vector and threads -> number
  ValidChoiceVector choices;
  U32Vector cells;
} ValidChoices;

void valid_choices_init(ValidChoices *valid, Account *account);
void valid_choices_free(ValidChoices *valid);

// The enabled threads of the closure of `initial`. If the closure has no member that goes on, all of `enabled`. Unless
// `validity` is NULL, appends the validity set: the untracked cells that would add another thread to the closure if
// they were tracked. Until one of them is tracked, the set stays persistent.
ThreadMask persistent_threads(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                              ThreadMask enabled, ThreadMask initial, const Tracks *tracks, U32Vector *validity);
// The smallest such set with one initial thread. Ties are broken by the size that the set has if all cells are tracked,
// then by the number of the initial thread.
ThreadMask persistent_choice(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                             ThreadMask enabled, const Tracks *tracks);

#endif
