// Edges as relations between sets of states, in decision diagrams.
//
// The relation of an edge is a conjunction of parts: its guard, and for each word that it changes the word's next bits.
// Words that it does not change are not mentioned. Parts are joined as long as the result stays small. An image
// multiplies with one part after the other, and with each part quantifies (forgets) the variables that no later part
// mentions.
//
// If a word is set to an input, the word's next variables stand for the input, which needs no variables of its own.
//
// For goals, and for pointers that were not foreseen, only the set of states in which they are possible is built.
#ifndef HEDDLE_SYMBOLIC_BDD_RELATION_H
#define HEDDLE_SYMBOLIC_BDD_RELATION_H

#include "symbolic/bdd_translate.h"
#include "symbolic/live_words.h"

typedef struct BddPart {
  Bdd relation;
  Bdd forget;  // a cube: variables mentioned here for the last time that are not part of the state after the edge
  size_t size; // an estimate of the relation's nodes
} BddPart;
VECTOR(BddPartVector, BddPart);

typedef struct BddRelation {
  bool built;
  bool large;    // it is too large to be built for all states
  bool direct;   // parts give the bits' new values to their current variables: the guard is a part of its own and comes
                 // first, and the bits that are written are forgotten with it
  Map selectors; // words by which values are selected (addresses, indices); filled if there are several parts or none
  BddPartVector parts;
  Bdd forget;  // a cube: variables to forget that no part mentions
  Bdd enabled; // for a goal: the states in which the edge can be taken
  Bdd missed;  // the states in which it dereferences a pointer that was not foreseen
  Bdd inputs;  // a cube: the edge's fresh variables
  Bdd written; // a cube: current variables of bits that change
  Bdd dying;   // a cube: current variables of bits that are dead after the edge and may be live before it
} BddRelation;
VECTOR(BddRelationVector, BddRelation);

// Which relation to build.
typedef struct BddRelationRequest {
  EdgeId edge;
  Bdd condition; // joined to the guard, over current variables and those of the edge's inputs; BDD_TRUE: none
  bool kept;     // it will be used more than once, so building it may cost a little more
} BddRelationRequest;
// Uses the values to which the translator forces bits. If its `too_large` or `flaw` is set afterwards, the relation is
// not complete.
BddRelation bdd_relation_build(BddTranslator *translator, const LiveWords *live, BddRelationRequest request,
                               Account *account);
// Does it have more parts than a small relation has?
static inline bool bdd_relation_is_long(const BddRelation *relation) {
  return relation->parts.count > (relation->direct ? 2u : 1u);
}
void bdd_relation_drop(BddRelation *relation);
// The cube of the variables of the edge's inputs. A new reference.
Bdd bdd_edge_inputs(const Words *words, EdgeId edge, Account *account);

#endif
