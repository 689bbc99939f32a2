// Guards: interning, what is known of two of them at a glance, branches that meet, random guards against truth tables.
#include "term/conjunction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { VARIABLES = 6, ROWS = 1 << VARIABLES };

typedef struct Fixture {
  Account account;
  TermStore *terms;
  ConjunctionTable table;
  Term variables[VARIABLES];
} Fixture;

static void setup(Fixture *f) {
  f->account = (Account){.room = "order"};
  f->terms = term_store_new(&f->account);
  conjunction_table_init(&f->table, f->terms, &f->account);
  for (unsigned i = 0; i < VARIABLES; i++) f->variables[i] = term_variable(f->terms, sort_bits(1), "v");
}

static void teardown(Fixture *f) {
  conjunction_table_free(&f->table);
  term_store_free(f->terms);
  assert_int_equal(f->account.bytes, 0);
}

static ConjunctionId with(Fixture *f, ConjunctionId guard, unsigned variable, bool positive) {
  Term literal = f->variables[variable];
  return conjunction_and(&f->table, guard, positive ? literal : term_not(f->terms, literal));
}

// --- conjunctions ---

static void test_interning(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  ConjunctionId ab = with(&f, with(&f, CONJUNCTION_TRUE, 0, true), 1, true);
  ConjunctionId ba = with(&f, with(&f, CONJUNCTION_TRUE, 1, true), 0, true);
  assert_int_equal(ab, ba);
  assert_int_equal(conjunction_term(&f.table, ab), term_and(f.terms, f.variables[0], f.variables[1]));
  // A conjunction is taken apart, whatever it is asked for.
  assert_int_equal(conjunction_and(&f.table, CONJUNCTION_TRUE, term_and(f.terms, f.variables[0], f.variables[1])), ab);
  assert_int_equal(with(&f, ab, 0, true), ab);
  assert_int_equal(conjunction_and(&f.table, ab, term_true(f.terms)), ab);
  assert_int_equal(conjunction_and(&f.table, ab, term_false(f.terms)), CONJUNCTION_FALSE);
  assert_int_equal(with(&f, ab, 1, false), CONJUNCTION_FALSE);
  assert_int_equal(with(&f, CONJUNCTION_FALSE, 2, true), CONJUNCTION_FALSE);
  ConjunctionId c = with(&f, CONJUNCTION_TRUE, 2, true), not_a = with(&f, CONJUNCTION_TRUE, 0, false);
  assert_int_equal(conjunction_both(&f.table, ab, c), with(&f, ab, 2, true));
  assert_int_equal(conjunction_both(&f.table, ab, not_a), CONJUNCTION_FALSE);
  assert_int_equal(conjunction_both(&f.table, not_a, ab), CONJUNCTION_FALSE);
  assert_int_equal(conjunction_both(&f.table, ab, CONJUNCTION_TRUE), ab);
  assert_int_equal(conjunction_both(&f.table, CONJUNCTION_FALSE, ab), CONJUNCTION_FALSE);
  assert_true(term_is_true(f.terms, conjunction_term(&f.table, CONJUNCTION_TRUE)));
  assert_true(term_is_false(f.terms, conjunction_term(&f.table, CONJUNCTION_FALSE)));
  teardown(&f);
}

static void test_implication_and_exclusion(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  ConjunctionId a = with(&f, CONJUNCTION_TRUE, 0, true), ab = with(&f, a, 1, true), a_not_b = with(&f, a, 1, false);
  ConjunctionId c = with(&f, CONJUNCTION_TRUE, 2, true), bc = with(&f, c, 1, true);
  assert_true(conjunction_implies(&f.table, ab, a));
  assert_false(conjunction_implies(&f.table, a, ab));
  assert_true(conjunction_implies(&f.table, a, CONJUNCTION_TRUE));
  assert_true(conjunction_implies(&f.table, CONJUNCTION_FALSE, ab));
  assert_false(conjunction_implies(&f.table, ab, CONJUNCTION_FALSE));
  assert_true(conjunction_excludes(&f.table, ab, a_not_b));
  assert_true(conjunction_excludes(&f.table, a_not_b, bc));
  assert_false(conjunction_excludes(&f.table, a, ab));
  assert_false(conjunction_excludes(&f.table, a, c));
  assert_false(conjunction_excludes(&f.table, a, CONJUNCTION_TRUE));
  assert_true(conjunction_excludes(&f.table, a, CONJUNCTION_FALSE));
  assert_true(conjunction_implied_by_two(&f.table, a, bc, ab));
  assert_false(conjunction_implied_by_two(&f.table, a, c, ab));
  assert_true(conjunction_implied_by_two(&f.table, a, c, CONJUNCTION_TRUE));
  assert_int_equal(conjunction_difference(&f.table, ab, a), f.variables[1]);
  assert_true(term_is_true(f.terms, conjunction_difference(&f.table, a, ab)));
  teardown(&f);
}

// --- branches that meet ---

static void test_branches_merge_back(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  ConjunctionId before = with(&f, CONJUNCTION_TRUE, 5, true);
  ConjunctionId yes = with(&f, before, 0, true), no = with(&f, before, 0, false);
  assert_int_equal(conjunction_or(&f.table, yes, no), before);
  assert_int_equal(conjunction_or(&f.table, no, yes), before);
  // Branches inside one branch.
  ConjunctionId yes_yes = with(&f, yes, 1, true), yes_no = with(&f, yes, 1, false);
  assert_int_equal(conjunction_or(&f.table, yes_yes, yes_no), yes);
  assert_int_equal(conjunction_or(&f.table, conjunction_or(&f.table, yes_yes, yes_no), no), before);
  // One of the two is left early and comes back: (yes & b) | no, then yes & !b.
  ConjunctionId early = conjunction_or(&f.table, yes_yes, no);
  assert_int_equal(conjunction_or(&f.table, early, yes_no), before);
  assert_int_equal(conjunction_or(&f.table, yes, before), before);
  assert_int_equal(conjunction_or(&f.table, CONJUNCTION_FALSE, yes), yes);
  assert_int_equal(conjunction_or(&f.table, yes, CONJUNCTION_FALSE), yes);
  assert_int_equal(conjunction_or(&f.table, yes, yes), yes);
  teardown(&f);
}

// if (0) ... else if (1) ... else ...: all of it merges to what was there before, from either end.
static void merge_chain(Fixture *f, unsigned conditions, bool forward) {
  ConjunctionId before = with(f, CONJUNCTION_TRUE, 5, false), branches[VARIABLES], rest = before;
  for (unsigned i = 0; i < conditions; i++) {
    branches[i] = with(f, rest, i, true);
    rest = with(f, rest, i, false);
  }
  branches[conditions] = rest;
  ConjunctionId merged = CONJUNCTION_FALSE;
  for (unsigned i = 0; i <= conditions; i++)
    merged = conjunction_or(&f->table, merged, branches[forward ? i : conditions - i]);
  assert_int_equal(merged, before);
}

static void test_chains_merge_back(void **state) {
  (void)state;
  Fixture f;
  setup(&f);
  for (unsigned conditions = 1; conditions <= 4; conditions++) merge_chain(&f, conditions, false);
  for (unsigned conditions = 1; conditions <= 4; conditions++) merge_chain(&f, conditions, true);
  teardown(&f);
}

// --- random guards ---

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*seed >> 33) % limit;
}

typedef struct Row {
  const Fixture *f;
  unsigned row;
} Row;

static Bits value_in_row(void *context, Term variable) {
  const Row *row = context;
  for (unsigned i = 0; i < VARIABLES; i++)
    if (row->f->variables[i] == variable) return row->row >> i & 1;
  fail();
  return 0;
}

static uint64_t truth_table(const Fixture *f, Term t) {
  uint64_t table = 0;
  for (unsigned r = 0; r < ROWS; r++) {
    Row row = {f, r};
    TermValuation valuation = {.value_of = value_in_row, .context = &row};
    if (term_evaluate(f->terms, t, &valuation)) table |= UINT64_C(1) << r;
  }
  return table;
}

static Term random_condition(Fixture *f, uint64_t *seed, unsigned depth) {
  if (depth == 0 || random_below(seed, 3) == 0) {
    Term variable = f->variables[random_below(seed, VARIABLES)];
    return random_below(seed, 2) ? variable : term_not(f->terms, variable);
  }
  static const TermOperator operators[] = {TERM_AND, TERM_OR, TERM_XOR, TERM_EQ};
  Term a = random_condition(f, seed, depth - 1), b = random_condition(f, seed, depth - 1);
  return term_binary(f->terms, operators[random_below(seed, 4)], a, b);
}

static void check_pair(Fixture *f, ConjunctionId a, uint64_t table_a, ConjunctionId b, uint64_t table_b) {
  if (conjunction_implies(&f->table, a, b)) assert_true((table_a & ~table_b) == 0);
  if (conjunction_excludes(&f->table, a, b)) assert_true((table_a & table_b) == 0);
  uint64_t difference = truth_table(f, conjunction_difference(&f->table, a, b));
  assert_true((difference & table_b) == (table_a & table_b));
  assert_true((difference & table_a) == table_a);
}

static void test_random_guards(void **state) {
  (void)state;
  enum { COUNT = 60, RUNS = 25 };
  uint64_t seed = 7;
  for (unsigned run = 0; run < RUNS; run++) {
    Fixture f;
    setup(&f);
    ConjunctionId guards[COUNT] = {CONJUNCTION_TRUE, CONJUNCTION_FALSE};
    uint64_t tables[COUNT] = {~UINT64_C(0), 0};
    for (unsigned i = 2; i < COUNT; i++) {
      unsigned a = random_below(&seed, i), b = random_below(&seed, i);
      switch (random_below(&seed, 3)) {
      case 0: {
        Term condition = random_condition(&f, &seed, 2);
        guards[i] = conjunction_and(&f.table, guards[a], condition);
        tables[i] = tables[a] & truth_table(&f, condition);
        break;
      }
      case 1:
        guards[i] = conjunction_both(&f.table, guards[a], guards[b]);
        tables[i] = tables[a] & tables[b];
        break;
      default:
        guards[i] = conjunction_or(&f.table, guards[a], guards[b]);
        tables[i] = tables[a] | tables[b];
        assert_int_equal(guards[i], conjunction_or(&f.table, guards[b], guards[a]));
      }
      assert_true(truth_table(&f, conjunction_term(&f.table, guards[i])) == tables[i]);
      check_pair(&f, guards[i], tables[i], guards[a], tables[a]);
      check_pair(&f, guards[b], tables[b], guards[i], tables[i]);
      if (conjunction_implied_by_two(&f.table, guards[a], guards[b], guards[i]))
        assert_true((tables[a] & tables[b] & ~tables[i]) == 0);
    }
    teardown(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_interning),           cmocka_unit_test(test_implication_and_exclusion),
      cmocka_unit_test(test_branches_merge_back), cmocka_unit_test(test_chains_merge_back),
      cmocka_unit_test(test_random_guards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
