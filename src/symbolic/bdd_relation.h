// Edges as relations between sets of states, in decision diagrams.
//
// The relation of an edge is a conjunction of parts: its guard, and for each word that it changes what the next bits are.
// Words that it leaves alone are not mentioned. Parts are joined as long as that stays small. An image takes them one
// after the other and forgets, with each, the variables that no later part mentions.
//
// An input that a word is set to is the word's next value, and needs no variable of its own.
//
// For goals, and for pointers not foreseen, only the states in which they happen are built.
#ifndef HEDDLE_SYMBOLIC_BDD_RELATION_H
#define HEDDLE_SYMBOLIC_BDD_RELATION_H

#include "symbolic/bdd_translate.h"
#include "symbolic/live_words.h"

typedef struct BddPart {
  Bdd relation;
  Bdd forget;  // a cube: what is mentioned here for the last time and is not part of the state after the edge
  size_t size; // of the relation, about
} BddPart;
VECTOR(BddPartVector, BddPart);

typedef struct BddRelation {
  bool built;
  bool large;    // it was tried, and is too large to be built for all states
  bool direct;   // parts say what bits become by their current variables: the guard is a part of its own and is taken
                 // first, and what is written is forgotten with it
  Map selectors; // words that choose between others, if there are several parts or none
  BddPartVector parts;
  Bdd forget;  // a cube: variables to forget that no part mentions
  Bdd enabled; // of a goal: the states in which the edge can be taken
  Bdd missed;  // the states in which it meets a pointer that was not foreseen
  Bdd inputs;  // a cube: fresh variables
  Bdd written; // a cube: current variables of bits that change
  Bdd dying;   // a cube: current variables of bits that nobody looks at after the edge
} BddRelation;
VECTOR(BddRelationVector, BddRelation);

// Builds with what the translator takes bits to be. Its `too_large` or `flaw` says whether the relation is not complete.
typedef struct BddAsked {
  EdgeId edge;
  Bdd condition; // to be taken, over current variables and those of the edge's inputs; BDD_TRUE: none
  bool kept;     // it will be used more than once, so that it may cost a little more
} BddAsked;
BddRelation bdd_relation_build(BddTranslator *translator, const LiveWords *live, BddAsked asked, Account *account);
// Has it more parts than it would need if it were small?
static inline bool bdd_relation_is_long(const BddRelation *relation) {
  return relation->parts.count > (relation->direct ? 2u : 1u);
}
void bdd_relation_drop(BddRelation *relation);
// The variables of the edge's inputs, as a cube; a new reference.
Bdd bdd_edge_inputs(const Words *words, EdgeId edge, Account *account);

#endif
