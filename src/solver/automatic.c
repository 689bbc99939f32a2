// The automatic solver: CaDiCaL until a term comes that it cannot take, then Z3 with all assertions so far.
#include "solver/decorators.h"
#include "solver/z3_terms.h"

typedef struct Automatic {
  Wrapper wrapper;     // first, see Wrapper
  bool moved;          // the wrapped solver is Z3
  TermVector asserted; // while it is not: assertions and clauses, each ended by TERM_NONE
  ConeCheck solvable;  // by Z3
} Automatic;

static Automatic *state_of(const Solver *solver) { return solver->state; }

static bool supports(Solver *solver, Term t) {
  return solver_supports(wrapped(solver), t) || cone_is_clean(&state_of(solver)->solvable, t);
}

static void move_to_z3(Solver *solver) {
  Automatic *automatic = state_of(solver);
  assert(!automatic->moved);
  Solver *z3 = z3_new(solver->store, solver->account, solver->budget);
  solver_set_checking(z3, false);
  size_t start = 0;
  for (size_t i = 0; i < automatic->asserted.count; i++) {
    if (automatic->asserted.data[i] != TERM_NONE) continue;
    solver_add_clause(z3, automatic->asserted.data + start, i - start);
    start = i + 1;
  }
  TermVector_free(&automatic->asserted);
  solver_free(automatic->wrapper.inner);
  automatic->wrapper.inner = z3;
  automatic->moved = true;
}

static void prepare_for(Solver *solver, const Term *terms, size_t count) {
  Automatic *automatic = state_of(solver);
  for (size_t i = 0; !automatic->moved && i < count; i++) {
    if (!solver_supports(wrapped(solver), terms[i])) move_to_z3(solver);
  }
}

static void add_clause(Solver *solver, const Term *literals, size_t count) {
  Automatic *automatic = state_of(solver);
  prepare_for(solver, literals, count);
  if (!automatic->moved) {
    for (size_t i = 0; i < count; i++) TermVector_push(&automatic->asserted, literals[i]);
    TermVector_push(&automatic->asserted, TERM_NONE);
  }
  wrapper_add_clause(solver, literals, count);
}

static void assert_term(Solver *solver, Term t) { add_clause(solver, &t, 1); }

static SolverAnswer check(Solver *solver, const Term *assumptions, size_t count) {
  prepare_for(solver, assumptions, count);
  return wrapper_check(solver, assumptions, count);
}

static void free_state(Solver *solver) {
  Automatic *automatic = state_of(solver);
  solver_free(automatic->wrapper.inner);
  TermVector_free(&automatic->asserted);
  cone_free(&automatic->solvable);
  memory_free(solver->account, automatic, sizeof(Automatic));
}

static const SolverOps automatic_ops = {
    .name = "automatic",
    .supports = supports,
    .assert_term = assert_term,
    .add_clause = add_clause,
    .check = check,
    .model = wrapper_model,
    .statistics = wrapper_statistics,
    .free = free_state,
};

Solver *automatic_new(TermStore *store, Account *account, Budget *budget) {
  Automatic *automatic = memory_allocate_zeroed(account, sizeof(Automatic));
  automatic->wrapper.inner = cadical_new(store, account, budget);
  solver_set_checking(automatic->wrapper.inner, false); // answers are checked once, outside
  TermVector_init(&automatic->asserted, account);
  cone_init(&automatic->solvable, store, term_has_floating_point, z3_terms_lacks, account);
  return solver_make(&automatic_ops, automatic, store, account, budget);
}
