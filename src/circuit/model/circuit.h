// The whole concurrent program as one sequential circuit (paper 002, section 4).
//
// Latches: the program counter of each thread, in binary over its places, and the open bits of the words that can
// matter (symbolic/state_words.h). A place is a value of a program counter: a location of the thread, or "not started".
// Place 0 is where the thread is in the initial state: not started, or the entry of main. Locations without a way out
// share a place. All latches are 0 in the initial state. A bit whose initial value is 1 is kept inverted. A bit without
// an initial value is an input until the latch `started` is set.
//
// Inputs: the scheduler's selection of a thread, the choice among several possible edges of one thread, and fresh
// values. A step takes at most one edge, so edges share the inputs for their fresh values.
//
// If some thread can move, a step of the circuit takes exactly one edge of one thread; otherwise it changes nothing.
// `moves` says which of the two happens. Two kinds of edges are never taken: edges that end in an error or a cut, and
// edges that end the process. Instead, `error` and `cut` say that such an edge could be taken in this state, with these
// inputs. So both ask a question of reachability. A path into an atomic section that cannot be finished leads to no
// goal behind it.
//
// Infinite executions (Words.infinite), for formulas: errors and ends of the process are edges like others. After one
// of them, the latch `ended` keeps every thread from moving. Only cuts are goals then.
//
// Scheduler: `execute` of a thread holds if the thread is selected, is enabled, and is in the stubborn set that was
// chosen for the state (scheduler.h). Equal threads may be expected to begin in order (transition/begin_order.h).
//
// The circuit owns its graph. Words and transitions belong to the caller and must outlive it.
#ifndef HEDDLE_CIRCUIT_MODEL_CIRCUIT_H
#define HEDDLE_CIRCUIT_MODEL_CIRCUIT_H

#include "solver/aig_copy.h"
#include "symbolic/state_words.h"
#include "transition/begin_order.h"

typedef enum Scheduling { SCHEDULE_INTERLEAVED, SCHEDULE_STUBBORN, SCHEDULE_TRANSACTIONS } Scheduling;

typedef enum LatchKind {
  LATCH_BIT,
  LATCH_COUNTER,
  LATCH_STARTED,
  LATCH_ENDED,   // the process
  LATCH_PROMISE, // of the automaton of a formula; the last of them says that the automaton has begun
  LATCH_SHADOW,  // keeps an earlier value of another latch (methods/lasso_safety.c)
  LATCH_FLAG     // remembers that something happened (methods/lasso_safety.c, liveness.c)
} LatchKind;

typedef struct CircuitLatch {
  AigLiteral now, next; // `now` is an input of the graph
  LatchKind kind;
  uint32_t of;    // LATCH_BIT: the bit of words; LATCH_COUNTER: the thread; LATCH_SHADOW: the latch; else which bit
  uint32_t place; // LATCH_COUNTER: which bit, the lowest is 0
} CircuitLatch;
VECTOR(CircuitLatchVector, CircuitLatch);

typedef enum InputKind { INPUT_SELECT, INPUT_CHOICE, INPUT_FRESH, INPUT_INITIAL, INPUT_GUESS } InputKind;

typedef struct CircuitInput {
  AigLiteral literal; // an input of the graph
  InputKind kind;
  uint32_t of; // INPUT_INITIAL: the bit of words; else which bit
} CircuitInput;
VECTOR(CircuitInputVector, CircuitInput);

// Why an edge is a goal. Steps never take edges of GOAL_END and GOAL_UNSUPPORTED.
typedef enum GoalKind {
  GOAL_END,        // it ends in an error or a cut
  GOAL_MISSED,     // it may dereference a pointer to an object that the static facts did not foresee
  GOAL_UNSUPPORTED // its terms have no bits, so the circuit does not know the state after it
} GoalKind;

typedef struct CircuitEdge {
  EdgeId edge;
  ThreadId thread;
  AigLiteral guard;      // over words and inputs; it does not say where the thread is
  bool depends_on_fresh; // the guard mentions fresh values of the edge
  bool ends_process;     // only for infinite executions
  GoalKind goal;         // only for goals
  AigLiteral chosen;     // only for other edges: the inputs for choices select it among the edges of its location
  AigLiteral possible;   // the thread is at its location and allowed, the edge is chosen, and the guard holds
  AigLiteral taken;      // only for other edges: this step takes it
} CircuitEdge;
VECTOR(CircuitEdgeVector, CircuitEdge);

typedef struct CircuitThread {
  U32Vector locations; // per place: a location; NO_ID: not started
  U32Vector at;        // per place: the thread is there
  uint32_t first_latch, latch_count;
  AigLiteral inside;  // it is in an atomic section
  AigLiteral allowed; // no other thread is in an atomic section, and the process has not ended
  AigLiteral enabled; // it can take an edge with these inputs; exact, but it depends on inputs
  // Enabledness with some inputs, as functions of the state alone. Three under-approximations, each implies the next.
  // They differ only in the circuits of infinite executions, by which edges into atomic sections they count:
  AigLiteral must_be_enabled;                 // none: whether a section can be finished is not known at its beginning
  AigLiteral must_be_enabled_through_section; // if no step of the section can block the thread, and it has no loop
  AigLiteral must_be_enabled_into_section; // if no step of the section can block the thread; it may loop for ever in it
  // An over-approximation:
  AigLiteral may_be_enabled;
  AigLiteral held;              // an equal thread has to begin before it: it is not enabled
  AigLiteral stubborn, execute; // it is in the stubborn set and not held; it takes the edge of this step
} CircuitThread;
VECTOR(CircuitThreadVector, CircuitThread);

typedef struct Circuit {
  Words *words;
  const Transitions *transitions;
  BeginOrder begins;
  Aig aig;
  AigCopy from_words; // copies the graph of the words into this one
  CircuitLatchVector latches;
  CircuitInputVector inputs;
  U32Vector fresh, choice, select; // their literals, shared
  U32Vector latch_of_bit;          // per bit of words: its latch, or NO_ID
  U32Vector value_of_bit;          // per bit of words of states: the literal of its value
  U32Vector place_of;              // per location: its place, or NO_ID: its thread never gets there
  CircuitThreadVector threads;
  CircuitEdgeVector edges, errors, cuts;
  AigLiteral started; // the value of the latch; AIG_TRUE: there is none
  uint32_t ended;     // the number of the latch; NO_ID: there is none
  AigLiteral moves, error, cut;
  Account *account;
} Circuit;

// Returns NULL, or why there is no circuit of the program. The caller frees it in either case.
const char *circuit_init(Circuit *c, Words *words, Scheduling scheduling, const BeginOrder *begins, Budget *budget,
                         Account *account);
void circuit_free(Circuit *c);
// Takes the errors out, and the cuts that stand for races, that are settled in the unreduced program `whole`; of
// deadlocks, those from the finding `first` of the view on. No thread goes on behind an error, so nothing else changes;
// but an error may be one edge with steps before it that other threads observe, and these steps happen without the
// error. Nor can a race be taken out of which other objects are left at the same places. False: so it is, or a thread
// goes on (settled_is_passed); the circuit does not serve any more.
bool circuit_settle(Circuit *c, const Program *whole, size_t first);

static inline const CircuitThread *circuit_thread(const Circuit *c, ThreadId thread) {
  return CircuitThreadVector_at(&c->threads, thread);
}
// The location's thread is there.
static inline AigLiteral circuit_at(const Circuit *c, LocationId location) {
  assert(location < c->place_of.count);
  uint32_t place = c->place_of.data[location];
  if (place == NO_ID) return AIG_FALSE;
  return circuit_thread(c, c->transitions->program->locations.data[location].thread)->at.data[place];
}
// The condition as a literal over the state. Conjuncts that mention a variable that is no word of states (a fresh
// variable, or a variable that cannot matter) are left out: the literal is implied by the condition, and it is exact
// without such conjuncts.
AigLiteral circuit_condition(Circuit *c, Term condition);
// Is the edge one that steps of the circuit can take?
static inline bool circuit_takes(const Circuit *c, EdgeId edge) {
  assert(edge < c->words->edges.count);
  return (c->words->edges.data[edge] & (EDGE_CHANGES | EDGE_UNSUPPORTED)) == EDGE_CHANGES;
}

#endif
