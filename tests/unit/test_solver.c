// The solver interface, on every back end: answers, models, cores, clauses, arrays, floating point, interruption.
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Fixture {
  Account account;
  TermStore *store;
  Solver *solver;
} Fixture;

static const SolverKind kinds[] = {SOLVER_AUTOMATIC, SOLVER_CADICAL, SOLVER_Z3};
enum { KIND_COUNT = 3 };

static void fixture_init(Fixture *f, SolverKind kind, Budget *budget) {
  *f = (Fixture){.account = {.room = "test"}};
  f->store = term_store_new(&f->account);
  f->solver = solver_new(kind, f->store, &f->account, budget);
  solver_set_checking(f->solver, true);
}

static void fixture_free(Fixture *f) {
  solver_free(f->solver);
  term_store_free(f->store);
  assert_int_equal(f->account.bytes, 0);
}

static void on_each_kind(void (*test)(Fixture *)) {
  for (unsigned i = 0; i < KIND_COUNT; i++) {
    Fixture f;
    fixture_init(&f, kinds[i], NULL);
    test(&f);
    fixture_free(&f);
  }
}

static Term variable(Fixture *f, unsigned width, const char *name) { return term_variable(f->store, width, name); }
static Term number(Fixture *f, unsigned width, Bits value) { return term_constant(f->store, width, value); }

// --- models ---

static void check_models(Fixture *f) {
  TermStore *s = f->store;
  Term x = variable(f, 32, "x"), y = variable(f, 32, "y"), unused = variable(f, 64, "unused");
  solver_assert(f->solver, term_eq(s, term_binary(s, TERM_MUL, x, y), number(f, 32, 2021)));
  solver_assert(f->solver, term_binary(s, TERM_ULT, number(f, 32, 1), x));
  solver_assert(f->solver, term_binary(s, TERM_ULT, x, y));
  solver_assert(f->solver, term_binary(s, TERM_ULT, y, number(f, 32, 100)));
  assert_int_equal(solver_check(f->solver, NULL, 0), SOLVER_SAT);
  assert_int_equal(solver_value(f->solver, x), 43);
  assert_int_equal(solver_value(f->solver, y), 47);
  assert_int_equal(solver_value(f->solver, term_add(s, x, y)), 90); // a term the solver has never seen
  Bits twice[2] = {solver_value(f->solver, unused), solver_value(f->solver, term_add(s, unused, unused))};
  assert_true((uint64_t)twice[1] == 2 * (uint64_t)twice[0]);
  assert_int_equal(solver_value(f->solver, term_sub(s, y, x)), 4);
  // The model outlives new assertions, not the next check.
  solver_assert(f->solver, term_ne(s, x, number(f, 32, 43)));
  assert_int_equal(solver_value(f->solver, term_binary(s, TERM_XOR, x, y)), 43 ^ 47);
  assert_int_equal(solver_check(f->solver, NULL, 0), SOLVER_UNSAT);
  assert_int_equal(solver_core(f->solver)->count, 0);
  assert_int_equal(solver_check(f->solver, NULL, 0), SOLVER_UNSAT);
}

static void models(void **state) {
  (void)state;
  on_each_kind(check_models);
}

static void check_wide_values(Fixture *f) {
  TermStore *s = f->store;
  Term x = variable(f, 128, "x"), b = variable(f, 1, "b");
  Bits value = (Bits)UINT64_C(0x8123456789abcdef) << 64 | UINT64_C(0xfedcba9876543210);
  Term is_value = term_eq(s, term_unary(s, TERM_NOT, x), number(f, 128, ~value));
  assert_int_equal(solver_check(f->solver, (const Term[]){is_value, b}, 2), SOLVER_SAT);
  assert_true(solver_value(f->solver, x) == value);
  assert_true(solver_holds(f->solver, b));
  assert_int_equal(solver_check(f->solver, (const Term[]){term_not(s, b)}, 1), SOLVER_SAT);
  assert_false(solver_holds(f->solver, b));
}

static void wide_values(void **state) {
  (void)state;
  on_each_kind(check_wide_values);
}

// --- cores ---

static bool core_has(const Fixture *f, Term t) {
  const TermVector *core = solver_core(f->solver);
  for (size_t i = 0; i < core->count; i++) {
    if (core->data[i] == t) return true;
  }
  return false;
}

static void check_cores(Fixture *f) {
  TermStore *s = f->store;
  Term x = variable(f, 8, "x"), y = variable(f, 8, "y"), free_bit = variable(f, 1, "free");
  Term small = term_binary(s, TERM_ULT, x, number(f, 8, 5)), other = term_binary(s, TERM_ULT, y, number(f, 8, 9));
  Term large = term_binary(s, TERM_ULT, number(f, 8, 7), x);
  Term assumptions[] = {other, small, free_bit, large, term_not(s, free_bit)};
  assert_int_equal(solver_check(f->solver, assumptions, 4), SOLVER_UNSAT);
  assert_true(core_has(f, small));
  assert_true(core_has(f, large));
  assert_int_equal(solver_check(f->solver, assumptions, 3), SOLVER_SAT);
  // The core is in the order of the assumptions, a constant is an assumption like others, repetitions do no harm.
  Term more[] = {other, small, term_true(s), large, small, large};
  assert_int_equal(solver_check(f->solver, more, 6), SOLVER_UNSAT);
  assert_int_equal(solver_core(f->solver)->count, 2);
  assert_int_equal(solver_core(f->solver)->data[0], small);
  assert_int_equal(solver_core(f->solver)->data[1], large);
  Term impossible[] = {other, term_false(s)};
  assert_int_equal(solver_check(f->solver, impossible, 2), SOLVER_UNSAT);
  assert_int_equal(solver_core(f->solver)->count, 1);
  assert_int_equal(solver_core(f->solver)->data[0], term_false(s));
  assert_int_equal(solver_check(f->solver, (const Term[]){free_bit, other, term_not(s, free_bit)}, 3), SOLVER_UNSAT);
  assert_int_equal(solver_core(f->solver)->count, 2);
  assert_int_equal(solver_check(f->solver, &other, 1), SOLVER_SAT);
}

static void cores(void **state) {
  (void)state;
  on_each_kind(check_cores);
}

static void check_shrinking(Fixture *f) {
  TermStore *s = f->store;
  Term sum = number(f, 16, 0);
  TermVector core;
  TermVector_init(&core, &f->account);
  for (unsigned i = 0; i < 12; i++) {
    Term x = variable(f, 16, "x");
    sum = term_add(s, sum, x);
    TermVector_push(&core, term_binary(s, TERM_ULT, x, number(f, 16, i < 9 ? 10 : 300)));
  }
  // Nine summands below 10 and three below 300 cannot reach 979, and every bound is needed; those of `y` are not.
  solver_assert(f->solver, term_binary(s, TERM_ULE, number(f, 16, 979), sum));
  for (unsigned i = 0; i < 4; i++) {
    TermVector_push(&core, term_binary(s, TERM_ULT, variable(f, 16, "y"), number(f, 16, 7)));
  }
  assert_int_equal(solver_check(f->solver, core.data, core.count), SOLVER_UNSAT);
  solver_shrink_core(f->solver, &core, 100);
  assert_int_equal(core.count, 12);
  assert_int_equal(solver_check(f->solver, core.data, core.count), SOLVER_UNSAT);
  for (size_t left_out = 0; left_out < core.count; left_out++) {
    Term kept = core.data[left_out];
    core.data[left_out] = term_true(s);
    assert_int_equal(solver_check(f->solver, core.data, core.count), SOLVER_SAT);
    core.data[left_out] = kept;
  }
  TermVector_free(&core);
}

static void shrinking(void **state) {
  (void)state;
  on_each_kind(check_shrinking);
}

// --- clauses ---

// Five pigeons do not fit into four holes, and do once one hole is given twice.
static void check_clauses(Fixture *f) {
  TermStore *s = f->store;
  Term in[5][4];
  for (unsigned pigeon = 0; pigeon < 5; pigeon++) {
    for (unsigned hole = 0; hole < 4; hole++) in[pigeon][hole] = variable(f, 1, "in");
    solver_add_clause(f->solver, in[pigeon], 4);
  }
  Term strict = variable(f, 1, "strict");
  for (unsigned hole = 0; hole < 4; hole++) {
    for (unsigned a = 0; a < 5; a++) {
      for (unsigned b = a + 1; b < 5; b++) {
        Term clause[] = {term_not(s, in[a][hole]), term_not(s, in[b][hole]), term_not(s, strict)};
        solver_add_clause(f->solver, clause, hole == 3 ? 3 : 2);
      }
    }
  }
  assert_int_equal(solver_check(f->solver, &strict, 1), SOLVER_UNSAT);
  assert_int_equal(solver_core(f->solver)->count, 1);
  assert_int_equal(solver_check(f->solver, NULL, 0), SOLVER_SAT);
  assert_false(solver_holds(f->solver, strict));
  assert_int_equal(solver_statistics(f->solver).term_clauses, 45);
  solver_add_clause(f->solver, NULL, 0);
  assert_int_equal(solver_check(f->solver, NULL, 0), SOLVER_UNSAT);
  assert_int_equal(solver_core(f->solver)->count, 0);
  assert_int_equal(solver_check(f->solver, &strict, 1), SOLVER_UNSAT);
}

static void clauses(void **state) {
  (void)state;
  on_each_kind(check_clauses);
}

// --- arrays ---

static void check_arrays(Fixture *f) {
  TermStore *s = f->store;
  Term a = term_variable(s, sort_array(8, 16), "a"), i = variable(f, 8, "i"), j = variable(f, 8, "j");
  Term v = variable(f, 16, "v");
  Term written = term_store_element(s, a, i, v), read = term_select(s, written, j);
  Term same_index = term_eq(s, i, j), different = term_ne(s, read, term_select(s, a, j));
  assert_int_equal(solver_check(f->solver, (const Term[]){different}, 1), SOLVER_SAT);
  assert_true(solver_holds(f->solver, same_index));
  assert_true(solver_value(f->solver, v) != solver_value(f->solver, term_select(s, a, j)));
  assert_int_equal(solver_check(f->solver, (const Term[]){different, term_not(s, same_index)}, 2), SOLVER_UNSAT);
  // Two reads of the variable at equal indices, through an ite.
  Term c = variable(f, 1, "c"), b = term_variable(s, sort_array(8, 16), "b");
  Term choice = term_ite(s, c, a, b);
  Term reads[] = {same_index, term_ne(s, term_select(s, choice, i), term_select(s, a, j)), c};
  assert_int_equal(solver_check(f->solver, reads, 3), SOLVER_UNSAT);
  assert_int_equal(solver_check(f->solver, reads, 2), SOLVER_SAT);
  assert_false(solver_holds(f->solver, c));
  assert_true(solver_value(f->solver, term_select(s, b, i)) != solver_value(f->solver, term_select(s, a, i)));
  Term zeros = term_constant_array(s, sort_array(8, 16), number(f, 16, 0));
  Term written_zeros = term_store_element(s, zeros, i, number(f, 16, 5));
  Term five = term_eq(s, term_select(s, written_zeros, j), number(f, 16, 5));
  assert_int_equal(solver_check(f->solver, (const Term[]){five}, 1), SOLVER_SAT);
  assert_true(solver_holds(f->solver, same_index));
}

static void arrays(void **state) {
  (void)state;
  on_each_kind(check_arrays);
}

static void equality_of_arrays(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
    Fixture f;
    fixture_init(&f, kinds[kind], NULL);
    TermStore *s = f.store;
    Term a = term_variable(s, sort_array(32, 8), "a"), b = term_variable(s, sort_array(32, 8), "b");
    Term i = variable(&f, 32, "i"), same = term_eq(s, a, b);
    Term differ = term_ne(s, term_select(s, a, i), term_select(s, b, i));
    bool can = kinds[kind] != SOLVER_CADICAL;
    assert_int_equal(solver_supports(f.solver, same), can);
    SolverAnswer answer = solver_check(f.solver, (const Term[]){same, differ}, 2);
    assert_int_equal(answer, can ? SOLVER_UNSAT : SOLVER_UNKNOWN);
    answer = solver_check(f.solver, (const Term[]){term_not(s, same), term_not(s, differ)}, 2);
    assert_int_equal(answer, can ? SOLVER_SAT : SOLVER_UNKNOWN);
    if (can) assert_false(solver_holds(f.solver, same));
    fixture_free(&f);
  }
}

// --- floating point ---

static void floating_point(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
    if (kinds[kind] == SOLVER_CADICAL) continue;
    Fixture f;
    fixture_init(&f, kinds[kind], NULL);
    TermStore *s = f.store;
    Term x = variable(&f, 32, "x"), one = number(&f, 32, 0x3f800000), nan = number(&f, 32, 0x7fc00000);
    solver_assert(f.solver, term_binary(s, TERM_ULT, number(&f, 32, 0), variable(&f, 32, "y"))); // before it moves
    // x + 1 == x for a large x; x - x is zero unless x is infinite or no number.
    Term sum = term_binary(s, TERM_FP_ADD, x, one), positive = term_binary(s, TERM_FP_LT, one, x);
    assert_int_equal(solver_check(f.solver, (const Term[]){term_binary(s, TERM_FP_EQ, sum, x), positive}, 2),
                     SOLVER_SAT);
    Term difference = term_binary(s, TERM_FP_SUB, x, x), not_zero = term_ne(s, difference, number(&f, 32, 0));
    assert_int_equal(solver_check(f.solver, (const Term[]){not_zero, term_ne(s, difference, nan)}, 2), SOLVER_UNSAT);
    assert_int_equal(solver_check(f.solver, (const Term[]){not_zero}, 1), SOLVER_SAT);
    assert_int_equal(solver_value(f.solver, difference), 0x7fc00000);
    // Out of range gives 0, so a positive result comes from a positive number.
    Term integer = term_convert(s, TERM_FP_TO_SINT, x, 16);
    Term is_positive = term_binary(s, TERM_SLT, number(&f, 16, 0), integer);
    Term too_large = term_binary(s, TERM_FP_LE, number(&f, 32, 0x47000000), x); // 32768
    assert_int_equal(solver_check(f.solver, (const Term[]){is_positive, too_large}, 2), SOLVER_UNSAT);
    assert_int_equal(solver_check(f.solver, (const Term[]){is_positive}, 1), SOLVER_SAT);
    fixture_free(&f);
  }
}

// An unsupported term is left out: unsat stays right, sat is no longer known.
static void unsupported_terms(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
    Fixture f;
    fixture_init(&f, kinds[kind], NULL);
    TermStore *s = f.store;
    Term x = variable(&f, 32, "x"), y = variable(&f, 32, "y"), b = variable(&f, 1, "b");
    Term remainder = term_binary(s, TERM_FP_LT, term_binary(s, TERM_FP_REM, x, y), x);
    assert_false(solver_supports(f.solver, remainder));
    assert_true(solver_supports(f.solver, b));
    assert_int_equal(solver_check(f.solver, (const Term[]){b, remainder}, 2), SOLVER_UNKNOWN);
    assert_int_equal(solver_check(f.solver, (const Term[]){b}, 1), SOLVER_SAT);
    solver_assert(f.solver, remainder);
    assert_int_equal(solver_check(f.solver, (const Term[]){b}, 1), SOLVER_UNKNOWN);
    assert_int_equal(solver_check(f.solver, (const Term[]){b, term_not(s, b)}, 2), SOLVER_UNSAT);
    solver_add_clause(f.solver, (const Term[]){b, remainder}, 2);
    assert_int_equal(solver_statistics(f.solver).unsupported, 2);
    fixture_free(&f);
  }
}

// --- interruption ---

// A product of two 40-bit primes, to be factored: hopeless for minutes.
static Term hard_question(Fixture *f) {
  TermStore *s = f->store;
  Term x = variable(f, 80, "x"), y = variable(f, 80, "y"), limit = number(f, 80, (Bits)1 << 40);
  solver_assert(f->solver, term_binary(s, TERM_ULT, x, limit));
  solver_assert(f->solver, term_binary(s, TERM_ULT, y, limit));
  solver_assert(f->solver, term_binary(s, TERM_ULT, number(f, 80, 1), x));
  solver_assert(f->solver, term_binary(s, TERM_ULT, number(f, 80, 1), y));
  Bits product = (Bits)UINT64_C(943783788697) * UINT64_C(927465761771);
  return term_eq(s, term_binary(s, TERM_MUL, x, y), number(f, 80, product));
}

static void deadlines(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
    Budget budget;
    budget_init(&budget, 0.3, NULL);
    Fixture f;
    fixture_init(&f, kinds[kind], &budget);
    Term hard = hard_question(&f);
    double start = clock_now();
    assert_int_equal(solver_check(f.solver, &hard, 1), SOLVER_UNKNOWN);
    assert_true(clock_now() - start < 5);
    assert_int_equal(budget.reason, STOP_TIME);
    assert_int_equal(solver_check(f.solver, NULL, 0), SOLVER_UNKNOWN); // the budget is used up for all checks
    budget_init(&budget, 0, NULL);
    assert_int_equal(solver_check(f.solver, NULL, 0), SOLVER_SAT); // and the solver lives on
    assert_int_equal(solver_statistics(f.solver).unknown, 2);
    fixture_free(&f);
  }
}

static void flags_and_forced_stops(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
    volatile sig_atomic_t flag = 0;
    Budget budget;
    budget_init(&budget, 0, &flag);
    Fixture f;
    fixture_init(&f, kinds[kind], &budget);
    Term b = variable(&f, 1, "b"), hard = hard_question(&f);
    assert_int_equal(solver_check(f.solver, &b, 1), SOLVER_SAT);
    flag = 1;
    assert_int_equal(solver_check(f.solver, &b, 1), SOLVER_UNKNOWN);
    assert_int_equal(budget.reason, STOP_SIGNAL);
    flag = 0;
    static const char *const stop_points[] = {"solver-check", "solver-search"};
    for (unsigned i = 0; i < 2; i++) {
      budget_init(&budget, 0, &flag);
      budget.force_at = stop_points[i];
      assert_int_equal(solver_check(f.solver, &hard, 1), SOLVER_UNKNOWN);
      assert_int_equal(budget.reason, STOP_FORCED);
    }
    fixture_free(&f);
  }
}

static void statistics(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
    Fixture f;
    fixture_init(&f, kinds[kind], NULL);
    Term x = variable(&f, 8, "x"), y = variable(&f, 8, "y");
    solver_assert(f.solver, term_binary(f.store, TERM_ULT, x, y));
    Term back = term_binary(f.store, TERM_ULT, y, x);
    solver_check(f.solver, NULL, 0);
    solver_check(f.solver, &back, 1);
    SolverStatistics numbers = solver_statistics(f.solver);
    assert_int_equal(numbers.checks, 2);
    assert_int_equal(numbers.satisfiable, 1);
    assert_int_equal(numbers.unsatisfiable, 1);
    assert_int_equal(numbers.assertions, 1);
    assert_true(numbers.variables > 0);
    assert_true(numbers.clauses > 0);
    assert_true(numbers.seconds > 0);
    if (kinds[kind] != SOLVER_Z3) assert_true(numbers.gates > 0);
    fixture_free(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models),
      cmocka_unit_test(wide_values),
      cmocka_unit_test(cores),
      cmocka_unit_test(shrinking),
      cmocka_unit_test(clauses),
      cmocka_unit_test(arrays),
      cmocka_unit_test(equality_of_arrays),
      cmocka_unit_test(floating_point),
      cmocka_unit_test(unsupported_terms),
      cmocka_unit_test(deadlines),
      cmocka_unit_test(flags_and_forced_stops),
      cmocka_unit_test(statistics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
