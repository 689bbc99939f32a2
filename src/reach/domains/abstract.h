// Predicate abstraction: what is known of predicates after a step, if certain conditions hold before it.
//
// Two kinds. *Cartesian*: of each predicate by itself whether it certainly holds, certainly does not, or may do either; the
// answer is a conjunction of literals. *Boolean*: the strongest formula over the predicates. Literals that are implied are
// split off first; the predicates that are left are grouped by what connects them (variables that conditions or values
// share), and each group's possible truth vectors are enumerated; they become one conjunct, a disjunction of cubes. What
// is valid anyway is not said. A group with too many predicates or vectors says no more than Cartesian abstraction does.
//
// Questions are asked only with those conditions that share variables with what is asked about, directly or by way of
// others. That makes them small and alike: answers are remembered, and models kept as samples (samples.h) answer others.
// What single conditions say of variables is put into the others before. Conditions that are not new are taken to be
// possible: if they are not, answers are right but may say less than false.
//
// Variables that stand for no part of the state (domain.h: parameters) are variables like others: what is answered
// holds for each of their values.
#ifndef HEDDLE_REACH_DOMAINS_ABSTRACT_H
#define HEDDLE_REACH_DOMAINS_ABSTRACT_H

#include "reach/refine/model_samples.h"

typedef enum AbstractionKind { ABSTRACTION_CARTESIAN, ABSTRACTION_BOOLEAN } AbstractionKind;

typedef struct Abstraction {
  TermStore *terms;
  Solver *solver;
  uint32_t since_new; // questions to this solver
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
  size_t news;            // conditions from this one on are not part of what `held` was found from
  Map after;              // variable -> its value after; absent: it keeps its value
  const Term *held;       // conjuncts over predicates that held before; the conditions imply them
  size_t held_count;      // ... and predicates that the step does not touch are known from them alone
  const Term *predicates; // of width 1, none the negation of another
  size_t predicate_count;
} AbstractStep;

void abstraction_init(Abstraction *a, TermStore *terms, Budget *budget, Account *account);
void abstraction_free(Abstraction *a);
void abstract_step_init(AbstractStep *step, Account *account);
void abstract_step_free(AbstractStep *step);

// May these hold together? True also if the solver does not know.
bool abstraction_allows(Abstraction *a, const Term *conditions, size_t count);
// Appends what is known after the step: literals and, if boolean, disjunctions. Each conjunct is of width 1 and not constant.
// False, and nothing is appended: the step is impossible.
bool abstraction_of(Abstraction *a, const AbstractStep *step, AbstractionKind kind, TermVector *conjuncts);

#endif
