// What a program is started with: words, variables, JSON and back.
#include "cli/options/launch.h"
#include "verdict/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
// cmocka wants the headers above first
#include <cmocka.h>

static void expect_words(const char *text, const char *const *words, size_t count) {
  Launch launch;
  Text error;
  text_init(&error, NULL);
  launch_init(&launch);
  assert_true(launch_set_arguments(&launch, text, &error));
  assert_int_equal(launch.front.arguments->count, count);
  for (size_t i = 0; i < count; i++) assert_string_equal(launch.front.arguments->data[i], words[i]);
  launch_free(&launch);
  text_free(&error);
}

static void test_words(void **state) {
  (void)state;
  expect_words("", NULL, 0);
  expect_words(" \t\n", NULL, 0);
  expect_words(" a  b\tc\n", (const char *[]){"a", "b", "c"}, 3);
  expect_words("'' \"\"", (const char *[]){"", ""}, 2);
  expect_words("'a b'c\" d\"", (const char *[]){"a bc d"}, 1);
  expect_words("a\\ b \\\\ \\'", (const char *[]){"a b", "\\", "'"}, 3);
  expect_words("\"\\\" \\$ \\n\" '\\'", (const char *[]){"\" $ \\n", "\\"}, 2);
}

static void expect_bad_words(const char *text) {
  Launch launch;
  Text error;
  text_init(&error, NULL);
  launch_init(&launch);
  assert_false(launch_set_arguments(&launch, text, &error));
  assert_true(error.length > 0);
  launch_free(&launch);
  text_free(&error);
}

static void test_bad_words(void **state) {
  (void)state;
  expect_bad_words("'a");
  expect_bad_words("a \"b");
  expect_bad_words("\"b\\\"");
  expect_bad_words("a\\");
}

static void test_names(void **state) {
  (void)state;
  static const char *const files[][2] = {
      {"a.c", "a"}, {"dir.d/b.x.c", "b.x"}, {"/c", "c"}, {"dir/.hidden", ".hidden"}, {"plain", "plain"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    Launch launch;
    launch_init(&launch);
    launch_set_name(&launch, files[i][0]);
    assert_string_equal(launch.front.name, files[i][1]);
    launch_free(&launch);
  }
}

static bool set_environment(Launch *launch, const char *first, const char *second, Text *error) {
  StringVector entries;
  StringVector_init(&entries, NULL);
  StringVector_push(&entries, first);
  if (second) StringVector_push(&entries, second);
  bool good = launch_set_environment(launch, &entries, error);
  StringVector_free(&entries);
  return good;
}

static void test_environment(void **state) {
  (void)state;
  static const struct {
    const char *first, *second;
    size_t count;
    bool good;
  } rows[] = {{"A=1", "AB=2", 2, true}, {"A=", NULL, 1, true},     {"A=b=c", NULL, 1, true}, {"none", NULL, 0, true},
              {"A=1", "A=1", 0, false}, {"none", "A=1", 0, false}, {"NAME", NULL, 0, false}, {"=1", NULL, 0, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Launch launch;
    Text error;
    text_init(&error, NULL);
    launch_init(&launch);
    assert_int_equal(set_environment(&launch, rows[i].first, rows[i].second, &error), rows[i].good);
    assert_int_equal(error.length == 0, rows[i].good);
    if (rows[i].good) assert_int_equal(launch.front.environment->count, rows[i].count);
    launch_free(&launch);
    text_free(&error);
  }
}

static void test_json(void **state) {
  (void)state;
  Launch launch, again;
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  launch_init(&launch);
  launch_init(&again);
  launch_set_name(&launch, "x.c");
  assert_true(launch_set_arguments(&launch, "'a \"b' c", &error));
  for (unsigned i = 0; i < 256; i++) ByteVector_push(&launch.input, (uint8_t)i);
  launch.front.input = &launch.input;
  text_add(&text, "{ \"first\": 1");
  launch_add_json(&launch, ", ", true, &text);
  text_add(&text, " }");
  cJSON *root = json_parse(text.data, text.length, &error);
  assert_non_null(root);
  assert_true(launch_read_json(&again, root, &error));
  assert_string_equal(again.front.name, "x");
  assert_int_equal(again.front.arguments->count, 2);
  assert_string_equal(again.front.arguments->data[0], "a \"b");
  assert_null(again.front.environment);
  assert_int_equal(again.front.input->count, 256);
  assert_memory_equal(again.front.input->data, launch.input.data, 256);
  cJSON_Delete(root);
  launch_free(&again);
  launch_free(&launch);
  static const char *const bad[] = {"{\"args\": 1}",    "{\"args\": [1]}",    "{\"env\": {}}",      "{\"name\": 3}",
                                    "{\"stdin\": [1]}", "{\"stdin\": \"6\"}", "{\"stdin\": \"6G\"}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    text_clear(&error);
    launch_init(&launch);
    root = json_parse(bad[i], strlen(bad[i]), &error);
    assert_non_null(root);
    assert_false(launch_read_json(&launch, root, &error));
    assert_true(error.length > 0);
    cJSON_Delete(root);
    launch_free(&launch);
  }
  text_free(&error);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words), cmocka_unit_test(test_bad_words),   cmocka_unit_test(test_names),
      cmocka_unit_test(test_json),  cmocka_unit_test(test_environment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
