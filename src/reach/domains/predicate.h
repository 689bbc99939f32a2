// The domain `predicate` (papers 003 and 004): labels say of tracked predicates whether they hold, do not, or may.
//
// A label is a conjunction (term/conjunction.h) of predicates and negated predicates and, with boolean abstraction
// (abstract.h), of disjunctions of such. A cover is a question of subsets; only disjunctions are asked about by a solver.
// The precision are the conjuncts of interpolants of infeasible paths (interpolate.h), so that the labels along such a path
// can say what its interpolants do; tracked everywhere, or where threads stand at the node. What `post`
// found is remembered until the precision grows.
#ifndef HEDDLE_REACH_DOMAINS_PREDICATE_H
#define HEDDLE_REACH_DOMAINS_PREDICATE_H

#include "reach/domains/abstract.h"
#include "reach/domains/tracking.h"
#include "reach/refine/interpolate.h"
#include "reach/tree/cover.h"
#include "reach/tree/explore.h"
#include "term/conjunction.h"

typedef struct PredicateDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  ConjunctionTable labels;
  Tracking tracking; // the precision
  Map situations;    // label << 32 | tracked set after -> its number
  Map posts;         // situation << 32 | edge << 1 | missed -> label
  Interpolation interpolation;
  Abstraction abstraction;
  AbstractionKind kind;
  Implications implications; // covers of labels with disjunctions
  Account *account;
} PredicateDomain;

void predicate_domain_init(PredicateDomain *d, Explorer *explorer); // freed by its operations

// --- for other domains ---
// The label that says these conjuncts.
LabelId predicate_label_of(PredicateDomain *d, const TermVector *conjuncts);
// The conjuncts of a formula become predicates; a predicate and its negation are one. True if that is new.
typedef struct TrackingPlace {
  NodeId node;
  ControlId control; // NO_ID: everywhere
  bool sums;         // comparisons of sums are tracked as they are
} TrackingPlace;
bool predicate_track(PredicateDomain *d, Term formula, const TrackingPlace *place);
// Tracks the conjuncts of the last interpolants: as the precision is, with values in the place of sums (concretise.h); as
// the precision is; everywhere.
typedef enum PredicateGrowth { GROW_WITHOUT_SUMS, GROW, GROW_EVERYWHERE } PredicateGrowth;
void predicate_grow(PredicateDomain *d, PredicateGrowth growth);
// Makes the abstraction boolean; false: it is, or shall not be.
bool predicate_sharpen(PredicateDomain *d);
// As its post, if `also` (conjuncts over the state before the edge) holds there, too. Not remembered. LABEL_FALSE: the move
// is impossible.
LabelId predicate_post(PredicateDomain *d, const Move *move, const Term *also, size_t count);
bool predicate_label_implies(PredicateDomain *d, LabelId strong, LabelId weak);

#endif
