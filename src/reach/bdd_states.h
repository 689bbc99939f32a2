// Sets of states as decision diagrams, and where edges lead from them.
//
// The relation of an edge is built when the edge is first taken and kept. If it is too large for that (a product, a
// pointer that may go anywhere), it is built again for each set, with the bits that all states of the set agree on in
// place; and if that is still too large, the set is split at one of the others.
//
// Anything here may run out of nodes or of time; the translator's `flaw` then says so, and results mean nothing.
#ifndef HEDDLE_REACH_BDD_STATES_H
#define HEDDLE_REACH_BDD_STATES_H

#include "reach/bdd_relation.h"

typedef struct BddStates {
  Words words;
  LiveWords live;
  BddTranslator translator;
  BddRelationVector edges;
  BddRenaming *to_current; // all next variables; NULL: there is no instance
  Bdd agreed_states;       // a set, or BDD_FALSE
  ByteVector agreed;       // per variable: what these states agree on, else BIT_OPEN
  Account *account;
} BddStates;

// Opens the decision diagrams. The translator's `flaw` says whether that went well; to be freed in either case.
void bdd_states_init(BddStates *s, const Transitions *transitions, Budget *budget, Account *account);
void bdd_states_free(BddStates *s);

// All return new references.
Bdd bdd_states_initial(BddStates *s);
Bdd bdd_states_after(BddStates *s, Bdd states, EdgeId edge);
// The states among them in which the edge, to a goal, can be taken; or in which it meets a pointer not foreseen.
Bdd bdd_states_enabled(BddStates *s, Bdd states, EdgeId edge, bool missed);
// Those of `before` from which the edge leads to one of `after`.
Bdd bdd_states_before(BddStates *s, Bdd before, EdgeId edge, Bdd after);
// One state, as a conjunction of literals of all variables that the set depends on.
Bdd bdd_states_pick(Bdd states);

#endif
