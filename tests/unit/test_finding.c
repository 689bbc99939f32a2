// Findings and goals: what tells violations apart, and that both survive the way through a pipe.
#include "verdict/finding.h"
#include "verdict/goals.h"
#include "verdict/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void race(Finding *finding, const char *first, uint32_t line, const char *second, uint32_t other) {
  finding_init(finding, VIOLATION_RACE);
  finding_add_place(finding, first, line);
  finding_add_place(finding, second, other);
}

static bool same_on(const char *object, const char *first, uint32_t line, const char *second, uint32_t other) {
  Finding known, next;
  race(&known, "a.c", 3, "b.c", 5);
  race(&next, first, line, second, other);
  finding_add_goal(&known, "counter");
  finding_add_goal(&next, object);
  bool result = finding_is_same(&known, &next);
  next.kind = VIOLATION_DEADLOCK;
  assert_false(finding_is_same(&known, &next));
  finding_free(&known);
  finding_free(&next);
  return result;
}

static bool same(const char *first, uint32_t line, const char *second, uint32_t other) {
  return same_on("counter", first, line, second, other);
}

static void test_same(void **state) {
  (void)state;
  assert_true(same("a.c", 3, "b.c", 5));
  assert_true(same("b.c", 5, "a.c", 3));
  assert_false(same_on("other", "a.c", 3, "b.c", 5));
  assert_false(same("a.c", 3, "b.c", 6));
  assert_false(same("a.c", 3, "a.c", 5));
  assert_false(same("a.c", 3, "a.c", 3));
  assert_false(same("a.c", 3, NULL, 0));
}

static void test_places(void **state) {
  (void)state;
  Finding finding;
  race(&finding, "a.c", 3, "a.c", 3);
  assert_int_equal(finding.places.count, 1);
  finding_add_place(&finding, NULL, 3);
  finding_add_place(&finding, "a.c", 0);
  assert_int_equal(finding.places.count, 1);
  finding_add_place(&finding, "a.c", 2);
  assert_int_equal(finding.places.data[0].line, 2);
  finding_free(&finding);
}

static void test_finding_json(void **state) {
  (void)state;
  Finding finding, back;
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  race(&finding, "b\"}.c", 5, "a.c", 3);
  finding_add_goal(&finding, "counter");
  finding_add_goal(&finding, "counter");
  finding_write_json(&finding, &text);
  cJSON *root = json_parse(text.data, text.length, &error);
  finding_init(&back, VIOLATION_NONE);
  assert_true(finding_read_json(root, &back, &error));
  assert_true(finding_is_same(&finding, &back));
  assert_int_equal(back.goals.count, 1);
  assert_string_equal(back.goals.data[0], "counter");
  cJSON_Delete(root);
  finding_free(&back);
  static const char *const wrong[] = {"{}",
                                      "[]",
                                      "{\"kind\": \"none\", \"places\": [], \"goals\": 1}",
                                      "{\"kind\": \"great\", \"places\": [], \"goals\": []}",
                                      "{\"kind\": \"none\", \"places\": [{\"file\": \"a.c\"}], \"goals\": []}",
                                      "{\"kind\": \"none\", \"places\": [], \"goals\": [1]}"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    root = json_parse(wrong[i], strlen(wrong[i]), &error);
    finding_init(&back, VIOLATION_NONE);
    if (finding_read_json(root, &back, &error)) fail_msg("taken: %s", wrong[i]);
    finding_free(&back);
    cJSON_Delete(root);
  }
  finding_free(&finding);
  text_free(&error);
  text_free(&text);
}

static void test_goals(void **state) {
  (void)state;
  Goals goals, back;
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  goals_init(&goals);
  goals_add(&goals, "a", true);
  goals_add(&goals, "b", true);
  goals_add(&goals, "a", false); // one of several things that are called so
  assert_int_equal(goals.rows.count, 2);
  goals_write_json(&goals, &text);
  cJSON *root = json_parse(text.data, text.length, &error);
  goals_init(&back);
  assert_true(goals_read_json(root, &back, &error));
  assert_int_equal(back.rows.count, 2);
  assert_false(back.rows.data[0].safe);
  assert_true(back.rows.data[1].safe);
  assert_true(goals_have(&back, "b"));
  assert_false(goals_have(&back, "c"));
  goals_distrust(&back); // static facts alone prove nothing
  assert_false(back.rows.data[1].safe);
  goals_free(&back);
  goals_init(&back);
  assert_false(goals_read_json(NULL, &back, &error));
  goals_free(&back);
  cJSON_Delete(root);
  goals_free(&goals);
  text_free(&error);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_places),
                                     cmocka_unit_test(test_finding_json), cmocka_unit_test(test_goals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
