// Edges as relations between sets of states, in decision diagrams.
//
// The relation of an edge is a conjunction of parts: its guard, and for each word that it changes what the next bits are.
// Words that it leaves alone are not mentioned. Parts are joined as long as that stays small. An image takes them one
// after the other and forgets, with each, the variables that no later part mentions. Relations are built when an edge is
// first taken and kept.
//
// An input that a word is set to is the word's next value, and needs no variable of its own.
//
// Anything here may run out of nodes (bdd_space_exhausted) or of time; `flaw` then says so, and results mean nothing.
#ifndef HEDDLE_REACH_BDD_RELATION_H
#define HEDDLE_REACH_BDD_RELATION_H

#include "reach/bdd_live.h"
#include "solver/bdd_space.h"

typedef struct BddPart {
  Bdd relation;
  Bdd forget; // a cube: what is mentioned here for the last time and is not part of the state after the edge
} BddPart;
VECTOR(BddPartVector, BddPart);

typedef struct BddRelation {
  bool built;
  uint32_t first_part, part_count;
  Bdd forget;    // a cube: variables to forget that no part mentions
  Bdd enabled;   // the states in which the edge can be taken
  Bdd missed;    // the states in which it meets a pointer that was not foreseen
  Bdd inputs;    // a cube: fresh variables
  Bdd next;      // a cube: next variables
  Bdd forgotten; // a cube: current variables of words that change or die
} BddRelation;
VECTOR(BddRelationVector, BddRelation);

typedef struct BddRelations {
  BddWords words;
  BddLive live;
  BddRelationVector edges;
  BddPartVector parts;
  BddRenaming *to_current; // all next variables
  U32Vector known;         // per node of the graph: its diagram plus one, while an edge is built; 0: none yet
  U32Vector touched;       // the nodes that have one
  Map input_variable;      // input of the graph -> next variable that stands for it, while an edge is built
  const char *flaw;        // NULL: all is well
  Budget *budget;
  Account *account;
} BddRelations;

// Opens the decision diagrams. `flaw` says whether that went well; to be freed in either case.
void bdd_relations_init(BddRelations *r, const Transitions *transitions, Budget *budget, Account *account);
void bdd_relations_free(BddRelations *r);

// All return new references.
Bdd bdd_initial_states(BddRelations *r);
Bdd bdd_states_after(BddRelations *r, Bdd states, EdgeId edge);
// The states among them in which the edge can be taken; or in which it meets a pointer not foreseen.
Bdd bdd_states_enabled(BddRelations *r, Bdd states, EdgeId edge, bool missed);
// Those of `before` from which the edge leads to one of `after`.
Bdd bdd_states_before(BddRelations *r, Bdd before, EdgeId edge, Bdd after);
// One state, as a conjunction of literals of all current variables that the set depends on.
Bdd bdd_states_pick(Bdd states);

#endif
