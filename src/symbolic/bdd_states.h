// Sets of states as decision diagrams, and their images and preimages by edges.
//
// The relation of an edge is built when the edge is first used, and it is kept. If it is too large for that (a product,
// a pointer that may point anywhere), it is built again for each set of states, with constants for the bits that have
// the same value in all states of the set. If that is still too large, the set is split by the value of one of the
// other bits.
//
// Any function here may run out of nodes or of time. Then the translator's `flaw` says so, and results mean nothing.
#ifndef HEDDLE_SYMBOLIC_BDD_STATES_H
#define HEDDLE_SYMBOLIC_BDD_STATES_H

#include "symbolic/bdd_relation.h"

// When an edge changes frozen bits (bdd_thaw.h).
typedef struct BddEscape {
  bool built;
  bool large;     // the diagrams were too large, so it is not known
  U32Vector bits; // the frozen bits that it may change
  U32Vector when; // per bit: the states before the edge in which it does
  Bdd any;        // the states in which it changes one of them
} BddEscape;
VECTOR(BddEscapeVector, BddEscape);

typedef struct BddStates {
  Words *words;
  LiveWords live;
  BddTranslator translator;
  BddRelationVector edges; // per edge
  U32Vector conditions;    // per edge: bdd_states_require's condition
  BddRenaming *to_current; // renames all next variables; NULL: the diagrams are not open
  ByteVector frozen;       // per bit: is it frozen? Empty: none is
  U32Vector thawed;        // bits in the order in which they thawed: times two, plus one if the old value is 1
  BddEscapeVector escapes; // per edge
  Bdd agreed_states;       // the set of states of `agreed`, or BDD_FALSE
  ByteVector agreed;       // per variable: its value if it is the same in all these states, else BIT_OPEN
  Account *account;
} BddStates;

// The caller's settings.
typedef struct BddFrame {
  const char *flaw;       // NULL, or why there can be no diagrams; then they are not opened
  uint32_t reserved;      // the number of variables, the first ones, that belong to the caller
  bool touches;           // words in the conditions of touches are read (live_words.h)
  size_t most_nodes;      // limit of the node table; 0: a default
  const char *stop_point; // NULL: "reach-bdd"
} BddFrame;

// Opens the decision diagrams and numbers the bits of words. The translator's `flaw` says why that failed, if it did.
// The caller frees the states in either case. The words must outlive them.
void bdd_states_init(BddStates *s, Words *words, BddFrame frame, Budget *budget, Account *account);
void bdd_states_free(BddStates *s);

// Sets a condition under which the edge can be taken, beside its guard: over current variables and those of the edge's
// inputs. It replaces an earlier one.
void bdd_states_require(BddStates *s, EdgeId edge, Bdd condition);
// Drops what was built for the edge. It is built again when the edge is used.
void bdd_states_forget(BddStates *s, EdgeId edge);

// All return new references.
Bdd bdd_states_initial(BddStates *s);
Bdd bdd_states_after(BddStates *s, Bdd states, EdgeId edge);
// Those of the states in which the edge, which leads to a goal, can be taken; if `missed`, those in which it
// dereferences a pointer that was not foreseen.
Bdd bdd_states_enabled(BddStates *s, Bdd states, EdgeId edge, bool missed);
// Those of the states `before` from which the edge leads to one of the states `after`.
Bdd bdd_states_before(BddStates *s, Bdd before, EdgeId edge, Bdd after);
// One state of the set, as a conjunction of literals of all variables that the set depends on.
Bdd bdd_states_pick(Bdd states);

#endif
