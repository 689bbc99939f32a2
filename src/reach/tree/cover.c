#include "reach/tree/cover.h"

enum { QUESTIONS_PER_SOLVER = 300 };

void implications_init(Implications *i, ConjunctionTable *labels, Budget *budget, Account *account) {
  *i = (Implications){.labels = labels, .terms = labels->terms, .budget = budget, .account = account};
  i->solver = solver_new(SOLVER_AUTOMATIC, i->terms, account, budget);
  map_init(&i->known, account);
  samples_init(&i->samples, i->terms, account);
}

void implications_free(Implications *i) {
  samples_free(&i->samples);
  map_free(&i->known);
  solver_free(i->solver);
}

// A solver gets slower with every query.
static void renew(Implications *i) {
  if (++i->since_new < QUESTIONS_PER_SOLVER) return;
  solver_free(i->solver);
  i->solver = solver_new(SOLVER_AUTOMATIC, i->terms, i->account, i->budget);
  i->since_new = 0;
}

bool label_implies_term(Implications *i, ConjunctionId label, Term formula) {
  assert(formula != TERM_NONE);
  i->asked++;
  if (label == CONJUNCTION_FALSE || term_is_true(i->terms, formula)) return true;
  uint32_t count;
  const Term *literals = conjunction_literals(i->labels, label, &count);
  for (uint32_t k = 0; k < count; k++)
    if (literals[k] == formula) return true;
  if (label == CONJUNCTION_TRUE && term_is_false(i->terms, formula)) return false;
  uint64_t key = (uint64_t)conjunction_term(i->labels, label) << 32 | formula, known;
  if (map_get(&i->known, key, &known)) {
    i->by_table++;
    return known;
  }
  if (samples_refute(&i->samples, literals, count, formula)) {
    i->by_sample++;
    map_put(&i->known, key, false);
    return false;
  }
  renew(i);
  i->by_solver++;
  TermVector assumptions;
  TermVector_init(&assumptions, i->account);
  for (uint32_t k = 0; k < count; k++) TermVector_push(&assumptions, literals[k]);
  TermVector_push(&assumptions, term_not(i->terms, formula));
  SolverAnswer answer = solver_check(i->solver, assumptions.data, assumptions.count);
  if (answer == SOLVER_SAT) samples_add(&i->samples, i->solver, assumptions.data, assumptions.count);
  TermVector_free(&assumptions);
  if (answer != SOLVER_UNKNOWN) map_put(&i->known, key, answer == SOLVER_UNSAT);
  return answer == SOLVER_UNSAT;
}

bool label_implies(Implications *i, ConjunctionId strong, ConjunctionId weak) {
  if (conjunction_implies(i->labels, strong, weak)) return true;
  if (weak == CONJUNCTION_FALSE) return label_implies_term(i, strong, term_false(i->terms));
  uint32_t count = i->labels->sets.data[weak].count;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t ignored;
    if (!label_implies_term(i, strong, conjunction_literals(i->labels, weak, &ignored)[k])) return false;
  }
  return true;
}
