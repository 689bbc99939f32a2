#include "solver/aig_sat.h"

#include <ccadical.h>

static void add_literal(void *context, int literal) { ccadical_add(context, literal); }

static int must_stop(void *context) { return budget_exhausted_now(context, "solver-search"); }

void aig_sat_init(AigSat *s, const Aig *aig, Budget *budget, Account *account) {
  *s = (AigSat){.aig = aig, .sat = ccadical_init(), .budget = budget};
  ccadical_set_option(s->sat, "quiet", 1); // it reports trivial conflicts on standard output
  if (budget) ccadical_set_terminate(s->sat, budget, must_stop);
  cnf_init(&s->encoder, aig, (CnfSink){.add = add_literal, .context = s->sat}, account);
}

void aig_sat_search_only(AigSat *s) {
  static const char *const simplifications[] = {"elim", "probe", "subsume", "vivify"};
  for (size_t i = 0; i < sizeof simplifications / sizeof *simplifications; i++)
    ccadical_set_option(s->sat, simplifications[i], 0);
  ccadical_set_option(s->sat, "phase", 0);
}

void aig_sat_free(AigSat *s) {
  cnf_free(&s->encoder);
  ccadical_release(s->sat);
}

void aig_sat_assert(AigSat *s, AigLiteral literal) { cnf_assert(&s->encoder, literal); }

void aig_sat_assert_clause(AigSat *s, const AigLiteral *literals, size_t count) {
  cnf_assert_clause(&s->encoder, literals, count);
}

SolverAnswer aig_sat_check(AigSat *s, const AigLiteral *assumptions, size_t count) {
  if (s->budget && budget_exhausted(s->budget, "solver-check")) return SOLVER_UNKNOWN;
  for (size_t i = 0; i < count; i++) cnf_literal(&s->encoder, assumptions[i]);
  // Only now: adding a clause forgets the assumptions.
  for (size_t i = 0; i < count; i++) ccadical_assume(s->sat, cnf_literal(&s->encoder, assumptions[i]));
  int result = ccadical_solve(s->sat);
  return result == 10 ? SOLVER_SAT : result == 20 ? SOLVER_UNSAT : SOLVER_UNKNOWN;
}

bool aig_sat_blames(const AigSat *s, AigLiteral assumption) {
  return !aig_is_constant(assumption) && ccadical_failed(s->sat, cnf_find(&s->encoder, assumption));
}

void aig_sat_define(AigSat *s, AigLiteral literal) { cnf_literal(&s->encoder, literal); }

void aig_sat_limit_conflicts(AigSat *s, int conflicts) { ccadical_limit(s->sat, "conflicts", conflicts); }

bool aig_sat_value(const AigSat *s, AigLiteral literal) {
  if (aig_is_constant(literal)) return literal == AIG_TRUE;
  int variable = cnf_find(&s->encoder, literal & ~(AigLiteral)1);
  return (variable != 0 && ccadical_val(s->sat, variable) > 0) != aig_is_inverted(literal);
}

bool aig_sat_input(const AigSat *s, AigLiteral input) {
  assert(!aig_is_inverted(input));
  return aig_sat_value(s, input);
}
