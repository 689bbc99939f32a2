// Lassos: methods against explicit search on random circuits, the judge of what they find, and the AIGER files of their
// questions.
#include "circuit/aiger.h"
#include "circuit/lasso_safety.h"
#include "lasso_circuits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// --- methods against explicit search ---

// Asks a method about the case, and compares. `seconds`: how long it may look for what is not there.
static MethodAnswer ask(LassoCase *l, const LassoMethod *method, bool exists, double seconds) {
  lasso_case_forget(l);
  if (!exists) budget_init(&l->budget, seconds, NULL);
  size_t latches = l->circuit.latches.count, inputs = l->circuit.inputs.count;
  MethodAnswer answer = method->run(&l->question);
  assert_int_equal(l->circuit.latches.count, latches);
  assert_int_equal(l->circuit.inputs.count, inputs);
  if (answer == METHOD_UNKNOWN) {
    assert_true(l->reason.length > 0);
    assert_null(strstr(l->reason.data, "internal error"));
  } else {
    assert_int_equal(answer, exists ? METHOD_REACHED : METHOD_UNREACHABLE);
  }
  assert_int_equal(answer == METHOD_REACHED, lasso_is_one(&l->question));
  return answer;
}

typedef struct Counts {
  uint32_t found, refuted, unknown;
} Counts;

// All cases of some seeds by one method; what exists must be found.
static Counts compare(const LassoMethod *method, uint64_t seeds, double seconds) {
  Counts counts = {0};
  Account account = {.room = "test"};
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    LassoCase l;
    lasso_case_init(&l, seed, &account);
    bool exists = lasso_case_exists(&l);
    MethodAnswer answer = ask(&l, method, exists, seconds);
    if (exists) assert_int_equal(answer, METHOD_REACHED);
    counts.found += answer == METHOD_REACHED;
    counts.refuted += answer == METHOD_UNREACHABLE;
    counts.unknown += answer == METHOD_UNKNOWN;
    lasso_case_free(&l);
  }
  assert_int_equal(account.bytes, 0);
  print_message("%s: %u found, %u refuted, %u unknown\n", method->name, counts.found, counts.refuted, counts.unknown);
  return counts;
}

static void test_bmc_agrees_with_explicit_search(void **state) {
  (void)state;
  Counts counts = compare(&lasso_sat, 400, 0.01);
  assert_true(counts.found > 100);
  assert_true(counts.refuted > 10); // executions that end
  assert_true(counts.unknown > 10);
}

static void test_pdr_agrees_with_explicit_search(void **state) {
  (void)state;
  Counts counts = compare(&lasso_pdr, 60, 20);
  assert_true(counts.found > 10);
  assert_true(counts.refuted > 10);
  assert_int_equal(counts.unknown, 0);
}

static void test_induction_agrees_with_explicit_search(void **state) {
  (void)state;
  Counts counts = compare(&lasso_induction, 60, 20);
  assert_true(counts.found > 10);
  assert_true(counts.refuted > 10);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bmc_agrees_with_explicit_search),
      cmocka_unit_test(test_pdr_agrees_with_explicit_search),
      cmocka_unit_test(test_induction_agrees_with_explicit_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
