// The domain `predicate` (papers 003 and 004): a label says of each tracked predicate that it holds, that it does not
// hold, or nothing.
//
// A label is a conjunction (term/conjunction.h) of predicates, negated predicates and, with boolean abstraction
// (abstract.h), disjunctions of them. Whether a label implies another is a question about subsets. Only disjunctions
// need a solver. The precision consists of the conjuncts of interpolants of infeasible paths (refine/interpolate.h), so
// the labels along such a path can express its interpolants. A predicate is tracked everywhere, or at the locations of
// the threads at its node. The results of `post` are remembered until the precision grows.
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
// The label that is the conjunction of these formulas.
LabelId predicate_label_of(PredicateDomain *d, const TermVector *conjuncts);
// Where a predicate is tracked, and in which form.
typedef struct TrackingPlace {
  NodeId node;
  ControlId control; // NO_ID: everywhere
  bool sums;         // track comparisons of sums unchanged; else with the values of their variables (concretise.h)
} TrackingPlace;
// Tracks the conjuncts of a formula as predicates. A predicate and its negation are one predicate. True: one is new.
bool predicate_track(PredicateDomain *d, Term formula, const TrackingPlace *place);
// How the conjuncts of the last interpolants are tracked. The first two kinds track them at the locations of their
// nodes, or everywhere if the precision is global. GROW_WITHOUT_SUMS replaces comparisons of sums by values
// (concretise.h).
typedef enum PredicateGrowth { GROW_WITHOUT_SUMS, GROW, GROW_EVERYWHERE } PredicateGrowth;
void predicate_grow(PredicateDomain *d, PredicateGrowth growth);
// Changes the abstraction to boolean. False: it is boolean already, or the options ask for Cartesian abstraction.
bool predicate_sharpen(PredicateDomain *d);
// The domain's `post` under the additional assumption `also` (conjuncts over the state before the edge). The result is
// not remembered. LABEL_FALSE: the move is impossible.
LabelId predicate_post(PredicateDomain *d, const Move *move, const Term *also, size_t count);
bool predicate_label_implies(PredicateDomain *d, LabelId strong, LabelId weak);

#endif
