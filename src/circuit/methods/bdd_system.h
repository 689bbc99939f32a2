// The states of a circuit as decision diagrams, and where its steps lead from sets of them.
//
// Variables. First the bits of program counters, thread by thread; then the circuit's inputs, for conditions that mention
// them; then the bits of words, two each (symbolic/bdd_order.h). Variables of words say what the words are, not what the
// latches hold. The latch `started` is set in all states here: bits without an initial value may be anything at the start.
//
// The transition relation is a disjunction over edges. Where a thread must stand, who may be inside a section and what the
// scheduler says (`may`, per location) is asked of the set first, with the thread's own counter in place, and is forgotten
// with it; what the edge does to words is a relation of its own (symbolic/bdd_states.h), with early quantification; and
// counters become constants. Selections and choices are no variables of that: some value of them is as good as another.
//
// Whether a thread is stubborn may depend on inputs by which others can run. The edge must then be possible with the same
// inputs: its condition becomes a part of the edge's relation, with the variables of the edge's own fresh values.
//
// Words die as soon as nobody will look at them, the scheduler included. So sets of states are those of the circuit up to
// what dead words are, and diagrams of them are smaller.
//
// Bits that never were anything else than at the start have no variable yet (symbolic/bdd_thaw.h).
//
// Anything here may run out of nodes or of time; `bdd_system_flaw` says so, and results mean nothing.
#ifndef HEDDLE_CIRCUIT_METHODS_BDD_SYSTEM_H
#define HEDDLE_CIRCUIT_METHODS_BDD_SYSTEM_H

#include "circuit/model/circuit.h"
#include "symbolic/bdd_thaw.h"

// A location from which edges lead.
typedef struct BddPlace {
  LocationId location;
  ThreadId thread;
  uint32_t first_edge, edge_count; // of the circuit's
  Bdd at;                          // the literals of its counter
  // Allowed and stubborn: for all states if that was small, else for the states of `care`, which grow with what is asked.
  enum { PLACE_NEW, PLACE_WHOLE, PLACE_BY_CASES } built;
  Bdd care;
  Bdd may_with;   // over states and inputs
  Bdd may;        // with some inputs
  Map depends_on; // frozen bits that PLACE_WHOLE was built with
} BddPlace;
VECTOR(BddPlaceVector, BddPlace);

typedef struct BddGoal {
  const CircuitEdge *edge; // NULL: the literal says it
  AigLiteral literal;
  bool built;
  Bdd states; // of the literal
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
  U32Vector fills;          // per bit that thawed: what it was, where it is not dead
  ByteVector agreed;        // per variable: what it is taken to be for the time being, else BIT_OPEN
  Map *depends_on;          // frozen bits that are translated go here; NULL: nowhere
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

// Thaws what the states' successors need. True: that is more than before. To be asked until it is false before the image.
bool bdd_system_thaw(BddSystem *y, Bdd states);

// All return new references.
// The set with what bits that thawed were, from this index of them on; where they are dead, they may have been anything.
Bdd bdd_system_fill(BddSystem *y, Bdd states, size_t first);
Bdd bdd_system_initial(BddSystem *y);
Bdd bdd_system_after(BddSystem *y, Bdd states); // one step later; sets that cannot move have no successors
Bdd bdd_system_bad(BddSystem *y, Bdd states);   // some of those in which something bad can happen, if there are any
// Some of `before` that lead into `after`, a conjunction of literals, by one edge, which is stored; BDD_FALSE: there are none.
Bdd bdd_system_before(BddSystem *y, Bdd before, Bdd after, const CircuitEdge **edge);

// --- for bdd_goals.c ---
// The diagram of a literal of the circuit, with what variables are taken to be. A new reference.
Bdd bdd_system_translate(BddSystem *y, AigLiteral literal);
Bdd bdd_system_stands_at(const BddSystem *y, ThreadId thread, uint32_t place); // a new reference

#endif
