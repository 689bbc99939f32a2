// Implications between labels. They are decided by a cascade: sets of literals, a table of known answers, states that
// refuted earlier implications, the solver.
#ifndef HEDDLE_REACH_TREE_COVER_H
#define HEDDLE_REACH_TREE_COVER_H

#include "reach/refine/model_samples.h"
#include "solver/solver.h"
#include "term/conjunction.h"

typedef struct Implications {
  ConjunctionTable *labels;
  TermStore *terms;
  Solver *solver;
  Map known; // strong << 32 | weak (terms) -> 0 or 1
  Samples samples;
  uint64_t asked, by_table, by_sample, by_solver;
  uint32_t since_new; // number of queries to this solver
  Budget *budget;
  Account *account;
} Implications;

void implications_init(Implications *i, ConjunctionTable *labels, Budget *budget, Account *account);
void implications_free(Implications *i);
// Does the label imply the formula? False also if the solver does not know.
bool label_implies_term(Implications *i, ConjunctionId label, Term formula);
bool label_implies(Implications *i, ConjunctionId strong, ConjunctionId weak);

#endif
