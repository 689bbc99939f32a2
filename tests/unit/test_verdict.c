// Results (seal, combine, JSON) and properties.
#include "verdict/json.h"
#include "verdict/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

static Result *answer(Answer answer, Account *account) {
  Result *result = result_new(PROPERTY_UNREACH_CALL, account);
  result->answer = answer;
  if (answer == ANSWER_UNSAFE) {
    result->schedule = schedule_new(account);
    result->confirmed = true;
  }
  return result;
}

static void test_seal(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Result *safe = answer(ANSWER_SAFE, &account);
  result_seal(safe);
  assert_int_equal(safe->answer, ANSWER_SAFE);
  result_add_cut(safe, CUT_THREADS, "more than 2 threads at a.c:3");
  result_seal(safe);
  assert_int_equal(safe->answer, ANSWER_UNKNOWN);
  assert_string_equal(safe->reason.data, "thread limit: more than 2 threads at a.c:3");

  Result *unsafe = answer(ANSWER_UNSAFE, &account);
  result_seal(unsafe);
  assert_int_equal(unsafe->answer, ANSWER_UNSAFE);
  unsafe->confirmed = false;
  result_seal(unsafe);
  assert_int_equal(unsafe->answer, ANSWER_UNKNOWN);
  assert_non_null(strstr(unsafe->reason.data, "internal error"));
  assert_null(unsafe->schedule);

  Result *lost = answer(ANSWER_UNSAFE, &account);
  schedule_free(lost->schedule);
  lost->schedule = NULL;
  result_seal(lost);
  assert_int_equal(lost->answer, ANSWER_UNKNOWN);

  Result *unknown = answer(ANSWER_UNKNOWN, &account);
  result_seal(unknown);
  assert_true(unknown->reason.length > 0);
  result_free(safe);
  result_free(unsafe);
  result_free(lost);
  result_free(unknown);
  assert_int_equal(account.bytes, 0);
}

static void test_cuts_and_counts(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Program *program = program_new(64, &account);
  CutId cut = program_add_cut(program, CUT_CONSTRUCT, "inline assembly", (Position){.file = "spin.c", .line = 14});
  Result *result = answer(ANSWER_SAFE, &account);
  result_add_program_cut(result, program, cut);
  result_add_program_cut(result, program, cut);
  result_add_cut(result, CUT_CONSTRUCT, "inline assembly at spin.c:14");
  assert_int_equal(result->cuts.count, 1);
  assert_string_equal(result->cuts.data[0].what.data, "inline assembly at spin.c:14");
  result_add_cut(result, CUT_HEAP, "inline assembly at spin.c:14"); // the same words, another kind
  assert_int_equal(result->cuts.count, 2);
  result_count(result, "states", 3);
  result_count(result, "states", 5);
  assert_int_equal(result->statistics.count, 1);
  assert_true(result_statistic(result, "states") == 5);
  assert_true(result_statistic(result, "absent") == 0);
  result_unknown(result, "two\nlines, %s", result->covered.data);
  assert_string_equal(result->reason.data, "two\\nlines,");
  result_unknown(result, "again: %s", result->reason.data);
  assert_string_equal(result->reason.data, "again: two\\nlines,");
  result_free(result);
  program_free(program);
  assert_int_equal(account.bytes, 0);
}

static Result *rich_result(Account *account) {
  Result *result = result_new(PROPERTY_NO_DATA_RACE, account);
  result->answer = ANSWER_UNSAFE;
  result->assumptions = 1u << ASSUME_NO_REUSE | 1u << ASSUME_WRAPPING;
  result_rest_on(result, ASSUME_UNDEFINED_FUNCTION, "spawn at a.c:5");
  result_rest_on(result, ASSUME_UNDEFINED_FUNCTION, "spawn at a.c:5");
  result_add_cut(result, CUT_INPUT, "\"quoted\" \\ input");
  text_add(&result->covered, "all of it");
  text_add(&result->violation, "race on x");
  result->confirmed = true;
  result->schedule = schedule_new(account);
  result->schedule->property = PROPERTY_NO_DATA_RACE;
  result_count(result, "states", 12);
  result_count(result, "seconds", 0.1);
  return result;
}

static void test_json_round_trip(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Program *program = program_new(64, &account);
  Result *result = rich_result(&account);
  text_add(&result->proof, "0 at line 1 (2): x == 0\n0 ended: x == 1\n"); // the one text of several lines
  Text text, again, error;
  text_init(&text, &account);
  text_init(&again, &account);
  text_init(&error, &account);
  result_write_json(result, program, &text);
  Result *back = result_read_json(text.data, program, &error, &account);
  assert_string_equal(error.data, "");
  assert_non_null(back);
  assert_int_equal(back->answer, ANSWER_UNSAFE);
  assert_int_equal(back->property, PROPERTY_NO_DATA_RACE);
  assert_int_equal(back->assumptions, result->assumptions);
  assert_int_equal(back->rests_on.count, 1);
  assert_string_equal(back->rests_on.data[0].what.data, "spawn at a.c:5");
  assert_true(back->confirmed);
  assert_string_equal(back->proof.data, result->proof.data);
  assert_non_null(back->schedule);
  assert_true(result_statistic(back, "seconds") == 0.1);
  assert_string_equal(back->cuts.data[0].what.data, "\"quoted\" \\ input");
  result_write_json(back, program, &again);
  assert_string_equal(text.data, again.data);
  result_free(back);
  back = result_read_json(text.data, NULL, &error, &account); // without a program, without the schedule
  assert_non_null(back);
  assert_null(back->schedule);
  result_free(back);
  text.data[--text.length] = '\0'; // the newline at the end
  while (text.length) {
    text.data[--text.length] = '\0';
    text_clear(&error);
    assert_null(result_read_json(text.data, program, &error, &account));
    assert_true(error.length > 0);
  }
  result_free(result);
  text_free(&text);
  text_free(&again);
  text_free(&error);
  program_free(program);
  assert_int_equal(account.bytes, 0);
}

// Notes and the kind of a reason survive the pipe; an UNKNOWN has no notes.
static void test_notes_and_reasons(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Text text, error;
  text_init(&text, &account);
  text_init(&error, &account);
  Result *safe = answer(ANSWER_SAFE, &account);
  result_add_note(safe, NOTE_VACUOUS, "no execution gets past a.c:3");
  result_add_note(safe, NOTE_CHOICE, "rand chooses 3\nat a.c:4");
  result_add_note(safe, NOTE_CHOICE, "x holds 1");
  result_add_note(safe, NOTE_CHOICE, "x holds 1");
  result_write_json(safe, NULL, &text);
  Result *read = result_read_json(text.data, NULL, &error, &account);
  assert_non_null(read);
  assert_int_equal(read->notes.count, 3);
  text_clear(&text);
  result_tell_notes(read, &text);
  assert_string_equal(text.data, "note: no execution gets past a.c:3\n"
                                 "this execution uses: rand chooses 3\\nat a.c:4; x holds 1\n");
  result_stopped(read, STOP_TIME);
  result_add_cut(read, CUT_THREADS, "more than 2 threads at a.c:3");
  result_add_cut(read, CUT_ENVIRONMENT, "the environment at a.c:4");
  result_seal(read);
  assert_int_equal(read->notes.count, 0);
  text_clear(&text);
  result_write_json(read, NULL, &text);
  Result *again = result_read_json(text.data, NULL, &error, &account);
  assert_non_null(again);
  assert_int_equal(again->why, REASON_TIME);
  text_clear(&text);
  result_add_reason(again, &text);
  assert_string_equal(text.data, "out of time; try a larger --time-limit; or --env, which fixes the environment");
  assert_null(result_read_json("{\"property\": \"unreach-call\", \"answer\": \"UNKNOWN\", \"why\": \"whim\"}", NULL,
                               &error, &account));
  result_free(again);
  result_free(read);
  result_free(safe);
  text_free(&error);
  text_free(&text);
  assert_int_equal(account.bytes, 0);
}

// Whatever is met, there is something to try.
static void test_hints(void **state) {
  (void)state;
  Text text;
  text_init(&text, NULL);
  for (unsigned kind = 0; kind < CUT_KIND_COUNT; kind++) {
    Result *result = result_new(PROPERTY_UNREACH_CALL, NULL);
    result_add_cut(result, (CutKind)kind, "it");
    result_unknown_for_cuts(result);
    text_clear(&text);
    result_add_hint(result, &text);
    assert_true(text.length > 0);
    result_free(result);
  }
  text_free(&text);
}

static void test_property_names(void **state) {
  (void)state;
  Text error;
  text_init(&error, NULL);
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    PropertySet set = 0;
    assert_true(properties_parse(property_name((Property)i), &set, &error));
    assert_int_equal(set, property_alone((Property)i));
    assert_true(property_preserves((Property)i) != 0);
  }
  PropertySet set;
  assert_true(properties_parse("all", &set, &error));
  assert_int_equal(properties_count(set), PROPERTY_COUNT - 1);
  assert_false(properties_have(set, PROPERTY_LTL));
  assert_false(properties_parse("unreach-cal", &set, &error));
  assert_non_null(strstr(error.data, "unreach-call"));
  text_clear(&error);
  assert_false(properties_parse("missing.prp", &set, &error));
  assert_non_null(strstr(error.data, "missing.prp"));
  text_free(&error);
}

typedef struct PropertyFile {
  const char *content;
  PropertySet properties; // 0: an error
} PropertyFile;

static const PropertyFile files[] = {
    {"CHECK( init(main()), LTL(G ! call(reach_error())) )\n", 1u << PROPERTY_UNREACH_CALL},
    {"CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", 1u << PROPERTY_UNREACH_CALL},
    {"CHECK(init(main()),LTL(G!data-race))\r\n\n", 1u << PROPERTY_NO_DATA_RACE},
    {"CHECK( init(main()), LTL(G ! deadlock) )\n", 1u << PROPERTY_NO_DEADLOCK},
    {"CHECK( init(main()), LTL(G ! division-by-zero) )\n", 1u << PROPERTY_NO_DIVISION_BY_ZERO},
    {"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n",
     1u << PROPERTY_VALID_MEMSAFETY},
    {"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
     1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_VALID_MEMTRACK},
    {"CHECK( init(main()), LTL(G ! overflow) )\n", 1u << PROPERTY_NO_OVERFLOW},
    {"CHECK( init(main()), LTL(G valid-memcleanup) )\n", 1u << PROPERTY_VALID_MEMCLEANUP},
    {"CHECK( init(main()), LTL(G valid-memtrack) )\n", 1u << PROPERTY_VALID_MEMTRACK},
    {"CHECK( init(main()), LTL(F end) )\n", 0},
    {"CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G ! data-race) )\n",
     1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_NO_DATA_RACE},
    {"COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n", 0},
    {"CHECK( init(main()), LTL(G ! call(reach_error()) )\n", 0},
    {"\n\n", 0},
    {"", 0},
};

static void test_property_files(void **state) {
  (void)state;
  char path[] = "/tmp/heddle-test-XXXXXX.prp";
  int file = mkstemps(path, 4);
  assert_true(file >= 0);
  close(file);
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    text_clear(&text);
    text_clear(&error);
    text_add(&text, files[i].content);
    assert_int_equal(text_write_file(&text, path), 0);
    PropertySet set = 0;
    bool good = properties_parse(path, &set, &error);
    if (good != (files[i].properties != 0)) fail_msg("%s: %s", files[i].content, error.data);
    if (good)
      assert_int_equal(set, files[i].properties);
    else
      assert_non_null(strstr(error.data, path));
    assert_null(strchr(error.data, '\n'));
  }
  unlink(path);
  text_free(&text);
  text_free(&error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_seal),
      cmocka_unit_test(test_cuts_and_counts),
      cmocka_unit_test(test_json_round_trip),
      cmocka_unit_test(test_notes_and_reasons),
      cmocka_unit_test(test_hints),
      cmocka_unit_test(test_property_names),
      cmocka_unit_test(test_property_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
