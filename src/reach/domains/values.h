// The domain `explicit` (papers 003 and 004): labels are the values of tracked variables, as far as they are known.
//
// A label is a set of facts `variable == constant` (term/conjunction.h), so that a cover is a question of subsets and
// costs no solver call. The precision are tracked variables, everywhere or at locations (tracking.h). Where a tracked
// variable has no known value after an edge, but can only have few, there is a label for each (enumerate.h): of inputs, of
// what a guard leaves, of choices.
//
// An infeasible path that values exclude makes the precision grow by a smallest set that does (nothing can be left
// out); the tree is built again from the first node where that makes a difference. A path that only a relation between
// unknown values excludes is left undecided.
#ifndef HEDDLE_REACH_DOMAINS_VALUES_H
#define HEDDLE_REACH_DOMAINS_VALUES_H

#include "reach/domains/enumerate.h"
#include "reach/domains/tracking.h"
#include "reach/refine/interpolate.h"
#include "reach/tree/explore.h"
#include "term/conjunction.h"

typedef struct ExplicitDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  ConjunctionTable labels;
  Tracking tracking; // the precision
  Enumeration enumeration;
  Interpolation interpolation; // which variables matter, where all of them are too many
  Map known, cache;            // of the post at work: variable -> its value before
  TermVector learned, facts;   // ... variables of `known` that are not of the label; the label after
  Account *account;
} ExplicitDomain;

// A label that a move may lead to, and the condition (before the edge, with its inputs) under which it does.
typedef struct ValueBranch {
  LabelId label;
  Term condition;
} ValueBranch;
VECTOR(ValueBranchVector, ValueBranch);

void explicit_domain_init(ExplicitDomain *d, Explorer *explorer); // freed by its operations
// --- for products ---
struct GoalPath;
// Tracks more variables, a smallest set that excludes the path; false, and nothing changes, if values do not.
bool explicit_grow(ExplicitDomain *d, const struct GoalPath *path);
// As its post, if `also` (conjuncts over the state before the edge) holds there, too.
void explicit_post(ExplicitDomain *d, const Move *move, const Term *also, size_t count, ValueBranchVector *branches);

#endif
