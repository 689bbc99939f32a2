// Sets of states of a circuit as decision diagrams, and their successors and predecessors.
//
// Variables. First the bits of program counters, thread by thread; then the circuit's inputs, for conditions that
// mention them; then the bits of words, two each (symbolic/bdd_order.h). Variables of words are the bits' values, not
// the latches', which may be inverted. The latch `started` is taken to be set in all states: bits without an initial
// value may have any value in the initial states.
//
// The transition relation is a disjunction over edges. An image by an edge takes three steps. First, the set is
// restricted to the states in which the thread is at the edge's location and may run (no other thread in a section, and
// the scheduler's choice: `may`, per location); the thread's own counter is a constant there, and is quantified with
// this. Second, what the edge does to words is a relation of its own (symbolic/bdd_states.h), with early
// quantification. Third, the counters of the threads that the edge moves or starts become constants. The inputs for
// selection and choices need no variables in this: they are existentially quantified, and some value of them takes the
// edge.
//
// Whether a thread is in the stubborn set may depend on inputs that decide whether other threads are enabled. The edge
// must then be possible with the same inputs: the condition becomes a part of the edge's relation, over the variables
// of the edge's own fresh values.
//
// A word is dead as soon as no thread will read it, and neither will the scheduler. Sets of states are those of the
// circuit up to the values of dead words, which makes their diagrams smaller.
//
// A bit that always had its initial value so far has no variable yet: it is frozen (symbolic/bdd_thaw.h).
//
// Any function here may run out of nodes or of time. Then `bdd_system_flaw` says so, and results mean nothing.
#ifndef HEDDLE_CIRCUIT_METHODS_BDD_SYSTEM_H
#define HEDDLE_CIRCUIT_METHODS_BDD_SYSTEM_H

#include "circuit/model/circuit.h"
#include "symbolic/bdd_thaw.h"

// A location with edges that can be taken.
typedef struct BddPlace {
  LocationId location;
  ThreadId thread;
  uint32_t first_edge, edge_count; // a range of the circuit's edges
  Bdd at;                          // the literals of its counter
  // When the thread is allowed and in the stubborn set: for all states if that diagram is small, else only for the
  // states of `care`, to which the states of each query are added.
  enum { PLACE_NEW, PLACE_WHOLE, PLACE_BY_CASES } built;
  Bdd care;
  Bdd may_with;   // over states and inputs
  Bdd may;        // over states: with some inputs
  Map depends_on; // the frozen bits that PLACE_WHOLE used as constants
} BddPlace;
VECTOR(BddPlaceVector, BddPlace);

typedef struct BddGoal {
  const CircuitEdge *edge; // the goal is that this edge is possible; NULL: that the literal holds
  AigLiteral literal;
  bool built; // `states` is valid
  Bdd states; // in which the literal holds with some inputs
} BddGoal;
VECTOR(BddGoalVector, BddGoal);

typedef struct BddSystem {
  const Circuit *c;
  BddStates states;
  BddTranslator translator; // of the circuit's graph
  U32Vector leaf;           // per input of the graph: a variable times two, plus one if inverted; or one of BddLeaf
  U32Vector thread_of;      // per input of the graph: the thread whose counter it is part of; NO_ID: none
  U32Vector first_variable; // per thread: the first variable of its counter, whose highest bit comes first
  U32Vector counters;       // per thread: the cube of its counter
  U32Vector allowed;        // per thread: no other thread is in a section
  U32Vector edge_may;       // per edge of the circuit: the part of `may` that depends on its choice
  Bdd inputs, choices;      // cubes
  U32Vector fills;          // per bit that thawed: it has its initial value, or it is dead
  ByteVector agreed;        // per variable: the constant for which it is replaced at present, else BIT_OPEN
  Map *depends_on;          // collects the frozen bits that a translation uses; NULL: they are not collected
  ThreadId placed;          // the thread whose counter is replaced by a constant at present; NO_ID: none
  uint32_t placed_at;       // its place
  BddPlaceVector places;
  BddGoalVector goals; // the bad literal is their disjunction
  Account *account;
} BddSystem;

// The caller frees it in any case. `most_nodes` limits the node table; 0: a default.
void bdd_system_init(BddSystem *y, const Circuit *c, size_t most_nodes, Budget *budget, Account *account);
void bdd_system_free(BddSystem *y);
// Sets the goal, or another one: a literal over latches and inputs.
void bdd_system_set_goal(BddSystem *y, AigLiteral bad);
// Returns why the search must stop, or NULL.
const char *bdd_system_flaw(BddSystem *y);

// Thaws the frozen bits that an edge from these states can change. True: some bit thawed. The caller repeats it until
// it is false, before an image.
bool bdd_system_thaw(BddSystem *y, Bdd states);

// All return new references. The set, restricted to the initial values of the bits that thawed, from the index `first`
// of them on. Where such a bit is dead, it may have any value.
Bdd bdd_system_fill(BddSystem *y, Bdd states, size_t first);
Bdd bdd_system_initial(BddSystem *y);
Bdd bdd_system_after(BddSystem *y, Bdd states); // the states one step later; a state without a move has no successor
Bdd bdd_system_bad(BddSystem *y, Bdd states);   // some of the bad states in the set; BDD_FALSE: there are none
// Some states of `before` from which one edge, which is stored, leads into `after`, a conjunction of literals.
// BDD_FALSE: there are none.
Bdd bdd_system_before(BddSystem *y, Bdd before, Bdd after, const CircuitEdge **edge);

// --- for bdd_goals.c ---
// The diagram of a literal of the circuit, with constants for the variables that have one at present. A new reference.
Bdd bdd_system_translate(BddSystem *y, AigLiteral literal);
// The thread is at the place: the literals of its counter. A new reference.
Bdd bdd_system_at_place(const BddSystem *y, ThreadId thread, uint32_t place);

#endif
