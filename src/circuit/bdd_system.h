// The states of a circuit as decision diagrams, and where its steps lead from sets of them.
//
// Variables. First the bits of program counters, thread by thread; then the circuit's inputs, for conditions that mention
// them; then the bits of words, two each (transition/bdd_order.h). Variables of words say what the words are, not what the
// latches hold. The latch `started` is set in all states here: bits without an initial value may be anything at the start.
//
// The transition relation is a disjunction over edges. Where a thread must stand, who may be inside a section and what the
// scheduler says (`may`, per location) is asked of the set first, with the thread's own counter in place, and is forgotten
// with it; what the edge does to words is a relation of its own (transition/bdd_states.h), with early quantification; and
// counters become constants. Selections and choices are no variables of that: some value of them is as good as another.
//
// Whether a thread is stubborn may depend on inputs by which others can run. The edge must then be possible with the same
// inputs: its condition becomes a part of the edge's relation, with the variables of the edge's own fresh values.
//
// Words die as soon as nobody will look at them, the scheduler included. So sets of states are those of the circuit up to
// what dead words are, and diagrams of them are smaller.
//
// Anything here may run out of nodes or of time; `bdd_system_flaw` says so, and results mean nothing.
#ifndef HEDDLE_CIRCUIT_BDD_SYSTEM_H
#define HEDDLE_CIRCUIT_BDD_SYSTEM_H

#include "circuit/circuit.h"
#include "transition/bdd_states.h"

// A location from which edges lead.
typedef struct BddPlace {
  LocationId location;
  ThreadId thread;
  uint32_t first_edge, edge_count; // of the circuit's
  Bdd at;                          // the literals of its counter
  bool built;
  Bdd may; // allowed and stubborn, with some inputs
} BddPlace;
VECTOR(BddPlaceVector, BddPlace);

typedef struct BddGoal {
  const CircuitEdge *edge; // NULL: `states` says it
  Bdd states;
} BddGoal;
VECTOR(BddGoalVector, BddGoal);

typedef struct BddSystem {
  const Circuit *c;
  BddStates states;
  BddTranslator translator; // of the circuit's graph
  U32Vector leaf;           // per input of the graph: a variable times two, plus one if inverted; or one of BddLeaf
  U32Vector thread_of;      // per input of the graph: the thread whose counter it is part of; NO_ID: none
  U32Vector first_variable; // per thread: of its counter's, the highest bit first
  U32Vector counters;       // per thread: the cube of its counter
  U32Vector allowed;        // per thread: nobody else is in a section
  U32Vector edge_may;       // per edge of the circuit: if that depends on its choice
  Bdd inputs, choices;      // cubes
  ThreadId standing;        // the thread whose counter is known for the time being; NO_ID: none
  uint32_t standing_at;     // a place
  BddPlaceVector places;
  BddGoalVector goals; // what is bad
  Account *account;
} BddSystem;

// To be freed in any case. `most_nodes` 0: a sensible number.
void bdd_system_init(BddSystem *y, const Circuit *c, size_t most_nodes, Budget *budget, Account *account);
void bdd_system_free(BddSystem *y);
// What is to be found: a literal over latches and inputs.
void bdd_system_seek(BddSystem *y, AigLiteral bad);
// Looks for a reason to stop. NULL: there is none.
const char *bdd_system_flaw(BddSystem *y);

// All return new references.
Bdd bdd_system_initial(BddSystem *y);
Bdd bdd_system_after(BddSystem *y, Bdd states); // one step later; sets that cannot move have no successors
Bdd bdd_system_bad(BddSystem *y, Bdd states);   // some of those in which something bad can happen, if there are any
// Some of `before` that lead into `after`, a conjunction of literals, by one edge, which is stored; BDD_FALSE: there are none.
Bdd bdd_system_before(BddSystem *y, Bdd before, Bdd after, const CircuitEdge **edge);

#endif
