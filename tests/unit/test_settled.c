// Settled findings: what was found is found no more, and everything else still is.
#include "program/settled.h"
#include "test_replay_support.h"

// Two threads write x, then y, without a lock. The lines of the four stores, by thread.
static void build_two_races(Build *b, uint32_t lines[2][2]) {
  build_begin(b);
  ObjectId objects[2] = {build_int(b, "x"), build_int(b, "y")};
  ThreadId main_thread = build_thread(b, "main", NO_ID), t = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, t);
  for (ThreadId i = 0; i < 2; i++) {
    for (unsigned k = 0; k < 2; k++) {
      EdgeId edge = build_store(b, i, objects[k], 1);
      lines[i][k] = edge_first_step(b->p, edge)->position.line;
    }
  }
  build_exit(b, t);
  build_exit(b, main_thread);
  passes_prepare(b->p, NULL);
}

static void settle_race(Build *b, uint32_t first, uint32_t second, const char *object) {
  SettledFinding race = {
      .kind = SETTLED_RACE, .place_count = 2, .places = {{"test.c", first}, {"test.c", second}}, .object = object};
  program_settle(b->p, &race);
}

static void test_races(void **state) {
  (void)state;
  Build b;
  uint32_t lines[2][2];
  build_two_races(&b, lines);
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_UNSAFE);
  settle_race(&b, lines[1][0], lines[0][1], "x"); // x with y: no race
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_UNSAFE);
  settle_race(&b, lines[1][0], lines[0][0], "y"); // another object at these lines
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_UNSAFE);
  settle_race(&b, lines[0][1], lines[1][1], "y");
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_UNSAFE); // that of x
  settle_race(&b, lines[1][0], lines[0][0], "x");
  build_expect(&b, PROPERTY_NO_DATA_RACE, ANSWER_SAFE);
  build_end(&b);
}

// Two threads take m and n, then n and o, one of them in the opposite orders.
static void build_deadlocks(Build *b) {
  build_begin(b);
  ObjectId locks[3] = {build_int(b, "m"), build_int(b, "n"), build_int(b, "o")};
  ThreadId main_thread = build_thread(b, "main", NO_ID), t = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, t);
  static const unsigned orders[2][4] = {{0, 1, 1, 2}, {1, 0, 2, 1}}; // m before n and n before o, and both reversed
  for (ThreadId i = 0; i < 2; i++) {
    for (unsigned k = 0; k < 4; k += 2) {
      build_lock(b, i, locks[orders[i][k]]);
      build_lock(b, i, locks[orders[i][k + 1]]);
      build_unlock(b, i, locks[orders[i][k + 1]]);
      build_unlock(b, i, locks[orders[i][k]]);
    }
  }
  build_exit(b, t);
  build_exit(b, main_thread);
  passes_prepare(b->p, NULL);
}

// Where the threads wait at the end of the schedule of the first deadlock that is found; its number of places is 0 if
// none is.
static SettledFinding first_deadlock(Build *b) {
  EngineOptions options = build_options("persistent");
  Result *result = build_check(b, PROPERTY_NO_DEADLOCK, &options);
  SettledFinding finding = {.kind = SETTLED_DEADLOCK};
  if (result->answer == ANSWER_UNSAFE) {
    LocationId at[2] = {b->p->threads.data[0].entry, b->p->threads.data[1].entry};
    for (size_t i = 0; i < result->schedule->steps.count; i++) {
      const ScheduleStep *step = &result->schedule->steps.data[i];
      at[step->thread] = b->p->edges.data[step->edge].to;
    }
    deadlock_finding(b->p, at, &finding);
  } else {
    assert_int_equal(result->answer, ANSWER_SAFE);
  }
  result_free(result);
  return finding;
}

static void test_deadlocks(void **state) {
  (void)state;
  Build b;
  build_deadlocks(&b);
  unsigned found = 0;
  for (SettledFinding finding; found < 10 && (finding = first_deadlock(&b)).place_count > 0; found++) {
    assert_int_equal(finding.place_count, 2);
    program_settle(b.p, &finding);
  }
  // main in its first pair with the worker in its first or second one, and both in their second pairs, where the two
  // orders contradict each other.
  assert_in_range(found, 2, 4);
  build_expect(&b, PROPERTY_NO_DEADLOCK, ANSWER_SAFE);
  build_end(&b);
}

static void test_steps(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ThreadId t = build_thread(&b, "main", NO_ID);
  VariableId x = build_variable(&b, t, 8, "x");
  build_assign(&b, t, x, VALUE_INPUT);
  uint32_t lines[2];
  for (unsigned i = 0; i < 2; i++) {
    build_error_if(&b, t, build_equals(&b, x, i));
    lines[i] = 0;
  }
  build_kind(&b, t, STEP_HALT);
  passes_prepare(b.p, NULL);
  unsigned next = 0;
  for (size_t s = 0; s < b.p->steps.count; s++)
    if (b.p->steps.data[s].kind == STEP_ERROR) lines[next++] = b.p->steps.data[s].position.line;
  assert_int_equal(next, 2);
  for (unsigned i = 0; i < 2; i++) {
    build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
    SettledFinding error = {
        .kind = SETTLED_STEP, .step = STEP_ERROR, .place_count = 1, .places = {{"test.c", lines[i]}}};
    program_settle(b.p, &error);
  }
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_SAFE);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_races), cmocka_unit_test(test_deadlocks),
                                     cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
