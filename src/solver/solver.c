#include "solver/solver.h"

#include "solver/inspection.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef NDEBUG
enum { CHECKING_BY_DEFAULT = false };
#else
enum { CHECKING_BY_DEFAULT = true };
#endif

Solver *solver_new(SolverKind kind, TermStore *store, Account *account, Budget *budget) {
  static Solver *(*const makers[])(TermStore *, Account *, Budget *) = {
      [SOLVER_AUTOMATIC] = automatic_new,
      [SOLVER_CADICAL] = cadical_new,
      [SOLVER_Z3] = z3_new,
  };
  Solver *solver = makers[kind](store, account, budget);
  Inspection *inspection = term_store_inspection(store);
  return inspection ? inspection_wrap(inspection, solver) : solver;
}

Solver *solver_make(const SolverOps *ops, void *state, TermStore *store, Account *account, Budget *budget) {
  Solver *solver = memory_allocate(account, sizeof(Solver));
  *solver = (Solver){.ops = ops, .state = state, .store = store, .account = account, .budget = budget};
  solver->checking = CHECKING_BY_DEFAULT;
  TermVector_init(&solver->core, account);
  TermVector_init(&solver->asserted, account);
  TermVector_init(&solver->supported_assumptions, account);
  model_init(&solver->model, store, account);
  return solver;
}

void solver_free(Solver *solver) {
  if (solver == NULL) return;
  solver->ops->free(solver);
  TermVector_free(&solver->core);
  TermVector_free(&solver->asserted);
  TermVector_free(&solver->supported_assumptions);
  model_free(&solver->model);
  memory_free(solver->account, solver, sizeof(Solver));
}

void solver_set_checking(Solver *solver, bool checking) {
  assert(solver->statistics.assertions == 0 && solver->statistics.term_clauses == 0);
  solver->checking = checking;
}

void solver_wrong(const Solver *solver, const char *what) {
  fprintf(stderr, "heddle: solver %s: %s\n", solver->ops->name, what);
  abort();
}

const char *solver_answer_name(SolverAnswer answer) {
  static const char *const names[] = {[SOLVER_UNKNOWN] = "unknown", [SOLVER_SAT] = "sat", [SOLVER_UNSAT] = "unsat"};
  return names[answer];
}

// --- assertions ---

bool solver_supports(Solver *solver, Term t) { return solver->ops->supports(solver, t); }

static void leave_out(Solver *solver) {
  solver->incomplete = true;
  solver->statistics.unsupported++;
}

void solver_assert(Solver *solver, Term t) {
  assert(term_width(solver->store, t) == 1);
  solver->statistics.assertions++;
  if (!solver_supports(solver, t)) {
    leave_out(solver);
    return;
  }
  if (solver->checking) {
    TermVector_push(&solver->asserted, t);
    TermVector_push(&solver->asserted, TERM_NONE);
  }
  solver->ops->assert_term(solver, t);
}

void solver_add_clause(Solver *solver, const Term *literals, size_t count) {
  solver->statistics.term_clauses++;
  for (size_t i = 0; i < count; i++) {
    assert(term_width(solver->store, literals[i]) == 1);
    if (solver_supports(solver, literals[i])) continue;
    leave_out(solver);
    return;
  }
  if (solver->checking) {
    for (size_t i = 0; i < count; i++) TermVector_push(&solver->asserted, literals[i]);
    TermVector_push(&solver->asserted, TERM_NONE);
  }
  solver->ops->add_clause(solver, literals, count);
}

void solver_set_core(Solver *solver, const TermVector *core) {
  TermVector_clear(&solver->core);
  for (size_t i = 0; i < core->count; i++) TermVector_push(&solver->core, core->data[i]);
}

// --- checking of answers ---

// Ends the process, showing the term that is wrong.
static _Noreturn void wrong_term(Solver *solver, const char *what, Term t) {
  Text text;
  text_init(&text, NULL);
  text_format(&text, "%s: ", what);
  term_print_smtlib(solver->store, t, true, &text);
  solver_wrong(solver, text.data);
}

static void check_model(Solver *solver, const Term *assumptions, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!solver_holds(solver, assumptions[i])) wrong_term(solver, "a model does not satisfy", assumptions[i]);
  }
  bool holds = false;
  for (size_t i = 0; i < solver->asserted.count; i++) {
    Term t = solver->asserted.data[i];
    if (t != TERM_NONE) {
      holds = holds || solver_holds(solver, t);
      continue;
    }
    Term last = i > 0 ? solver->asserted.data[i - 1] : TERM_NONE; // of the clause
    if (!holds && last == TERM_NONE) solver_wrong(solver, "a model of the empty clause");
    if (!holds) wrong_term(solver, "a model does not satisfy", last);
    holds = false;
  }
}

// Solves the core alone. A core of everything was just solved.
static void check_core(Solver *solver, const Term *assumptions, size_t count) {
  if (solver->core.count >= count) return;
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    found += found < solver->core.count && solver->core.data[found] == assumptions[i];
  }
  if (found != solver->core.count) solver_wrong(solver, "a core is not a part of the assumptions");
  TermVector core;
  TermVector_init(&core, solver->account);
  for (size_t i = 0; i < solver->core.count; i++) TermVector_push(&core, solver->core.data[i]);
  if (solver->ops->check(solver, core.data, core.count) == SOLVER_SAT) solver_wrong(solver, "a core is satisfiable");
  solver_set_core(solver, &core);
  TermVector_free(&core);
}

// --- checks ---

// The assumptions that the back end can take; `*left_out` if there are others.
static const Term *supported_assumptions(Solver *solver, const Term *assumptions, size_t *count, bool *left_out) {
  size_t first = 0;
  while (first < *count && solver_supports(solver, assumptions[first])) first++;
  *left_out = first < *count;
  if (!*left_out) return assumptions;
  TermVector_clear(&solver->supported_assumptions);
  for (size_t i = 0; i < *count; i++) {
    if (solver_supports(solver, assumptions[i])) TermVector_push(&solver->supported_assumptions, assumptions[i]);
  }
  *count = solver->supported_assumptions.count;
  return solver->supported_assumptions.data;
}

// After a check without an answer: notes in the budget if it has ended. The clock is not read at every stop point, so
// the end of the search may be the first to notice.
static void note_end_of_budget(Budget *budget) {
  if (budget == NULL) return;
  if (budget->reason == STOP_NONE && budget_left(budget) <= 0) budget->reason = STOP_TIME;
  if (budget->reason == STOP_NONE) (void)budget_exhausted(budget, "solver-check");
}

SolverAnswer solver_check(Solver *solver, const Term *assumptions, size_t count) {
  for (size_t i = 0; i < count; i++) assert(term_width(solver->store, assumptions[i]) == 1);
  bool left_out;
  assumptions = supported_assumptions(solver, assumptions, &count, &left_out);
  solver->statistics.checks++;
  TermVector_clear(&solver->core);
  solver->answer = SOLVER_UNKNOWN;
  double start = clock_now();
  if (solver->budget == NULL || !budget_exhausted(solver->budget, "solver-check")) {
    solver->answer = solver->ops->check(solver, assumptions, count);
  }
  if (solver->answer == SOLVER_UNKNOWN) note_end_of_budget(solver->budget);
  if (solver->answer == SOLVER_SAT && (left_out || solver->incomplete)) solver->answer = SOLVER_UNKNOWN;
  if (solver->answer == SOLVER_SAT) {
    model_reset(&solver->model, solver->ops->model(solver));
    solver->statistics.satisfiable++;
    if (solver->checking) check_model(solver, assumptions, count);
  } else if (solver->answer == SOLVER_UNSAT) {
    solver->statistics.unsatisfiable++;
    if (solver->checking) check_core(solver, assumptions, count);
  } else {
    solver->statistics.unknown++;
  }
  solver->statistics.seconds += clock_now() - start;
  return solver->answer;
}

// --- after a check ---

const TermVector *solver_core(const Solver *solver) {
  assert(solver->answer == SOLVER_UNSAT);
  return &solver->core;
}

Bits solver_value(Solver *solver, Term t) {
  assert(solver->answer == SOLVER_SAT);
  return model_value(&solver->model, t);
}

bool solver_holds(Solver *solver, Term t) {
  assert(term_width(solver->store, t) == 1);
  return solver_value(solver, t) != 0;
}

SolverStatistics solver_statistics(const Solver *solver) {
  SolverStatistics statistics = solver->statistics;
  solver->ops->statistics(solver, &statistics);
  return statistics;
}

void solver_shrink_core(Solver *solver, TermVector *core, size_t checks) {
  // Terms before `kept` are known to be needed. One term is left out of the rest at a time; the core of the check
  // without it replaces the rest when it is still unsatisfiable.
  size_t kept = 0;
  TermVector trial;
  TermVector_init(&trial, solver->account);
  while (kept < core->count && checks-- > 0) {
    TermVector_clear(&trial);
    for (size_t i = 0; i < core->count; i++) {
      if (i != kept) TermVector_push(&trial, core->data[i]);
    }
    SolverAnswer answer = solver_check(solver, trial.data, trial.count);
    if (answer == SOLVER_UNKNOWN) break;
    if (answer == SOLVER_SAT) {
      kept++;
      continue;
    }
    size_t count = 0, still_kept = 0; // the core keeps the order, so one walk along both finds it in the trial
    for (size_t i = 0; i < trial.count; i++) {
      if (count == solver->core.count || solver->core.data[count] != trial.data[i]) continue;
      still_kept += i < kept;
      core->data[count++] = trial.data[i];
    }
    assert(count == solver->core.count);
    core->count = count;
    kept = still_kept;
  }
  TermVector_free(&trial);
}
