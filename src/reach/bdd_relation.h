// Edges as relations between sets of states, in decision diagrams.
//
// The relation of an edge is a conjunction of parts: its guard, and for each word that it changes what the next bits are.
// Words that it leaves alone are not mentioned. Parts are joined as long as that stays small. An image takes them one
// after the other and forgets, with each, the variables that no later part mentions.
//
// An input that a word is set to is the word's next value, and needs no variable of its own.
//
// For goals, and for pointers not foreseen, only the states in which they happen are built.
#ifndef HEDDLE_REACH_BDD_RELATION_H
#define HEDDLE_REACH_BDD_RELATION_H

#include "reach/bdd_live.h"
#include "reach/bdd_translate.h"

typedef struct BddPart {
  Bdd relation;
  Bdd forget;  // a cube: what is mentioned here for the last time and is not part of the state after the edge
  size_t size; // of the relation, about
} BddPart;
VECTOR(BddPartVector, BddPart);

typedef struct BddRelation {
  bool built;
  bool large;    // it was tried, and is too large to be built for all states
  Map selectors; // words that choose between others, if there are several parts or none
  BddPartVector parts;
  Bdd forget;    // a cube: variables to forget that no part mentions
  Bdd enabled;   // of a goal: the states in which the edge can be taken
  Bdd missed;    // the states in which it meets a pointer that was not foreseen
  Bdd inputs;    // a cube: fresh variables
  Bdd next;      // a cube: next variables
  Bdd forgotten; // a cube: current variables of words that change or die
} BddRelation;
VECTOR(BddRelationVector, BddRelation);

// Builds with what the translator takes bits to be. Its `too_large` or `flaw` says whether the relation is not complete.
BddRelation bdd_relation_build(BddTranslator *translator, const BddLive *live, EdgeId edge, Account *account);
void bdd_relation_drop(BddRelation *relation);

#endif
