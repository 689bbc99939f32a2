// The domain `predicate` (papers 003 and 004): labels say of tracked predicates whether they hold, do not, or may.
//
// This is Cartesian abstraction: a label is a conjunction of predicates and negated predicates (term/conjunction.h), and
// a cover is a question of subsets. The precision is one set of predicates, the conjuncts of interpolants of infeasible
// paths (interpolate.h), so that the labels along such a path can say what its interpolants do. `post` asks a solver
// about each predicate that an edge may change; what it answered is remembered until the precision grows.
#ifndef HEDDLE_REACH_PREDICATE_H
#define HEDDLE_REACH_PREDICATE_H

#include "reach/explore.h"
#include "reach/interpolate.h"
#include "reach/samples.h"
#include "term/conjunction.h"

typedef struct PredicateDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  ConjunctionTable labels;
  TermVector predicates; // the precision
  Map is_predicate;
  Map posts; // label << 32 | edge << 1 | missed -> label
  Interpolation interpolation;
  Solver *solver; // of posts
  Samples samples;
  Account *account;
} PredicateDomain;

void predicate_domain_init(PredicateDomain *d, Explorer *explorer); // freed by its operations

// --- for products ---
// Tracks the conjuncts of the last interpolants.
void predicate_grow(PredicateDomain *d);
// As its post, if `also` (conjuncts over the state before the edge) holds there, too. Not remembered.
LabelId predicate_post(PredicateDomain *d, LabelId before, const Term *also, size_t count, EdgeId edge, bool missed);

#endif
