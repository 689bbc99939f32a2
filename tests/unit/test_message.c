// Messages of children: what is sent arrives, errors take the place of all else, and nothing malformed is taken.
#include "cli/run/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check), cmocka_unit_test(test_show),      cmocka_unit_test(test_validate_and_replay),
      cmocka_unit_test(test_error), cmocka_unit_test(test_malformed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
