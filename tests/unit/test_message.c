// Messages of children: what is sent arrives, errors take the place of all else, and nothing malformed is taken.
#include "cli/answers/answers.h"
#include "cli/answers/answers_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void pass(Message *message, MessageKind kind, Message *back) {
  Text none, wire, fault;
  text_init(&none, NULL);
  text_init(&wire, NULL);
  text_init(&fault, NULL);
  message_send(message, &none, &wire);
  if (!message_read(back, kind, wire.data, &fault)) fail_msg("%s: %s", fault.data, wire.data);
  assert_int_equal(back->kind, kind);
  text_free(&fault);
  text_free(&wire);
  text_free(&none);
}

static void test_check(void **state) {
  (void)state;
  Message message, back;
  message_init(&message, MESSAGE_CHECK);
  message.check.result = result_new(PROPERTY_NO_DATA_RACE, NULL);
  result_unknown_for(message.check.result, REASON_DOUBT, "a \"reason\" }");
  text_add(&message.check.trace, "1 x = \"}\"\n");
  text_add(&message.check.schedule, "{ \"steps\": [] }\n");
  text_add(&message.check.sarif, "{}");
  pass(&message, MESSAGE_CHECK, &back);
  assert_int_equal(back.check.result->property, PROPERTY_NO_DATA_RACE);
  assert_int_equal(back.check.result->why, REASON_DOUBT);
  assert_string_equal(back.check.result->reason.data, "a \"reason\" }");
  assert_string_equal(back.check.trace.data, "1 x = \"}\"\n");
  assert_string_equal(back.check.schedule.data, "{ \"steps\": [] }\n");
  assert_string_equal(back.check.sarif.data, "{}");
  assert_int_equal(back.check.witness.length, 0);
  message_free(&back);
}

static void test_show(void **state) {
  (void)state;
  Message message, back;
  message_init(&message, MESSAGE_SHOW);
  message.show.binary = true;
  for (int byte = 0; byte < 256; byte++) text_add_char(&message.show.content, (char)byte);
  pass(&message, MESSAGE_SHOW, &back);
  assert_true(back.show.binary);
  assert_int_equal(back.show.content.length, 256);
  for (int byte = 0; byte < 256; byte++) assert_int_equal((unsigned char)back.show.content.data[byte], byte);
  message_free(&back);
  message_init(&message, MESSAGE_SHOW);
  text_add(&message.show.content, "digraph {}\n");
  pass(&message, MESSAGE_SHOW, &back);
  assert_false(back.show.binary);
  assert_string_equal(back.show.content.data, "digraph {}\n");
  message_free(&back);
}

static void test_validate_and_replay(void **state) {
  (void)state;
  for (WitnessVerdict verdict = 0; verdict < WITNESS_VERDICT_COUNT; verdict++) {
    Message message, back;
    message_init(&message, MESSAGE_VALIDATE);
    message.validate.verdict = verdict;
    text_add(&message.validate.reason, "why");
    text_add(&message.validate.notes, "one\ntwo\n");
    pass(&message, MESSAGE_VALIDATE, &back);
    assert_int_equal(back.validate.verdict, verdict);
    assert_string_equal(back.validate.reason.data, "why");
    assert_string_equal(back.validate.notes.data, "one\ntwo\n");
    message_free(&back);
  }
  Message message, back;
  message_init(&message, MESSAGE_REPLAY);
  message.replay.result = result_new(PROPERTY_UNREACH_CALL, NULL);
  message.replay.result->answer = ANSWER_UNSAFE;
  pass(&message, MESSAGE_REPLAY, &back);
  assert_int_equal(back.replay.result->answer, ANSWER_UNSAFE);
  message_free(&back);
}

// An error stands for itself, whatever was found before it, and whatever the parent waits for.
static void test_error(void **state) {
  (void)state;
  Message message, back;
  Text error, wire, fault;
  text_init(&error, NULL);
  text_init(&wire, NULL);
  text_init(&fault, NULL);
  text_add(&error, "a.c:1: no such thing");
  message_init(&message, MESSAGE_SHOW);
  text_add(&message.show.content, "half");
  message_send(&message, &error, &wire);
  assert_true(message_read(&back, MESSAGE_CHECK, wire.data, &fault));
  assert_int_equal(back.kind, MESSAGE_ERROR);
  assert_string_equal(back.error.data, "a.c:1: no such thing");
  message_free(&back);
  text_free(&fault);
  text_free(&wire);
  text_free(&error);
}

static void test_malformed(void **state) {
  (void)state;
  static const char *const malformed[] = {
      "",
      "{",
      "[]",
      "{}",
      "{\"kind\": \"show\", \"text\": \"x\"}", // not what was asked for
      "{\"kind\": \"validate\", \"verdict\": \"MAYBE\", \"reason\": \"\", \"trace\": \"\", \"notes\": \"\"}",
      "{\"kind\": \"validate\", \"verdict\": \"REJECTED\", \"reason\": 1, \"trace\": \"\", \"notes\": \"\"}",
      "{\"kind\": \"validate\"}",
      "{\"kind\": \"error\"}",
  };
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    Message message;
    Text wire, fault;
    text_init(&wire, NULL);
    text_init(&fault, NULL);
    text_add(&wire, malformed[i]);
    assert_false(message_read(&message, MESSAGE_VALIDATE, wire.data, &fault));
    assert_int_equal(message.kind, MESSAGE_VALIDATE);
    assert_true(fault.length > 0);
    message_free(&message);
    text_free(&fault);
    text_free(&wire);
  }
}

// An answer about unreach-call, with a finding at the line if that is not 0.
static CheckMessage answer_at(Answer answer, uint32_t line) {
  CheckMessage message = {0};
  check_message_init(&message);
  message.result = result_new(PROPERTY_UNREACH_CALL, NULL);
  message.result->answer = answer;
  if (answer == ANSWER_UNKNOWN) result_unknown_for(message.result, REASON_INTERNAL, "internal error: contradiction");
  if (line == 0) return message;
  char goal[16];
  snprintf(goal, sizeof goal, "a.c:%u", (unsigned)line);
  message.finding.kind = VIOLATION_ERROR;
  finding_add_place(&message.finding, "a.c", line);
  finding_add_goal(&message.finding, goal);
  return message;
}

// A finding that is contradicted is no violation any more. Its goal is open, and the other goals are what they were.
static void test_contradictions(void **state) {
  (void)state;
  for (unsigned violations = 0; violations < 3; violations++) {
    CheckMessageVector answers = {0};
    answers_add(&answers, 0, answer_at(ANSWER_UNSAFE, 10));
    if (violations > 0) answers_add(&answers, 0, answer_at(ANSWER_UNSAFE, 11));
    answers_add(&answers, 0, answer_at(ANSWER_UNKNOWN, 10));
    answers_add(&answers, 0, answer_at(ANSWER_UNKNOWN, 10)); // told twice
    if (violations > 1) answers_add(&answers, 0, answer_at(ANSWER_UNSAFE, 12));
    CheckMessage rest = answer_at(ANSWER_SAFE, 0);
    static const char *const goals[] = {"a.c:10", "a.c:11", "a.c:12", "a.c:13"};
    for (unsigned i = 0; i < 4; i++) goals_add(&rest.goals, goals[i], i == 0);
    CheckMessageVector_push(&answers, rest);
    PropertyAnswerVector rows = {0};
    answers_summarise(&answers, &rows);
    assert_int_equal(rows.count, 1);
    const PropertyAnswer *row = &rows.data[0];
    assert_int_equal(row->answer, violations ? ANSWER_UNSAFE : ANSWER_UNKNOWN);
    assert_int_equal(row->violations, violations);
    assert_int_equal(row->violated, violations);
    assert_int_equal(row->contradictions, 1);
    assert_int_equal(row->open, 1);
    assert_int_equal(row->proved, 3 - violations);
    assert_int_equal(row->goals, 4);
    assert_ptr_equal(answer_told(row), &answers.data[0]);
    assert_ptr_equal(answer_unknown(row), row->contradicted->result);
    Text text;
    text_init(&text, NULL);
    const Options options = {.format = "text"};
    answers_print(&options, &rows, &text);
    assert_non_null(strstr(text.data, "open: a.c:10 (internal error: contradiction)\n"));
    text_clear(&text);
    answers_print_verdict(&rows, &text);
    static const char unknown[] = "result: UNKNOWN (internal error: contradiction;";
    if (violations)
      assert_string_equal(text.data, "result: UNSAFE");
    else
      assert_int_equal(strncmp(text.data, unknown, sizeof unknown - 1), 0);
    text_free(&text);
    PropertyAnswerVector_free(&rows);
    for (size_t i = 0; i < answers.count; i++) check_message_free(&answers.data[i]);
    CheckMessageVector_free(&answers);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check), cmocka_unit_test(test_show),      cmocka_unit_test(test_validate_and_replay),
      cmocka_unit_test(test_error), cmocka_unit_test(test_malformed), cmocka_unit_test(test_contradictions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
