// Regions of values against all values: whatever the tests say of some value, they say of a representative, and no two
// representatives are alike. Ways to find them: by comparing constants, by trying all values, by asking a solver.
#include "explicit/input_regions.h"
#include "random_term.h"
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum { MOST_RANDOM_TESTS = 6, RANDOM_ROUNDS = 200 / SHARE };

typedef struct Regioned {
  Account account;
  TermStore *terms;
  Term hole;
  unsigned width;
  Term tests[MOST_RANDOM_TESTS];
  size_t count;
  U64Vector values;
} Regioned;

static void begin(Regioned *r, unsigned width) {
  *r = (Regioned){.account = {.room = "test"}, .width = width};
  r->terms = term_store_new(&r->account);
  r->hole = term_variable(r->terms, sort_bits(width), "value");
  U64Vector_init(&r->values, &r->account);
}

static void end(Regioned *r) {
  U64Vector_free(&r->values);
  term_store_free(r->terms);
  assert_int_equal(r->account.bytes, 0);
}

static bool find(Regioned *r) { return regions_of_tests(r->terms, r->hole, r->tests, r->count, NULL, &r->values); }

static Bits value_of(void *context, Term variable) {
  (void)variable;
  return *(const uint64_t *)context;
}

static bool alike(Regioned *r, uint64_t a, uint64_t b) {
  TermValuation first = {.value_of = value_of, .context = &a}, second = {.value_of = value_of, .context = &b};
  for (size_t i = 0; i < r->count; i++)
    if (term_evaluate(r->terms, r->tests[i], &first) != term_evaluate(r->terms, r->tests[i], &second)) return false;
  return true;
}

static size_t representatives_of(Regioned *r, uint64_t value) {
  size_t found = 0;
  for (size_t i = 0; i < r->values.count; i++) found += alike(r, value, r->values.data[i]);
  return found;
}

static void compare_with_all(Regioned *r) {
  for (uint64_t value = 0; value >> r->width == 0; value++) assert_int_equal(representatives_of(r, value), 1);
}

static void test_random_tests(void **state) {
  (void)state;
  uint64_t seed = 7;
  size_t found = 0, several = 0;
  for (unsigned round = 0; round < RANDOM_ROUNDS; round++) {
    Regioned r;
    begin(&r, round % 4 == 0 ? 11 : 8); // more than 10 bits: the solver
    r.count = 1 + random_next(&seed) % MOST_RANDOM_TESTS;
    for (size_t i = 0; i < r.count; i++) {
      unsigned width = random_next(&seed) % 4 == 0 ? 3 : 1;
      r.tests[i] = random_term(r.terms, &seed, &r.hole, 1, width, 3, 0);
    }
    if (find(&r)) {
      found++;
      several += r.values.count > 2;
      compare_with_all(&r);
    }
    end(&r);
  }
  assert_true(found > RANDOM_ROUNDS / 2 && several > RANDOM_ROUNDS / 8);
}

static Term random_comparison(Regioned *r, uint64_t *seed) {
  static const TermOperator operators[] = {TERM_EQ, TERM_ULT, TERM_ULE, TERM_SLT, TERM_SLE};
  TermOperator op = operators[random_next(seed) % 5];
  Term constant = term_constant(r->terms, r->width, random_next(seed));
  bool swap = random_next(seed) % 2;
  Term test = term_binary(r->terms, op, swap ? constant : r->hole, swap ? r->hole : constant);
  return random_next(seed) % 3 == 0 ? term_not(r->terms, test) : test;
}

// Without a solver: a solver would have no time.
static void test_random_comparisons(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (unsigned round = 0; round < RANDOM_ROUNDS; round++) {
    Regioned r;
    begin(&r, 9 + round % 4);
    r.count = 1 + random_next(&seed) % MOST_RANDOM_TESTS;
    for (size_t i = 0; i < r.count; i++) r.tests[i] = random_comparison(&r, &seed);
    Budget none;
    budget_init(&none, 1e-9, NULL);
    assert_true(regions_of_tests(r.terms, r.hole, r.tests, r.count, &none, &r.values));
    compare_with_all(&r);
    end(&r);
  }
}

static Term constant(Regioned *r, uint64_t value) { return term_constant(r->terms, r->width, value); }

// What programs ask of wide values; expected: how many regions there are.
static void test_wide_values(void **state) {
  (void)state;
  Regioned r;
  begin(&r, 32);
  TermStore *t = r.terms;
  r.count = 2; // x % 3 == 1, x < 0
  r.tests[0] = term_eq(t, term_binary(t, TERM_SREM, r.hole, constant(&r, 3)), constant(&r, 1));
  r.tests[1] = term_binary(t, TERM_SLT, r.hole, constant(&r, 0));
  assert_true(find(&r));
  assert_int_equal(r.values.count, 3); // the remainder of a negative number is not 1
  r.count = 1;                         // (mode & 0170000) == 0040000
  r.tests[0] = term_eq(t, term_binary(t, TERM_AND, r.hole, constant(&r, 0170000)), constant(&r, 0040000));
  assert_true(find(&r));
  assert_int_equal(r.values.count, 2);
  r.tests[0] = term_extract(t, r.hole, 7, 0); // the lowest byte itself
  assert_true(find(&r));
  assert_int_equal(r.values.count, 256);
  r.tests[0] = term_extract(t, r.hole, 8, 0); // too many
  assert_false(find(&r));
  r.count = 2; // a contradiction is no region: x == 5 and x + 1 == 7
  r.tests[0] = term_eq(t, r.hole, constant(&r, 5));
  r.tests[1] = term_eq(t, term_binary(t, TERM_MUL, r.hole, constant(&r, 3)), constant(&r, 18));
  assert_true(find(&r));
  assert_int_equal(r.values.count, 3);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_tests),
      cmocka_unit_test(test_random_comparisons),
      cmocka_unit_test(test_wide_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
