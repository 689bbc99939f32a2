// The exhaustive search: verdicts of small programs with and without reduction, and the reduction's own pitfalls.
#include "test_replay_support.h"

// Two threads increment x once each, without a lock if `locked` is false; main joins both and requires x == 2.
static void build_increments(Build *b, bool locked) {
  build_begin(b);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex");
  ThreadId main_thread = build_thread(b, "main", NO_ID);
  ThreadId workers[2];
  for (size_t i = 0; i < 2; i++) {
    ThreadId t = workers[i] = build_thread(b, "worker", main_thread);
    VariableId r = build_variable(b, t, 32, "r");
    if (locked) build_lock(b, t, mutex);
    build_load(b, t, r, x);
    build_store_at(b, t, build_address(b, x, 0), term_add_constant(b->p->terms, build_value(b, r), 1));
    if (locked) build_unlock(b, t, mutex);
    build_exit(b, t);
  }
  VariableId seen = build_variable(b, main_thread, 32, "seen_x");
  for (size_t i = 0; i < 2; i++) build_create(b, main_thread, workers[i]);
  for (size_t i = 0; i < 2; i++) build_join(b, main_thread, workers[i]);
  build_load(b, main_thread, seen, x);
  build_error_if(b, main_thread, term_not(b->p->terms, build_equals(b, seen, 2)));
  build_kind(b, main_thread, STEP_HALT);
  passes_prepare(b->p);
}

static void test_lost_update(void **state) {
  (void)state;
  Build b;
  build_increments(&b, false);
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_UNSAFE);
  build_expect(&b, PROPERTY_NO_DEADLOCK, ANSWER_SAFE);
  build_end(&b);
}

static void test_locked_update(void **state) {
  (void)state;
  Build b;
  build_increments(&b, true);
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_SAFE);
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_SAFE);
  build_expect(&b, PROPERTY_NO_DEADLOCK, ANSWER_SAFE);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lost_update),
      cmocka_unit_test(test_locked_update),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
