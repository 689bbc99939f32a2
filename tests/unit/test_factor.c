// Factoring: the paper's example, and random formulas against their truth tables.
#include "term/factor.h"

#include "random_term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { VARIABLES = 6, ROWS = 1 << VARIABLES, FORMULAS = 400 };

typedef struct Fixture {
  Account account;
  TermStore *terms;
  Map cache;
  Term v[VARIABLES];
} Fixture;

static void setup(Fixture *f) {
  f->account = (Account){.room = "term"};
  f->terms = term_store_new(&f->account);
  map_init(&f->cache, &f->account);
  for (unsigned i = 0; i < VARIABLES; i++) f->v[i] = term_variable(f->terms, sort_bits(1), "v");
}

static void teardown(Fixture *f) {
  map_free(&f->cache);
  term_store_free(f->terms);
  assert_int_equal(f->account.bytes, 0);
}

static Term all_of(Fixture *f, const char *letters) {
  Term all = term_true(f->terms);
  for (; *letters; letters++) all = term_and(f->terms, all, f->v[*letters - 'A']);
  return all;
}

// (A & B & C) | (A & B & D & E) is A & B & (C | D & E).
static void test_example(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  Term formula = term_or(f.terms, all_of(&f, "ABC"), all_of(&f, "ABDE"));
  Term rest = term_or(f.terms, f.v['C' - 'A'], all_of(&f, "DE"));
  Term expected = term_and(f.terms, all_of(&f, "AB"), rest);
  assert_int_not_equal(formula, expected);
  assert_int_equal(term_factor(f.terms, formula, &f.cache), expected);
  teardown(&f);
}

// The same inside of other connectives, and where the alternatives are a choice.
static void test_inside(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  Term choice = term_ite(f.terms, f.v[5], all_of(&f, "ABC"), all_of(&f, "ABDE"));
  Term rest = term_ite(f.terms, f.v[5], f.v[2], all_of(&f, "DE"));
  assert_int_equal(term_factor(f.terms, choice, &f.cache), term_and(f.terms, all_of(&f, "AB"), rest));
  Term inner = term_or(f.terms, all_of(&f, "AC"), all_of(&f, "AD"));
  Term outer = term_or(f.terms, f.v[5], term_and(f.terms, f.v[4], inner));
  Term done = term_factor(f.terms, outer, &f.cache);
  assert_true(term_dag_size(f.terms, done) < term_dag_size(f.terms, outer));
  teardown(&f);
}

// --- random formulas ---

static Bits value_in_row(void *context, Term variable) {
  const Fixture *f = ((void **)context)[0];
  unsigned row = *(const unsigned *)((void **)context)[1];
  for (unsigned i = 0; i < VARIABLES; i++)
    if (f->v[i] == variable) return row >> i & 1;
  return 0;
}

static uint64_t table_of(Fixture *f, Term t) {
  uint64_t table = 0;
  for (unsigned row = 0; row < ROWS; row++) {
    void *context[2] = {f, &row};
    TermValuation valuation = {.value_of = value_in_row, .context = context};
    table |= (uint64_t)term_evaluate(f->terms, t, &valuation) << row;
  }
  return table;
}

static Term draw(Fixture *f, uint64_t *seed, unsigned depth) {
  unsigned kind = (unsigned)(random_next(seed) % (depth ? 8 : 1));
  if (kind == 0) {
    Term v = f->v[random_next(seed) % VARIABLES];
    return random_next(seed) % 2 ? v : term_not(f->terms, v);
  }
  Term a = draw(f, seed, depth - 1), b = draw(f, seed, depth - 1);
  if (kind <= 3) return term_and(f->terms, a, b);
  if (kind <= 5) return term_or(f->terms, a, b);
  if (kind == 6) return term_not(f->terms, term_or(f->terms, a, term_and(f->terms, b, f->v[0])));
  return term_ite(f->terms, draw(f, seed, depth - 1), a, b);
}

static void test_random(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  uint64_t seed = 5;
  unsigned changed = 0;
  for (unsigned i = 0; i < FORMULAS; i++) {
    Term formula = draw(&f, &seed, 6), done = term_factor(f.terms, formula, &f.cache);
    changed += formula != done;
    assert_true(table_of(&f, done) == table_of(&f, formula));
  }
  assert_true(changed > FORMULAS / 10);
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_example), cmocka_unit_test(test_inside),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
