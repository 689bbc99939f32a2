// The judge: what it accepts, what it rejects and why, and the violations it sees.
#include "test_replay_support.h"

// --- helpers ---

static JudgeOutcome judge(Build *b, const Schedule *schedule, const char *expected) {
  Text message;
  text_init(&message, &b->account);
  JudgeOutcome outcome = judge_schedule(b->p, schedule, NULL, &message, &b->account);
  if (strstr(message.data, expected) == NULL) print_message("message: %s\n", message.data);
  assert_non_null(strstr(message.data, expected));
  text_free(&message);
  return outcome;
}

static Schedule *new_schedule(Build *b, Property property) {
  Schedule *schedule = schedule_new(&b->account);
  schedule->fingerprint = b->p->fingerprint;
  schedule->property = property;
  return schedule;
}

// Adds the edge that leaves `thread`'s n-th location, counted along the automaton (the first edge at branches).
static void add_steps(Build *b, Schedule *schedule, ThreadId thread, unsigned from, unsigned count) {
  LocationId l = b->p->threads.data[thread].entry;
  for (unsigned i = 0; i < from + count; i++) {
    EdgeId edge = b->p->out_edges.data[b->p->locations.data[l].first_out];
    if (i >= from) schedule_add(schedule, thread, edge, NULL, 0);
    l = b->p->edges.data[edge].to;
  }
}

// main: an input of 8 bits into x, then an error if it is 77.
static void build_input(Build *b, VariableId *x) {
  build_begin(b);
  ThreadId t = build_thread(b, "main", NO_ID);
  ObjectId sink = build_object(b, 1, STORAGE_GLOBAL, NO_ID, "sink");
  *x = build_variable(b, t, 8, "x");
  build_assign(b, t, *x, VALUE_INPUT);
  build_store_at(b, t, build_address(b, sink, 0), build_value(b, *x));
  LocationId on = build_branch(b, t, build_equals(b, *x, 77));
  build_kind(b, t, STEP_ERROR);
  b->at[t] = on;
  build_kind(b, t, STEP_HALT);
  passes_prepare(b->p, NULL);
}

// The edges of main in order: input, store, then the branch and the error.
static Schedule *input_schedule(Build *b, const Bits *choices, size_t count) {
  const Program *p = b->p;
  Schedule *schedule = new_schedule(b, PROPERTY_UNREACH_CALL);
  LocationId l = p->threads.data[0].entry;
  for (bool first = true;; first = false) {
    const Location *location = &p->locations.data[l];
    if (location->out_count == 0) return schedule;
    EdgeId chosen = p->out_edges.data[location->first_out];
    for (uint32_t i = 1; i < location->out_count; i++) { // the way that leads to the error
      EdgeId other = p->out_edges.data[location->first_out + i];
      const Location *to = &p->locations.data[p->edges.data[other].to];
      if (to->out_count > 0 &&
          p->steps.data[p->edges.data[p->out_edges.data[to->first_out]].first_step].kind == STEP_ERROR)
        chosen = other;
    }
    schedule_add(schedule, 0, chosen, choices, first ? count : 0);
    l = p->edges.data[chosen].to;
  }
}

static void test_choices(void **state) {
  (void)state;
  Build b;
  VariableId x;
  build_input(&b, &x);
  const struct {
    Bits choices[2];
    size_t count;
    JudgeOutcome outcome;
    const char *message;
  } cases[] = {
      {{77}, 1, JUDGE_VIOLATION, "an error is reached at test.c:"},
      {{76}, 1, JUDGE_MISFIT, "step 2: the thread cannot take this edge now"},
      {{0}, 0, JUDGE_MISFIT, "step 0: there are too few choices"},
      {{77, 1}, 2, JUDGE_MISFIT, "step 0: there are too many choices"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Schedule *schedule = input_schedule(&b, cases[i].choices, cases[i].count);
    assert_int_equal(judge(&b, schedule, cases[i].message), cases[i].outcome);
    schedule_free(schedule);
  }
  build_end(&b);
}

static void test_misfits(void **state) {
  (void)state;
  Build b;
  VariableId x;
  build_input(&b, &x);
  Schedule *schedule = new_schedule(&b, PROPERTY_UNREACH_CALL);
  assert_int_equal(judge(&b, schedule, "ends without violating unreach-call"), JUDGE_NO_VIOLATION);
  schedule_add(schedule, 5, 0, NULL, 0);
  assert_int_equal(judge(&b, schedule, "step 0: there is no such thread"), JUDGE_MISFIT);
  schedule->steps.data[0] = (ScheduleStep){.thread = 0, .edge = 1000};
  assert_int_equal(judge(&b, schedule, "step 0: there is no such edge"), JUDGE_MISFIT);
  EdgeId last = b.p->out_edges.data[b.p->locations.data[b.p->edges.data[0].to].first_out];
  schedule->steps.data[0].edge = last;
  assert_int_equal(judge(&b, schedule, "step 0: the thread does not stand where the edge begins"), JUDGE_MISFIT);
  schedule->steps.data[0] = (ScheduleStep){.thread = 0, .edge = 0, .first_choice = 9, .choice_count = 4};
  assert_int_equal(judge(&b, schedule, "its choices are not in the schedule"), JUDGE_MISFIT);
  schedule->fingerprint++;
  assert_int_equal(judge(&b, schedule, "another program"), JUDGE_MISFIT);
  schedule_free(schedule);
  Bits choice = 77;
  schedule = input_schedule(&b, &choice, 1);
  schedule_add(schedule, 0, 0, NULL, 0);
  assert_int_equal(judge(&b, schedule, "the process has ended before this step"), JUDGE_MISFIT);
  schedule_free(schedule);
  build_end(&b);
}

static void test_trace(void **state) {
  (void)state;
  Build b;
  VariableId x;
  build_input(&b, &x);
  Bits choice = 77;
  Schedule *schedule = input_schedule(&b, &choice, 1);
  Trace trace;
  Text message;
  trace_init(&trace, &b.account);
  text_init(&message, &b.account);
  assert_int_equal(judge_schedule(b.p, schedule, &trace, &message, &b.account), JUDGE_VIOLATION);
  assert_int_equal(trace.steps.count, schedule->steps.count);
  const TraceChange *input = &trace.changes.data[trace.steps.data[0].first_change];
  assert_int_equal(trace.steps.data[0].change_count, 1);
  assert_int_equal(input->variable, x);
  assert_true(input->chosen && input->before == 0 && input->after == 77);
  const TraceChange *written = &trace.changes.data[trace.steps.data[1].first_change];
  assert_true(written->cell != NO_ID && !written->read && written->before == 0 && written->after == 77);
  text_free(&message);
  trace_free(&trace);
  schedule_free(schedule);
  build_end(&b);
}

// Two threads write x; `locked` puts each write between lock and unlock, `section` into an atomic section.
static void build_writers(Build *b, bool locked, bool section) {
  build_begin(b);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex");
  ThreadId main_thread = build_thread(b, "main", NO_ID), t = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, t);
  for (ThreadId i = 0; i < 2; i++) {
    if (locked) build_lock(b, i, mutex);
    if (section) build_section(b, i);
    build_store(b, i, x, i + 1);
    if (section) build_section_end(b, i);
    if (locked) build_unlock(b, i, mutex);
  }
  build_exit(b, t);
  build_exit(b, main_thread);
  passes_prepare(b->p, NULL);
}

static void test_races(void **state) {
  (void)state;
  Build b;
  build_writers(&b, false, false);
  Schedule *schedule = new_schedule(&b, PROPERTY_NO_DATA_RACE);
  add_steps(&b, schedule, 0, 0, 2); // create, x = 1
  add_steps(&b, schedule, 1, 0, 2); // start, x = 2
  assert_int_equal(judge(&b, schedule, "data race on x: written at test.c:"), JUDGE_VIOLATION);
  schedule_free(schedule);
  build_end(&b);
  build_writers(&b, true, false);
  schedule = new_schedule(&b, PROPERTY_NO_DATA_RACE);
  add_steps(&b, schedule, 0, 0, 4); // create, lock, x = 1, unlock
  add_steps(&b, schedule, 1, 0, 3); // start, lock, x = 2
  assert_int_equal(judge(&b, schedule, "without violating"), JUDGE_NO_VIOLATION);
  schedule_free(schedule);
  build_end(&b);
  build_writers(&b, false, true);
  schedule = new_schedule(&b, PROPERTY_NO_DATA_RACE);
  add_steps(&b, schedule, 0, 0, 4); // create, begin, x = 1, end
  add_steps(&b, schedule, 1, 0, 4); // start, begin, x = 2, end
  assert_int_equal(judge(&b, schedule, "without violating"), JUDGE_NO_VIOLATION);
  schedule_free(schedule);
  build_end(&b);
}

static void test_sections_exclude(void **state) {
  (void)state;
  Build b;
  build_writers(&b, false, true);
  Schedule *schedule = new_schedule(&b, PROPERTY_UNREACH_CALL);
  add_steps(&b, schedule, 0, 0, 2); // create, begin
  add_steps(&b, schedule, 1, 0, 1);
  assert_int_equal(judge(&b, schedule, "step 2: another thread is inside an atomic section"), JUDGE_MISFIT);
  schedule_free(schedule);
  build_end(&b);
}

// A thread ordered after another's write by create, by join, and not at all.
static void test_create_and_join_order(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ObjectId x = build_int(&b, "x");
  ThreadId main_thread = build_thread(&b, "main", NO_ID), t = build_thread(&b, "worker", main_thread);
  build_store(&b, main_thread, x, 1);
  build_create(&b, main_thread, t);
  build_store(&b, t, x, 2);
  build_exit(&b, t);
  build_join(&b, main_thread, t);
  build_store(&b, main_thread, x, 3);
  build_exit(&b, main_thread);
  passes_prepare(b.p, NULL);
  Schedule *schedule = new_schedule(&b, PROPERTY_NO_DATA_RACE);
  add_steps(&b, schedule, 0, 0, 2);
  add_steps(&b, schedule, 1, 0, 3);
  add_steps(&b, schedule, 0, 2, 2);
  assert_int_equal(judge(&b, schedule, "without violating"), JUDGE_NO_VIOLATION);
  schedule_free(schedule);
  build_end(&b);
}

static void test_deadlock(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ObjectId locks[2] = {build_int(&b, "m"), build_int(&b, "n")};
  ThreadId main_thread = build_thread(&b, "main", NO_ID), t = build_thread(&b, "worker", main_thread);
  build_create(&b, main_thread, t);
  for (ThreadId i = 0; i < 2; i++) {
    build_lock(&b, i, locks[i]);
    build_lock(&b, i, locks[1 - i]);
    build_unlock(&b, i, locks[1 - i]);
    build_unlock(&b, i, locks[i]);
    build_exit(&b, i);
  }
  passes_prepare(b.p, NULL);
  Schedule *schedule = new_schedule(&b, PROPERTY_NO_DEADLOCK);
  add_steps(&b, schedule, 0, 0, 2);
  assert_int_equal(judge(&b, schedule, "without violating"), JUDGE_NO_VIOLATION);
  add_steps(&b, schedule, 1, 0, 2);
  assert_int_equal(judge(&b, schedule, "deadlock: thread 0 (main) waits at test.c:"), JUDGE_VIOLATION);
  schedule_free(schedule);
  build_end(&b);
}

// Addresses that name no live object, each with its complaint.
static void test_invalid_accesses(void **state) {
  (void)state;
  const struct {
    int64_t offset; // from the object; `null` uses address 0
    bool null, allocate, release, constant, write;
    const char *message;
  } cases[] = {
      {0, true, false, false, false, false, "null pointer"},
      {8, false, false, false, false, false, "out of bounds"},
      {0, false, false, false, false, false, "not allocated yet"},
      {0, false, true, true, false, false, "the block was freed"},
      {0, false, false, false, true, true, "the object is constant"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Build b;
    build_begin(&b);
    ThreadId t = build_thread(&b, "main", NO_ID);
    ObjectId o = build_object(&b, 8, cases[i].constant ? STORAGE_CONSTANT : STORAGE_HEAP, t, "block");
    b.p->objects.data[o].dynamic = !cases[i].constant;
    VariableId p = build_variable(&b, t, 64, "p"), r = build_variable(&b, t, 32, "r");
    ObjectId holder = build_object(&b, 8, STORAGE_GLOBAL, NO_ID, "holder");
    Term pointer = cases[i].null ? build_constant(&b, 64, 0) : build_address(&b, o, (uint64_t)cases[i].offset);
    build_store_at(&b, t, build_address(&b, holder, 0), pointer);
    Step allocate = build_step(&b, STEP_ALLOCATE), release = build_step(&b, STEP_FREE);
    allocate.target = o;
    release.operand = build_address(&b, o, 0);
    if (cases[i].allocate) build_emit(&b, t, &allocate);
    if (cases[i].release) build_emit(&b, t, &release);
    build_load(&b, t, p, holder);
    if (cases[i].write)
      build_store_at(&b, t, build_value(&b, p), build_constant(&b, 32, 1));
    else
      build_load_at(&b, t, r, build_value(&b, p));
    build_exit(&b, t);
    passes_prepare(b.p, NULL);
    EngineOptions options = build_options("persistent");
    Result *result = build_check(&b, PROPERTY_VALID_MEMSAFETY, &options);
    assert_int_equal(result->answer, ANSWER_UNSAFE);
    if (strstr(result->violation.data, cases[i].message) == NULL) print_message("%s\n", result->violation.data);
    assert_non_null(strstr(result->violation.data, cases[i].message));
    result_free(result);
    build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_SAFE); // it only ends the execution
    build_end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_choices),
      cmocka_unit_test(test_misfits),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_races),
      cmocka_unit_test(test_sections_exclude),
      cmocka_unit_test(test_create_and_join_order),
      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_invalid_accesses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
