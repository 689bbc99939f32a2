// Standings of surveyed objects: what a baseline, suppressions, executions and proofs make of what the survey said.
#include "cli/survey/baseline.h"
#include "cli/survey/silence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WARNED, OPEN, PROVED, OBJECTS };

// A warned object with two pairs, an open one without, a proved one, and a cycle of locks.
typedef struct Fixture {
  SurveyPair pairs[2];
  SurveyObject objects[OBJECTS];
  SurveyLockStep steps[2];
  SurveyLockFinding lock;
  Survey survey;
  SurveyReport report;
} Fixture;

static SurveyAccess access_at(uint32_t line, const char *locks) {
  return (SurveyAccess){.position = {"no/such/file.c", line},
                        .function = "f",
                        .thread = "main",
                        .writes = true,
                        .locks = locks,
                        .calls = "main > f"};
}

static void begin(Fixture *f) {
  *f = (Fixture){
      .lock = {.kind = SURVEY_CYCLE, .status = SURVEY_WARNED, .detail = "", .step_count = 2, .fingerprint = 9}};
  f->pairs[0] = (SurveyPair){access_at(3, ""), access_at(8, "m"), "why", "what", 7, 1};
  f->pairs[1] = (SurveyPair){access_at(8, "m"), access_at(9, ""), "why", "what", 5, 2};
  f->objects[WARNED] = (SurveyObject){.name = "a</script>", .status = SURVEY_WARNED, .places = 3, .pair_count = 2};
  f->objects[OPEN] = (SurveyObject){
      .name = "b", .status = SURVEY_OPEN, .doubt = SURVEY_DOUBT_OUTSIDE, .doubt_detail = "g", .places = 1};
  f->objects[PROVED] =
      (SurveyObject){.name = "c", .status = SURVEY_PROVED, .protection = SURVEY_LOCK, .detail = "m", .places = 2};
  f->steps[0] = (SurveyLockStep){"m", "n", NULL, access_at(3, "m")};
  f->steps[1] = (SurveyLockStep){"n", "m", NULL, access_at(4, "n")};
}

static void settle(Fixture *f) { survey_report_settle(&f->report); }

static void open_report(Fixture *f) {
  static const char *const files[] = {"no/such/file.c"};
  f->objects[WARNED].pairs = f->pairs;
  f->lock.steps = f->steps;
  f->survey =
      (Survey){.objects = f->objects, .object_count = OBJECTS, .locks = &f->lock, .lock_count = 1, .complete = true};
  survey_report_init(&f->report, &f->survey);
  f->report.files = files;
  f->report.file_count = 1;
  f->report.version = "0";
}

static SurveyStanding standing(const Fixture *f, unsigned object) { return f->report.objects[object].standing; }

static void test_plain(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  open_report(&f);
  settle(&f);
  assert_int_equal(standing(&f, WARNED), SURVEY_STANDS_WARNED);
  assert_int_equal(standing(&f, OPEN), SURVEY_STANDS_OPEN);
  assert_int_equal(standing(&f, PROVED), SURVEY_STANDS_PROVED);
  assert_int_equal(f.report.objects[WARNED].number, 1);
  assert_int_equal(f.report.objects[OPEN].number, 2);
  assert_int_equal(f.report.objects[PROVED].number, 0);
  assert_int_equal(f.report.locks[0].number, 3);
  assert_false(survey_report_is_clean(&f.report));
  survey_report_free(&f.report);
}

// --- baselines ---

static void write_file(const char *path, const char *content) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(content, file);
  assert_int_equal(fclose(file), 0);
}

static void write_baseline(Fixture *f, const char *path) {
  Text json;
  text_init(&json, NULL);
  open_report(f);
  settle(f);
  survey_report_json(&f->report, &json);
  write_file(path, json.data);
  survey_report_free(&f->report);
  text_free(&json);
}

static void make_path(char *path) {
  strcpy(path, "/tmp/heddle-baseline-XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
}

// The survey of `now`, after one of `before`.
static void compare(Fixture *before, Fixture *now) {
  char path[40];
  make_path(path);
  write_baseline(before, path);
  Text error;
  text_init(&error, NULL);
  open_report(now);
  assert_true(baseline_apply(path, &now->report, &error));
  settle(now);
  text_free(&error);
  unlink(path);
}

static void test_all_known(void **state) {
  (void)state;
  Fixture before, now;
  begin(&before);
  begin(&now);
  now.pairs[0].first.position.line = 77; // lines do not matter
  compare(&before, &now);
  assert_int_equal(standing(&now, WARNED), SURVEY_STANDS_KNOWN);
  assert_int_equal(standing(&now, OPEN), SURVEY_STANDS_KNOWN);
  assert_int_equal(now.report.locks[0].standing, SURVEY_STANDS_KNOWN);
  assert_true(survey_report_is_clean(&now.report));
  survey_report_free(&now.report);
}

static void test_one_more(void **state) {
  (void)state;
  Fixture before, now;
  begin(&before);
  begin(&now);
  before.objects[WARNED].pair_count = 1;
  now.pairs[1].fingerprint = now.pairs[0].fingerprint; // the same kind of access once more
  now.objects[OPEN].doubt = SURVEY_DOUBT_OPAQUE;       // another doubt
  now.lock.fingerprint++;
  compare(&before, &now);
  assert_int_equal(standing(&now, WARNED), SURVEY_STANDS_WARNED);
  assert_int_equal(now.report.pairs[0].standing, SURVEY_STANDS_KNOWN);
  assert_int_equal(now.report.pairs[1].standing, SURVEY_STANDS_WARNED);
  assert_int_equal(standing(&now, OPEN), SURVEY_STANDS_OPEN);
  assert_int_equal(now.report.locks[0].standing, SURVEY_STANDS_WARNED);
  survey_report_free(&now.report);
}

static void test_more_left_out(void **state) {
  (void)state;
  Fixture before, now;
  begin(&before);
  begin(&now);
  now.objects[WARNED].pairs_left_out = 1;
  compare(&before, &now);
  assert_int_equal(standing(&now, WARNED), SURVEY_STANDS_WARNED);
  survey_report_free(&now.report);
}

static void test_malformed(void **state) {
  (void)state;
  static const char *const contents[] = {
      "",
      "[]",
      "{}",
      "{\"format\": \"heddle-survey\"}",
      "{\"format\": \"heddle-survey\", \"form\": 2, \"objects\": [], \"locks\": []}",
      "{\"format\": \"heddle-survey\", \"form\": 1, \"objects\": [{}], \"locks\": []}",
      "{\"format\": \"heddle-survey\", \"form\": 1, \"objects\": [], \"locks\": [{\"standing\": \"open\"}]}"};
  char path[40];
  make_path(path);
  for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
    Fixture f;
    begin(&f);
    open_report(&f);
    write_file(path, contents[i]);
    Text error;
    text_init(&error, NULL);
    if (baseline_apply(path, &f.report, &error)) fail_msg("taken for a baseline: %s", contents[i]);
    assert_non_null(strstr(error.data, "is not the JSON of a survey"));
    assert_null(strchr(error.data, '\n'));
    text_free(&error);
    survey_report_free(&f.report);
  }
  unlink(path);
}

// --- suppressions ---

static SurveyStanding suppress(Fixture *f, uint32_t line) {
  SuppressionVector rows = {0};
  SuppressionVector_push(&rows, (Suppression){.properties = property_alone(PROPERTY_NO_DATA_RACE),
                                              .file = "no/such/file.c",
                                              .first = line,
                                              .last = line,
                                              .by = "the test"});
  Text warnings;
  Arena arena;
  text_init(&warnings, NULL);
  arena_init(&arena, NULL);
  open_report(f);
  silence_apply(&f->report, &rows, &arena, &warnings);
  settle(f);
  SurveyStanding found = standing(f, WARNED);
  assert_int_equal(f->report.locks[0].standing, SURVEY_STANDS_WARNED); // that is another property
  survey_report_free(&f->report);
  arena_free(&arena);
  text_free(&warnings);
  SuppressionVector_free(&rows);
  return found;
}

static void test_suppressed(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  assert_int_equal(suppress(&f, 8), SURVEY_STANDS_SUPPRESSED); // of both pairs
  assert_int_equal(suppress(&f, 3), SURVEY_STANDS_WARNED);     // of one of them
  f.pairs[0].second.atomic = true;
  assert_int_equal(suppress(&f, 8), SURVEY_STANDS_WARNED); // an atomic access still races with others
  begin(&f);
  f.objects[WARNED].pairs_left_out = 1;
  assert_int_equal(suppress(&f, 8), SURVEY_STANDS_WARNED);
}

// --- the exact engines ---

static void test_exact(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  open_report(&f);
  f.report.pairs[1].standing = SURVEY_STANDS_CONFIRMED;
  settle(&f);
  assert_int_equal(standing(&f, WARNED), SURVEY_STANDS_CONFIRMED);
  survey_report_free(&f.report);
  open_report(&f);
  f.report.excluded = true;
  settle(&f);
  assert_int_equal(standing(&f, WARNED), SURVEY_STANDS_EXCLUDED);
  assert_int_equal(standing(&f, OPEN), SURVEY_STANDS_EXCLUDED);
  assert_int_equal(standing(&f, PROVED), SURVEY_STANDS_PROVED);
  assert_false(survey_report_is_clean(&f.report)); // the locks are another question
  survey_report_free(&f.report);
}

// --- texts ---

static void test_texts(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  f.objects[OPEN].name = "evil\nsurvey: \033[1m";
  open_report(&f);
  settle(&f);
  Text text, again;
  text_init(&text, NULL);
  text_init(&again, NULL);
  survey_report_text(&f.report, &text);
  assert_null(strchr(text.data, '\033'));
  assert_null(strstr(text.data, "\nsurvey:"));
  assert_non_null(
      strstr(text.data, "RACE? no/such/file.c:3 (write, no lock) / no/such/file.c:8 (write, m) and 1 more"));
  survey_report_text(&f.report, &again);
  assert_string_equal(text.data, again.data);
  text_clear(&text);
  assert_true(survey_report_explain(&f.report, 1, &text));
  assert_false(survey_report_explain(&f.report, 0, &text));
  assert_false(survey_report_explain(&f.report, 4, &text));
  text_clear(&text);
  survey_report_page(&f.report, &text);
  assert_non_null(strstr(text.data, "a\\u003c/script\\u003e"));
  assert_null(strstr(text.data, "{{"));
  text_free(&again);
  text_free(&text);
  survey_report_free(&f.report);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),         cmocka_unit_test(test_all_known), cmocka_unit_test(test_one_more),
      cmocka_unit_test(test_more_left_out), cmocka_unit_test(test_malformed), cmocka_unit_test(test_suppressed),
      cmocka_unit_test(test_exact),         cmocka_unit_test(test_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
