// The method bdd: answers and the length of traces against bounded model checking, by all schedules; and what happens
// when it cannot go on.
#include "circuit/circuit_engine.h"
#include "circuit/methods/bdd_system.h"
#include "circuit/methods/method.h"
#include "test_reach_programs.h"

enum { RANDOM_PROGRAMS = 60, SCHEDULES = 3 };

// --- asking ---

typedef struct Asked {
  MethodAnswer answer;
  uint32_t steps; // REACHED: of the trace
  double depth;
  char reason[80], covered[80];
} Asked;

static Asked ask_method(Build *b, const Method *method, Scheduling scheduling, const char *stop_point) {
  CircuitModel model;
  Budget budget;
  budget_init(&budget, 0, NULL);
  Log quiet = {.level = LOG_QUIET};
  assert_null(
      circuit_model_init(&model, b->p, PROPERTY_UNREACH_CALL, BLOCK_LARGE, scheduling, false, &budget, &b->account));
  budget.force_at = stop_point;
  CircuitTrace trace;
  circuit_trace_init(&trace, &b->account);
  Text reason, covered;
  text_init(&reason, &b->account);
  text_init(&covered, &b->account);
  Result *result = result_new(PROPERTY_UNREACH_CALL, &b->account);
  Question question = {.circuit = &model.circuit,
                       .bad = model.circuit.error,
                       .budget = &budget,
                       .log = &quiet,
                       .account = &b->account,
                       .trace = &trace,
                       .reason = &reason,
                       .covered = &covered,
                       .result = result};
  Asked asked = {.answer = method_answer(method, &question), .steps = trace.steps};
  asked.depth = result_statistic(result, "depth");
  snprintf(asked.reason, sizeof asked.reason, "%s", reason.data);
  snprintf(asked.covered, sizeof asked.covered, "%s", covered.data);
  if (asked.answer == METHOD_REACHED) assert_true(circuit_trace_end(&model.circuit, &trace).is_error);
  if (asked.answer != METHOD_UNKNOWN) assert_int_equal(reason.length, 0);
  result_free(result);
  text_free(&covered);
  text_free(&reason);
  circuit_trace_free(&trace);
  circuit_model_free(&model);
  return asked;
}

static void expect_always(Build *b, MethodAnswer expected) {
  for (unsigned i = 0; i < SCHEDULES; i++) {
    Scheduling s = (Scheduling)i;
    Asked asked = ask_method(b, &method_bdd, s, NULL);
    assert_int_equal(asked.answer, expected);
    if (expected != METHOD_REACHED) continue;
    Asked bounded = ask_method(b, &method_bmc, s, NULL);
    assert_int_equal(bounded.answer, METHOD_REACHED);
    assert_true(asked.steps <= bounded.steps); // the fewest
    assert_int_equal((int)asked.depth, (int)asked.steps);
  }
  build_end(b);
}

// --- programs ---

// Both threads wait for inputs that fit, and the inputs of a step are shared: the stubborn set depends on them.
static void make_inputs(Build *b, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  for (ThreadId t = FIRST; t <= SECOND; t++) {
    build_thread(b, "worker", MAIN);
    VariableId in = build_variable(b, t, 8, "in"), old = build_variable(b, t, 32, "old");
    LocationId head = b->at[t];
    build_load(b, t, old, t == FIRST ? x : y);
    build_assign(b, t, in, VALUE_INPUT);
    Term limit = build_constant(b, 8, t == FIRST ? 3 : 5);
    build_guarded(b, t, STEP_ASSUME, term_binary(b->p->terms, TERM_ULT, build_value(b, in), limit));
    Term sum = term_add(b->p->terms, term_zero_extend(b->p->terms, build_value(b, in), 32), build_value(b, old));
    Term low = term_binary(b->p->terms, TERM_AND, sum, build_constant(b, 32, 7));
    build_store_at(b, t, build_address(b, t == FIRST ? y : x, 0), low);
    build_jump(b, t, head);
  }
  for (ThreadId t = FIRST; t <= SECOND; t++) build_create(b, MAIN, t);
  VariableId seen = build_variable(b, MAIN, 32, "seen"), more = build_variable(b, MAIN, 32, "more");
  build_load(b, MAIN, seen, x);
  build_load(b, MAIN, more, y);
  Term sum = term_add(b->p->terms, build_value(b, seen), build_value(b, more));
  build_error_if(b, MAIN, term_eq(b->p->terms, sum, build_constant(b, 32, bad)));
  build_exit(b, MAIN);
  passes_prepare(b->p, NULL);
}

// A pointer that an input chooses and that is dead after its use, which conditions of touches mention; and an object
// without an initial value.
static void make_pointers(Build *b, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y"), z = build_int(b, "z");
  b->p->objects.data[z].indeterminate = true;
  for (ThreadId t = FIRST; t <= SECOND; t++) {
    build_thread(b, "worker", MAIN);
    VariableId in = build_variable(b, t, 8, "in"), p = build_variable(b, t, 64, "p"), v = build_variable(b, t, 32, "v");
    build_assign(b, t, in, VALUE_INPUT);
    Term odd = term_extract(b->p->terms, build_value(b, in), 0, 0);
    build_assign(b, t, p, term_ite(b->p->terms, odd, build_address(b, x, 0), build_address(b, y, 0)));
    build_load(b, t, v, z);
    Term low = term_binary(b->p->terms, TERM_AND, build_value(b, v), build_constant(b, 32, 3));
    build_store_at(b, t, build_value(b, p), low);
    build_load_at(b, t, v, build_value(b, p));
    build_store_at(b, t, build_address(b, y, 0), plus(b, v, 1));
    build_exit(b, t);
  }
  for (ThreadId t = FIRST; t <= SECOND; t++) build_create(b, MAIN, t);
  for (ThreadId t = FIRST; t <= SECOND; t++) build_join(b, MAIN, t);
  VariableId seen = build_variable(b, MAIN, 32, "seen");
  build_load(b, MAIN, seen, y);
  build_error_if(b, MAIN, build_equals(b, seen, bad));
  build_exit(b, MAIN);
  passes_prepare(b->p, NULL);
}

static void expect_small(Build *b, Answer expected, uint64_t number) {
  (void)number;
  expect_always(b, expected == ANSWER_SAFE ? METHOD_UNREACHABLE : METHOD_REACHED);
}

static void test_programs(void **state) {
  (void)state;
  expect_small_programs(expect_small);
}

static void test_inputs(void **state) {
  (void)state;
  Build b;
  make_inputs(&b, 14);
  expect_always(&b, METHOD_REACHED);
  make_inputs(&b, 15);
  expect_always(&b, METHOD_UNREACHABLE);
}

static void test_pointers(void **state) {
  (void)state;
  Build b;
  make_pointers(&b, 4);
  expect_always(&b, METHOD_REACHED);
  make_pointers(&b, 6);
  expect_always(&b, METHOD_UNREACHABLE);
}

static void expect_random(Build *b, Answer expected, uint64_t seed) {
  (void)seed;
  expect_always(b, expected == ANSWER_SAFE ? METHOD_UNREACHABLE : METHOD_REACHED);
}

static void test_random_programs(void **state) {
  (void)state;
  expect_random_programs(RANDOM_PROGRAMS, expect_random);
}

// --- what it cannot do ---

static void test_stop(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  Asked asked = ask_method(&b, &method_bdd, SCHEDULE_INTERLEAVED, "circuit-bdd");
  assert_int_equal(asked.answer, METHOD_UNKNOWN);
  assert_string_equal(asked.reason, stop_reason_text(STOP_FORCED));
  assert_string_equal(asked.covered, "");
  asked = ask_method(&b, &method_bdd, SCHEDULE_INTERLEAVED, "another");
  assert_int_equal(asked.answer, METHOD_UNREACHABLE);
  build_end(&b);
}

static void test_only_once(void **state) {
  (void)state;
  Build b;
  make_counter(&b, false);
  assert_true(bdd_space_init(1, 0, 0, 0));
  Asked asked = ask_method(&b, &method_bdd, SCHEDULE_TRANSACTIONS, NULL);
  bdd_space_done();
  assert_int_equal(asked.answer, METHOD_UNKNOWN);
  assert_string_equal(asked.reason, "decision diagrams are in use already, and a process has them only once");
  build_end(&b);
}

static void test_node_limit(void **state) {
  (void)state;
  Build b;
  make_inputs(&b, 15);
  CircuitModel model;
  Budget budget;
  budget_init(&budget, 0, NULL);
  assert_null(circuit_model_init(&model, b.p, PROPERTY_UNREACH_CALL, BLOCK_LARGE, SCHEDULE_INTERLEAVED, false, &budget,
                                 &b.account));
  BddSystem system;
  bdd_system_init(&system, &model.circuit, 2000, &budget, &b.account);
  bdd_system_set_goal(&system, model.circuit.error);
  assert_null(bdd_system_flaw(&system));
  Bdd states = bdd_system_initial(&system);
  for (unsigned i = 0; i < 100 && !bdd_system_flaw(&system); i++) {
    for (size_t before = system.states.thawed.count; bdd_system_thaw(&system, states);) {
      bdd_space_replace(&states, bdd_system_fill(&system, states, before));
      before = system.states.thawed.count;
    }
    Bdd after = bdd_system_after(&system, states);
    bdd_space_or_into(&states, after);
    bdd_space_drop(after);
  }
  assert_non_null(bdd_system_flaw(&system));
  assert_string_equal(bdd_system_flaw(&system), "the decision diagrams grew too large");
  bdd_system_free(&system);
  circuit_model_free(&model);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),        cmocka_unit_test(test_inputs), cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_random_programs), cmocka_unit_test(test_stop),   cmocka_unit_test(test_only_once),
      cmocka_unit_test(test_node_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
