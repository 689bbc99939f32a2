// The domain `explicit` (papers 003 and 004): labels are the values of tracked variables, as far as they are known.
//
// A label is a set of facts `variable == constant` (term/conjunction.h), so a cover is a question about subsets and
// needs no solver. The precision consists of variables that are tracked everywhere or at locations (tracking.h). If a
// tracked variable has no known value after an edge, but has only few possible ones, there is a label for each
// (enumerate.h). This applies to inputs, to values that a guard leaves open, and to choices.
//
// If values exclude an infeasible path, the precision grows by a set of variables that excludes the path and from which
// no variable can be left out. The tree is built again from the first node at which this makes a difference. A path
// that only a relation between unknown values excludes is left undecided.
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
  Interpolation interpolation; // finds the variables that matter, if all variables of a path are too many
  Map known, cache;            // scratch of `post`: variable -> its value before the edge
  TermVector learned, facts;   // scratch of `post`: variables of `known` that the label does not have; the label after
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
// Tracks more variables: a minimal set that excludes the path. Returns false and changes nothing if values do not
// exclude the path.
bool explicit_grow(ExplicitDomain *d, const struct GoalPath *path);
// The domain's `post` under the additional assumption `also` (conjuncts over the state before the edge).
void explicit_post(ExplicitDomain *d, const Move *move, const Term *also, size_t count, ValueBranchVector *branches);

#endif
