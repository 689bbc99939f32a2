// The judge of lassos: which infinite executions it takes for one, and what formulas read of them.
#include "test_lasso_support.h"

// --- helpers ---

static void expect_as(Scene *s, const char *formula, bool fair, JudgeOutcome expected, const char *message) {
  LtlProperty ltl;
  Text text;
  text_init(&text, &s->b.account);
  assert_true(ltl_property_init(&ltl, formula, fair, &text, &s->b.account));
  observe(s, &ltl);
  JudgeOutcome outcome = replay_lasso(s->b.p, &ltl, s->schedule, NULL, &text, &s->b.account);
  if (outcome != expected || !strstr(text.data, message)) print_message("%s: %s\n", formula, text.data);
  assert_int_equal(outcome, expected);
  assert_non_null(strstr(text.data, message));
  text_free(&text);
  ltl_property_free(&ltl);
}

static void expect(Scene *s, const char *formula, JudgeOutcome expected, const char *message) {
  expect_as(s, formula, false, expected, message);
}

static void expect_violated(Scene *s, const char *formula) { expect(s, formula, JUDGE_VIOLATION, "is violated: "); }
static void expect_holds(Scene *s, const char *formula) {
  expect(s, formula, JUDGE_NO_VIOLATION, "holds on this execution");
}

// --- loops ---

// What a turn of the loop does beside reading x.
typedef enum Body { BODY_NOTHING, BODY_IRRELEVANT, BODY_RELEVANT, BODY_CELL, BODY_IRRELEVANT_CELL, BODY_DEAD } Body;

// main creates a worker, which sets x, and spins until x is 1.
static void build_spin(Scene *s, Body body) {
  scene_begin(s);
  Build *b = &s->b;
  ObjectId y = build_int(b, "y");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  VariableId r = build_variable(b, main_thread, 32, "r"), c = build_variable(b, main_thread, 32, "c");
  Term next = term_add_constant(b->p->terms, build_value(b, c), 1);
  build_create(b, main_thread, worker);
  LocationId head = b->at[main_thread];
  build_load(b, main_thread, r, s->x);
  LocationId on = build_branch(b, main_thread, build_equals(b, r, 1));
  if (body == BODY_RELEVANT) build_error_if(b, main_thread, build_equals(b, c, 1000));
  build_exit(b, main_thread);
  b->at[main_thread] = on;
  if (body == BODY_IRRELEVANT || body == BODY_RELEVANT) build_assign(b, main_thread, c, next);
  if (body == BODY_CELL || body == BODY_IRRELEVANT_CELL) {
    build_load(b, main_thread, c, y);
    build_store_at(b, main_thread, build_address(b, y, 0), next);
  }
  if (body == BODY_DEAD) {
    build_assign(b, main_thread, c, VALUE_INPUT);
    LocationId other = build_branch(b, main_thread, build_equals(b, c, 7));
    build_idle(b, main_thread);
    b->at[main_thread] = other;
  }
  build_jump(b, main_thread, head);
  if (body == BODY_CELL) { // the worker decides by y
    VariableId q = build_variable(b, worker, 32, "q");
    build_load(b, worker, q, y);
    build_error_if(b, worker, build_equals(b, q, 1000));
  }
  build_store(b, worker, s->x, 1);
  build_exit(b, worker);
  scene_run(s);
  go(s, main_thread, 1);
  loop_here(s);
  go(s, main_thread, 2); // x is not 1
  if (body == BODY_DEAD) {
    Bits five = 5;
    go_choosing(s, main_thread, 0, &five, 1);
  }
  while (s->at[main_thread] != b->p->edges.data[s->schedule->steps.data[0].edge].to) go(s, main_thread, 1);
}

static void test_closing(void **state) {
  (void)state;
  const struct {
    Body body;
    const char *formula;
    JudgeOutcome outcome;
    const char *message;
  } cases[] = {
      {BODY_NOTHING, "F x == 1", JUDGE_VIOLATION, "the formula F x == 1 is violated: steps 1 to 3 go round for ever"},
      {BODY_NOTHING, "G x == 0", JUDGE_NO_VIOLATION, "holds on this execution"},
      {BODY_IRRELEVANT, "F x == 1", JUDGE_VIOLATION, "is violated"},
      {BODY_RELEVANT, "F x == 1", JUDGE_NO_VIOLATION, "the loop does not close: c is 0, then 1"},
      {BODY_CELL, "F x == 1", JUDGE_NO_VIOLATION, "the loop does not close: y is 0, then 1"},
      {BODY_IRRELEVANT_CELL, "F x == 1", JUDGE_VIOLATION, "is violated"},
      {BODY_IRRELEVANT_CELL, "F (x == 1 || y == 9)", JUDGE_NO_VIOLATION, "does not close: y is 0, then 1"},
      {BODY_DEAD, "F x == 1", JUDGE_VIOLATION, "is violated"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Scene s;
    build_spin(&s, cases[i].body);
    expect(&s, cases[i].formula, cases[i].outcome, cases[i].message);
    scene_end(&s);
  }
}

static void test_misfits(void **state) {
  (void)state;
  Scene s;
  build_spin(&s, BODY_NOTHING);
  s.schedule->steps.count--;
  expect(&s, "F x == 1", JUDGE_NO_VIOLATION, "thread 0 (main) does not stand at the same place");
  s.schedule->steps.count++;
  s.schedule->loop_start = NO_ID;
  expect(&s, "F x == 1", JUDGE_MISFIT, "not that of an infinite execution");
  s.schedule->loop_start = 5;
  expect(&s, "F x == 1", JUDGE_MISFIT, "not that of an infinite execution");
  s.schedule->loop_start = 1;
  s.schedule->steps.data[2].edge = s.schedule->steps.data[1].edge;
  expect(&s, "F x == 1", JUDGE_MISFIT, "step 2: the thread does not stand where the edge begins");
  s.schedule->fingerprint++;
  expect(&s, "F x == 1", JUDGE_MISFIT, "another program");
  Text message;
  text_init(&message, &s.b.account);
  s.schedule->fingerprint--;
  assert_int_equal(judge_schedule(s.b.p, s.schedule, NULL, &message, &s.b.account), JUDGE_MISFIT);
  assert_non_null(strstr(message.data, "only be judged with its formula"));
  text_free(&message);
  scene_end(&s);
}

static void test_trace(void **state) {
  (void)state;
  Scene s;
  build_spin(&s, BODY_NOTHING);
  LtlProperty ltl;
  Text text;
  Trace trace;
  text_init(&text, &s.b.account);
  trace_init(&trace, &s.b.account);
  assert_true(ltl_property_init(&ltl, "F x == 1", false, &text, &s.b.account));
  observe(&s, &ltl);
  assert_int_equal(replay_lasso(s.b.p, &ltl, s.schedule, &trace, &text, &s.b.account), JUDGE_VIOLATION);
  assert_int_equal(trace.steps.count, s.schedule->steps.count); // stem and loop, once
  ltl_property_free(&ltl);
  trace_free(&trace);
  text_free(&text);
  scene_end(&s);
}

// --- fairness ---

static void test_fairness(void **state) {
  (void)state;
  Scene s;
  build_spin(&s, BODY_NOTHING);
  expect_as(&s, "F x == 1", true, JUDGE_NO_VIOLATION, "thread 0.0 (worker) could always run");
  scene_end(&s);
  // The same, but the worker wants a lock that main holds for ever.
  scene_begin(&s);
  Build *b = &s.b;
  ObjectId mutex = build_int(b, "mutex");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  build_lock(b, main_thread, mutex);
  build_create(b, main_thread, worker);
  build_idle(b, main_thread);
  build_lock(b, worker, mutex);
  build_store(b, worker, s.x, 1);
  build_unlock(b, worker, mutex);
  build_exit(b, worker);
  scene_run(&s);
  go(&s, main_thread, 2);
  go(&s, worker, 1);
  loop_here(&s);
  go(&s, main_thread, 1);
  expect_as(&s, "F x == 1", true, JUDGE_VIOLATION, "step 3 is repeated for ever");
  scene_end(&s);
}

// main takes the lock and gives it back for ever; the worker, which waits for it, can sometimes not run: that is fair
// (weakly).
static void test_fairness_of_intervals(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ObjectId mutex = build_int(b, "mutex");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, worker);
  LocationId head = b->at[main_thread];
  build_lock(b, main_thread, mutex);
  build_unlock(b, main_thread, mutex);
  build_jump(b, main_thread, head);
  build_lock(b, worker, mutex);
  build_store(b, worker, s.x, 1);
  build_exit(b, worker);
  scene_run(&s);
  go(&s, main_thread, 1);
  go(&s, worker, 1);
  loop_here(&s);
  go(&s, main_thread, 3);
  expect_as(&s, "F x == 1", true, JUDGE_VIOLATION, "is violated");
  scene_end(&s);
}

// --- ends ---

static void test_deadlock(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ObjectId locks[2] = {build_int(b, "m"), build_int(b, "n")};
  ThreadId main_thread = build_thread(b, "main", NO_ID), t = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, t);
  for (ThreadId i = 0; i < 2; i++) {
    build_lock(b, i, locks[i]);
    build_lock(b, i, locks[1 - i]);
    build_store(b, i, s.x, 1);
    build_unlock(b, i, locks[1 - i]);
    build_unlock(b, i, locks[i]);
    build_exit(b, i);
  }
  scene_run(&s);
  go(&s, main_thread, 2);
  go(&s, t, 1);
  loop_here(&s);
  expect(&s, "F x == 1", JUDGE_NO_VIOLATION, " can still take a step at the end");
  go(&s, t, 1);
  loop_here(&s);
  expect(&s, "F x == 1", JUDGE_VIOLATION, "no thread can go on, and the last state goes on for ever");
  expect_as(&s, "F x == 1", true, JUDGE_VIOLATION, "no thread can go on");
  expect_violated(&s, "F G n == 0");
  expect_holds(&s, "G F m == 1");
  scene_end(&s);
}

// All threads finish.
static void test_everybody_finished(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ThreadId main_thread = build_thread(b, "main", NO_ID), unborn = build_thread(b, "worker", main_thread);
  build_store(b, main_thread, s.x, 1);
  VariableId r = build_variable(b, main_thread, 32, "r");
  build_load(b, main_thread, r, s.x);
  LocationId on = build_branch(b, main_thread, build_equals(b, r, 5));
  build_create(b, main_thread, unborn); // never
  b->at[main_thread] = on;
  build_exit(b, main_thread);
  build_store(b, unborn, s.x, 2);
  build_exit(b, unborn);
  scene_run(&s);
  go(&s, main_thread, 4);
  loop_here(&s);
  expect_violated(&s, "F x == 2");
  expect_holds(&s, "F G x == 1");
  scene_end(&s);
}

// The process ends, by a halt or an error, in a section or not, while a worker could run.
static void test_process_ends(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    bool error = i & 1, section = i & 2;
    Scene s;
    scene_begin(&s);
    Build *b = &s.b;
    ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
    build_create(b, main_thread, worker);
    if (section) build_section(b, main_thread);
    build_store(b, main_thread, s.x, 1);
    build_kind(b, main_thread, error ? STEP_ERROR : STEP_HALT);
    b->atomic = false;
    build_store(b, worker, s.x, 2);
    build_exit(b, worker);
    scene_run(&s);
    go(&s, main_thread, section ? 4 : 3);
    loop_here(&s);
    expect(&s, "F x == 2", JUDGE_VIOLATION, "the process ends, and its last state goes on for ever");
    expect_holds(&s, "F G x == 1");
    expect_violated(&s, section ? "X X X x == 1 && X X x == 0" : "X X x == 0");
    s.schedule->loop_start--; // the last step again and again
    expect(&s, "F x == 2", JUDGE_MISFIT, "the process has ended, and nothing can be repeated");
    scene_end(&s);
  }
}

static void test_end_inside_section(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ThreadId t = build_thread(b, "main", NO_ID);
  LocationId head = b->at[t];
  build_section(b, t);
  build_store(b, t, s.x, 1);
  build_store(b, t, s.x, 0);
  build_section_end(b, t);
  build_jump(b, t, head);
  scene_run(&s);
  go(&s, t, 2);
  loop_here(&s);
  expect(&s, "F x == 2", JUDGE_MISFIT, "ends inside an atomic section");
  go(&s, t, 5);
  expect(&s, "F x == 2", JUDGE_MISFIT, "inside an atomic section");
  s.schedule->loop_start = 0;
  s.schedule->steps.count = 5;
  expect_violated(&s, "F x == 1"); // no thread sees it
  scene_end(&s);
}

// --- executions that do not count ---

static void test_stopped(void **state) {
  (void)state;
  const struct {
    bool assumption, wait; // how main stops: an assumption, a wait, or else an invalid dereference
    JudgeOutcome outcome;
    const char *message;
  } cases[] = {
      {true, false, JUDGE_NO_VIOLATION, "thread 0 (main) is stopped for ever by a false assumption"},
      {false, true, JUDGE_VIOLATION, "is violated"},
      {false, false, JUDGE_NO_VIOLATION, "thread 0 (main) is stopped for ever"},
  };
  for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
    bool empty = i & 1; // the worker finishes, or spins
    Scene s;
    scene_begin(&s);
    Build *b = &s.b;
    ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
    VariableId r = build_variable(b, main_thread, 32, "r");
    build_create(b, main_thread, worker);
    build_load(b, main_thread, r, s.x);
    if (cases[i / 2].assumption)
      build_guarded(b, main_thread, STEP_ASSUME, build_equals(b, r, 1));
    else if (cases[i / 2].wait)
      build_guarded(b, main_thread, STEP_WAIT, build_equals(b, r, 1));
    else
      build_load_at(b, main_thread, r, build_constant(b, 64, 0));
    build_store(b, main_thread, s.x, 1);
    build_exit(b, main_thread);
    if (empty)
      build_exit(b, worker);
    else
      build_idle(b, worker);
    scene_run(&s);
    go(&s, main_thread, 2);
    go(&s, worker, empty ? 2 : 1);
    loop_here(&s);
    if (!empty) go(&s, worker, 1);
    expect(&s, "F x == 1", cases[i / 2].outcome, cases[i / 2].message);
    expect_as(&s, "F x == 1", true, cases[i / 2].outcome, cases[i / 2].message);
    scene_end(&s);
  }
}

// A step that is no step of an execution that goes on.
static void test_ends_of_executions(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    Scene s;
    scene_begin(&s);
    Build *b = &s.b;
    ThreadId t = build_thread(b, "main", NO_ID);
    VariableId r = build_variable(b, t, 32, "r");
    Step cut = build_step(b, STEP_CUT);
    cut.target = program_add_cut(b->p, CUT_CONSTRUCT, "something", build_position(b));
    build_store(b, t, s.x, 1);
    if (i == 0)
      build_load_at(b, t, r, build_constant(b, 64, 0));
    else
      build_emit(b, t, &cut);
    build_exit(b, t);
    scene_run(&s);
    go(&s, t, 2);
    loop_here(&s);
    expect(&s, "F x == 2", JUDGE_NO_VIOLATION,
           i == 0 ? "the execution does not go on: invalid dereference" : "meets a limit of the model");
    scene_end(&s);
  }
}

// Whether the section can be entered depends on an input that is too wide to be tried.
static void test_doubt(void **state) {
  (void)state;
  for (unsigned width = 8; width <= 32; width *= 4) {
    Scene s;
    scene_begin(&s);
    Build *b = &s.b;
    ThreadId t = build_thread(b, "main", NO_ID);
    VariableId r = build_variable(b, t, width, "r");
    build_store(b, t, s.x, 1);
    build_section(b, t);
    build_assign(b, t, r, VALUE_INPUT);
    VariableId q = build_variable(b, t, width, "q"); // from memory, so that no pass can tell which inputs pass
    ObjectId y = build_object(b, width / 8, STORAGE_GLOBAL, NO_ID, "y");
    build_load(b, t, q, y);
    Term sum = term_add(b->p->terms, build_value(b, r), build_value(b, q));
    build_guarded(b, t, STEP_ASSUME, term_eq(b->p->terms, sum, build_constant(b, width, 78)));
    build_section_end(b, t);
    build_store_at(b, t, build_address(b, y, 0), build_constant(b, width, 1));
    build_exit(b, t);
    scene_run(&s);
    go(&s, t, 1);
    loop_here(&s);
    if (width == 8)
      expect(&s, "F x == 2", JUDGE_NO_VIOLATION, "can still take a step");
    else
      expect(&s, "F x == 2", JUDGE_DOUBT, "not known");
    scene_end(&s);
  }
}

static void test_undetermined(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  b->p->objects.data[s.x].indeterminate = true;
  ThreadId t = build_thread(b, "main", NO_ID);
  build_idle(b, t);
  build_store(b, t, s.x, 1);
  build_exit(b, t);
  scene_run(&s);
  loop_here(&s);
  go(&s, t, 1);
  expect(&s, "F x == 2", JUDGE_NO_VIOLATION, "the formula reads x, which holds any value");
  scene_end(&s);
}

// --- what is read ---

static void test_next(void **state) {
  (void)state;
  for (unsigned section = 0; section < 2; section++) {
    Scene s;
    scene_begin(&s);
    Build *b = &s.b;
    ThreadId t = build_thread(b, "main", NO_ID);
    if (section) build_section(b, t);
    build_store(b, t, s.x, 1);
    build_store(b, t, s.x, 2);
    if (section) build_section_end(b, t);
    build_idle(b, t);
    scene_run(&s);
    go(&s, t, section ? 4 : 2);
    loop_here(&s);
    go(&s, t, 1);
    expect_violated(&s, section ? "F x == 1" : "X x == 2");
    expect_holds(&s, section ? "X x == 2" : "X x == 1");
    expect_violated(&s, section ? "X x == 0" : "X X x == 1");
    expect_holds(&s, section ? "X G x == 2" : "X X G x == 2");
    expect_violated(&s, "X x == 0 || x == 1");
    scene_end(&s);
  }
}

// x goes 1, 2, 1, 2: the letters of the loop follow each other as its steps do.
static void test_word_of_loop(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ThreadId t = build_thread(b, "main", NO_ID);
  LocationId head = b->at[t];
  build_store(b, t, s.x, 1);
  Step again = build_sync(b, STEP_PLAIN, build_address(b, s.x, 0));
  again.access.writes = true;
  again.access.stored = build_constant(b, 32, 2);
  build_to(b, t, &again, head);
  scene_run(&s);
  go(&s, t, 2);
  loop_here(&s);
  go(&s, t, 2);
  expect_holds(&s, "X G (x == 1 -> X x == 2)");
  expect_holds(&s, "X G (x == 2 -> X x == 1)");
  expect_violated(&s, "F G x == 1");
  expect_violated(&s, "G (x == 2 -> X x == 2)");
  scene_end(&s);
}

// A thread is at its first place as soon as it is created; its first step is no step of the word.
static void test_places(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  b->p->locations.data[b->at[worker]].observed = 1;
  b->p->locations.data[b->p->threads.data[worker].entry].observed = 2; // no thread ever counts as being there
  build_create(b, main_thread, worker);
  build_idle(b, main_thread);
  build_store(b, worker, s.x, 1);
  build_idle(b, worker);
  scene_run(&s);
  go(&s, main_thread, 1);
  go(&s, worker, 2);
  loop_here(&s);
  go(&s, worker, 1);
  expect_violated(&s, "at(first)");
  expect_holds(&s, "X at(first)");
  expect_violated(&s, "X X at(first)");
  expect_holds(&s, "G !(at(first) && at(entry))");
  expect_violated(&s, "F (at(first) && at(entry)) || F at(entry)");
  expect_holds(&s, "X (at(first) && X !at(first))");
  scene_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closing),
      cmocka_unit_test(test_misfits),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_fairness),
      cmocka_unit_test(test_fairness_of_intervals),
      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_everybody_finished),
      cmocka_unit_test(test_process_ends),
      cmocka_unit_test(test_end_inside_section),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_ends_of_executions),
      cmocka_unit_test(test_doubt),
      cmocka_unit_test(test_undetermined),
      cmocka_unit_test(test_next),
      cmocka_unit_test(test_word_of_loop),
      cmocka_unit_test(test_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
