// Persistent sets of threads: those that are enough to expand at a control vector, by closure over what threads may still
// do (paper 003, algorithm 1, repaired), also in the abstraction that tracks some cells only (algorithms 2 to 4).
//
// The closure starts from some threads. For each member, the other threads that were born join it
//   - if the member can move: those that may still touch a cell of the member's next action, one of the two writing;
//   - if it is blocked, which is a matter of control alone (a join, a lock that another one holds): those that may still
//     write the status or the lock that it waits for.
// Blocked threads join like all others. What a thread may still do includes all that threads do which it may still
// create (those that are not born: a thread is created once), up to where it would have to take a lock that a member of
// the closure holds (barriers.h). The next action of a thread in front of an atomic section is the whole section.
//
// Why this is enough. Let w be an execution from a state of the control vector to a goal (an error or a cut), and C the
// closure.
// While no thread of C moves, none of their locks is free.
//   1. Some thread of C moves in w. What the others did before its first move touches nothing that this move does, and
//      lets no blocked member go; so the move (with the rest of its section) can go first, and what is left of w is
//      shorter.
//   2. None does. Then a member that *goes on* can move first, and w still happens after it. Such a member can take some
//      edge in every state; it neither ends the process there, nor is cut, nor starts a section (in which it might get
//      stuck). None of its edges goes back, so this happens a limited number of times in a row (the ignoring problem):
//      there is no way for ever along edges that do not go back.
// A set without such a member is not used; all threads that can move are. Other members may close loops: whenever they
// are what is followed, case 1 made the rest shorter. The end of the process needs no dependence, for no execution that
// reaches a goal contains it.
//
// The set depends on the control vector (and on what is tracked), not on the path or the label. The argument is about
// states: the tree is closed under the steps of the program in which every state at a control vector does the steps of
// that vector's set. So a node may be covered by any other of the same vector, and the coverer owes nothing.
//
// Cells that are not tracked. Let labels speak of tracked cells only. Then they hold in the system in which the other
// cells may have any value before each step, for the condition on each single edge of the tree (label and guard imply
// the next label after the updates) does not mention what they were. In that system two steps conflict only over cells
// that are tracked: values of the others are inputs of each step. So it is enough that sets are persistent there. This
// is an argument about cells: a predicate over two cells tracks both, and steps that touch one each commute, which they
// need not do on predicates (the paper counts them as dependent). It holds for domains whose labels are inductive edge
// by edge, and for no other: a post of a whole path uses more than its labels say. The status of a thread and who holds a
// lock (barriers.h) are functions of the control vector, which is always known; such cells are always tracked. That one
// system is the same for all nodes: a lock that is a barrier at one node and taken by anybody at another would be none.
#ifndef HEDDLE_REACH_REDUCE_PERSISTENT_THREADS_H
#define HEDDLE_REACH_REDUCE_PERSISTENT_THREADS_H

#include "reach/tree/control.h"
#include "reach/tree/tree.h"
#include "transition/activity.h"
#include "transition/barriers.h"

// What the labels may speak of. Embedded by who knows it; NULL instead of one: everything.
typedef struct Tracks Tracks;
struct Tracks {
  bool (*tracks)(const Tracks *tracks, uint32_t cell); // or cells.count + object: its alive flag
  uint32_t stamp;                                      // changes with the answers; they only go from false to true
};

typedef struct PersistentFacts {
  Activity activity;
  uint64_t *control; // the resources that are known by control: the status of a thread, locks
  const Barriers *barriers;
  Map behind;        // hash of location, born threads, locks held by others -> its number in `futures`
  U64Vector futures; // rows of reads and writes
  Account *account;
} PersistentFacts;

void persistent_facts_init(PersistentFacts *facts, const Transitions *transitions, const Barriers *barriers,
                           Account *account);
void persistent_facts_free(PersistentFacts *facts);

// Choices that were made, with their validity sets (paper 003, section 4.3): a choice stays good until a cell of its
// validity set is tracked. Kept by control vector and by what was expanded there before, on which alone it depends.
typedef struct ValidChoice {
  ThreadMask threads;
  uint32_t first, count; // range in ValidChoices.cells
  uint32_t stamp;        // of the precision at which it was looked at last
} ValidChoice;
VECTOR(ValidChoiceVector, ValidChoice);

typedef struct ValidChoices {
  Map known; // hash of control vector and threads -> number
  ValidChoiceVector choices;
  U32Vector cells;
} ValidChoices;

void valid_choices_init(ValidChoices *valid, Account *account);
void valid_choices_free(ValidChoices *valid);

// The threads of the closure of `initial` that are in `enabled` (those that can move); all of `enabled` if that has no
// member that goes on. Unless `validity` is NULL, appends the cells that are not tracked and because of which another
// thread would be in the set if they were: until one of them is tracked, the set stays persistent.
ThreadMask persistent_threads(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                              ThreadMask enabled, ThreadMask initial, const Tracks *tracks, U32Vector *validity);
// The smallest such set with one initial thread; of equal ones, one that is smallest if everything is tracked one day; of
// those, that of the lowest thread.
ThreadMask persistent_choice(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                             ThreadMask enabled, const Tracks *tracks);

#endif
