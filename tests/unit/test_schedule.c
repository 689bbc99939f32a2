// Schedules: copies, JSON round trip, and every kind of malformed input.
#include "verdict/json.h"
#include "verdict/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the headers above first
#include <cmocka.h>

// main with the edges 0 and 1, its thread 0.0 with the edge 2.
static Program *two_threads(Account *account) {
  Program *program = program_new(64, account);
  Position nowhere = {0};
  ThreadId main_thread = program_add_thread(program, "main", NO_ID, 0, nowhere);
  ThreadId worker = program_add_thread(program, "worker", main_thread, 0, nowhere);
  LocationId a = program_add_location(program, main_thread, nowhere);
  LocationId b = program_add_location(program, main_thread, nowhere);
  LocationId c = program_add_location(program, worker, nowhere);
  LocationId d = program_add_location(program, worker, nowhere);
  Step step = step_plain(program, (Position){.line = 7});
  program_add_edge(program, a, b, &step);
  program_add_edge(program, b, a, &step);
  program_add_edge(program, c, d, &step);
  program->fingerprint = UINT64_C(0x0123456789abcdef);
  return program;
}

static Schedule *example(Account *account) {
  Schedule *schedule = schedule_new(account);
  schedule->fingerprint = UINT64_C(0x0123456789abcdef);
  schedule->property = PROPERTY_NO_DEADLOCK;
  Bits choices[] = {0, ~(Bits)0, 42};
  schedule_add(schedule, 0, 1, NULL, 0);
  schedule_add(schedule, 1, 2, choices, 3);
  schedule_add(schedule, 0, 0, choices + 2, 1);
  return schedule;
}

static void assert_same(const Schedule *a, const Schedule *b) {
  assert_true(a->fingerprint == b->fingerprint);
  assert_int_equal(a->property, b->property);
  assert_int_equal(a->loop_start, b->loop_start);
  assert_int_equal(a->steps.count, b->steps.count);
  for (size_t i = 0; i < a->steps.count; i++) {
    const ScheduleStep *x = &a->steps.data[i], *y = &b->steps.data[i];
    assert_int_equal(x->thread, y->thread);
    assert_int_equal(x->edge, y->edge);
    assert_int_equal(x->choice_count, y->choice_count);
    for (uint32_t k = 0; k < x->choice_count; k++)
      assert_true(a->choices.data[x->first_choice + k] == b->choices.data[y->first_choice + k]);
  }
}

static void test_round_trip(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Program *program = two_threads(&account);
  Schedule *schedule = example(&account);
  Text text, error;
  text_init(&text, &account);
  text_init(&error, &account);
  const uint32_t loops[] = {NO_ID, 0, (uint32_t)schedule->steps.count, 1};
  for (size_t loop = 0; loop < sizeof loops / sizeof *loops; loop++) {
    schedule->loop_start = loops[loop];
    text_clear(&text);
    schedule_write_json(schedule, program, &text);
    Schedule *back = schedule_read_json(text.data, program, &error, &account);
    assert_string_equal(error.data, "");
    assert_non_null(back);
    assert_same(schedule, back);
    schedule_free(back);
  }
  assert_non_null(strstr(text.data, "340282366920938463463374607431768211455"));
  Schedule *copy = schedule_copy(schedule, &account);
  assert_same(schedule, copy);
  schedule_free(copy);
  schedule_free(schedule);
  text_free(&text);
  text_free(&error);
  program_free(program);
  assert_int_equal(account.bytes, 0);
}

// Every proper prefix of a schedule is an error of one line, never a crash.
static void test_truncated(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Program *program = two_threads(&account);
  Schedule *schedule = example(&account);
  Text text, error;
  text_init(&text, &account);
  text_init(&error, &account);
  schedule_write_json(schedule, program, &text);
  while (text.length) {
    text.data[--text.length] = '\0';
    text_clear(&error);
    assert_null(schedule_read_json(text.data, program, &error, &account));
    assert_true(error.length > 0);
    assert_null(strchr(error.data, '\n'));
  }
  schedule_free(schedule);
  text_free(&text);
  text_free(&error);
  program_free(program);
  assert_int_equal(account.bytes, 0);
}

#define HEAD "{\"format\": \"heddle-schedule\", \"version\": 1, \"program\": \"0123456789abcdef\", "
#define STEPS HEAD "\"property\": \"unreach-call\", \"steps\": "

typedef struct Malformed {
  const char *text, *message; // part of the message
} Malformed;

static const Malformed malformed[] = {
    {"", "not valid JSON"},
    {"[]", "not a schedule"},
    {"7", "not a schedule"},
    {"{\"format\": 3}", "not a schedule"},
    {"{\"format\": \"heddle-schedule\", \"version\": 2}", "unknown version"},
    {"{\"format\": \"heddle-schedule\", \"version\": 1, \"program\": \"0123456789abcdee\"}", "another program"},
    {"{\"format\": \"heddle-schedule\", \"version\": 1, \"program\": \"0x23456789abcdef\"}", "16 hexadecimal"},
    {"{\"format\": \"heddle-schedule\", \"version\": 1, \"program\": 12}", "16 hexadecimal"},
    {HEAD "\"property\": \"beauty\", \"steps\": []}", "unknown property"},
    {HEAD "\"steps\": []}", "property"},
    {STEPS "{}}", "\"steps\""},
    {STEPS "[3]}", "step 0: not an object"},
    {STEPS "[{\"thread\": 0, \"edge\": 0}]}", "step 0: no \"thread\""},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0}, {\"thread\": \"0.7\", \"edge\": 0}]}",
     "step 1: the program has no thread"},
    {STEPS "[{\"thread\": \"0\"}]}", "step 0: no \"edge\""},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0.5}]}", "step 0: no \"edge\""},
    {STEPS "[{\"thread\": \"0\", \"edge\": -1}]}", "step 0: no \"edge\""},
    {STEPS "[{\"thread\": \"0\", \"edge\": 1e30}]}", "step 0: no \"edge\""},
    {STEPS "[{\"thread\": \"0\", \"edge\": 3}]}", "step 0: edge 3 does not exist"},
    {STEPS "[{\"thread\": \"0\", \"edge\": 2}]}", "step 0: edge 2 belongs to thread 0.0"},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0, \"choices\": 1}]}", "step 0: \"choices\""},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0, \"choices\": [1]}]}", "step 0: a choice"},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0, \"choices\": [\"-1\"]}]}", "step 0: a choice"},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0, \"choices\": [\"340282366920938463463374607431768211456\"]}]}",
     "step 0: a choice"},
    {STEPS "[{\"thread\": \"0\", \"edge\": 0}], \"loop\": 2}", "\"loop\""},
    {STEPS "[]} tail", "not valid JSON"},
    {STEPS "[{\"thread\": \"a\\nb\", \"edge\": 0}]}", "no thread a\\nb"},
};

static void test_malformed(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Program *program = two_threads(&account);
  Text error;
  text_init(&error, &account);
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    text_clear(&error);
    assert_null(schedule_read_json(malformed[i].text, program, &error, &account));
    if (!strstr(error.data, malformed[i].message)) fail_msg("%s: %s", malformed[i].text, error.data);
    assert_null(strchr(error.data, '\n'));
  }
  text_free(&error);
  program_free(program);
  assert_int_equal(account.bytes, 0);
}

static void test_decimal(void **state) {
  (void)state;
  Bits value = 1;
  assert_true(bits_parse_decimal("340282366920938463463374607431768211455", &value));
  assert_true(value == ~(Bits)0);
  assert_true(bits_parse_decimal("007", &value));
  assert_true(value == 7);
  const char *const wrong[] = {"", " 1", "1 ", "+1", "0x1", "340282366920938463463374607431768211456", "1e3"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(bits_parse_decimal(wrong[i], &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_truncated),
                                     cmocka_unit_test(test_malformed), cmocka_unit_test(test_decimal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
