// Ranges of values against brute force: sets by membership, conditions by evaluation.
#include "program/facts/ranges.h"

#include "random_term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool contains(const RangeSet *set, uint64_t value) {
  for (size_t i = 0; i < set->count; i++)
    if (set->ranges[i].low <= value && value <= set->ranges[i].high) return true;
  return false;
}

static void assert_normal(const RangeSet *set) {
  for (size_t i = 0; i < set->count; i++) {
    assert_true(set->ranges[i].low <= set->ranges[i].high);
    if (i > 0) assert_true(set->ranges[i].low > set->ranges[i - 1].high + 1);
  }
}

static RangeSet random_set(uint64_t *state, unsigned width) {
  RangeSet set = {.width = width};
  uint64_t end = UINT64_MAX >> (64 - width);
  for (unsigned i = 0; i < 3; i++) {
    uint64_t low = random_next(state) & end, high = random_next(state) & end;
    RangeSet part = {.width = width, .count = low <= high, .ranges = {{low, high}}};
    set = ranges_union(&set, &part);
  }
  return set;
}

static void test_set_operations(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (unsigned round = 0; round < 2000; round++) {
    unsigned width = 3 + round % 5;
    uint64_t end = UINT64_MAX >> (64 - width), by = random_next(&seed) & end;
    RangeSet a = random_set(&seed, width), b = random_set(&seed, width);
    RangeSet both = ranges_intersect(&a, &b), either = ranges_union(&a, &b), rest = ranges_complement(&a);
    RangeSet moved = ranges_shift(&a, by);
    uint64_t size = 0;
    for (uint64_t v = 0; v <= end; v++) {
      assert_int_equal(contains(&both, v), contains(&a, v) && contains(&b, v));
      assert_int_equal(contains(&either, v), contains(&a, v) || contains(&b, v));
      assert_int_equal(contains(&rest, v), !contains(&a, v));
      assert_int_equal(contains(&moved, (v + by) & end), contains(&a, v));
      size += contains(&a, v);
    }
    assert_int_equal(ranges_size(&a), size);
    assert_normal(&both);
    assert_normal(&either);
    assert_normal(&rest);
    assert_normal(&moved);
  }
  RangeSet all = ranges_all(64);
  assert_true(ranges_size(&all) == UINT64_MAX);
}

typedef struct OneVariable {
  Term variable;
  Bits value;
} OneVariable;

static Bits value_of(void *context, Term variable) {
  OneVariable *one = context;
  return variable == one->variable ? one->value : 0;
}

// A condition over the variable: comparisons with constants, shifted, and their boolean combinations.
static Term random_condition(TermStore *store, uint64_t *seed, Term variable, unsigned depth) {
  unsigned width = term_width(store, variable);
  if (depth > 0 && random_next(seed) % 3) {
    Term a = random_condition(store, seed, variable, depth - 1), b = random_condition(store, seed, variable, depth - 1);
    switch (random_next(seed) % 3) {
    case 0: return term_and(store, a, b);
    case 1: return term_or(store, a, b);
    default: return term_not(store, a);
    }
  }
  static const TermOperator operators[] = {TERM_EQ, TERM_ULT, TERM_ULE, TERM_SLT, TERM_SLE};
  TermOperator op = operators[random_next(seed) % 5];
  Term constant = term_constant(store, width, random_next(seed));
  Term moved = random_next(seed) % 2 ? variable : term_add_constant(store, variable, random_next(seed));
  return random_next(seed) % 2 ? term_binary(store, op, moved, constant) : term_binary(store, op, constant, moved);
}

// Every value that satisfies the condition is in the set; where the condition is understood, no other is.
static void test_conditions(void **state) {
  (void)state;
  Account account = {.room = "test"};
  uint64_t seed = 11;
  size_t exact = 0, rounds = 3000;
  for (size_t round = 0; round < rounds; round++) {
    TermStore *store = term_store_new(&account);
    unsigned width = 2 + (unsigned)(round % 6);
    OneVariable one = {.variable = term_variable(store, width, "v")};
    Term condition = random_condition(store, &seed, one.variable, 3);
    bool wanted = round % 2;
    RangeSet set = ranges_of_condition(store, condition, one.variable, wanted);
    TermValuation valuation = {.value_of = value_of, .context = &one};
    bool same = true;
    for (one.value = 0; one.value < (Bits)1 << width; one.value++) {
      bool holds = (term_evaluate(store, condition, &valuation) == 1) == wanted;
      if (holds) assert_true(contains(&set, (uint64_t)one.value));
      same &= holds == contains(&set, (uint64_t)one.value);
    }
    exact += same;
    term_store_free(store);
  }
  assert_true(exact > rounds * 8 / 10);
  assert_int_equal(account.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_set_operations),
      cmocka_unit_test(test_conditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
