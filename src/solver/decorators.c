// What decorators share.
#include "solver/decorators.h"

bool wrapper_supports(Solver *solver, Term t) { return solver_supports(wrapped(solver), t); }

void wrapper_assert_term(Solver *solver, Term t) { solver_assert(wrapped(solver), t); }

void wrapper_add_clause(Solver *solver, const Term *literals, size_t count) {
  solver_add_clause(wrapped(solver), literals, count);
}

SolverAnswer wrapper_check(Solver *solver, const Term *assumptions, size_t count) {
  SolverAnswer answer = solver_check(wrapped(solver), assumptions, count);
  if (answer == SOLVER_UNSAT) solver_set_core(solver, solver_core(wrapped(solver)));
  return answer;
}

ModelSource wrapper_model(Solver *solver) { return wrapped(solver)->ops->model(wrapped(solver)); }

void wrapper_statistics(const Solver *solver, SolverStatistics *statistics) {
  wrapped(solver)->ops->statistics(wrapped(solver), statistics);
}
