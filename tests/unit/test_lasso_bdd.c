// Lassos by decision diagrams: answers against explicit search, circuits of which the answer is known, and what happens
// when it cannot go on.
#include "circuit/methods/lasso_bdd.h"
#include "lasso_circuits.h"
#include "share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANDOM_CIRCUITS = 3000 / SHARE };

// --- asking ---

static MethodAnswer ask_limited(LassoCase *l, size_t most_nodes) {
  MethodAnswer answer =
      most_nodes ? lasso_bdd_answer(&l->question, most_nodes) : method_answer(&method_bdd, &l->question);
  assert_int_equal(answer == METHOD_UNKNOWN, l->reason.length > 0);
  assert_int_equal(answer == METHOD_REACHED, lasso_is_valid(&l->question));
  assert_false(bdd_space_is_open());
  return answer;
}

static MethodAnswer ask(LassoCase *l) { return ask_limited(l, 0); }

static uint32_t loop_length(const LassoCase *l) { return l->trace.steps - l->question.loop_start; }

static void expect_statistic(const LassoCase *l, const char *name, double value) {
  assert_int_equal((int)result_statistic(l->question.result, name), (int)value);
}

static void test_agrees_with_explicit_search(void **state) {
  (void)state;
  Account account = {.room = "test"};
  uint32_t found = 0, repeated = 0;
  for (uint64_t seed = 1; seed <= RANDOM_CIRCUITS; seed++) {
    LassoCase l;
    lasso_case_init(&l, seed, &account);
    bool exists = lasso_case_exists(&l);
    assert_int_equal(ask(&l), exists ? METHOD_REACHED : METHOD_UNREACHABLE);
    found += exists;
    repeated += exists && l.question.loop_start > 0 && loop_length(&l) > 1;
    lasso_case_free(&l);
  }
  assert_int_equal(account.bytes, 0);
  print_message("%u found, %u of them with a stem and a loop\n", found, repeated);
  assert_in_range(found, RANDOM_CIRCUITS / 4, RANDOM_CIRCUITS * 3 / 4);
  assert_true(repeated > 20);
}

// --- circuits of which the answer is known ---

// A case without a question, with as many latches and inputs.
static void begin(LassoCase *l, uint32_t latches, uint32_t inputs, Account *account) {
  lasso_case_init(l, 0, account);
  lasso_circuit_free(&l->circuit);
  lasso_circuit_init(&l->circuit, latches, inputs, account);
}

static void end(LassoCase *l) {
  Account *account = l->account;
  lasso_case_free(l);
  assert_int_equal(account->bytes, 0);
}

static AigLiteral now(const LassoCase *l, uint32_t latch) { return l->circuit.latches.data[latch].now; }
static AigLiteral input(const LassoCase *l, uint32_t i) { return l->circuit.inputs.data[i].literal; }

// These latches count up if `when` holds. The carry, which holds when all were 1 and become 0.
static AigLiteral count_up(LassoCase *l, uint32_t first, uint32_t latches, AigLiteral when) {
  Aig *aig = &l->circuit.aig;
  AigLiteral carry = when;
  for (uint32_t i = first; i < first + latches; i++) {
    l->circuit.latches.data[i].next = aig_xor(aig, now(l, i), carry);
    carry = aig_and(aig, carry, now(l, i));
  }
  return carry;
}

static void test_counter_must_wrap(void **state) {
  (void)state;
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, 16, 1, &account);
  AigLiteral carry = count_up(&l, 0, 16, input(&l, 0));
  U32Vector_push(&l.question.justice, carry);
  assert_int_equal(ask(&l), METHOD_REACHED);
  assert_int_equal(loop_length(&l), 1 << 16);
  expect_statistic(&l, "reachable_rings", 1 << 16);
  end(&l);
}

// A counter that stops at its end: what happens only before does not happen again.
static void test_counter_that_stops(void **state) {
  (void)state;
  Account account = {.room = "test"};
  for (int last = 0; last < 2; last++) {
    LassoCase l;
    begin(&l, 12, 0, &account);
    AigLiteral all = AIG_TRUE;
    for (uint32_t i = 0; i < 12; i++) all = aig_and(&l.circuit.aig, all, now(&l, i));
    count_up(&l, 0, 12, aig_not(all));
    U32Vector_push(&l.question.justice, last ? now(&l, 3) : aig_not(now(&l, 3)));
    assert_int_equal(ask(&l), last ? METHOD_REACHED : METHOD_UNREACHABLE);
    if (last) assert_int_equal(loop_length(&l), 1);
    if (last) assert_int_equal(l.question.loop_start, 4095);
    end(&l);
  }
}

// A token goes around if an input says so; `kept_from` is a latch that must not have it, or none.
static MethodAnswer ask_ring(LassoCase *l, uint32_t size, uint32_t kept_from) {
  Aig *aig = &l->circuit.aig;
  AigLiteral none = AIG_TRUE;
  for (uint32_t i = 0; i < size; i++) none = aig_and(aig, none, aig_not(now(l, i)));
  for (uint32_t i = 0; i < size; i++) {
    AigLiteral moved = aig_ite(aig, input(l, 0), now(l, (i + size - 1) % size), now(l, i));
    l->circuit.latches.data[i].next = i == 0 ? aig_or(aig, moved, none) : moved;
    U32Vector_push(&l->question.justice, now(l, i));
  }
  if (kept_from < size) l->question.constraint = aig_not(now(l, kept_from));
  return ask(l);
}

static void test_token_ring(void **state) {
  (void)state;
  enum { SIZE = 20 };
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, SIZE, 1, &account);
  assert_int_equal(ask_ring(&l, SIZE, SIZE), METHOD_REACHED);
  assert_in_range(loop_length(&l), SIZE, SIZE + 1); // the token may rest once
  assert_int_equal(l.question.loop_start, 1);
  end(&l);
  begin(&l, SIZE, 1, &account);
  assert_int_equal(ask_ring(&l, SIZE, 7), METHOD_UNREACHABLE);
  end(&l);
}

// Two sets of states that are left for ever, only the second of which is just: the search begins in the wrong one.
static void test_later_component(void **state) {
  (void)state;
  Account account = {.room = "test"};
  for (int just = 0; just < 3; just++) {
    LassoCase l;
    begin(&l, 3, 2, &account);
    Aig *aig = &l.circuit.aig;
    for (uint32_t i = 0; i < 2; i++)
      l.circuit.latches.data[i].next =
          aig_or(aig, now(&l, i), aig_and(aig, i == 0 ? AIG_TRUE : now(&l, 0), input(&l, 0)));
    l.circuit.latches.data[2].next = aig_not(now(&l, 2));
    AigLiteral middle = aig_and(aig, now(&l, 0), aig_not(now(&l, 1)));
    AigLiteral both = aig_and(aig, middle, aig_and(aig, now(&l, 2), input(&l, 1)));
    U32Vector_push(&l.question.justice, both);
    if (just == 1) U32Vector_push(&l.question.justice, aig_not(now(&l, 0)));                // another component
    if (just == 2) U32Vector_push(&l.question.justice, aig_and(aig, middle, input(&l, 0))); // leaves it
    assert_int_equal(ask(&l), just == 0 ? METHOD_REACHED : METHOD_UNREACHABLE);
    if (just == 0) assert_int_equal(loop_length(&l), 2);
    end(&l);
  }
}

// 40 latches that become anything: many states, short diagrams.
static void test_many_states(void **state) {
  (void)state;
  enum { SIZE = 40 };
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, SIZE, SIZE, &account);
  AigLiteral all = AIG_TRUE, none = AIG_TRUE;
  for (uint32_t i = 0; i < SIZE; i++) {
    l.circuit.latches.data[i].next = input(&l, i);
    all = aig_and(&l.circuit.aig, all, now(&l, i));
    none = aig_and(&l.circuit.aig, none, aig_not(now(&l, i)));
  }
  U32Vector_push(&l.question.justice, all);
  U32Vector_push(&l.question.justice, none);
  assert_int_equal(ask(&l), METHOD_REACHED);
  assert_int_equal(loop_length(&l), 2);
  end(&l);
}

// Latches that nothing depends on must be the same again, too: by rounds if these are few, or else by their own inputs.
static void test_latches_outside_of_the_cone(void **state) {
  (void)state;
  Account account = {.room = "test"};
  for (uint32_t bits = 6; bits <= 16; bits += 10) {
    LassoCase l;
    begin(&l, bits + 1, 1, &account);
    count_up(&l, 1, bits, aig_not(input(&l, 0)));
    l.circuit.latches.data[0].next = aig_not(now(&l, 0));
    U32Vector_push(&l.question.justice, now(&l, 0));
    assert_int_equal(ask(&l), METHOD_REACHED);
    expect_statistic(&l, "diagram_variables", bits == 6 ? 2 : 35);
    assert_true(loop_length(&l) <= 64);
    end(&l);
  }
}

// Steps are the same by another order of variables.
static void test_reordering(void **state) {
  (void)state;
  Account account = {.room = "test"};
  for (uint64_t seed = 1; seed <= 200; seed++) {
    LassoCase l;
    lasso_case_init(&l, seed, &account);
    LassoSystem y;
    lasso_system_init(&y, &l.question, true, 0);
    Bdd start = lasso_system_start(&y), some = bdd_space_not(start);
    Bdd after = lasso_system_after(&y, some, y.constraint), before = lasso_system_before(&y, start, y.constraint);
    bdd_space_reorder_now();
    Bdd after_again = lasso_system_after(&y, some, y.constraint);
    Bdd before_again = lasso_system_before(&y, start, y.constraint);
    assert_int_equal(after, after_again);
    assert_int_equal(before, before_again);
    lasso_system_care(&y, start);
    bdd_space_replace(&before_again, lasso_system_before(&y, some, y.constraint));
    assert_int_equal(bdd_space_intersects(before_again, start),
                     bdd_space_intersects(lasso_system_after(&y, start, y.constraint), some));
    assert_int_equal(y.latches.count, l.circuit.latches.count);
    lasso_system_free(&y);
    lasso_case_free(&l);
  }
  assert_int_equal(account.bytes, 0);
}

// --- nothing to look at ---

static void test_constants(void **state) {
  (void)state;
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, 0, 0, &account);
  assert_int_equal(ask(&l), METHOD_REACHED);
  assert_int_equal(loop_length(&l), 1);
  lasso_case_forget(&l);
  U32Vector_push(&l.question.justice, AIG_FALSE);
  assert_int_equal(ask(&l), METHOD_UNREACHABLE);
  U32Vector_clear(&l.question.justice);
  l.question.constraint = AIG_FALSE;
  assert_int_equal(ask(&l), METHOD_UNREACHABLE);
  end(&l);
}

// --- when it cannot go on ---

// A bit in the middle of a product: no order of variables makes it small.
static AigLiteral middle_of_product(LassoCase *l, uint32_t width) {
  Aig *aig = &l->circuit.aig;
  AigLiteral sum[64] = {AIG_FALSE};
  for (uint32_t i = 0; i < width; i++) {
    AigLiteral carry = AIG_FALSE;
    for (uint32_t k = 0; i + k < width; k++) {
      AigLiteral bit = aig_and(aig, now(l, i), now(l, width + k)), old = sum[i + k];
      sum[i + k] = aig_xor(aig, aig_xor(aig, old, bit), carry);
      carry = aig_majority(aig, old, bit, carry);
    }
  }
  return sum[width - 1];
}

static void test_too_many_nodes(void **state) {
  (void)state;
  enum { WIDTH = 12 };
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, 2 * WIDTH, 2 * WIDTH, &account);
  for (uint32_t i = 0; i < 2 * WIDTH; i++) l.circuit.latches.data[i].next = input(&l, i);
  AigLiteral middle = middle_of_product(&l, WIDTH);
  U32Vector_push(&l.question.justice, middle);
  assert_int_equal(ask_limited(&l, 5000), METHOD_UNKNOWN);
  assert_string_equal(l.reason.data, "the decision diagrams grew too large");
  lasso_case_forget(&l);
  assert_int_equal(ask(&l), METHOD_REACHED);
  end(&l);
}

static void test_out_of_time(void **state) {
  (void)state;
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, 40, 0, &account);
  U32Vector_push(&l.question.justice, count_up(&l, 0, 40, AIG_TRUE));
  budget_init(&l.budget, 0.1, NULL);
  double start = clock_now();
  assert_int_equal(ask(&l), METHOD_UNKNOWN);
  assert_true(clock_now() - start < 2);
  assert_string_equal(l.reason.data, stop_reason_text(STOP_TIME));
  assert_non_null(strstr(l.covered.data, "steps"));
  lasso_case_forget(&l);
  l.budget.force_at = "lasso-bdd";
  assert_int_equal(ask(&l), METHOD_UNKNOWN);
  assert_string_equal(l.reason.data, stop_reason_text(STOP_FORCED));
  end(&l);
}

static void test_only_one_instance(void **state) {
  (void)state;
  Account account = {.room = "test"};
  LassoCase l;
  begin(&l, 1, 0, &account);
  assert_true(bdd_space_init(1, 0, 0, 0));
  assert_int_equal(method_answer(&method_bdd, &l.question), METHOD_UNKNOWN);
  assert_non_null(strstr(l.reason.data, "in use"));
  bdd_space_done();
  end(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agrees_with_explicit_search),
      cmocka_unit_test(test_counter_must_wrap),
      cmocka_unit_test(test_counter_that_stops),
      cmocka_unit_test(test_token_ring),
      cmocka_unit_test(test_later_component),
      cmocka_unit_test(test_many_states),
      cmocka_unit_test(test_latches_outside_of_the_cone),
      cmocka_unit_test(test_reordering),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_too_many_nodes),
      cmocka_unit_test(test_out_of_time),
      cmocka_unit_test(test_only_one_instance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
