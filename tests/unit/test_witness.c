// Witnesses: hashes, statements of source files, expressions, and the reader.
#include "base/sha256.h"
#include "witness/event_map.h"
#include "witness/expression.h"
#include "witness/witness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// --- sha256: the vectors of FIPS 180-4 and RFC 6234 ---

static void check_hash(const char *text, size_t count, const char *expected) {
  char hex[SHA256_HEX];
  sha256_hex(text, count, hex);
  assert_string_equal(hex, expected);
}

static void test_sha256(void **state) {
  (void)state;
  check_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  check_hash(two_blocks, 56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  static char million[1000000];
  memset(million, 'a', sizeof million);
  check_hash(million, sizeof million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// --- statements ---

static const char source[] = "#define TWICE(x) { x; x; }\n"
                             "int a[] = {1, 2};\n"
                             "struct s { int f; };\n"
                             "int main(void) {\n"
                             "  int b[2] = {0, 1}; /* { */\n"
                             "  for (int i = 0; i < 2; i++)\n"
                             "    b[i] = f(\")\", g(i));\n"
                             "  do { b[0]++; } while (b[0] < 3);\n"
                             "  if (b[0]) goto out; else b[1] = 2;\n"
                             "  switch (b[1]) { case 1: b[0] = 1; break; default: ; }\n"
                             "out:\n"
                             "  return 0;\n"
                             "}\n";

static void check_start(const Statements *s, uint32_t line, uint32_t column, uint32_t start_line, uint32_t start) {
  uint32_t statement = statements_at(s, (SourcePoint){line, column});
  assert_int_not_equal(statement, UINT32_MAX);
  SourcePoint at = statements_start(s, statement);
  assert_int_equal(at.line, start_line);
  assert_int_equal(at.column, start);
}

static void test_statements(void **state) {
  (void)state;
  Statements s;
  statements_scan(&s, source, strlen(source), NULL);
  assert_int_equal(statements_at(&s, (SourcePoint){2, 5}), UINT32_MAX); // not inside a function
  check_start(&s, 5, 14, 5, 3);                                         // the initialiser belongs to its declaration
  check_start(&s, 6, 26, 6, 3);                                         // the increment to its for
  check_start(&s, 7, 10, 7, 5);
  check_start(&s, 8, 12, 8, 8);
  check_start(&s, 8, 25, 8, 3); // the condition to its do
  check_start(&s, 9, 7, 9, 3);
  check_start(&s, 9, 15, 9, 13);
  check_start(&s, 9, 33, 9, 28);
  check_start(&s, 10, 32, 10, 27);
  check_start(&s, 12, 3, 12, 3);
  SourcePoint end = statements_call_end(&s, (SourcePoint){7, 12});
  assert_int_equal(end.line, 7);
  assert_int_equal(end.column, 23); // not the parenthesis in the string, nor that of g
  assert_int_equal(statements_call_end(&s, (SourcePoint){12, 3}).line, 0);
  statements_free(&s);
}

static void test_same_file(void **state) {
  (void)state;
  assert_true(same_file("a.c", "./a.c"));
  assert_true(same_file("/x/y/a.c", "y/a.c"));
  assert_true(same_file("/x/a.c", "/z/a.c")); // folders do not travel
  assert_false(same_file("a.c", "aa.c"));
  assert_false(same_file("x/b.c", "x/a.c"));
}

// --- expressions ---

static bool value_of(void *context, const char *path, uint64_t *value, unsigned *width) {
  (void)context;
  *width = 32;
  if (strcmp(path, "x") == 0)
    *value = 5;
  else if (strcmp(path, "minus") == 0)
    *value = 0xffffffff;
  else if (strcmp(path, "q.a[2].f") == 0)
    *value = 7;
  else if (strcmp(path, "byte") == 0)
    *value = 200, *width = 8;
  else
    return false;
  return true;
}

static Truth truth(const char *text) {
  ExpressionScope scope = {.value_of = value_of};
  return expression_evaluate(text, &scope);
}

static void note_name(void *context, const char *name) { text_format(context, "%s ", name); }

static void test_expressions_beyond(void **state) {
  (void)state;
  ExpressionScope scope = {.value_of = value_of};
  const char *const beyond[] = {"1 / 0", "x % (x - 5) == 1", "*p == 1", "f(x) == 1", "p->next == 0", "x == 1.5"};
  const char *const only_unknown[] = {"unknown == 1", "minus < 0", "unknown / x == 1", "x + minus + 1 > 0"};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) assert_true(expression_has_no_value(beyond[i], &scope));
  for (size_t i = 0; i < sizeof only_unknown / sizeof *only_unknown; i++)
    assert_false(expression_has_no_value(only_unknown[i], &scope));
  Text names;
  text_init(&names, NULL);
  expression_visit_names("q.a[i].f == \\result && true || g(h) > 'c'", note_name, &names);
  assert_string_equal(names.data, "q i \\result g h ");
  text_free(&names);
}

static void test_words_of_source(void **state) {
  (void)state;
  Statements statements;
  static const char source_words[] =
      "#define macro 1\nint counter; // remark\nchar *t = \"quoted \\\" more\"; /* block */ int $x;\n";
  statements_scan(&statements, source_words, sizeof source_words - 1, NULL);
  assert_true(statements_have_word(&statements, "counter"));
  assert_true(statements_have_word(&statements, "$x"));
  const char *const absent[] = {"count", "remark", "quoted", "more", "block", "macro", ""};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
    assert_false(statements_have_word(&statements, absent[i]));
  statements_free(&statements);
}

static void test_expressions(void **state) {
  (void)state;
  const char *const yes[] = {"1",
                             "x == 5",
                             "x==5&&1",
                             "x + 2 * 3 == 11",
                             "(x << 1) == 10",
                             "!(x < 5)",
                             "x ? 1 : 0",
                             "q.a[1 + 1].f == 0x7",
                             "x == 5L || unknown",
                             "'a' == 97",
                             "minus == -1",
                             "(char)x == 5",
                             "x % 3 == 2",
                             "~x == -6",
                             "5u >= x",
                             "x != 4",
                             "true",
                             "1 || f(x, 2)"};
  const char *const no[] = {"0", "x == 6", "x == 5 && 0", "unknown && 0", "x > 5", "q.a[2].f != 7", "false", "x ^ 5"};
  // Types that are not known decide the last ones.
  const char *const unsure[] = {"y",           "*x",      "&x == 0",           "f(x)", "p->f == 1", "minus < 0",
                                "byte == 200", "1.5 < 2", "2147483647 + x > 0"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) assert_int_equal(truth(yes[i]), TRUTH_TRUE);
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) assert_int_equal(truth(no[i]), TRUTH_FALSE);
  for (size_t i = 0; i < sizeof unsure / sizeof *unsure; i++) assert_int_equal(truth(unsure[i]), TRUTH_UNKNOWN);
}

static void test_malformed_expressions(void **state) {
  (void)state;
  const char *const bad[] = {"", "x ==", "(x", "x y", "a[1", "12abc", "'a", "x ? 1", "f(x", "s.", "@", "x = "};
  Text error;
  text_init(&error, NULL);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    text_clear(&error);
    assert_false(expression_valid(bad[i], &error));
    assert_true(error.length > 0);
  }
  char deep[2000];
  memset(deep, '(', sizeof deep);
  deep[sizeof deep - 1] = '\0';
  assert_false(expression_valid(deep, &error));
  text_free(&error);
}

static void test_equations(void **state) {
  (void)state;
  int64_t value = 0;
  assert_true(expression_is_equation("\\result == -7", "\\result", &value));
  assert_int_equal(value, -7);
  assert_true(expression_is_equation("12 == \\result", "\\result", &value));
  assert_int_equal(value, 12);
  assert_false(expression_is_equation("\\result == 1 || 1", "\\result", &value));
  assert_false(expression_is_equation("\\result >= 1", "\\result", &value));
  assert_false(expression_is_equation("\\results == 1", "\\result", &value));
}

// --- the reader ---

static const char head[] = "- entry_type: violation_sequence\n"
                           "  metadata:\n"
                           "    format_version: \"2.0\"\n"
                           "    uuid: u\n"
                           "    creation_time: t\n"
                           "    producer: {name: n, version: v}\n"
                           "    task:\n"
                           "      input_files: [a.c]\n"
                           "      input_file_hashes: {a.c: abc}\n"
                           "      specification: G ! call(reach_error())\n"
                           "      data_model: ILP32\n"
                           "      language: C\n"
                           "  content:\n";
static const char assumption[] = "  - segment:\n"
                                 "    - waypoint: {type: branching, action: avoid, constraint: {value: 'true'},"
                                 " location: {file_name: a.c, line: 3}}\n"
                                 "    - waypoint: {type: assumption, action: follow, thread_id: 2,"
                                 " constraint: {value: x == 1}, location: {file_name: a.c, line: 4, column: 2}}\n";
static const char target[] = "  - segment:\n"
                             "    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 9}}\n";

static bool read_parts(const char *first, const char *second, const char *third, Witness *witness, Text *error) {
  Text text, notes;
  text_init(&text, NULL);
  text_init(&notes, NULL);
  text_add(&text, first);
  text_add(&text, second);
  text_add(&text, third);
  bool good = witness_read(witness, text.data, text.length, error, &notes, NULL);
  text_free(&text);
  text_free(&notes);
  return good;
}

static void test_reader(void **state) {
  (void)state;
  Witness w;
  Text error;
  text_init(&error, NULL);
  assert_true(read_parts(head, assumption, target, &w, &error));
  assert_int_equal(w.kind, WITNESS_VIOLATION);
  assert_int_equal(w.segments.count, 2);
  assert_int_equal(w.segments.data[0].avoid_count, 1);
  assert_string_equal(w.files.data[0].hash, "abc");
  const Waypoint *waypoint = &w.waypoints.data[1];
  assert_int_equal(waypoint->type, WAYPOINT_ASSUMPTION);
  assert_int_equal(waypoint->thread, 2);
  assert_int_equal(waypoint->at.column, 2);
  assert_string_equal(waypoint->constraint, "x == 1");
  assert_int_equal(w.waypoints.data[2].thread, -1);
  witness_free(&w);
  text_free(&error);
}

static void check_refused(const char *first, const char *second, const char *third, const char *why) {
  Witness w;
  Text error;
  text_init(&error, NULL);
  assert_false(read_parts(first, second, third, &w, &error));
  if (!strstr(error.data, why)) fail_msg("'%s' does not say '%s'", error.data, why);
  witness_free(&w);
  text_free(&error);
}

static void test_refused(void **state) {
  (void)state;
  check_refused("{", "", "", "line 2");
  check_refused("a: b\n", "", "", "list of entries");
  check_refused(head, target, assumption, "target is not in the last segment");
  check_refused(head, assumption, "", "has no target");
  check_refused(head, "  - {}\n", target, "no segment");
  check_refused("- entry_type: violation_sequence\n  metadata: {format_version: '1.0'}\n", "", "", "not one of 2.0");
  check_refused(head, "  - segment:\n    - waypoint: {type: jump, action: follow}\n", target, "jump");
  check_refused(head,
                "  - segment:\n    - waypoint: {type: assumption, action: follow, constraint: {value: 'x =='},"
                " location: {file_name: a.c, line: 4}}\n",
                target, "unexpected end");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sha256),
      cmocka_unit_test(test_statements),
      cmocka_unit_test(test_same_file),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_expressions_beyond),
      cmocka_unit_test(test_words_of_source),
      cmocka_unit_test(test_equations),
      cmocka_unit_test(test_malformed_expressions),
      cmocka_unit_test(test_reader),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
