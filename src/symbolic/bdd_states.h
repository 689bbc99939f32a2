// Sets of states as decision diagrams, and where edges lead from them.
//
// The relation of an edge is built when the edge is first taken and kept. If it is too large for that (a product, a
// pointer that may go anywhere), it is built again for each set, with the bits that all states of the set agree on in
// place; and if that is still too large, the set is split at one of the others.
//
// Anything here may run out of nodes or of time; the translator's `flaw` then says so, and results mean nothing.
#ifndef HEDDLE_SYMBOLIC_BDD_STATES_H
#define HEDDLE_SYMBOLIC_BDD_STATES_H

#include "symbolic/bdd_relation.h"

// When an edge changes bits that are frozen (bdd_thaw.h).
typedef struct BddEscape {
  bool built;
  bool large;     // it is not known
  U32Vector bits; // frozen
  U32Vector when; // diagrams over the states before
  Bdd any;        // of them
} BddEscape;
VECTOR(BddEscapeVector, BddEscape);

typedef struct BddStates {
  Words *words;
  LiveWords live;
  BddTranslator translator;
  BddRelationVector edges;
  U32Vector conditions;    // per edge: a diagram over current variables and those of its inputs
  BddRenaming *to_current; // all next variables; NULL: there is no instance
  ByteVector frozen;       // per bit; empty: none is
  U32Vector thawed;        // bits in order, times two, plus one if it was 1
  BddEscapeVector escapes; // per edge
  Bdd agreed_states;       // a set, or BDD_FALSE
  ByteVector agreed;       // per variable: what these states agree on, else BIT_OPEN
  Account *account;
} BddStates;

// What the states are part of.
typedef struct BddFrame {
  const char *flaw;       // NULL, or why there can be no diagrams: those are never opened
  uint32_t reserved;      // so many variables, the first ones, have a meaning that only the caller knows
  bool touches;           // where threads go by what conditions of touches say (touch.h), words in them are read
  size_t most_nodes;      // 0: a sensible number
  const char *stop_point; // NULL: "reach-bdd"
} BddFrame;

// Opens the decision diagrams, and numbers the bits of words. The translator's `flaw` says whether that went well; to be
// freed in either case. The words must outlive it.
void bdd_states_init(BddStates *s, Words *words, BddFrame frame, Budget *budget, Account *account);
void bdd_states_free(BddStates *s);

// A condition for the edge to be taken, over current variables and those of its inputs, in place of the last one.
void bdd_states_require(BddStates *s, EdgeId edge, Bdd condition);
// What was built for the edge is to be built again.
void bdd_states_forget(BddStates *s, EdgeId edge);

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
