// Decision diagrams over BuDDy. The instance is global, so each test opens and closes its own.
#include "solver/bdd_space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { VARIABLES = 8 };

static int set_up(void **state) {
  (void)state;
  return bdd_space_init(VARIABLES, 1000, 100, 0) ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  bdd_space_done();
  return 0;
}

// How many assignments of all variables satisfy it.
static unsigned count_of(Bdd a) {
  unsigned count = 0;
  for (unsigned row = 0; row < 1u << VARIABLES; row++) {
    unsigned char values[VARIABLES];
    for (unsigned i = 0; i < VARIABLES; i++) values[i] = row >> i & 1;
    count += bdd_space_evaluate(a, values);
  }
  return count;
}

// Exactly one of them.
static Bdd different(Bdd a, Bdd b) {
  Bdd same = bdd_space_equal(a, b), result = bdd_space_not(same);
  bdd_space_drop(same);
  return result;
}

static unsigned popcount(unsigned x) { return (unsigned)__builtin_popcount(x); }

static void only_one_instance(void **state) {
  (void)state;
  assert_true(bdd_space_is_open());
  assert_false(bdd_space_init(2, 0, 0, 0));
  assert_int_equal(bdd_space_variables(), VARIABLES);
}

static void boolean_operations(void **state) {
  (void)state;
  Bdd a = bdd_space_variable(0), b = bdd_space_variable(1), c = bdd_space_literal(2, false);
  const Bdd results[] = {bdd_space_not(a),      bdd_space_and(a, b),   bdd_space_or(a, b), different(a, b),
                         bdd_space_equal(a, b), bdd_space_minus(a, b), bdd_space_or(a, c)};
  enum { COUNT = sizeof results / sizeof *results };
  for (unsigned row = 0; row < 8; row++) {
    unsigned char values[VARIABLES] = {row & 1, row >> 1 & 1, row >> 2 & 1};
    int x = values[0], y = values[1], z = !values[2];
    const int expected[] = {!x, x && y, x || y, x != y, x == y, x && !y, x || z};
    for (unsigned i = 0; i < COUNT; i++) assert_int_equal(bdd_space_evaluate(results[i], values), expected[i]);
  }
  assert_true(bdd_space_entails(results[1], a));
  assert_false(bdd_space_entails(a, results[1]));
  assert_true(bdd_space_intersects(a, b));
  assert_false(bdd_space_intersects(a, results[0]));
  Bdd restricted = bdd_space_restrict(results[6], results[0]); // a is false
  assert_int_equal(restricted, c);
  bdd_space_drop(restricted);
  Bdd simplified = bdd_space_simplify(results[1], a), agrees = bdd_space_and(simplified, a);
  assert_int_equal(agrees, results[1]);
  bdd_space_drop(simplified);
  bdd_space_drop(agrees);
  for (unsigned i = 0; i < COUNT; i++) bdd_space_drop(results[i]);
  bdd_space_drop(a);
  bdd_space_drop(b);
  bdd_space_drop(c);
}

static void quantification_and_picking(void **state) {
  (void)state;
  const unsigned all[VARIABLES] = {0, 1, 2, 3, 4, 5, 6, 7};
  Bdd parity = BDD_FALSE, everything = bdd_space_cube(all, VARIABLES), three = bdd_space_cube(all, 3);
  for (unsigned i = 0; i < 3; i++) {
    Bdd variable = bdd_space_variable(i);
    bdd_space_replace(&parity, different(parity, variable));
    bdd_space_drop(variable);
  }
  assert_int_equal(count_of(parity), 128);
  Bdd one = bdd_space_cube(all, 1), some = bdd_space_exists(parity, one);
  assert_int_equal(some, BDD_TRUE);
  Bdd support = bdd_space_support(parity);
  assert_int_equal(support, three);
  assert_int_equal(bdd_space_size(parity), 5);
  unsigned char values[VARIABLES];
  assert_true(bdd_space_pick(parity, values));
  assert_true(bdd_space_evaluate(parity, values));
  assert_false(bdd_space_pick(BDD_FALSE, values));
  Bdd minterm = bdd_space_pick_cube(parity, everything);
  assert_int_equal(count_of(minterm), 1);
  assert_true(bdd_space_entails(minterm, parity));
  bdd_space_drop(minterm);
  bdd_space_drop(support);
  bdd_space_drop(one);
  bdd_space_drop(parity);
  bdd_space_drop(everything);
  bdd_space_drop(three);
}

// A counter of four bits modulo 16 that may add one or two: current bits are even variables, next bits odd ones.
typedef struct Counter {
  Bdd relation, current, next;
  BddRenaming *to_current, *to_next;
} Counter;

static Bdd state_of(unsigned value, unsigned offset) {
  Bdd result = BDD_TRUE;
  for (unsigned i = 0; i < 4; i++) {
    Bdd bit = bdd_space_literal(2 * i + offset, value >> i & 1);
    bdd_space_and_into(&result, bit);
    bdd_space_drop(bit);
  }
  return result;
}

static Counter counter_new(void) {
  static const unsigned current[4] = {0, 2, 4, 6}, next[4] = {1, 3, 5, 7};
  Counter counter = {.relation = BDD_FALSE, .current = bdd_space_cube(current, 4), .next = bdd_space_cube(next, 4)};
  counter.to_current = bdd_space_renaming(next, current, 4);
  counter.to_next = bdd_space_renaming(current, next, 4);
  for (unsigned value = 0; value < 16; value++) {
    for (unsigned step = 1; step <= 2; step++) {
      Bdd from = state_of(value, 0), to = state_of((value + step) % 16, 1), pair = bdd_space_and(from, to);
      bdd_space_or_into(&counter.relation, pair);
      bdd_space_drop(from);
      bdd_space_drop(to);
      bdd_space_drop(pair);
    }
  }
  return counter;
}

static void counter_free(Counter *counter) {
  bdd_space_drop(counter->relation);
  bdd_space_drop(counter->current);
  bdd_space_drop(counter->next);
  bdd_space_renaming_free(counter->to_current);
  bdd_space_renaming_free(counter->to_next);
}

// Successors: (exists current. states and relation), next renamed to current.
static Bdd image_of(const Counter *counter, Bdd states) {
  Bdd next = bdd_space_and_exists(states, counter->relation, counter->current);
  bdd_space_replace(&next, bdd_space_rename(next, counter->to_current));
  return next;
}

// Predecessors: exists next. relation and (states, current renamed to next).
static Bdd preimage_of(const Counter *counter, Bdd states) {
  Bdd next = bdd_space_rename(states, counter->to_next);
  bdd_space_replace(&next, bdd_space_and_exists(next, counter->relation, counter->next));
  return next;
}

static void images(void **state) {
  (void)state;
  Counter counter = counter_new();
  for (unsigned value = 0; value < 16; value++) {
    Bdd from = state_of(value, 0);
    Bdd image = image_of(&counter, from), preimage = preimage_of(&counter, from);
    assert_int_equal(count_of(image), 2 * 16); // the next bits are free
    assert_int_equal(count_of(preimage), 2 * 16);
    for (unsigned step = 1; step <= 2; step++) {
      Bdd after = state_of((value + step) % 16, 0), before = state_of((value + 16 - step) % 16, 0);
      assert_true(bdd_space_entails(after, image));
      assert_true(bdd_space_entails(before, preimage));
      bdd_space_drop(after);
      bdd_space_drop(before);
    }
    bdd_space_drop(from);
    bdd_space_drop(image);
    bdd_space_drop(preimage);
  }
  counter_free(&counter);
}

static void reachability_with_reordering(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++) bdd_space_keep_together(2 * i, 2 * i + 1);
  Counter counter = counter_new();
  Bdd reached = state_of(3, 0);
  unsigned rounds = 0;
  for (;; rounds++) {
    Bdd image = image_of(&counter, reached), old = reached;
    reached = bdd_space_or(old, image);
    bool same = reached == old;
    bdd_space_drop(old);
    bdd_space_drop(image);
    if (same) break;
    assert_int_equal(count_of(reached), 16 * (2 * rounds + 3 < 16 ? 2 * rounds + 3 : 16));
    bdd_space_reorder_now();
  }
  assert_int_equal(rounds, 8);
  bdd_space_drop(reached);
  counter_free(&counter);
}

// Dropped nodes are collected: a bounded table survives any number of operations.
static void references_are_given_back(void **state) {
  (void)state;
  bdd_space_done();
  assert_true(bdd_space_init(VARIABLES, 2000, 100, 4000));
  for (unsigned round = 0; round < 3000; round++) {
    Bdd set = BDD_FALSE;
    for (unsigned i = 0; i < 4; i++) {
      Bdd point = state_of((round * 7 + i * 5) % 16, i % 2);
      bdd_space_replace(&set, different(set, point));
      bdd_space_drop(point);
    }
    bdd_space_drop(set);
  }
  assert_true(bdd_space_node_count() <= 4000);
  unsigned char values[VARIABLES];
  Bdd shared = bdd_space_variable(1), again = bdd_space_share(shared);
  bdd_space_drop(shared);
  assert_true(bdd_space_pick(again, values));
  assert_int_equal(popcount(values[0] | values[1] << 1u), 1);
  bdd_space_drop(again);
}

// Equality of two words, one above the other, doubles with each bit.
static void a_full_table(void **state) {
  (void)state;
  enum { BITS = 30 };
  bdd_space_done();
  assert_true(bdd_space_init(2 * BITS, 1000, 100, 20000));
  Bdd equal = BDD_TRUE;
  unsigned bits = 0;
  for (; bits < BITS && !bdd_space_exhausted(); bits++) {
    assert_int_equal(bdd_space_size(equal), 3 * ((1u << bits) - 1));
    Bdd a = bdd_space_variable(bits), b = bdd_space_variable(BITS + bits), same = bdd_space_equal(a, b);
    bdd_space_and_into(&equal, same);
    bdd_space_drop(a);
    bdd_space_drop(b);
    bdd_space_drop(same);
  }
  assert_true(bits > 8 && bits < 15);
  assert_true(bdd_space_exhausted()); // and so it stays
  bdd_space_done();
  assert_true(bdd_space_init(VARIABLES, 1000, 100, 0));
  assert_false(bdd_space_exhausted());
}

static void agreement_and_paths(void **state) {
  (void)state;
  for (unsigned seed = 1; seed < 400; seed++) {
    Bdd set = BDD_FALSE;
    unsigned ones = ~0u, zeros = ~0u, number = seed;
    for (unsigned i = 0; i <= seed % 5; i++) {
      number = number * 1103515245u + 12345u;
      unsigned row = number >> 16 & 0xffu;
      Bdd point = BDD_TRUE;
      for (unsigned v = 0; v < VARIABLES; v++) {
        Bdd literal = bdd_space_literal(v, row >> v & 1);
        bdd_space_and_into(&point, literal);
        bdd_space_drop(literal);
      }
      bdd_space_or_into(&set, point);
      bdd_space_drop(point);
      ones &= row;
      zeros &= ~row;
    }
    unsigned char values[VARIABLES];
    bdd_space_agreement(set, values);
    for (unsigned v = 0; v < VARIABLES; v++) assert_int_equal(values[v], ones >> v & 1 ? 1 : zeros >> v & 1 ? 0 : 2);
    assert_true(bdd_space_paths(set) <= seed % 5 + 1);
    bdd_space_drop(set);
  }
  unsigned char values[VARIABLES];
  bdd_space_agreement(BDD_TRUE, values);
  for (unsigned v = 0; v < VARIABLES; v++) assert_int_equal(values[v], 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(only_one_instance, set_up, tear_down),
      cmocka_unit_test_setup_teardown(boolean_operations, set_up, tear_down),
      cmocka_unit_test_setup_teardown(quantification_and_picking, set_up, tear_down),
      cmocka_unit_test_setup_teardown(images, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reachability_with_reordering, set_up, tear_down),
      cmocka_unit_test_setup_teardown(references_are_given_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_full_table, set_up, tear_down),
      cmocka_unit_test_setup_teardown(agreement_and_paths, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
