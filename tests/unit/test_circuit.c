// The circuit and its scheduler: the programs of figures 1 and 2 of the paper in the states that it discusses, what
// makes no transaction, and that a step does what an edge says.
#include "test_circuit_programs.h"

#include "circuit/model/least_steps.h"

static const Scheduling schedulings[] = {SCHEDULE_INTERLEAVED, SCHEDULE_STUBBORN, SCHEDULE_TRANSACTIONS};
enum { SCHEDULINGS = sizeof schedulings / sizeof *schedulings };

typedef struct Setting {
  Build b;
  CircuitModel models[SCHEDULINGS];
} Setting;

// Main creates the two threads, joins them, and looks at all variables, so that all of them matter.
static void begin_main(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "first", MAIN);
  build_thread(b, "second", MAIN);
  build_create(b, MAIN, FIRST);
  build_create(b, MAIN, SECOND);
}

static void end_main(Build *b, const ObjectId *variables, size_t count) {
  for (ThreadId t = FIRST; t <= SECOND; t++) build_exit(b, t);
  for (ThreadId t = FIRST; t <= SECOND; t++) build_join(b, MAIN, t);
  for (size_t i = 0; i < count; i++) {
    VariableId seen = build_variable(b, MAIN, 32, "seen");
    build_load(b, MAIN, seen, variables[i]);
    build_error_if(b, MAIN, build_equals(b, seen, 99));
  }
  build_exit(b, MAIN);
  passes_prepare(b->p, NULL);
}

static void open_models(Setting *s) {
  for (size_t i = 0; i < SCHEDULINGS; i++) {
    Budget budget;
    budget_init(&budget, 0, NULL);
    assert_null(circuit_model_init(&s->models[i], s->b.p, PROPERTY_UNREACH_CALL, BLOCK_LARGE, schedulings[i], false,
                                   &budget, &s->b.account));
  }
}

static void close_models(Setting *s) {
  for (size_t i = 0; i < SCHEDULINGS; i++) circuit_model_free(&s->models[i]);
  build_end(&s->b);
}

// Runs threads without a reduction, and then returns which threads each scheduling lets run in the state.
static void expect_after(Setting *s, const ThreadId *threads, size_t count, ThreadMask stubborn,
                         ThreadMask transactions) {
  const ThreadMask expected[SCHEDULINGS] = {1u << FIRST | 1u << SECOND, stubborn, transactions};
  Drive free;
  drive_init(&free, &s->models[0].circuit);
  for (size_t i = 0; i < count; i++) assert_true(drive_step(&free, threads[i]));
  for (size_t i = 0; i < SCHEDULINGS; i++) {
    Drive d;
    drive_init(&d, &s->models[i].circuit);
    assert_int_equal(d.latches.count, free.latches.count);
    memcpy(d.latches.data, free.latches.data, free.latches.count);
    assert_int_equal(drive_runnable(&d), expected[i]);
    drive_free(&d);
  }
  drive_free(&free);
}

enum { ONLY_FIRST = 1u << FIRST, ONLY_SECOND = 1u << SECOND, BOTH = 1u << FIRST | 1u << SECOND };
#define AFTER(s, stubborn, transactions, ...)                                                                          \
  expect_after(s, (const ThreadId[]){__VA_ARGS__}, sizeof((const ThreadId[]){__VA_ARGS__}) / sizeof(ThreadId),         \
               stubborn, transactions)

typedef enum Taking { BY_LOCK, BY_TRYLOCK, BY_ALIAS } Taking;

static void emit_trylock(Build *b, ThreadId t, ObjectId mutex) {
  Step step = build_sync(b, STEP_TRYLOCK, build_address(b, mutex, 0));
  step.access.reads = step.access.writes = true;
  step.access.into = build_variable(b, t, 32, "owner");
  Term owner = build_value(b, step.access.into), taken = build_equals(b, step.access.into, 0);
  step.access.stored = term_ite(b->p->terms, taken, build_constant(b, 32, t + 1), owner);
  build_emit(b, t, &step);
}

// Takes `mutex` or `other`, by what `choice` holds.
static void emit_aliased_lock(Build *b, ThreadId t, ObjectId choice, ObjectId mutex, ObjectId other) {
  VariableId which = build_variable(b, t, 32, "which");
  build_load(b, t, which, choice);
  Term address =
      term_ite(b->p->terms, build_equals(b, which, 0), build_address(b, mutex, 0), build_address(b, other, 0));
  Step step = build_sync(b, STEP_LOCK, address);
  step.access.reads = step.access.writes = true;
  step.access.into = build_variable(b, t, 32, "owner");
  step.access.stored = build_constant(b, 32, t + 1);
  step.guard = build_equals(b, step.access.into, 0);
  build_emit(b, t, &step);
}

// Figure 1. T1: a = 0; lock; x = 1; unlock; a = 4.  T2: z = 5; lock; x = 2; unlock; x = 6.
static void make_figure_1(Setting *s, Taking taking) {
  Build *b = &s->b;
  begin_main(b);
  ObjectId a = build_int(b, "a"), x = build_int(b, "x"), z = build_int(b, "z"), lk = build_int(b, "lk");
  ObjectId other = build_int(b, "other"), choice = build_int(b, "choice");
  build_store(b, FIRST, a, 1);
  build_lock(b, FIRST, lk);
  build_store(b, FIRST, x, 1);
  build_unlock(b, FIRST, lk);
  build_store(b, FIRST, a, 4);
  build_store(b, SECOND, z, 5);
  if (taking == BY_LOCK) build_lock(b, SECOND, lk);
  if (taking == BY_TRYLOCK) emit_trylock(b, SECOND, lk);
  if (taking == BY_ALIAS) emit_aliased_lock(b, SECOND, choice, lk, other);
  build_store(b, SECOND, x, 2);
  if (taking == BY_LOCK) build_unlock(b, SECOND, lk);
  build_store(b, SECOND, x, 6);
  const ObjectId variables[] = {a, x, z};
  if (taking == BY_ALIAS) build_store(b, MAIN, choice, 1);
  end_main(b, variables, 3);
  open_models(s);
}

static void test_figure_1(void **state) {
  (void)state;
  Setting s;
  make_figure_1(&s, BY_LOCK);
  // 3a and 1b: T2 needs the lock before it comes to x.
  AFTER(&s, BOTH, ONLY_FIRST, MAIN, MAIN, FIRST, FIRST);
  // 3a and 5b: it is past the lock.
  AFTER(&s, BOTH, BOTH, MAIN, MAIN, SECOND, SECOND, SECOND, SECOND, FIRST, FIRST);
  close_models(&s);
}

// A thread that only tries to take a lock, or takes one that may be another, is kept away by none.
static void test_no_transactions(void **state) {
  (void)state;
  Setting s;
  make_figure_1(&s, BY_TRYLOCK);
  AFTER(&s, BOTH, BOTH, MAIN, MAIN, FIRST, FIRST);
  close_models(&s);
  make_figure_1(&s, BY_ALIAS);
  AFTER(&s, BOTH, BOTH, MAIN, MAIN, MAIN, FIRST, FIRST);
  close_models(&s);
}

// Figure 2. T1: a = 1; lock 1; lock 2; y = 1; unlock 2; x = 0; unlock 1.
//           T2: b = 0; lock 2; lock 1; z = 2; unlock 1; x = 1; unlock 2.
static void test_figure_2(void **state) {
  (void)state;
  Setting s;
  Build *b = &s.b;
  begin_main(b);
  const char *const names[] = {"a", "b", "y", "z", "x"};
  ObjectId v[5], locks[2] = {build_int(b, "lk1"), build_int(b, "lk2")};
  for (size_t i = 0; i < 5; i++) v[i] = build_int(b, names[i]);
  for (ThreadId t = FIRST; t <= SECOND; t++) {
    ObjectId outer = locks[t == SECOND], inner = locks[t == FIRST];
    build_store(b, t, v[t - FIRST], 1);
    build_lock(b, t, outer);
    build_lock(b, t, inner);
    build_store(b, t, v[2 + t - FIRST], t);
    build_unlock(b, t, inner);
    build_store(b, t, v[4], t);
    build_unlock(b, t, outer);
  }
  end_main(b, v, 5);
  open_models(&s);
  // 6a and 1b: disjoint sets of locks are held at 6a and 6b, but on its way T2 has to take lk1.
  AFTER(&s, BOTH, ONLY_FIRST, MAIN, MAIN, FIRST, FIRST, FIRST, FIRST, FIRST);
  close_models(&s);
}

// A thread that can take an edge which goes back does not run alone, though no other thread touches what it touches.
static void test_sticky(void **state) {
  (void)state;
  for (unsigned loops = 0; loops < 2; loops++) {
    Setting s;
    Build *b = &s.b;
    begin_main(b);
    ObjectId x = build_int(b, "x"), y = build_int(b, "y");
    LocationId head = b->at[FIRST];
    build_store(b, FIRST, y, 1);
    if (loops) build_jump(b, FIRST, head);
    build_store(b, SECOND, x, 1);
    const ObjectId variables[] = {x, y};
    if (loops) b->at[FIRST] = build_location(b, FIRST);
    end_main(b, variables, 2);
    open_models(&s);
    AFTER(&s, loops ? ONLY_SECOND : ONLY_FIRST, loops ? ONLY_SECOND : ONLY_FIRST, MAIN, MAIN);
    close_models(&s);
  }
}

// What is asserted about least steps excludes no execution: one that is driven by hand stays possible in every frame.
static void test_least_steps(void **state) {
  (void)state;
  Setting s;
  make_figure_1(&s, BY_LOCK);
  const Circuit *c = &s.models[0].circuit;
  static const ThreadId path[] = {MAIN, MAIN, SECOND, FIRST, SECOND, SECOND, SECOND, FIRST, FIRST, SECOND};
  Unrolling unrolling;
  unrolling_init(&unrolling, c, true, &s.b.account);
  AigSat sat;
  aig_sat_init(&sat, &unrolling.aig, NULL, &s.b.account);
  LeastSteps least;
  least_steps_init(&least, c, &s.b.account);
  for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
    unrolling_add_frame(&unrolling);
    least_steps_assert(&least, &unrolling, &sat);
    for (size_t k = 0; k < c->select.count; k++)
      aig_sat_assert(&sat, aig_not_if(unrolling_literal(&unrolling, c->select.data[k]), !(path[i] >> k & 1)));
    aig_sat_assert(&sat, unrolling_literal(&unrolling, circuit_thread(c, path[i])->execute));
    assert_int_equal(aig_sat_check(&sat, NULL, 0), SOLVER_SAT);
  }
  // A thread that has not moved does not stand elsewhere.
  unrolling_add_frame(&unrolling);
  least_steps_assert(&least, &unrolling, &sat);
  AigLiteral unborn = unrolling_literal(&unrolling, circuit_thread(c, FIRST)->at.data[0]);
  assert_int_equal(aig_sat_check(&sat, &unborn, 1), SOLVER_UNSAT);
  least_steps_free(&least);
  aig_sat_free(&sat);
  unrolling_free(&unrolling);
  close_models(&s);
}

// All schedulings give the same answers, by each method that needs nothing else.
static void test_answers(void **state) {
  (void)state;
  for (unsigned locked = 0; locked < 2; locked++) {
    Setting s;
    Build *b = &s.b;
    begin_main(b);
    ObjectId x = build_int(b, "x"), lk = build_int(b, "lk");
    for (ThreadId t = FIRST; t <= SECOND; t++) {
      VariableId v = build_variable(b, t, 32, "v");
      if (locked) build_lock(b, t, lk);
      build_load(b, t, v, x);
      build_store_at(b, t, build_address(b, x, 0), term_add_constant(b->p->terms, build_value(b, v), 1));
      if (locked) build_unlock(b, t, lk);
      build_exit(b, t);
    }
    for (ThreadId t = FIRST; t <= SECOND; t++) build_join(b, MAIN, t);
    VariableId seen = build_variable(b, MAIN, 32, "seen");
    build_load(b, MAIN, seen, x);
    build_error_if(b, MAIN, term_not(b->p->terms, build_equals(b, seen, 2)));
    build_exit(b, MAIN);
    passes_prepare(b->p, NULL);
    static const char *const names[] = {"interleaved", "stubborn", "transactions"};
    for (size_t i = 0; i < SCHEDULINGS; i++) {
      Budget budget;
      budget_init(&budget, 60, NULL);
      Log log;
      log_init(&log, LOG_QUIET);
      EngineOptions options = {.schedule = names[i], .method = "bmc"};
      Context context = {.program = b->p,
                         .property = PROPERTY_UNREACH_CALL,
                         .options = &options,
                         .budget = &budget,
                         .log = &log,
                         .account = &b->account};
      Result *result = circuit_engine.run(&context);
      assert_int_equal(result->answer, locked ? ANSWER_SAFE : ANSWER_UNSAFE);
      assert_true(locked || result->schedule);
      result_free(result);
      budget.force_at = "circuit-bmc";
      result = circuit_engine.run(&context);
      assert_int_equal(result->answer, ANSWER_UNKNOWN);
      result_free(result);
    }
    build_end(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_figure_1),    cmocka_unit_test(test_no_transactions),
                                     cmocka_unit_test(test_figure_2),    cmocka_unit_test(test_sticky),
                                     cmocka_unit_test(test_least_steps), cmocka_unit_test(test_answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
