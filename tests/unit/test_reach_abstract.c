// Predicate abstraction: literals, combinations, limits; cubes; and the values that a term can have.
#include "reach/domains/abstract.h"
#include "reach/domains/cubes.h"
#include "reach/domains/enumerate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct Fixture {
  Account account;
  TermStore *terms;
  Abstraction abstraction;
  AbstractStep step;
  TermVector predicates, found;
  Term x, y, z;
} Fixture;

static void fixture_open(Fixture *f) {
  *f = (Fixture){.account = {.room = "reach"}};
  f->terms = term_store_new(&f->account);
  abstraction_init(&f->abstraction, f->terms, NULL, &f->account);
  abstract_step_init(&f->step, &f->account);
  TermVector_init(&f->predicates, &f->account);
  TermVector_init(&f->found, &f->account);
  f->x = term_variable(f->terms, sort_bits(32), "x");
  f->y = term_variable(f->terms, sort_bits(32), "y");
  f->z = term_variable(f->terms, sort_bits(32), "z");
}

static void fixture_close(Fixture *f) {
  TermVector_free(&f->found);
  TermVector_free(&f->predicates);
  abstract_step_free(&f->step);
  abstraction_free(&f->abstraction);
  term_store_free(f->terms);
  assert_int_equal(f->account.bytes, 0);
}

static Term is(Fixture *f, Term variable, uint64_t value) {
  return term_eq(f->terms, variable, term_constant(f->terms, 32, value));
}

static Term below(Fixture *f, Term variable, uint64_t limit) {
  return term_binary(f->terms, TERM_ULT, variable, term_constant(f->terms, 32, limit));
}

static void run(Fixture *f, AbstractionKind kind) {
  TermVector_clear(&f->found);
  f->step.predicates = f->predicates.data;
  f->step.predicate_count = f->predicates.count;
  assert_true(abstraction_of(&f->abstraction, &f->step, kind, &f->found));
}

// Does what was found imply the formula?
static bool says(Fixture *f, Term formula) {
  TermVector_push(&f->found, term_not(f->terms, formula));
  bool allowed = abstraction_allows(&f->abstraction, f->found.data, f->found.count);
  TermVector_pop(&f->found);
  return !allowed;
}

static bool has(const Fixture *f, Term conjunct) {
  for (size_t i = 0; i < f->found.count; i++)
    if (f->found.data[i] == conjunct) return true;
  return false;
}

static void test_literals(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  TermVector_push(&f.step.conditions, below(&f, f.x, 5)); // x := x + 1, y unknown
  map_put(&f.step.after, f.x, term_add_constant(f.terms, f.x, 1));
  TermVector_push(&f.predicates, below(&f, f.x, 6));
  TermVector_push(&f.predicates, is(&f, f.x, 0));
  TermVector_push(&f.predicates, is(&f, f.y, 3));
  run(&f, ABSTRACTION_CARTESIAN);
  assert_int_equal(f.found.count, 2);
  assert_true(has(&f, below(&f, f.x, 6)));
  assert_true(has(&f, term_not(f.terms, is(&f, f.x, 0))));
  uint64_t asked = f.abstraction.asked;
  run(&f, ABSTRACTION_CARTESIAN); // known by now
  assert_int_equal(f.abstraction.asked, asked);
  run(&f, ABSTRACTION_BOOLEAN); // one is open in its group: nothing to combine
  assert_int_equal(f.found.count, 2);
  fixture_close(&f);
}

// Either x is 1 and y is 2, or x is 3 and y is 4.
static void set_either(Fixture *f) {
  Term one = term_and(f->terms, is(f, f->x, 1), is(f, f->y, 2));
  Term other = term_and(f->terms, is(f, f->x, 3), is(f, f->y, 4));
  TermVector_push(&f->step.conditions, term_or(f->terms, one, other));
  const Term predicates[] = {is(f, f->x, 1), is(f, f->y, 2), is(f, f->x, 3), is(f, f->y, 4)};
  for (size_t i = 0; i < 4; i++) TermVector_push(&f->predicates, predicates[i]);
}

static void test_combinations(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  set_either(&f);
  run(&f, ABSTRACTION_CARTESIAN);
  assert_int_equal(f.found.count, 0);
  run(&f, ABSTRACTION_BOOLEAN);
  assert_int_equal(f.found.count, 1);
  assert_true(says(&f, term_implies(f.terms, is(&f, f.x, 1), is(&f, f.y, 2))));
  assert_true(says(&f, term_implies(f.terms, is(&f, f.y, 4), is(&f, f.x, 3))));
  assert_true(says(&f, term_or(f.terms, is(&f, f.x, 1), is(&f, f.x, 3))));
  assert_false(says(&f, is(&f, f.x, 1)));
  fixture_close(&f);
}

// What is valid for all states is no news.
static void test_valid(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  TermVector_push(&f.predicates, below(&f, f.x, 3));
  TermVector_push(&f.predicates, below(&f, f.x, 5));
  map_put(&f.step.after, f.x, f.y);
  run(&f, ABSTRACTION_BOOLEAN);
  assert_int_equal(f.found.count, 0);
  fixture_close(&f);
}

// A disjunction stays while nothing in it changes, and becomes a literal if the guard decides.
static void test_held(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  Term held = term_or(f.terms, is(&f, f.x, 1), is(&f, f.y, 2));
  TermVector_push(&f.step.conditions, held);
  f.step.news = 1;
  f.step.held = &held;
  f.step.held_count = 1;
  TermVector_push(&f.predicates, is(&f, f.x, 1));
  TermVector_push(&f.predicates, is(&f, f.y, 2));
  map_put(&f.step.after, f.z, f.x);
  run(&f, ABSTRACTION_BOOLEAN);
  assert_int_equal(f.found.count, 1);
  assert_int_equal(f.found.data[0], held);
  assert_int_equal(f.abstraction.asked, 0);
  TermVector_push(&f.step.conditions, below(&f, f.x, 1)); // news
  run(&f, ABSTRACTION_BOOLEAN);
  assert_true(has(&f, is(&f, f.y, 2)) && has(&f, term_not(f.terms, is(&f, f.x, 1))));
  TermVector_pop(&f.step.conditions);
  map_put(&f.step.after, f.x, f.z); // x may be anything
  run(&f, ABSTRACTION_BOOLEAN);
  assert_int_equal(f.found.count, 0);
  fixture_close(&f);
}

// What held is known after a step that leaves it alone only because of a value.
static void test_left_alone(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  Term held[] = {term_not(f.terms, below(&f, f.x, 3)), is(&f, f.y, 1)};
  for (size_t i = 0; i < 2; i++) TermVector_push(&f.step.conditions, held[i]);
  f.step.news = f.step.held_count = 2;
  f.step.held = held;
  map_put(&f.step.after, f.x, term_ite(f.terms, is(&f, f.y, 2), f.z, f.x));
  TermVector_push(&f.predicates, below(&f, f.x, 3));
  run(&f, ABSTRACTION_CARTESIAN);
  assert_true(f.found.count == 1 && has(&f, held[0]));
  fixture_close(&f);
}

// Steps that cannot be taken, by values of single variables and by more.
static void test_impossible(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  TermVector_push(&f.step.conditions, is(&f, f.x, 3));
  TermVector_push(&f.step.conditions, term_eq(f.terms, f.x, f.y));
  f.step.news = 2;
  TermVector_push(&f.step.conditions, is(&f, f.y, 4));
  assert_false(abstraction_of(&f.abstraction, &f.step, ABSTRACTION_CARTESIAN, &f.found));
  assert_int_equal(f.abstraction.asked, 0);
  f.step.conditions.data[2] = below(&f, f.z, 3);
  run(&f, ABSTRACTION_CARTESIAN);
  TermVector_push(&f.step.conditions, below(&f, term_constant(f.terms, 32, 5), 6));
  TermVector_push(&f.step.conditions, term_not(f.terms, below(&f, f.z, 7)));
  assert_false(abstraction_of(&f.abstraction, &f.step, ABSTRACTION_CARTESIAN, &f.found));
  uint64_t asked = f.abstraction.asked;
  assert_true(asked > 0);
  assert_false(abstraction_of(&f.abstraction, &f.step, ABSTRACTION_CARTESIAN, &f.found)); // is known by now
  assert_int_equal(f.abstraction.asked, asked);
  fixture_close(&f);
}

// More predicates than can be combined: literals only.
static void test_limit(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  TermVector_push(&f.step.conditions, below(&f, f.x, 100));
  map_put(&f.step.after, f.y, f.x);
  for (uint64_t i = 1; i <= MOST_CUBE_BITS; i++) TermVector_push(&f.predicates, below(&f, f.y, 4 * i));
  run(&f, ABSTRACTION_BOOLEAN);
  assert_int_equal(f.found.count, 0); // x < 4 implies x < 8 and so on: valid
  TermVector_push(&f.predicates, below(&f, f.y, 100));
  TermVector_push(&f.predicates, is(&f, f.y, 50));
  run(&f, ABSTRACTION_BOOLEAN);
  assert_int_equal(f.found.count, 1);
  assert_true(has(&f, below(&f, f.y, 100)));
  fixture_close(&f);
}

// Minimised cubes say what the vectors do, for random sets.
static void test_cubes(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (unsigned round = 0; round < 200; round++) {
    unsigned bits = 1 + round % 6, fill = 1 + round % 7;
    bool in[64] = {false};
    Cubes cubes;
    cubes_init(&cubes, bits);
    for (unsigned v = 0; v < 1u << bits; v++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      in[v] = (seed >> 40) % 8 < fill;
      if (!in[v]) continue;
      assert_true(cubes_add_vector(&cubes, (uint16_t)v));
      assert_false(cubes_add_vector(&cubes, (uint16_t)v));
    }
    unsigned before = cubes.count;
    cubes_minimise(&cubes);
    assert_true(cubes.count <= before);
    for (unsigned v = 0; v < 1u << bits; v++) {
      bool has = false;
      for (unsigned i = 0; i < cubes.count; i++) has |= (v & cubes.cubes[i].care) == cubes.cubes[i].value;
      assert_int_equal(has, in[v]);
    }
    if (before == 1u << bits) assert_true(cubes.count == 1 && cubes.cubes[0].care == 0);
  }
}

static void test_too_many(void **state) {
  (void)state;
  Cubes cubes;
  cubes_init(&cubes, 7);
  for (unsigned v = 0; v < MOST_CUBES; v++) assert_true(cubes_add_vector(&cubes, (uint16_t)v));
  assert_false(cubes.too_many);
  assert_false(cubes_add_vector(&cubes, MOST_CUBES));
  assert_true(cubes.too_many);
}

// --- values ---

typedef struct Values {
  Fixture f;
  Enumeration enumeration;
  TermVector conditions, values;
} Values;

static void values_open(Values *v, unsigned most) {
  fixture_open(&v->f);
  enumeration_init(&v->enumeration, v->f.terms, most, NULL, &v->f.account);
  TermVector_init(&v->conditions, &v->f.account);
  TermVector_init(&v->values, &v->f.account);
}

static void values_close(Values *v) {
  TermVector_free(&v->values);
  TermVector_free(&v->conditions);
  enumeration_free(&v->enumeration);
  fixture_close(&v->f);
}

static bool find(Values *v, Term term) {
  TermVector_clear(&v->values);
  return enumerate_values(&v->enumeration, v->conditions.data, v->conditions.count, term, &v->values);
}

static void expect_values(Values *v, Term term, const uint64_t *expected, size_t count) {
  assert_true(find(v, term));
  assert_int_equal(v->values.count, count);
  for (size_t i = 0; i < count; i++) assert_true(term_constant_value(v->f.terms, v->values.data[i]) == expected[i]);
}

static void test_values(void **state) {
  (void)state;
  Values v;
  values_open(&v, 4);
  TermStore *terms = v.f.terms;
  assert_false(find(&v, v.f.x)); // anything
  assert_int_equal(v.enumeration.asked, 0);
  assert_false(find(&v, term_add_constant(terms, v.f.x, 1)));
  TermVector_push(&v.conditions, below(&v.f, v.f.x, 3));
  expect_values(&v, v.f.x, (uint64_t[]){0, 1, 2}, 3);
  uint64_t asked = v.enumeration.asked;
  expect_values(&v, v.f.x, (uint64_t[]){0, 1, 2}, 3); // is known by now
  assert_int_equal(v.enumeration.asked, asked);
  assert_false(find(&v, v.f.y));
  TermVector_push(&v.conditions, term_eq(terms, v.f.y, term_add(terms, v.f.x, v.f.x)));
  expect_values(&v, v.f.y, (uint64_t[]){0, 2, 4}, 3); // by way of x
  assert_false(find(&v, v.f.z));
  Term choice = term_ite(terms, below(&v.f, v.f.z, 9), term_constant(terms, 8, 7), term_constant(terms, 8, 5));
  expect_values(&v, choice, (uint64_t[]){5, 7}, 2);
  values_close(&v);
}

// Few bits need no solver.
static void test_small_values(void **state) {
  (void)state;
  Values v;
  values_open(&v, 4);
  TermStore *terms = v.f.terms;
  Term a = term_variable(terms, sort_bits(1), "a"), b = term_variable(terms, sort_bits(2), "b");
  expect_values(&v, b, (uint64_t[]){0, 1, 2, 3}, 4);
  TermVector_push(&v.conditions, term_or(terms, a, term_eq(terms, b, term_constant(terms, 2, 2))));
  TermVector_push(&v.conditions, term_not(terms, a));
  expect_values(&v, b, (uint64_t[]){2}, 1);
  assert_int_equal(v.enumeration.asked, 0);
  Term wide = term_variable(terms, sort_bits(3), "wide");
  assert_false(find(&v, wide)); // eight
  values_close(&v);
}

static void test_no_values(void **state) {
  (void)state;
  Values v;
  values_open(&v, 0);
  TermVector_push(&v.conditions, is(&v.f, v.f.x, 3));
  assert_false(find(&v, v.f.x)); // never
  values_close(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_literals),   cmocka_unit_test(test_combinations), cmocka_unit_test(test_valid),
      cmocka_unit_test(test_held),       cmocka_unit_test(test_limit),        cmocka_unit_test(test_impossible),
      cmocka_unit_test(test_left_alone), cmocka_unit_test(test_cubes),        cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_values),     cmocka_unit_test(test_small_values), cmocka_unit_test(test_no_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
