// The Z3 back end: all term operators but fmod, through Z3's C interface.
//
// Assumptions have to be literals for Z3, so an assumption that is not a variable or its negation gets a fresh boolean
// that implies it. The implication is asserted once and remembered.
//
// Interruption: while a check runs, a watcher thread looks at the budget's flag and deadline a few dozen times a second
// and interrupts Z3, which then answers undefined. The thread starts with the first check that has a budget, and only
// reads; the budget itself is updated by the checking thread.
#include "solver/cone.h"
#include "solver/solver.h"
#include "solver/z3_terms.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WATCH_MILLISECONDS = 20 };

typedef struct Watcher {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake; // to end the thread at once
  bool running;        // the thread exists
  bool ending;         // guarded by `lock`
  atomic_bool busy;    // a check runs
} Watcher;

typedef struct Z3 {
  Z3_context context;
  Z3_solver solver;
  Z3_model model; // of the last satisfiable check, or NULL
  Z3Terms terms;
  ConeCheck supported;
  Map literals;      // of assumption terms: Z3_ast
  U64Vector assumed; // the Z3_ast of each assumption of the check at hand
  Map failed;        // the Z3_asts of the core
  const Budget *budget;
  Watcher watcher;
} Z3;

static Z3 *state_of(const Solver *solver) { return solver->state; }

static void on_error(Z3_context context, Z3_error_code code) {
  fprintf(stderr, "heddle: solver z3: %s\n", Z3_get_error_msg(context, code));
  abort();
}

// --- the watcher ---

static bool out_of_budget(const Budget *budget) {
  return (budget->flag != NULL && *budget->flag) || budget_left(budget) <= 0;
}

static void *watch(void *argument) {
  Z3 *z3 = argument;
  pthread_mutex_lock(&z3->watcher.lock);
  while (!z3->watcher.ending) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WATCH_MILLISECONDS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&z3->watcher.wake, &z3->watcher.lock, &until);
    // Outside a check an interrupt does nothing, so it does not matter if the check just ended.
    if (atomic_load(&z3->watcher.busy) && out_of_budget(z3->budget)) Z3_interrupt(z3->context);
  }
  pthread_mutex_unlock(&z3->watcher.lock);
  return NULL;
}

static void start_watcher(Z3 *z3) {
  if (z3->watcher.running || z3->budget == NULL || (z3->budget->flag == NULL && z3->budget->deadline <= 0)) return;
  z3->watcher.running = pthread_create(&z3->watcher.thread, NULL, watch, z3) == 0;
}

static void stop_watcher(Z3 *z3) {
  if (z3->watcher.running) {
    pthread_mutex_lock(&z3->watcher.lock);
    z3->watcher.ending = true;
    pthread_cond_signal(&z3->watcher.wake);
    pthread_mutex_unlock(&z3->watcher.lock);
    pthread_join(z3->watcher.thread, NULL);
  }
  pthread_cond_destroy(&z3->watcher.wake);
  pthread_mutex_destroy(&z3->watcher.lock);
}

// --- assertions ---

static bool supports(Solver *solver, Term t) { return cone_is_clean(&state_of(solver)->supported, t); }

static void assert_term(Solver *solver, Term t) {
  Z3 *z3 = state_of(solver);
  Z3_solver_assert(z3->context, z3->solver, z3_terms_get(&z3->terms, t));
}

static void add_clause(Solver *solver, const Term *literals, size_t count) {
  Z3 *z3 = state_of(solver);
  U64Vector_clear(&z3->assumed);
  for (size_t i = 0; i < count; i++) U64Vector_push(&z3->assumed, (uintptr_t)z3_terms_get(&z3->terms, literals[i]));
  static_assert(sizeof(Z3_ast) == sizeof(uint64_t), "expressions are kept as 64-bit words");
  Z3_ast clause = Z3_mk_or(z3->context, (unsigned)count, (const Z3_ast *)z3->assumed.data);
  Z3_inc_ref(z3->context, clause);
  Z3_solver_assert(z3->context, z3->solver, clause);
  Z3_dec_ref(z3->context, clause);
}

// --- checks ---

static bool is_literal(const TermStore *store, Term t) {
  if (term_operator(store, t) == TERM_NOT) t = term_child(store, t, 0);
  return term_operator(store, t) == TERM_VARIABLE;
}

static Z3_ast assumption_literal(Z3 *z3, Term t) {
  uint64_t known;
  if (map_get(&z3->literals, t, &known)) return (Z3_ast)(uintptr_t)known;
  Z3_ast meaning = z3_terms_get(&z3->terms, t), literal = meaning;
  if (!is_literal(z3->terms.store, t)) {
    Z3_sort boolean = Z3_mk_bool_sort(z3->context);
    literal = z3_terms_keep(&z3->terms, Z3_mk_fresh_const(z3->context, "assumption", boolean));
    Z3_ast implication = z3_terms_keep(&z3->terms, Z3_mk_implies(z3->context, literal, meaning));
    Z3_solver_assert(z3->context, z3->solver, implication);
  }
  map_put(&z3->literals, t, (uintptr_t)literal);
  return literal;
}

static void keep_core(Solver *solver, const Term *assumptions, size_t count) {
  Z3 *z3 = state_of(solver);
  Z3_ast_vector core = Z3_solver_get_unsat_core(z3->context, z3->solver);
  Z3_ast_vector_inc_ref(z3->context, core);
  map_clear(&z3->failed);
  for (unsigned i = 0; i < Z3_ast_vector_size(z3->context, core); i++) {
    map_put(&z3->failed, (uintptr_t)Z3_ast_vector_get(z3->context, core, i), 1);
  }
  Z3_ast_vector_dec_ref(z3->context, core);
  TermVector_clear(&solver->core);
  for (size_t i = 0; i < count; i++) {
    uint64_t literal = z3->assumed.data[i];
    if (map_get_or(&z3->failed, literal, 0) == 0) continue;
    map_put(&z3->failed, literal, 0); // charged to the first assumption that has it
    TermVector_push(&solver->core, assumptions[i]);
  }
}

static void drop_model(Z3 *z3) {
  if (z3->model != NULL) Z3_model_dec_ref(z3->context, z3->model);
  z3->model = NULL;
}

static SolverAnswer check(Solver *solver, const Term *assumptions, size_t count) {
  Z3 *z3 = state_of(solver);
  drop_model(z3);
  U64Vector_clear(&z3->assumed);
  for (size_t i = 0; i < count; i++) U64Vector_push(&z3->assumed, (uintptr_t)assumption_literal(z3, assumptions[i]));
  if (solver->budget != NULL && budget_exhausted(solver->budget, "solver-search")) return SOLVER_UNKNOWN;
  start_watcher(z3);
  atomic_store(&z3->watcher.busy, true);
  Z3_lbool result =
      Z3_solver_check_assumptions(z3->context, z3->solver, (unsigned)count, (const Z3_ast *)z3->assumed.data);
  atomic_store(&z3->watcher.busy, false);
  if (result == Z3_L_TRUE) {
    z3->model = Z3_solver_get_model(z3->context, z3->solver);
    Z3_model_inc_ref(z3->context, z3->model);
    return SOLVER_SAT;
  }
  if (result == Z3_L_FALSE) {
    keep_core(solver, assumptions, count);
    return SOLVER_UNSAT;
  }
  return SOLVER_UNKNOWN;
}

// --- models ---

static Bits parse_decimal(const char *text) {
  Bits value = 0;
  for (; *text != 0; text++) {
    assert(*text >= '0' && *text <= '9');
    value = value * 10 + (Bits)(*text - '0');
  }
  return value;
}

// The value of an expression of boolean or bit-vector sort.
static Bits evaluate(Z3 *z3, Z3_ast ast) {
  Z3_ast value = NULL;
  bool evaluated = Z3_model_eval(z3->context, z3->model, ast, true, &value);
  assert(evaluated);
  (void)evaluated;
  Z3_inc_ref(z3->context, value);
  Bits bits = 0;
  if (Z3_get_ast_kind(z3->context, value) == Z3_NUMERAL_AST) {
    bits = parse_decimal(Z3_get_numeral_string(z3->context, value));
  } else {
    Z3_lbool boolean = Z3_get_bool_value(z3->context, value);
    assert(boolean != Z3_L_UNDEF);
    bits = boolean == Z3_L_TRUE;
  }
  Z3_dec_ref(z3->context, value);
  return bits;
}

static Bits value_of(void *context, Term variable) {
  Z3 *z3 = context;
  return evaluate(z3, z3_terms_get(&z3->terms, variable));
}

static Bits element_of(void *context, Term array, Bits index) {
  Z3 *z3 = context;
  Z3_ast variable = z3_terms_get(&z3->terms, array);
  Z3_ast at = z3_terms_constant(&z3->terms, sort_index_width(term_sort(z3->terms.store, array)), index);
  Z3_ast element = Z3_mk_select(z3->context, variable, at);
  Z3_inc_ref(z3->context, element);
  Bits bits = evaluate(z3, element);
  Z3_dec_ref(z3->context, element);
  return bits;
}

// Z3 compares whole arrays, whatever the width of their indices.
static Bits equality_of(void *context, Term equality) {
  Z3 *z3 = context;
  return evaluate(z3, z3_terms_get(&z3->terms, equality));
}

static ModelSource model(Solver *solver) {
  assert(state_of(solver)->model != NULL);
  return (ModelSource){
      .valuation = {.value_of = value_of, .element_of = element_of, .context = solver->state},
      .equality_of = equality_of,
  };
}

// --- the rest ---

static void statistics(const Solver *solver, SolverStatistics *statistics) {
  const Z3 *z3 = state_of(solver);
  Z3_stats stats = Z3_solver_get_statistics(z3->context, z3->solver);
  Z3_stats_inc_ref(z3->context, stats);
  for (unsigned i = 0; i < Z3_stats_size(z3->context, stats); i++) {
    const char *key = Z3_stats_get_key(z3->context, stats, i);
    if (!Z3_stats_is_uint(z3->context, stats, i)) continue;
    unsigned value = Z3_stats_get_uint_value(z3->context, stats, i);
    if (strcmp(key, "mk bool var") == 0) statistics->variables += value;
    if (strcmp(key, "mk clause") == 0 || strcmp(key, "mk clause binary") == 0) statistics->clauses += value;
  }
  Z3_stats_dec_ref(z3->context, stats);
}

static void free_state(Solver *solver) {
  Z3 *z3 = state_of(solver);
  stop_watcher(z3);
  drop_model(z3);
  Z3_solver_dec_ref(z3->context, z3->solver);
  z3_terms_free(&z3->terms);
  Z3_del_context(z3->context);
  cone_free(&z3->supported);
  map_free(&z3->literals);
  map_free(&z3->failed);
  U64Vector_free(&z3->assumed);
  memory_free(solver->account, z3, sizeof(Z3));
}

static const SolverOps z3_ops = {
    .name = "z3",
    .supports = supports,
    .assert_term = assert_term,
    .add_clause = add_clause,
    .check = check,
    .model = model,
    .statistics = statistics,
    .free = free_state,
};

Solver *z3_new(TermStore *store, Account *account, Budget *budget) {
  Z3 *z3 = memory_allocate_zeroed(account, sizeof(Z3));
  Z3_config config = Z3_mk_config();
  z3->context = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(z3->context, on_error);
  z3->solver = Z3_mk_simple_solver(z3->context);
  Z3_solver_inc_ref(z3->context, z3->solver);
  z3->budget = budget;
  pthread_mutex_init(&z3->watcher.lock, NULL);
  pthread_cond_init(&z3->watcher.wake, NULL);
  atomic_init(&z3->watcher.busy, false);
  z3_terms_init(&z3->terms, z3->context, store, account);
  cone_init(&z3->supported, store, term_has_floating_point, z3_terms_lacks, account);
  map_init(&z3->literals, account);
  map_init(&z3->failed, account);
  U64Vector_init(&z3->assumed, account);
  return solver_make(&z3_ops, z3, store, account, budget);
}
