// Reports of lassos: where the loop is marked, what is left out, and what is said of it.
#include "report/report.h"
#include "report/trace_text.h"
#include "test_lasso_support.h"

#include <cjson/cJSON.h>

typedef struct Told {
  Text text, columns, sarif, witness, html;
} Told;

// Judges the schedule, which violates the formula, and makes all reports.
static void tell(Scene *s, const char *formula, Told *told) {
  Account *account = &s->b.account;
  LtlProperty ltl;
  Trace trace;
  Text *texts[] = {&told->text, &told->columns, &told->sarif, &told->witness, &told->html};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_init(texts[i], account);
  trace_init(&trace, account);
  Result *result = result_new(PROPERTY_LTL, account);
  assert_true(ltl_property_init(&ltl, formula, false, &told->text, account));
  observe(s, &ltl);
  assert_int_equal(replay_lasso(s->b.p, &ltl, s->schedule, &trace, &result->violation, account), JUDGE_VIOLATION);
  result->answer = ANSWER_UNSAFE;
  result->confirmed = true;
  result->schedule = schedule_copy(s->schedule, account);
  trace_print_text(s->b.p, &trace, result, &(TraceStyle){0}, &told->text);
  trace_print_text(s->b.p, &trace, result, &(TraceStyle){.width = 120}, &told->columns);
  const char *files[] = {"test.c"};
  Report report = {.result = result,
                   .program = s->b.p,
                   .trace = &trace,
                   .files = files,
                   .file_count = 1,
                   .version = "1",
                   .data_model = "LP64"};
  report_sarif(&report, &told->sarif);
  report_witness(&report, &told->witness);
  Text data;
  text_init(&data, NULL);
  report_page_data(&report, &data);
  report_page(report.result->answer, report.files[0], data.data, &told->html);
  text_free(&data);
  result_free(result);
  ltl_property_free(&ltl);
  trace_free(&trace);
}

static void told_free(Told *told) {
  Text *texts[] = {&told->text, &told->columns, &told->sarif, &told->witness, &told->html};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
}

static void assert_has(const Text *text, const char *part) {
  if (!strstr(text->data, part)) fail_msg("'%s' is not in:\n%s", part, text->data);
}

// main holds the lock and spins; the worker wants it, or wants to start.
static void build_holder(Scene *s, bool begun) {
  scene_begin(s);
  Build *b = &s->b;
  ObjectId mutex = build_int(b, "mutex");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  b->line = 100;
  build_lock(b, main_thread, mutex);
  build_create(b, main_thread, worker);
  LocationId head = b->at[main_thread];
  b->line = 200;
  build_store(b, main_thread, s->x, 1);
  build_store(b, main_thread, s->x, 0);
  b->line = 207;
  build_jump(b, main_thread, head);
  b->line = 300;
  build_lock(b, worker, mutex);
  build_store(b, worker, s->x, 2);
  build_exit(b, worker);
  scene_run(s);
  go(s, main_thread, 2);
  if (begun) go(s, worker, 1);
  loop_here(s);
  go(s, main_thread, 3);
}

static void test_round(void **state) {
  (void)state;
  Scene s;
  Told told;
  build_holder(&s, true);
  tell(&s, "F x == 2", &told);
  assert_has(&told.text, "from here on again and again:\nthread 0 (main)\n");
  const char *loop = strstr(told.text.data, "again and again");
  assert_true(strstr(loop, "x: 0 -> 1") && strstr(loop, "x: 1 -> 0"));
  assert_has(&told.text, "violation: the formula F x == 2 is violated: steps 3 to 5 go round for ever\n");
  assert_has(&told.text,
             "why: for ever, main goes round test.c:201-208 while thread 0.0 waits for mutex at test.c:301, "
             "which main has held since test.c:101\n");
  assert_has(&told.columns, "from here on again and again:\n");
  assert_has(&told.sarif, "\"name\": \"FormulaViolated\"");
  assert_has(&told.sarif, "Why: for ever, main goes round");
  cJSON *sarif = cJSON_Parse(told.sarif.data);
  assert_non_null(sarif);
  cJSON_Delete(sarif);
  assert_has(&told.html, "\"loop\":3");
  assert_int_equal(told.witness.length, 0); // there is no form for it
  told_free(&told);
  scene_end(&s);
  build_holder(&s, false);
  tell(&s, "F x == 2", &told);
  assert_has(&told.text, "why: for ever, main goes round test.c:201-208 while thread 0.0 does not begin\n");
  told_free(&told);
  scene_end(&s);
}

// A lock that is free, and a wait: that they wait for it is not known, and not said.
static void test_stays(void **state) {
  (void)state;
  Scene s;
  Told told;
  scene_begin(&s);
  Build *b = &s.b;
  ObjectId mutex = build_int(b, "mutex");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, worker);
  b->line = 200;
  build_idle(b, main_thread);
  b->line = 300;
  build_lock(b, worker, mutex);
  build_store(b, worker, s.x, 2);
  build_exit(b, worker);
  scene_run(&s);
  go(&s, main_thread, 1);
  go(&s, worker, 1);
  loop_here(&s);
  go(&s, main_thread, 1);
  tell(&s, "F x == 2", &told);
  assert_has(&told.text, "why: for ever, main goes round test.c:201 while thread 0.0 stays at test.c:301\n");
  assert_has(&told.text, "step 2 is repeated for ever");
  told_free(&told);
  scene_end(&s);
}

static void test_ends(void **state) {
  (void)state;
  static const char *const whys[] = {
      "why: the process ends at test.c:101\n", "why: an error ends the process at test.c:101\n",
      "why: main waits for mutex at test.c:101, which it holds itself since test.c:", "why: all threads have ended\n"};
  for (unsigned i = 0; i < 4; i++) {
    Scene s;
    Told told;
    scene_begin(&s);
    Build *b = &s.b;
    ObjectId mutex = build_int(b, "mutex");
    ThreadId t = build_thread(b, "main", NO_ID);
    build_lock(b, t, mutex);
    build_store(b, t, s.x, 1);
    b->line = 100;
    if (i == 0) build_kind(b, t, STEP_HALT);
    if (i == 1) build_kind(b, t, STEP_ERROR);
    if (i == 2) build_lock(b, t, mutex);
    build_exit(b, t);
    scene_run(&s);
    go(&s, t, i == 2 ? 2 : 3);
    loop_here(&s);
    tell(&s, "F x == 2", &told);
    assert_has(&told.text, "from here on nothing happens any more\n");
    assert_has(&told.text, whys[i]);
    assert_has(&told.text, "at the end: x = 1\n");
    told_free(&told);
    scene_end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round),
      cmocka_unit_test(test_stays),
      cmocka_unit_test(test_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
