// The exhaustive search: verdicts of small programs with and without reduction, and the reduction's own pitfalls.
#include "judge/shorten.h"
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
  passes_prepare(b->p, NULL);
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

// --- pitfalls of reductions ---

// One thread spins for ever, on local work or on a cell that no thread writes; another fails after three steps.
static void spinner_hides_nothing(bool shared) {
  Build b;
  build_begin(&b);
  ObjectId flag = build_int(&b, "flag"), y = build_int(&b, "y");
  ThreadId main_thread = build_thread(&b, "main", NO_ID);
  ThreadId spinner = build_thread(&b, "spinner", main_thread), faulty = build_thread(&b, "faulty", main_thread);
  build_create(&b, main_thread, spinner);
  build_create(&b, main_thread, faulty);
  build_join(&b, main_thread, spinner);
  if (shared) build_store(&b, main_thread, flag, 1); // after the join: never
  build_exit(&b, main_thread);
  VariableId r = build_variable(&b, spinner, 32, "r"), q = build_variable(&b, faulty, 32, "q");
  LocationId head = b.at[spinner];
  if (shared)
    build_load(&b, spinner, r, flag);
  else
    build_assign(&b, spinner, r, build_constant(&b, 32, 0));
  LocationId out = build_branch(&b, spinner, build_equals(&b, r, 0));
  build_jump(&b, spinner, head);
  b.at[spinner] = out;
  build_exit(&b, spinner);
  build_store(&b, faulty, y, 1);
  build_load(&b, faulty, q, y);
  build_store(&b, faulty, y, 2);
  build_error_if(&b, faulty, build_equals(&b, q, 1));
  build_exit(&b, faulty);
  passes_prepare(b.p, NULL);
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
  build_end(&b);
}

static void test_ignoring_local_spinner(void **state) {
  (void)state;
  spinner_hides_nothing(false);
}

static void test_ignoring_shared_spinner(void **state) {
  (void)state;
  spinner_hides_nothing(true);
}

// A does x = 1; B waits for a mutex and then requires x == 1; C, which holds it, unlocks it. {A} is not enough.
static void test_blocked_threads_take_part(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ObjectId x = build_int(&b, "x"), mutex = build_int(&b, "mutex");
  ThreadId c = build_thread(&b, "main", NO_ID);
  ThreadId a = build_thread(&b, "writer", c), checker = build_thread(&b, "checker", c);
  build_lock(&b, c, mutex);
  build_create(&b, c, a);
  build_create(&b, c, checker);
  build_unlock(&b, c, mutex);
  build_exit(&b, c);
  build_store(&b, a, x, 1);
  build_exit(&b, a);
  VariableId r = build_variable(&b, checker, 32, "r");
  build_lock(&b, checker, mutex);
  build_load(&b, checker, r, x);
  build_error_if(&b, checker, build_equals(&b, r, 0));
  build_exit(&b, checker);
  passes_prepare(b.p, NULL);
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
  build_end(&b);
}

// The process may end before or after the error; a failed assumption stops its own thread only.
static void test_ends_do_not_hide_errors(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ObjectId x = build_int(&b, "x");
  ThreadId main_thread = build_thread(&b, "main", NO_ID);
  ThreadId faulty = build_thread(&b, "faulty", main_thread), stuck = build_thread(&b, "stuck", main_thread);
  build_create(&b, main_thread, stuck);
  build_create(&b, main_thread, faulty);
  build_kind(&b, main_thread, STEP_HALT);
  VariableId r = build_variable(&b, stuck, 32, "r"), q = build_variable(&b, faulty, 32, "q");
  build_load(&b, stuck, r, x);
  build_guarded(&b, stuck, STEP_ASSUME, build_equals(&b, r, 7));
  build_exit(&b, stuck);
  build_store(&b, faulty, x, 1);
  build_load(&b, faulty, q, x);
  build_error_if(&b, faulty, build_equals(&b, q, 1));
  build_exit(&b, faulty);
  passes_prepare(b.p, NULL);
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
  build_expect(&b, PROPERTY_NO_DEADLOCK, ANSWER_SAFE);
  build_end(&b);
}

// An await inside a section makes the whole section wait, without effect.
static void test_sections_are_transactions(void **state) {
  (void)state;
  for (unsigned released = 0; released < 2; released++) {
    Build b;
    build_begin(&b);
    ObjectId x = build_int(&b, "x"), go = build_int(&b, "go");
    ThreadId main_thread = build_thread(&b, "main", NO_ID), t = build_thread(&b, "worker", main_thread);
    VariableId r = build_variable(&b, main_thread, 32, "r");
    build_create(&b, main_thread, t);
    build_load(&b, main_thread, r, x);
    build_error_if(&b, main_thread, build_equals(&b, r, 1)); // only ever seen in the middle of the section
    build_store(&b, main_thread, go, released);
    build_exit(&b, main_thread);
    build_section(&b, t);
    build_store(&b, t, x, 1);
    build_await(&b, t, STEP_WAIT, build_address(&b, go, 0), 1);
    build_store(&b, t, x, 0);
    build_section_end(&b, t);
    build_exit(&b, t);
    passes_prepare(b.p, NULL);
    build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_SAFE);
    build_expect(&b, PROPERTY_NO_DEADLOCK, released ? ANSWER_SAFE : ANSWER_UNSAFE);
    build_end(&b);
  }
}

// Threads that share nothing: the reduced search follows one order only.
static void test_reduction_reduces(void **state) {
  (void)state;
  enum { WORKERS = 4, STEPS = 6 };
  Build b;
  build_begin(&b);
  ThreadId main_thread = build_thread(&b, "main", NO_ID), workers[WORKERS];
  ObjectId cells[WORKERS];
  for (size_t i = 0; i < WORKERS; i++) workers[i] = build_thread(&b, "worker", main_thread);
  for (size_t i = 0; i < WORKERS; i++) build_create(&b, main_thread, workers[i]);
  for (size_t i = 0; i < WORKERS; i++) {
    ObjectId x = cells[i] = build_int(&b, "x");
    VariableId r = build_variable(&b, workers[i], 32, "r");
    for (unsigned k = 0; k < STEPS; k++) build_store(&b, workers[i], x, k + 1);
    build_load(&b, workers[i], r, x);
    build_error_if(&b, workers[i], term_not(b.p->terms, build_equals(&b, r, STEPS)));
    build_exit(&b, workers[i]);
  }
  for (size_t i = 0; i < WORKERS; i++) {
    VariableId r = build_variable(&b, main_thread, 32, "r");
    build_join(&b, main_thread, workers[i]);
    build_load(&b, main_thread, r, cells[i]);
    build_error_if(&b, main_thread, term_not(b.p->terms, build_equals(&b, r, STEPS)));
  }
  build_kind(&b, main_thread, STEP_HALT);
  passes_prepare(b.p, NULL);
  double reduced = build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_SAFE);
  EngineOptions options = build_options("none");
  Result *full = build_check(&b, PROPERTY_UNREACH_CALL, &options);
  assert_true(result_statistic(full, "states") > 1000);
  assert_true(reduced < 60); // one interleaving: a handful of states per thread
  result_free(full);
  build_end(&b);
}

// --- choices ---

// main: an input of `width` bits, seen through memory; an error if it is `value`.
static Result *check_input(Build *b, unsigned width, uint64_t value, const char *reduction) {
  build_begin(b);
  ThreadId t = build_thread(b, "main", NO_ID);
  ObjectId sink = build_object(b, 8, STORAGE_GLOBAL, NO_ID, "sink");
  VariableId x = build_variable(b, t, width, "x");
  build_assign(b, t, x, VALUE_INPUT);
  build_store_at(b, t, build_address(b, sink, 0), term_resize_unsigned(b->p->terms, build_value(b, x), 64));
  VariableId again = build_variable(b, t, 64, "again");
  build_load(b, t, again, sink);
  // Not a comparison with the variable itself, so that the constant is not among the samples of its width.
  Term product = term_binary(b->p->terms, TERM_MUL, build_value(b, again), build_constant(b, 64, 3));
  Term wanted = build_constant(b, 64, value * 3);
  build_error_if(b, t, term_eq(b->p->terms, product, wanted));
  build_kind(b, t, STEP_HALT);
  passes_prepare(b->p, NULL);
  EngineOptions options = build_options(reduction);
  return build_check(b, PROPERTY_UNREACH_CALL, &options);
}

static void expect_input_cut(const Result *result) {
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_int_equal(result->cuts.count, 1);
  assert_int_equal(result->cuts.data[0].kind, CUT_INPUT);
}

static void test_inputs(void **state) {
  (void)state;
  Build b;
  Result *result = check_input(&b, 8, 201, "persistent");
  assert_int_equal(result->answer, ANSWER_UNSAFE);
  assert_int_equal(result->schedule->choices.count, 1);
  assert_true(result->schedule->choices.data[0] == 201);
  result_free(result);
  build_end(&b);
  result = check_input(&b, 8, 256, "none"); // out of range
  assert_int_equal(result->answer, ANSWER_SAFE);
  result_free(result);
  build_end(&b);
  result = check_input(&b, 32, 123457, "none"); // too wide to be enumerated: no proof
  expect_input_cut(result);
  result_free(result);
  build_end(&b);
  result = check_input(&b, 32, 123457, "persistent"); // but it has two regions only
  assert_int_equal(result->answer, ANSWER_UNSAFE);
  assert_true(result->schedule->choices.data[0] == 123457);
  result_free(result);
  build_end(&b);
  result = check_input(&b, 32, 1, "none"); // and the usual values are tried
  assert_int_equal(result->answer, ANSWER_UNSAFE);
  result_free(result);
  build_end(&b);
}

// Two inputs of 32 bits that meet: each is looked at closely.
static void test_inputs_that_meet(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ThreadId t = build_thread(&b, "main", NO_ID);
  VariableId x = build_variable(&b, t, 32, "x"), y = build_variable(&b, t, 32, "y");
  build_assign(&b, t, x, VALUE_INPUT);
  build_assign(&b, t, y, VALUE_INPUT);
  Term sum = term_add(b.p->terms, build_value(&b, x), build_value(&b, y));
  build_error_if(&b, t, term_eq(b.p->terms, sum, build_constant(&b, 32, 123456789)));
  build_kind(&b, t, STEP_HALT);
  passes_prepare(b.p, NULL);
  EngineOptions options = build_options("sleep");
  Result *result = build_check(&b, PROPERTY_NO_DEADLOCK, &options);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_int_equal(result->cuts.count, 2);
  assert_int_equal(result->cuts.data[0].kind, CUT_INPUT);
  result_free(result);
  build_end(&b);
}

// An indeterminate variable that no step reads costs nothing; one that is read has any value, but only one.
static void test_indeterminate(void **state) {
  (void)state;
  for (unsigned read = 0; read < 2; read++) {
    Build b;
    build_begin(&b);
    ThreadId t = build_thread(&b, "main", NO_ID);
    ObjectId first = build_object(&b, 1, STORAGE_GLOBAL, NO_ID, "first");
    ObjectId stack = build_object(&b, 1, STORAGE_STACK, t, "local");
    b.p->objects.data[stack].indeterminate = true;
    VariableId v = build_variable(&b, t, 8, "v"), w = build_variable(&b, t, 8, "w"), z = build_variable(&b, t, 8, "z");
    build_assign(&b, t, v, VALUE_INDETERMINATE);
    if (!read) build_assign(&b, t, v, build_constant(&b, 8, 5));
    build_store_at(&b, t, build_address(&b, first, 0), build_value(&b, v));
    build_load(&b, t, w, first);
    Term differ = term_ne(b.p->terms, build_value(&b, v), build_value(&b, w));
    build_error_if(&b, t, differ);
    build_load(&b, t, w, stack);
    build_load(&b, t, z, stack);
    build_error_if(&b, t, term_ne(b.p->terms, build_value(&b, w), build_value(&b, z)));
    build_error_if(&b, t, term_and(b.p->terms, build_equals(&b, v, 200), build_equals(&b, z, 100)));
    build_kind(&b, t, STEP_HALT);
    passes_prepare(b.p, NULL);
    build_expect(&b, PROPERTY_UNREACH_CALL, read ? ANSWER_UNSAFE : ANSWER_SAFE);
    build_end(&b);
  }
}

// --- limits ---

static void test_cut_means_unknown(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ThreadId t = build_thread(&b, "main", NO_ID);
  Step step = build_step(&b, STEP_CUT);
  step.target = program_add_cut(b.p, CUT_CONSTRUCT, "inline assembly", step.position);
  VariableId x = build_variable(&b, t, 1, "x");
  build_assign(&b, t, x, VALUE_INPUT);
  LocationId on = build_branch(&b, t, build_equals(&b, x, 1));
  build_emit(&b, t, &step);
  b.at[t] = on;
  build_exit(&b, t);
  passes_prepare(b.p, NULL);
  EngineOptions options = build_options("persistent");
  Result *result = build_check(&b, PROPERTY_UNREACH_CALL, &options);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_int_equal(result->cuts.count, 1);
  assert_non_null(strstr(result->cuts.data[0].what.data, "inline assembly"));
  result_free(result);
  build_end(&b);
}

static void test_state_limit(void **state) {
  (void)state;
  Build b;
  build_increments(&b, true);
  EngineOptions options = build_options("none");
  options.max_states = 5;
  Result *result = build_check(&b, PROPERTY_UNREACH_CALL, &options);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_string_equal(result->reason.data, "state limit reached");
  assert_true(result_statistic(result, "states") == 5);
  result_free(result);
  build_end(&b);
}

static void test_memory_limit(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ThreadId t = build_thread(&b, "main", NO_ID);
  ObjectId x = build_int(&b, "x");
  VariableId r = build_variable(&b, t, 32, "r");
  ThreadId other = build_thread(&b, "worker", t);
  build_create(&b, t, other);
  LocationId head = b.at[t];
  build_load(&b, t, r, x);
  build_store_at(&b, t, build_address(&b, x, 0), term_add_constant(b.p->terms, build_value(&b, r), 1));
  build_jump(&b, t, head); // billions of states
  build_store(&b, other, x, 0);
  build_exit(&b, other);
  passes_prepare(b.p, NULL);
  b.account.limit = 64 << 20;
  EngineOptions options = build_options("none");
  Result *result = build_check(&b, PROPERTY_UNREACH_CALL, &options);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_string_equal(result->reason.data, stop_reason_text(STOP_MEMORY));
  assert_non_null(strstr(result->covered.data, "states"));
  result_free(result);
  build_end(&b);
}

static void test_stop_points(void **state) {
  (void)state;
  static const struct {
    const char *point, *search;
    Answer answer;
  } cases[] = {
      {"replay search", "exhaustive", ANSWER_UNKNOWN},
      {"replay random runs", "random", ANSWER_UNKNOWN},
      {"replay random", "random", ANSWER_UNKNOWN},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Build b;
    build_increments(&b, false);
    EngineOptions options = build_options("persistent");
    options.search = cases[i].search;
    Budget budget;
    budget_init(&budget, 0, NULL);
    budget.force_at = cases[i].point;
    Result *result = build_check_with(&b, PROPERTY_UNREACH_CALL, &options, &budget);
    assert_int_equal(budget.reason, STOP_FORCED);
    assert_int_equal(result->answer, cases[i].answer);
    result_free(result);
    build_end(&b);
  }
}

// Shortening that is stopped leaves a schedule that still ends in the violation.
static void test_shortening_stops(void **state) {
  (void)state;
  Build b;
  build_increments(&b, false);
  EngineOptions options = build_options("persistent");
  Result *result = build_check(&b, PROPERTY_UNREACH_CALL, &options);
  assert_int_equal(result->answer, ANSWER_UNSAFE);
  Budget budget;
  budget_init(&budget, 0, NULL);
  budget.force_at = "replay shorten";
  bool changed;
  result->schedule = schedule_shorten(b.p, result->schedule, &budget, &changed, result->account);
  assert_int_equal(budget.reason, STOP_FORCED);
  Text message;
  text_init(&message, NULL);
  assert_int_equal(judge_schedule(b.p, result->schedule, NULL, &message, NULL), JUDGE_VIOLATION);
  text_free(&message);
  result_free(result);
  build_end(&b);
}

// --- random search ---

static void test_random_search(void **state) {
  (void)state;
  Build b;
  build_increments(&b, false);
  static const Property properties[] = {PROPERTY_UNREACH_CALL, PROPERTY_NO_DATA_RACE};
  for (size_t i = 0; i < 2; i++) {
    EngineOptions options = build_options("persistent");
    options.random_runs = 500;
    Result *result = build_check(&b, properties[i], &options);
    assert_int_equal(result->answer, ANSWER_UNSAFE);
    result_free(result);
  }
  build_end(&b);
  build_increments(&b, true);
  EngineOptions options = build_options("persistent");
  options.random_runs = 20;
  Result *result = build_check(&b, PROPERTY_UNREACH_CALL, &options);
  assert_int_equal(result->answer, ANSWER_UNKNOWN); // never a proof
  assert_true(result_statistic(result, "random_runs") == 20);
  result_free(result);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lost_update),
      cmocka_unit_test(test_locked_update),
      cmocka_unit_test(test_ignoring_local_spinner),
      cmocka_unit_test(test_ignoring_shared_spinner),
      cmocka_unit_test(test_blocked_threads_take_part),
      cmocka_unit_test(test_ends_do_not_hide_errors),
      cmocka_unit_test(test_sections_are_transactions),
      cmocka_unit_test(test_reduction_reduces),
      cmocka_unit_test(test_inputs),
      cmocka_unit_test(test_inputs_that_meet),
      cmocka_unit_test(test_indeterminate),
      cmocka_unit_test(test_cut_means_unknown),
      cmocka_unit_test(test_state_limit),
      cmocka_unit_test(test_memory_limit),
      cmocka_unit_test(test_stop_points),
      cmocka_unit_test(test_shortening_stops),
      cmocka_unit_test(test_random_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
