// Predicate abstraction: what is known of predicates after a step if certain conditions hold before it.
//
// There are two kinds. *Cartesian* abstraction looks at each predicate by itself: it holds after the step, it does not
// hold, or both are possible. The result is a conjunction of literals. *Boolean* abstraction gives the strongest
// formula over the predicates. It first splits off the literals that are implied. The other predicates are grouped: two
// predicates are in one group if a chain of shared variables in conditions and values connects them. The possible truth
// vectors of each group are enumerated, and they become one conjunct, a disjunction of cubes. A conjunct that is valid
// is left out. A group with too many predicates or truth vectors gets no more than Cartesian abstraction gives.
//
// A query contains only those conditions that share variables with its subject, directly or through other conditions.
// That makes queries small, and many of them equal. Their answers are remembered, and models are kept as samples
// (refine/model_samples.h) that answer further queries. If a condition fixes the value of a single variable, that value
// is put into the other conditions first. Conditions that are not new are assumed to be satisfiable together. If they
// are not, the result is still correct, but it may be weaker than false.
//
// Parameters (domain.h) are treated like other variables: the result holds for each of their values.
#ifndef HEDDLE_REACH_DOMAINS_ABSTRACT_H
#define HEDDLE_REACH_DOMAINS_ABSTRACT_H

#include "reach/refine/model_samples.h"

typedef enum AbstractionKind { ABSTRACTION_CARTESIAN, ABSTRACTION_BOOLEAN } AbstractionKind;

typedef struct Abstraction {
  TermStore *terms;
  Solver *solver;
  uint32_t since_new; // number of queries to this solver
  Samples samples;
  Map known;    // conjunction of conditions << 32 | value -> a Truth
  Map valid;    // formula -> 0 or 1
  Map possible; // conjunction of conditions -> 0 or 1
  uint64_t asked;
  Budget *budget; // or NULL
  Account *account;
} Abstraction;

// A step. Terms are over variables before it, predicates over variables after it.
typedef struct AbstractStep {
  TermVector conditions;  // what holds before
  size_t news;            // conditions from this index on are new: `held` was computed without them
  Map after;              // variable -> its value after; absent: it keeps its value
  const Term *held;       // conjuncts over predicates that held before; the conditions imply them
  size_t held_count;      // for a predicate that the step does not change, only `held` is consulted
  const Term *predicates; // of width 1, none the negation of another
  size_t predicate_count;
} AbstractStep;

void abstraction_init(Abstraction *a, TermStore *terms, Budget *budget, Account *account);
void abstraction_free(Abstraction *a);
void abstract_step_init(AbstractStep *step, Account *account);
void abstract_step_free(AbstractStep *step);

// Are the conditions satisfiable together? True also if the solver does not know.
bool abstraction_allows(Abstraction *a, const Term *conditions, size_t count);
// Appends what is known after the step: literals and, with boolean abstraction, disjunctions. Each conjunct has width 1
// and is not constant. Returns false and appends nothing if the step is impossible.
bool abstraction_of(Abstraction *a, const AbstractStep *step, AbstractionKind kind, TermVector *conjuncts);

#endif
