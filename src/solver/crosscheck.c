// The cross-checking decorator. See decorators.h.
#include "solver/decorators.h"

typedef struct Crosscheck {
  Solver *solvers[2];
  unsigned answering;  // whose model and core are shown
  TermVector asserted; // assertions and clauses, each ended by TERM_NONE
  CrosscheckReport report;
  void *context;
  uint64_t *compared; // or NULL
} Crosscheck;

static Crosscheck *state_of(const Solver *solver) { return solver->state; }

static void contradiction(Solver *solver, const char *what) {
  Crosscheck *cross = state_of(solver);
  if (cross->report == NULL) solver_wrong(solver, what);
  cross->report(cross->context, what);
}

static bool supports(Solver *solver, Term t) {
  Crosscheck *cross = state_of(solver);
  return solver_supports(cross->solvers[0], t) || solver_supports(cross->solvers[1], t);
}

static void assert_term(Solver *solver, Term t) {
  Crosscheck *cross = state_of(solver);
  TermVector_push(&cross->asserted, t);
  TermVector_push(&cross->asserted, TERM_NONE);
  for (unsigned i = 0; i < 2; i++) solver_assert(cross->solvers[i], t);
}

static void add_clause(Solver *solver, const Term *literals, size_t count) {
  Crosscheck *cross = state_of(solver);
  for (size_t i = 0; i < count; i++) TermVector_push(&cross->asserted, literals[i]);
  TermVector_push(&cross->asserted, TERM_NONE);
  for (unsigned i = 0; i < 2; i++) solver_add_clause(cross->solvers[i], literals, count);
}

static bool model_holds(const Crosscheck *cross, Solver *of, const Term *assumptions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!solver_holds(of, assumptions[i])) return false;
  }
  bool holds = false;
  for (size_t i = 0; i < cross->asserted.count; i++) {
    Term t = cross->asserted.data[i];
    if (t == TERM_NONE && !holds) return false;
    holds = t != TERM_NONE && (holds || solver_holds(of, t));
  }
  return true;
}

// Compares the answers; false after a contradiction.
static bool agree(Solver *solver, const SolverAnswer *answers, const Term *assumptions, size_t count) {
  Crosscheck *cross = state_of(solver);
  if (answers[0] != answers[1] && answers[0] != SOLVER_UNKNOWN && answers[1] != SOLVER_UNKNOWN) {
    contradiction(solver, "one solver says sat, the other unsat");
    return false;
  }
  for (unsigned i = 0; i < 2; i++) {
    if (answers[i] == SOLVER_SAT && !model_holds(cross, cross->solvers[i], assumptions, count)) {
      contradiction(solver, "a model does not satisfy the query");
      return false;
    }
  }
  return true;
}

// Solves the core of each solver by the other one; false after a contradiction. Their own cores are lost.
static bool cores_agree(Solver *solver, const SolverAnswer *answers, const TermVector *cores) {
  Crosscheck *cross = state_of(solver);
  for (unsigned i = 0; i < 2; i++) {
    if (answers[i] != SOLVER_UNSAT) continue;
    if (solver_check(cross->solvers[1 - i], cores[i].data, cores[i].count) != SOLVER_SAT) continue;
    contradiction(solver, "a core is satisfiable for the other solver");
    return false;
  }
  return true;
}

static bool compare_cores(Solver *solver, const SolverAnswer *answers) {
  Crosscheck *cross = state_of(solver);
  TermVector cores[2];
  for (unsigned i = 0; i < 2; i++) {
    TermVector_init(&cores[i], solver->account);
    if (answers[i] != SOLVER_UNSAT) continue;
    const TermVector *core = solver_core(cross->solvers[i]);
    for (size_t k = 0; k < core->count; k++) TermVector_push(&cores[i], core->data[k]);
  }
  solver_set_core(solver, &cores[cross->answering]);
  bool same = cores_agree(solver, answers, cores);
  for (unsigned i = 0; i < 2; i++) TermVector_free(&cores[i]);
  return same;
}

static SolverAnswer check(Solver *solver, const Term *assumptions, size_t count) {
  Crosscheck *cross = state_of(solver);
  SolverAnswer answers[2];
  for (unsigned i = 0; i < 2; i++) answers[i] = solver_check(cross->solvers[i], assumptions, count);
  if (!agree(solver, answers, assumptions, count)) return SOLVER_UNKNOWN;
  cross->answering = answers[0] == SOLVER_UNKNOWN ? 1 : 0;
  SolverAnswer answer = answers[cross->answering];
  if (answer == SOLVER_UNSAT && !compare_cores(solver, answers)) return SOLVER_UNKNOWN;
  if (cross->compared && answer != SOLVER_UNKNOWN && answers[0] == answers[1]) ++*cross->compared;
  return answer;
}

static ModelSource model(Solver *solver) {
  Solver *answering = state_of(solver)->solvers[state_of(solver)->answering];
  return answering->ops->model(answering);
}

static void statistics(const Solver *solver, SolverStatistics *statistics) {
  const Crosscheck *cross = state_of(solver);
  for (unsigned i = 0; i < 2; i++) cross->solvers[i]->ops->statistics(cross->solvers[i], statistics);
}

static void free_state(Solver *solver) {
  Crosscheck *cross = state_of(solver);
  for (unsigned i = 0; i < 2; i++) solver_free(cross->solvers[i]);
  TermVector_free(&cross->asserted);
  memory_free(solver->account, cross, sizeof(Crosscheck));
}

static const SolverOps crosscheck_ops = {
    .name = "crosscheck",
    .supports = supports,
    .assert_term = assert_term,
    .add_clause = add_clause,
    .check = check,
    .model = model,
    .statistics = statistics,
    .free = free_state,
};

Solver *crosscheck_new(Solver *first, Solver *second, CrosscheckReport report, void *context, uint64_t *compared) {
  assert(first->store == second->store);
  Crosscheck *cross = memory_allocate_zeroed(first->account, sizeof(Crosscheck));
  *cross = (Crosscheck){.solvers = {first, second}, .report = report, .context = context, .compared = compared};
  TermVector_init(&cross->asserted, first->account);
  Solver *solver = solver_make(&crosscheck_ops, cross, first->store, first->account, first->budget);
  solver_set_checking(solver, false); // it is all about checking
  return solver;
}
