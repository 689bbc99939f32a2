// The whole concurrent program as one sequential circuit (paper 002, section 4).
//
// Latches: the program counter of each thread, in binary over the places where it can stand, and the open bits of the words
// that can matter (symbolic/state_words.h). All latches are 0 at the start: a bit whose initial value is 1 is kept inverted, and
// bits without an initial value are inputs until the latch `started` is set. A place of a program counter is a location of
// the thread; place 0 is where it starts: not yet created, or the entry of main. Locations without a way out share a place.
//
// Inputs: the scheduler's selection, a choice where several edges of one thread may be possible, fresh values. Only one
// edge is taken in a step, so edges share the inputs for their fresh values.
//
// A step of the circuit takes exactly one edge of one thread if there is one to take, and changes nothing otherwise.
// `moves` says which it is. Nothing is ever taken that ends in an error or a cut, or ends the process: `error` and `cut` say
// that such a thing could happen in this state, with these inputs. So what they say is about reachability; an edge into a
// section that cannot be finished is a way to nowhere.
//
// Infinite executions (Words.infinite), for formulas: errors and ends of the process are edges like others, after which
// the latch `ended` keeps everybody from moving. Only cuts are goals then.
//
// Scheduler: `execute` of a thread holds if it is selected, can move, and is in the stubborn set that was chosen for the
// state (scheduler.h).
//
// The circuit owns its graph; words and transitions are the caller's and must outlive it.
#ifndef HEDDLE_CIRCUIT_MODEL_CIRCUIT_H
#define HEDDLE_CIRCUIT_MODEL_CIRCUIT_H

#include "solver/aig_copy.h"
#include "symbolic/state_words.h"

typedef enum Scheduling { SCHEDULE_INTERLEAVED, SCHEDULE_STUBBORN, SCHEDULE_TRANSACTIONS } Scheduling;

typedef enum LatchKind {
  LATCH_BIT,
  LATCH_COUNTER,
  LATCH_STARTED,
  LATCH_ENDED,   // the process
  LATCH_PROMISE, // of the automaton of a formula; the last one: that it has begun
  LATCH_SHADOW,  // keeps what another latch was (lasso_safety.h)
  LATCH_FLAG     // remembers that something happened (lasso_safety.h, liveness.c)
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

// What is asked of an edge that is a goal. Steps never take GOAL_END and GOAL_UNSUPPORTED.
typedef enum GoalKind {
  GOAL_END,        // it ends in an error or a cut
  GOAL_MISSED,     // it meets a pointer that was not foreseen
  GOAL_UNSUPPORTED // its terms have no bits: whoever can take it leaves what is known
} GoalKind;

typedef struct CircuitEdge {
  EdgeId edge;
  ThreadId thread;
  AigLiteral guard;    // over the state and inputs, wherever the thread stands
  bool asks;           // the guard depends on fresh values
  bool ends;           // the process; only for infinite executions
  GoalKind goal;       // of a goal
  AigLiteral chosen;   // of an edge that is no goal: over the inputs for choices
  AigLiteral possible; // it stands there, may run and has this choice, and the guard holds
  AigLiteral taken;    // of an edge that is no goal: this step is it
} CircuitEdge;
VECTOR(CircuitEdgeVector, CircuitEdge);

typedef struct CircuitThread {
  U32Vector locations; // per place: a location, NO_ID: not created
  U32Vector at;        // per place: the thread stands there
  uint32_t first_latch, latch_count;
  AigLiteral inside;  // in an atomic section
  AigLiteral allowed; // nobody else is
  AigLiteral enabled; // it can take an edge, with these inputs
  AigLiteral surely;  // it can with some inputs; implies that it can; no input
  // The same, and also if it can enter a section in which nothing stops anybody:
  AigLiteral able;  // and which has no loop, so that it can be finished
  AigLiteral could; // and in which it might go round for ever
  AigLiteral maybe; // implied by that it can with some inputs; no input
  AigLiteral stubborn, execute;
} CircuitThread;
VECTOR(CircuitThreadVector, CircuitThread);

typedef struct Circuit {
  Words *words;
  const Transitions *transitions;
  Aig aig;
  AigCopy from_words; // from the graph of the words to this one
  CircuitLatchVector latches;
  CircuitInputVector inputs;
  U32Vector fresh, choice, select; // their literals, shared
  U32Vector latch_of_bit;          // per bit of words: its latch, or NO_ID
  U32Vector value_of_bit;          // per bit of words of states: the literal of its value
  U32Vector place_of;              // per location: its place, or NO_ID: nobody gets there
  CircuitThreadVector threads;
  CircuitEdgeVector edges, errors, cuts;
  AigLiteral started; // of the latch; AIG_TRUE: there is none
  uint32_t ended;     // the latch; NO_ID: there is none
  AigLiteral moves, error, cut;
  Account *account;
} Circuit;

// NULL, or why the program is beyond circuits. To be freed in either case.
const char *circuit_init(Circuit *c, Words *words, Scheduling scheduling, Budget *budget, Account *account);
void circuit_free(Circuit *c);

static inline const CircuitThread *circuit_thread(const Circuit *c, ThreadId thread) {
  return CircuitThreadVector_at(&c->threads, thread);
}
// The thread stands at the location.
static inline AigLiteral circuit_at(const Circuit *c, LocationId location) {
  uint32_t place = c->place_of.data[location];
  if (place == NO_ID) return AIG_FALSE;
  return circuit_thread(c, c->transitions->program->locations.data[location].thread)->at.data[place];
}
// A condition over state words, exactly; without the parts of a conjunction that mention what is no word.
AigLiteral circuit_condition(Circuit *c, Term condition);
// Is the edge one that steps of the circuit can take?
static inline bool circuit_takes(const Circuit *c, EdgeId edge) {
  return (c->words->edges.data[edge] & (EDGE_CHANGES | EDGE_UNSUPPORTED)) == EDGE_CHANGES;
}

#endif
