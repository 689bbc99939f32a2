// The engine order on hand-built programs: answers in all modes, schedules that replay accepts, fixed bounds, and every
// stop point forced once.
#include "order/order.h"
#include "test_order_support.h"

static const char *const modes[] = {"graph", "solver", "eager"};

static Result *run(Build *b, const char *refine, long unwind, Budget *budget) {
  EngineOptions options = {.refine = refine, .unwind = unwind, .symmetry = "auto"};
  Log log;
  log_init(&log, LOG_QUIET);
  Context context = {.program = b->p,
                     .property = PROPERTY_UNREACH_CALL,
                     .options = &options,
                     .budget = budget,
                     .log = &log,
                     .account = &b->account};
  return order_engine.run(&context);
}

static void expect(Build *b, Answer expected) {
  for (size_t i = 0; i < 3; i++) {
    Budget budget;
    budget_init(&budget, 0, NULL);
    Result *result = run(b, modes[i], 0, &budget);
    assert_int_equal(result->answer, expected);
    assert_int_equal(result->schedule != NULL, expected == ANSWER_UNSAFE);
    if (expected == ANSWER_UNSAFE) {
      Text message;
      text_init(&message, NULL);
      JudgeOutcome outcome = judge_schedule(b->p, result->schedule, NULL, &message, &b->account);
      if (outcome != JUDGE_VIOLATION) print_message("%s: %s\n", modes[i], message.data);
      assert_int_equal(outcome, JUDGE_VIOLATION);
      text_free(&message);
    }
    result_free(result);
  }
}

// --- programs ---

// Two threads add one, main looks at the sum after joining; with a lock or without.
static void make_increments(Build *b, bool locked) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex");
  for (unsigned i = 0; i < 2; i++) {
    ThreadId t = build_thread(b, "worker", 0);
    build_create(b, 0, t);
    if (locked) build_lock(b, t, mutex);
    VariableId v = build_variable(b, t, 32, "v");
    build_load(b, t, v, x);
    build_store_at(b, t, build_address(b, x, 0), term_add_constant(b->p->terms, build_value(b, v), 1));
    if (locked) build_unlock(b, t, mutex);
    build_exit(b, t);
  }
  build_join(b, 0, 1);
  build_join(b, 0, 2);
  VariableId sum = build_variable(b, 0, 32, "sum");
  build_load(b, 0, sum, x);
  build_error_if(b, 0, term_not(b->p->terms, build_equals(b, sum, 2)));
  build_exit(b, 0);
  passes_prepare(b->p, NULL);
}

// Two inputs that go through memory are factors of `product`: work for a solver.
static void make_factors(Build *b, uint64_t product) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ThreadId t = build_thread(b, "worker", 0);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  build_create(b, 0, t);
  VariableId input = build_variable(b, t, 32, "input");
  for (unsigned i = 0; i < 2; i++) {
    build_assign(b, t, input, VALUE_INPUT);
    build_store_at(b, t, build_address(b, i ? y : x, 0), build_value(b, input));
  }
  build_exit(b, t);
  TermStore *terms = b->p->terms;
  VariableId v = build_variable(b, 0, 32, "v"), w = build_variable(b, 0, 32, "w");
  build_load(b, 0, v, x);
  build_load(b, 0, w, y);
  Term one = build_constant(b, 32, 1), limit = build_constant(b, 32, 1 << 16);
  Term condition = term_true(terms);
  for (unsigned i = 0; i < 2; i++) {
    Term value = build_value(b, i ? w : v);
    condition = term_and(terms, condition, term_binary(terms, TERM_ULT, one, value));
    condition = term_and(terms, condition, term_binary(terms, TERM_ULT, value, limit));
  }
  Term found = term_binary(terms, TERM_MUL, build_value(b, v), build_value(b, w));
  build_error_if(b, 0, term_and(terms, condition, term_eq(terms, found, build_constant(b, 32, product))));
  build_exit(b, 0);
  passes_prepare(b->p, NULL);
}

// A thread adds one to a cell for an unknown number of rounds up to five; main sees more than `most`.
static void make_rounds(Build *b, uint64_t most) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ThreadId t = build_thread(b, "worker", 0);
  ObjectId x = build_int(b, "x");
  build_create(b, 0, t);
  TermStore *terms = b->p->terms;
  VariableId rounds = build_variable(b, t, 32, "rounds"), i = build_variable(b, t, 32, "i");
  build_assign(b, t, rounds, VALUE_INPUT);
  build_guarded(b, t, STEP_ASSUME, term_binary(terms, TERM_ULE, build_value(b, rounds), build_constant(b, 32, 5)));
  LocationId head = b->at[t];
  LocationId out = build_branch(b, t, term_binary(terms, TERM_ULT, build_value(b, i), build_value(b, rounds)));
  build_assign(b, t, i, term_add_constant(terms, build_value(b, i), 1));
  build_store_at(b, t, build_address(b, x, 0), build_value(b, i));
  build_jump(b, t, head);
  b->at[t] = out;
  build_exit(b, t);
  VariableId v = build_variable(b, 0, 32, "v");
  build_load(b, 0, v, x);
  build_error_if(b, 0, term_binary(terms, TERM_ULT, build_constant(b, 32, most), build_value(b, v)));
  build_exit(b, 0);
  passes_prepare(b->p, NULL);
}

// Six threads of three accesses each whose reads no order explains, though the rules find no contradiction (the
// butterfly of test_order_graph.c); without the last read, one does.
static void make_butterfly(Build *b, bool last_read) {
  enum { M, N, P, Q, X, CELLS };
  static const struct {
    uint8_t cell, value, read;
  } accesses[6][3] = {
      {{N, 1, 0}, {M, 2, 0}, {X, 1, 1}}, {{M, 1, 0}, {N, 2, 0}, {X, 1, 1}}, {{Q, 1, 0}, {P, 2, 0}, {X, 2, 1}},
      {{P, 1, 0}, {Q, 2, 0}, {X, 2, 1}}, {{X, 1, 0}, {P, 1, 1}, {Q, 1, 1}}, {{X, 2, 0}, {M, 1, 1}, {N, 1, 1}},
  };
  static const char *const names[CELLS] = {"m", "n", "p", "q", "x"};
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ObjectId objects[CELLS];
  for (unsigned c = 0; c < CELLS; c++) objects[c] = build_int(b, names[c]);
  for (unsigned i = 0; i < 6; i++) {
    ThreadId t = build_thread(b, "worker", 0);
    build_create(b, 0, t);
    for (unsigned k = 0; k < 3; k++) {
      ObjectId object = objects[accesses[i][k].cell];
      if (!accesses[i][k].read) {
        build_store(b, t, object, accesses[i][k].value);
      } else if (last_read || i < 5 || k < 2) {
        VariableId v = build_variable(b, t, 32, "v");
        build_load(b, t, v, object);
        build_guarded(b, t, STEP_ASSUME, build_equals(b, v, accesses[i][k].value));
      }
    }
    build_exit(b, t);
  }
  for (ThreadId t = 1; t <= 6; t++) build_join(b, 0, t);
  build_kind(b, 0, STEP_ERROR);
  passes_prepare(b->p, NULL);
}

// --- answers ---

static void test_answers(void **state) {
  (void)state;
  Build b;
  make_increments(&b, false);
  expect(&b, ANSWER_UNSAFE);
  build_end(&b);
  make_increments(&b, true);
  expect(&b, ANSWER_SAFE);
  build_end(&b);
  make_factors(&b, 251 * 241);
  expect(&b, ANSWER_UNSAFE);
  build_end(&b);
  make_factors(&b, 65537); // prime
  expect(&b, ANSWER_SAFE);
  build_end(&b);
  make_rounds(&b, 4);
  expect(&b, ANSWER_UNSAFE);
  build_end(&b);
  make_rounds(&b, 5);
  expect(&b, ANSWER_SAFE);
  build_end(&b);
}

static void test_butterfly(void **state) {
  (void)state;
  Build b;
  make_butterfly(&b, false);
  expect(&b, ANSWER_UNSAFE);
  build_end(&b);
  make_butterfly(&b, true);
  expect(&b, ANSWER_SAFE);
  Budget budget;
  budget_init(&budget, 0, NULL);
  Result *result = run(&b, "graph", 0, &budget);
  assert_true(result_statistic(result, "fallbacks") >= 1); // the rules alone do not do it
  result_free(result);
  build_end(&b);
}

static void test_fixed_bound(void **state) {
  (void)state;
  static const struct {
    uint64_t most;
    long unwind;
    Answer answer;
  } cases[] = {{5, 2, ANSWER_UNKNOWN}, {5, 5, ANSWER_SAFE},   {5, 50, ANSWER_SAFE},  {4, 2, ANSWER_UNKNOWN},
               {4, 5, ANSWER_UNSAFE},  {1, 2, ANSWER_UNSAFE}, {4, 50, ANSWER_UNSAFE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (size_t mode = 0; mode < 3; mode++) {
      Build b;
      make_rounds(&b, cases[i].most);
      Budget budget;
      budget_init(&budget, 0, NULL);
      Result *result = run(&b, modes[mode], cases[i].unwind, &budget);
      assert_int_equal(result->answer, cases[i].answer);
      if (result->answer == ANSWER_UNKNOWN) assert_string_equal(result->reason.data, "no violation up to unwinding 2");
      assert_true(result_statistic(result, "unwinding") == cases[i].unwind);
      result_free(result);
      build_end(&b);
    }
}

// --- stop points ---

static void make_unsafe(Build *b) { make_increments(b, false); }
static void make_safe(Build *b) { make_increments(b, true); }
static void make_hard(Build *b) { make_factors(b, UINT64_C(65519) * 65497); } // two primes: a long search
static void make_graph(Build *b) { make_butterfly(b, true); }
static void make_hard_safe(Build *b) { make_factors(b, UINT64_C(2147483647)); }

static void test_stop_points(void **state) {
  (void)state;
  static const struct {
    const char *point, *refine;
    void (*make)(Build *b);
  } cases[] = {
      {"order-unroll", "graph", make_safe},        {"order-unroll", "eager", make_unsafe},
      {"order-links", "graph", make_safe},         {"order-links", "solver", make_unsafe},
      {"order-refine", "graph", make_safe},        {"order-refine", "solver", make_safe},
      {"order-refine", "graph", make_unsafe},      {"order-refine", "eager", make_safe},
      {"order-eager", "eager", make_safe},         {"order-eager", "eager", make_unsafe},
      {"graph-solve", "solver", make_safe},        {"graph-solve", "graph", make_graph},
      {"graph-solve", "solver", make_graph},       {"solver-check", "graph", make_safe},
      {"solver-check", "solver", make_unsafe},     {"solver-check", "eager", make_safe},
      {"solver-search", "graph", make_hard},       {"solver-search", "eager", make_hard},
      {"solver-search", "solver", make_hard_safe},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Build b;
    cases[i].make(&b);
    Budget budget;
    budget_init(&budget, 0, NULL);
    budget.force_at = cases[i].point;
    Result *result = run(&b, cases[i].refine, 0, &budget);
    if (budget.reason != STOP_FORCED || result->answer != ANSWER_UNKNOWN)
      print_message("%s with %s: %s\n", cases[i].point, cases[i].refine, answer_text(result->answer));
    assert_int_equal(budget.reason, STOP_FORCED);
    assert_int_equal(result->answer, ANSWER_UNKNOWN);
    assert_string_equal(result->reason.data, stop_reason_text(STOP_FORCED));
    assert_null(result->schedule);
    assert_int_equal(result->covered.length, 0); // nothing was finished
    result_free(result);
    build_end(&b); // and all memory is given back
  }
}

// A stop in a deeper round does not take back what the rounds before covered.
static void test_time_limit(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  build_thread(&b, "main", NO_ID);
  ThreadId t = build_thread(&b, "worker", 0);
  ObjectId x = build_int(&b, "x");
  build_create(&b, 0, t);
  VariableId v = build_variable(&b, t, 32, "v"), w = build_variable(&b, 0, 32, "w");
  LocationId head = b.at[t]; // for ever
  build_load(&b, t, v, x);
  build_store_at(&b, t, build_address(&b, x, 0), term_add_constant(b.p->terms, build_value(&b, v), 2));
  build_jump(&b, t, head);
  build_load(&b, 0, w, x);
  build_error_if(&b, 0, build_equals(&b, w, 1)); // never: always even
  build_exit(&b, 0);
  passes_prepare(b.p, NULL);
  Budget budget;
  budget_init(&budget, 1, NULL);
  Result *result = run(&b, "graph", 0, &budget);
  assert_int_equal(result->answer, ANSWER_UNKNOWN);
  assert_string_equal(result->reason.data, stop_reason_text(STOP_TIME));
  assert_non_null(strstr(result->covered.data, "unwinding"));
  result_free(result);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),     cmocka_unit_test(test_butterfly),  cmocka_unit_test(test_fixed_bound),
      cmocka_unit_test(test_stop_points), cmocka_unit_test(test_time_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
