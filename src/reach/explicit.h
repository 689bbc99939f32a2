// The domain `explicit` (papers 003 and 004): labels are the values of tracked variables, as far as they are known.
//
// A label is a set of facts `variable == constant` (term/conjunction.h), so that a cover is a question of subsets and
// costs no solver call. The precision is one set of tracked variables. An infeasible path that values alone exclude makes
// it grow by a smallest set that does (no variable can be left out); the tree is built again from the first node where
// that makes a difference. A path that only a relation between unknown values excludes is left undecided.
#ifndef HEDDLE_REACH_EXPLICIT_H
#define HEDDLE_REACH_EXPLICIT_H

#include "reach/explore.h"
#include "term/conjunction.h"

typedef struct ExplicitDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  ConjunctionTable labels;
  Map tracked; // variable -> 1; 0: it was tracked for a trial
  Map known, cache;
  Account *account;
} ExplicitDomain;

void explicit_domain_init(ExplicitDomain *d, Explorer *explorer); // freed by its operations
// --- for products ---
struct GoalPath;
// Tracks more variables, a smallest set that excludes the path; false, and nothing changes, if values do not.
bool explicit_grow(ExplicitDomain *d, const struct GoalPath *path);
// As its post, if `also` (conjuncts over the state before the edge) holds there, too.
LabelId explicit_post(ExplicitDomain *d, LabelId before, const Term *also, size_t count, EdgeId edge, bool missed);
bool explicit_tracks(const ExplicitDomain *d, Term variable);

#endif
