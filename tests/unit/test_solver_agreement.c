// Evaluation, CaDiCaL and Z3 agree on random terms. Two properties:
// - value: a term t has the value c that evaluation gives under a random valuation, so with the variables fixed to the
//   valuation, t != c is unsatisfiable for both solvers, and t == c satisfiable;
// - answer: random conditions get the same answer from both, and each model satisfies them (the solvers check models).
// Many terms share one pair of solvers, all through assumptions, because making a solver costs more than asking it.
#include "random_term.h"
#include "share.h"
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VALUE_TERMS = 80000 / SHARE, ANSWER_TERMS = 20000 / SHARE, ARRAY_TERMS = 4000 / SHARE };
enum { FLOAT_TERMS = 4000 / SHARE, SEARCHED_VALUE_TERMS = 2000 / SHARE, SEARCHED_FLOAT_TERMS = 60 / SHARE };
enum { BATCH = 100, VARIABLES = 8 };

typedef struct Batch {
  Account account;
  TermStore *store;
  Solver *cadical, *z3; // cadical may be NULL
  Term variables[VARIABLES];
  unsigned variable_count;
  Bits values[VARIABLES];
  Term fixed[VARIABLES]; // variable == value
  Budget budget;         // of Z3
  bool fixed_for_ever;   // these are asserted: solvers then evaluate rather than search, which is much faster
  uint64_t *random;
} Batch;

static void batch_init(Batch *batch, uint64_t *random, const Sort *sorts, unsigned count, bool with_cadical) {
  *batch = (Batch){.account = {.room = "test"}, .variable_count = count, .random = random};
  batch->store = term_store_new(&batch->account);
  batch->z3 = solver_new(SOLVER_Z3, batch->store, &batch->account, &batch->budget);
  solver_set_checking(batch->z3, true);
  if (with_cadical) {
    batch->cadical = solver_new(SOLVER_CADICAL, batch->store, &batch->account, NULL);
    solver_set_checking(batch->cadical, true);
  }
  for (unsigned i = 0; i < count; i++) batch->variables[i] = term_variable(batch->store, sorts[i], "v");
}

static void batch_free(Batch *batch) {
  if (batch->cadical != NULL) solver_free(batch->cadical);
  solver_free(batch->z3);
  term_store_free(batch->store);
  assert_int_equal(batch->account.bytes, 0);
}

static Bits random_value(uint64_t *random, unsigned width) {
  Bits any = (Bits)random_next(random) << 64 | random_next(random);
  switch (random_next(random) % 5) {
  case 0: return random_next(random) % 4 & bits_mask(width);
  case 1: return (bits_mask(width) - random_next(random) % 4) & bits_mask(width);
  case 2: return (Bits)1 << (random_next(random) % width);
  default: return any & bits_mask(width);
  }
}

static Bits value_of(void *context, Term variable) {
  const Batch *batch = context;
  for (unsigned i = 0; i < batch->variable_count; i++) {
    if (batch->variables[i] == variable) return batch->values[i];
  }
  fail_msg("a variable from nowhere");
  return 0;
}

static void choose_values(Batch *batch) {
  for (unsigned i = 0; i < batch->variable_count; i++) {
    unsigned width = term_width(batch->store, batch->variables[i]);
    batch->values[i] = random_value(batch->random, width);
    batch->fixed[i] = term_eq(batch->store, batch->variables[i], term_constant(batch->store, width, batch->values[i]));
  }
}

static void complain(Batch *batch, Term t, const char *what) {
  Text text;
  text_init(&text, NULL);
  term_print_smtlib(batch->store, t, false, &text);
  for (unsigned i = 0; i < batch->variable_count; i++) {
    text_format(&text, "\n  v!%u = 0x%llx%016llx", i, (unsigned long long)(batch->values[i] >> 64),
                (unsigned long long)batch->values[i]);
  }
  print_error("%s: %s\n", what, text.data);
  text_free(&text);
  fail();
}

// --- values ---

// The terms of a batch are checked together under one valuation: all equal to their values is satisfiable, and some
// different from its value is not. If that fails, the terms are asked one by one to find the culprit.
typedef struct ValueGroup {
  Term terms[16], equals[16];
  unsigned count;
} ValueGroup;

static void check_group(Batch *batch, Solver *solver, const ValueGroup *group, const char *name) {
  Term assumptions[VARIABLES + 1], all = term_true(batch->store);
  unsigned fixed = batch->fixed_for_ever ? 0 : batch->variable_count;
  for (unsigned i = 0; i < fixed; i++) assumptions[i] = batch->fixed[i];
  for (unsigned i = 0; i < group->count; i++) all = term_and(batch->store, all, group->equals[i]);
  assumptions[fixed] = term_not(batch->store, all);
  if (solver_check(solver, assumptions, fixed + 1) != SOLVER_UNSAT) {
    for (unsigned i = 0; i < group->count; i++) {
      assumptions[fixed] = term_not(batch->store, group->equals[i]);
      if (solver_check(solver, assumptions, fixed + 1) != SOLVER_UNSAT) complain(batch, group->terms[i], name);
    }
    complain(batch, all, name);
  }
  assumptions[fixed] = all;
  if (solver_check(solver, assumptions, fixed + 1) != SOLVER_SAT) complain(batch, all, name);
}

static void fix_values(Batch *batch) {
  choose_values(batch);
  for (unsigned i = 0; i < batch->variable_count; i++) {
    solver_assert(batch->z3, batch->fixed[i]);
    if (batch->cadical != NULL) solver_assert(batch->cadical, batch->fixed[i]);
  }
}

static void check_values(Batch *batch, unsigned terms, unsigned group_size, unsigned widest, unsigned depth,
                         unsigned features) {
  static const unsigned wide_widths[] = {32, 64, 33, 128};
  TermValuation valuation = {.value_of = value_of, .context = batch};
  if (batch->fixed_for_ever) fix_values(batch);
  for (unsigned done = 0; done < terms;) {
    if (!batch->fixed_for_ever) choose_values(batch);
    ValueGroup group = {.count = 0};
    while (group.count < group_size && done < terms) {
      uint64_t choice = random_next(batch->random);
      bool wide = batch->fixed_for_ever && choice % 32 == 0;
      unsigned width = wide ? wide_widths[choice >> 8 & 3] : 1 + (choice >> 16) % widest;
      Term t =
          random_term(batch->store, batch->random, batch->variables, batch->variable_count, width, depth, features);
      Bits value = term_evaluate(batch->store, t, &valuation);
      group.terms[group.count] = t;
      group.equals[group.count++] = term_eq(batch->store, t, term_constant(batch->store, width, value));
      done++;
    }
    if (batch->cadical != NULL) check_group(batch, batch->cadical, &group, "evaluation and CaDiCaL");
    check_group(batch, batch->z3, &group, "evaluation and Z3");
  }
}

static void values_agree(void **state) {
  (void)state;
  static const Sort sorts[] = {1, 4, 7, 8, 12, 32};
  uint64_t random = 2024;
  for (unsigned done = 0; done < VALUE_TERMS; done += 2 * BATCH) {
    Batch batch;
    batch_init(&batch, &random, sorts, 6, true);
    batch.fixed_for_ever = true;
    check_values(&batch, 2 * BATCH, 10, 12, 3, 0);
    batch_free(&batch);
  }
}

static void searched_values_agree(void **state) {
  (void)state;
  static const Sort sorts[] = {1, 3, 4, 7, 8, 9};
  uint64_t random = 5;
  for (unsigned done = 0; done < SEARCHED_VALUE_TERMS; done += BATCH / 5) {
    Batch batch;
    batch_init(&batch, &random, sorts, 6, true);
    check_values(&batch, BATCH / 5, 5, 9, 3, 0);
    batch_free(&batch);
  }
}

static void floating_point_values_agree(void **state) {
  (void)state;
  static const Sort sorts[] = {1, 8, 32, 32, 64};
  uint64_t random = 99;
  for (unsigned done = 0; done < FLOAT_TERMS; done += BATCH / 2) {
    Batch batch;
    batch_init(&batch, &random, sorts, 5, false);
    batch.fixed_for_ever = true;
    check_values(&batch, BATCH / 2, 2, 64, 2, RANDOM_FLOATING_POINT);
    batch_free(&batch);
  }
}

// Conditions on unknown numbers: Z3 has to search, and evaluation has to accept its models.
static void floating_point_models_agree(void **state) {
  (void)state;
  static const Sort sorts[] = {32, 32, 16};
  uint64_t random = 12;
  unsigned models = 0;
  for (unsigned done = 0; done < SEARCHED_FLOAT_TERMS; done++) {
    Batch batch;
    batch_init(&batch, &random, sorts, 3, false);
    Term t = random_term(batch.store, &random, batch.variables, 3, 1, 2, RANDOM_FLOATING_POINT);
    for (unsigned i = 0; i < 2; i++, t = term_not(batch.store, t)) {
      batch.budget = (Budget){.deadline = clock_now() + 0.5};
      models += solver_check(batch.z3, &t, 1) == SOLVER_SAT;
    }
    batch_free(&batch);
  }
  assert_true(models > SEARCHED_FLOAT_TERMS / 2);
}

// --- answers ---

static void check_answers(Batch *batch, unsigned terms, unsigned conditions, unsigned depth, unsigned features,
                          unsigned answers[3]) {
  for (unsigned done = 0; done < terms; done += conditions) {
    Term assumptions[8];
    for (unsigned i = 0; i < conditions; i++) {
      assumptions[i] =
          random_term(batch->store, batch->random, batch->variables, batch->variable_count, 1, depth, features);
    }
    SolverAnswer one = solver_check(batch->cadical, assumptions, conditions);
    SolverAnswer two = solver_check(batch->z3, assumptions, conditions);
    Term all = term_true(batch->store);
    for (unsigned i = 0; i < conditions; i++) all = term_and(batch->store, all, assumptions[i]);
    if (one != two || one == SOLVER_UNKNOWN) complain(batch, all, "CaDiCaL and Z3");
    answers[one]++;
    if (one != SOLVER_UNSAT) continue;
    // Each core is unsatisfiable for the other solver, too.
    TermVector cores[2];
    Solver *const solvers[2] = {batch->cadical, batch->z3};
    for (unsigned i = 0; i < 2; i++) {
      TermVector_init(&cores[i], &batch->account);
      const TermVector *core = solver_core(solvers[i]);
      for (size_t k = 0; k < core->count; k++) TermVector_push(&cores[i], core->data[k]);
    }
    for (unsigned i = 0; i < 2; i++) {
      if (solver_check(solvers[1 - i], cores[i].data, cores[i].count) != SOLVER_UNSAT) complain(batch, all, "cores");
      TermVector_free(&cores[i]);
    }
  }
}

static void answers_agree(void **state) {
  (void)state;
  static const Sort sorts[] = {1, 1, 3, 4, 5, 6};
  uint64_t random = 31;
  unsigned answers[3] = {0, 0, 0};
  for (unsigned done = 0; done < ANSWER_TERMS; done += 2 * BATCH) {
    Batch batch;
    batch_init(&batch, &random, sorts, 6, true);
    check_answers(&batch, 2 * BATCH, 4, 3, 0, answers);
    batch_free(&batch);
  }
  // Both kinds of answer are common, or the test tests nothing.
  assert_true(answers[SOLVER_SAT] > ANSWER_TERMS / 40);
  assert_true(answers[SOLVER_UNSAT] > ANSWER_TERMS / 40);
}

static void answers_with_arrays_agree(void **state) {
  (void)state;
  static const Sort sorts[] = {1, 2, 3, 4, 0x80000000u | 3u << 16 | 4u, 0x80000000u | 3u << 16 | 4u};
  uint64_t random = 77;
  unsigned answers[3] = {0, 0, 0};
  for (unsigned done = 0; done < ARRAY_TERMS; done += BATCH) {
    Batch batch;
    batch_init(&batch, &random, sorts, 6, true);
    check_answers(&batch, BATCH, 4, 4, RANDOM_ARRAYS, answers);
    batch_free(&batch);
  }
  assert_true(answers[SOLVER_SAT] > ARRAY_TERMS / 40);
  assert_true(answers[SOLVER_UNSAT] > ARRAY_TERMS / 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_agree),
      cmocka_unit_test(searched_values_agree),
      cmocka_unit_test(floating_point_values_agree),
      cmocka_unit_test(floating_point_models_agree),
      cmocka_unit_test(answers_agree),
      cmocka_unit_test(answers_with_arrays_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
