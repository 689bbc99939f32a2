// Task definitions, limits, and how rows are judged.
#include "bench/csv.h"
#include "bench/find.h"
#include "bench/row.h"
#include "bench/task.h"
#include "command/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Fixture {
  Account account;
  Arena arena;
  Text error;
  Task task;
} Fixture;

static int set_up(void **state) {
  Fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  arena_init(&f->arena, &f->account);
  text_init(&f->error, &f->account);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  Fixture *f = *state;
  task_free(&f->task);
  text_free(&f->error);
  arena_free(&f->arena);
  int leaked = f->account.bytes != 0;
  free(f);
  return leaked;
}

static bool parse(Fixture *f, const char *yaml) {
  text_clear(&f->error);
  return task_parse(&f->task, &f->arena, "dir/task.yml", yaml, strlen(yaml), &f->error);
}

static void test_format_1(void **state) {
  Fixture *f = *state;
  assert_true(parse(f, "format_version: '1.0'\n"
                       "\n"
                       "# old file name: qw2004_false-unreach-call.i\n"
                       "input_files: 'qw2004-2.i'\n"
                       "\n"
                       "properties:\n"
                       "  - property_file: ../properties/unreach-call.prp\n"
                       "    expected_verdict: false\n"));
  assert_string_equal(f->task.path, "dir/task.yml");
  assert_int_equal(f->task.inputs.count, 1);
  assert_string_equal(f->task.inputs.data[0], "dir/qw2004-2.i");
  assert_string_equal(f->task.data_model, "ILP32");
  assert_int_equal(f->task.properties.count, 1);
  assert_string_equal(f->task.properties.data[0].name, "unreach-call");
  assert_string_equal(f->task.properties.data[0].file, "dir/../properties/unreach-call.prp");
  assert_int_equal(f->task.properties.data[0].expected, EXPECTED_FALSE);
  assert_null(f->task.properties.data[0].subproperty);
  assert_false(f->task.must_be_unknown);
}

static void test_format_2(void **state) {
  Fixture *f = *state;
  assert_true(parse(f, "format_version: '2.0'\n"
                       "input_files:\n  - a.c\n  - /b.c\n"
                       "required_files: [a.h]\n"
                       "properties:\n"
                       "  - property_file: valid-memsafety.prp\n"
                       "    expected_verdict: false\n"
                       "    subproperty: valid-deref\n"
                       "  - property_file: ../p/unreach-call.prp\n"
                       "    expected_verdict: true\n"
                       "  - property_file: ../p/no-data-race.prp\n"
                       "options:\n  language: C\n  data_model: LP64\n"
                       "additional_information: {anything: [at, all]}\n"));
  assert_int_equal(f->task.inputs.count, 2);
  assert_string_equal(f->task.inputs.data[0], "dir/a.c");
  assert_string_equal(f->task.inputs.data[1], "/b.c");
  assert_string_equal(f->task.data_model, "LP64");
  assert_int_equal(f->task.properties.count, 3);
  assert_string_equal(f->task.properties.data[0].name, "valid-memsafety");
  assert_string_equal(f->task.properties.data[0].subproperty, "valid-deref");
  assert_int_equal(f->task.properties.data[1].expected, EXPECTED_TRUE);
  assert_int_equal(f->task.properties.data[2].expected, EXPECTED_NONE);
}

static void test_our_keys(void **state) {
  Fixture *f = *state;
  assert_true(parse(f,
                    "format_version: '2.0'\ninput_files: a.c\nproperties: []\n"
                    "heddle:\n  options: '--threads-limit 4  --unwind 2'\n  verdict: UNKNOWN\n  reason: unwinding\n"));
  assert_int_equal(f->task.options.count, 4);
  assert_string_equal(f->task.options.data[0], "--threads-limit");
  assert_string_equal(f->task.options.data[3], "2");
  assert_true(f->task.must_be_unknown);
  assert_string_equal(f->task.unknown_reason, "unwinding");
  task_free(&f->task);

  assert_true(parse(f, "format_version: '2.0'\ninput_files: a.c\nproperties: []\n"
                       "heddle:\n  options: [--unwind, 2]\n"));
  assert_int_equal(f->task.options.count, 2);
  assert_string_equal(f->task.options.data[1], "2");
}

#define HEAD "format_version: '2.0'\ninput_files: a.c\n"
#define PROPERTIES_KEY "properties:\n  - property_file: unreach-call.prp\n"

static void test_malformed(void **state) {
  Fixture *f = *state;
  static const struct {
    const char *yaml, *error;
  } cases[] = {
      {"", "dir/task.yml:1: the file is empty"},
      {"- a\n- b\n", "dir/task.yml:1: the task definition must be a mapping"},
      {"just a text", "dir/task.yml:1: the task definition must be a mapping"},
      {"input_files: a.c\nproperties: []\n", "dir/task.yml:1: the task definition lacks the key `format_version`"},
      {HEAD, "dir/task.yml:1: the task definition lacks the key `properties`"},
      {"format_version: '2.0'\nproperties: []\n", "dir/task.yml:1: the task definition lacks the key `input_files`"},
      {"format_version: '9.9'\ninput_files: a.c\nproperties: []\n",
       "dir/task.yml:1: format_version `9.9` is not 1.0, 2.0 or 2.1"},
      {HEAD "properties: []\nproprties: []\n", "dir/task.yml:4: unknown key `proprties` in the task definition"},
      {HEAD "properties: []\ninput_files: b.c\n", "dir/task.yml:4: key `input_files` is given twice"},
      {HEAD "properties: []\n? [a, b]\n: c\n", "dir/task.yml:4: unknown key `?` in the task definition"},
      {HEAD "properties: true\n", "dir/task.yml:3: properties must be a list"},
      {HEAD "properties:\n  - unreach-call\n", "dir/task.yml:4: a property must be a mapping"},
      {HEAD "properties:\n  - expected_verdict: true\n", "dir/task.yml:4: a property lacks the key `property_file`"},
      {HEAD "properties:\n  - property_file: p/.prp\n", "dir/task.yml:4: property_file `p/.prp` names no property"},
      {HEAD PROPERTIES_KEY "    expected_verdict: maybe\n",
       "dir/task.yml:5: expected_verdict `maybe` is neither true nor false"},
      {HEAD PROPERTIES_KEY "    expected: true\n", "dir/task.yml:5: unknown key `expected` in a property"},
      {HEAD PROPERTIES_KEY "options:\n  data_model: ILP64\n",
       "dir/task.yml:6: data_model `ILP64` is neither ILP32 nor LP64"},
      {HEAD PROPERTIES_KEY "options:\n  language: Java\n", "dir/task.yml:6: language `Java` is not C"},
      {HEAD PROPERTIES_KEY "options:\n  speed: 1\n", "dir/task.yml:6: unknown key `speed` in options"},
      {HEAD PROPERTIES_KEY "heddle:\n  verdict: SAFE\n",
       "dir/task.yml:6: verdict `SAFE` is not UNKNOWN; use expected_verdict"},
      {HEAD PROPERTIES_KEY "heddle:\n  reason: bound\n", "dir/task.yml:6: `reason` needs `verdict: UNKNOWN`"},
      {HEAD PROPERTIES_KEY "heddle:\n  option: x\n", "dir/task.yml:6: unknown key `option` in heddle"},
      {"format_version: '2.0'\ninput_files: []\nproperties: []\n", "dir/task.yml:2: input_files is empty"},
      {"format_version: '2.0'\ninput_files: [[a.c]]\nproperties: []\n", "dir/task.yml:2: an input file must be a text"},
      {"format_version: '2.0'\ninput_files: ''\nproperties: []\n",
       "dir/task.yml:2: an input file is empty or has a zero byte"},
      {"format_version: '2.0'\ninput_files: \"a\\0b\"\nproperties: []\n",
       "dir/task.yml:2: an input file is empty or has a zero byte"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_false(parse(f, cases[i].yaml));
    assert_string_equal(f->error.data, cases[i].error);
  }
}

static void test_not_yaml(void **state) {
  Fixture *f = *state;
  assert_false(parse(f, "format_version: '2.0'\ninput_files: [a.c\nproperties: []\n"));
  assert_memory_equal(f->error.data, "dir/task.yml:3: ", strlen("dir/task.yml:3: "));
  assert_false(parse(f, "a: \xff\xfe\n"));
  assert_memory_equal(f->error.data, "dir/task.yml:1: ", strlen("dir/task.yml:1: "));
  text_clear(&f->error);
  assert_false(task_read(&f->task, &f->arena, "/nonexistent/task.yml", &f->error));
  assert_string_equal(f->error.data, "/nonexistent/task.yml: No such file or directory");
}

// No prefix of a task definition may crash the reader or leak.
static void test_prefixes(void **state) {
  Fixture *f = *state;
  static const char whole[] = HEAD PROPERTIES_KEY "    expected_verdict: true\noptions: {language: C}\n"
                                                  "heddle:\n  options: [-a, '-b c']\n  verdict: UNKNOWN\n";
  size_t good = 0;
  for (size_t length = 0; length < sizeof whole; length++) {
    text_clear(&f->error);
    bool read = task_parse(&f->task, &f->arena, "t.yml", whole, length, &f->error);
    assert_int_equal(read, f->error.length == 0);
    good += read;
    task_free(&f->task);
  }
  assert_true(good > 0 && good < sizeof whole);
}

static void test_limits(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double seconds;
  } durations[] = {{"30", 30}, {"30s", 30}, {"500ms", 0.5}, {"2min", 120}, {"2m", 120}, {"1.5h", 5400}};
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
    double seconds = 0;
    assert_true(limits_parse_duration(durations[i].text, &seconds));
    assert_true(seconds > durations[i].seconds - 1e-9 && seconds < durations[i].seconds + 1e-9);
  }
  static const char *const bad_durations[] = {"",   "s",   "-1",  "0",    "0s",   "5 s",
                                              "5d", "inf", "nan", "0x10", "1e30", "+1"};
  for (size_t i = 0; i < sizeof bad_durations / sizeof *bad_durations; i++) {
    double seconds = 7;
    assert_false(limits_parse_duration(bad_durations[i], &seconds));
    assert_true(seconds == 7);
  }
  size_t bytes = 0;
  assert_true(limits_parse_size("4GB", &bytes));
  assert_int_equal(bytes, 4000000000);
  assert_true(limits_parse_size("2GiB", &bytes));
  assert_int_equal(bytes, 2147483648);
  assert_true(limits_parse_size("512mb", &bytes));
  assert_int_equal(bytes, 512000000);
  assert_true(limits_parse_size("100", &bytes));
  assert_int_equal(bytes, 100);
  static const char *const bad_sizes[] = {"", "GB", "-4GB", "0", "4XB", "4GBs", "1e40", "9999999999GB"};
  for (size_t i = 0; i < sizeof bad_sizes / sizeof *bad_sizes; i++)
    assert_false(limits_parse_size(bad_sizes[i], &bytes));
  assert_int_equal(bytes, 100);
}

static void test_judging(void **state) {
  (void)state;
  Task task = {0};
  TaskProperty property = {.name = "unreach-call"};
  BenchRow row = {.task = &task, .property = &property, .done = true, .reason = "", .statistics = ""};
  static const struct {
    Expected expected;
    BenchAnswer answer;
    Outcome outcome;
    bool wrong, as_expected;
  } cases[] = {
      {EXPECTED_TRUE, BENCH_ANSWER_TRUE, OUTCOME_RIGHT_TRUE, false, true},
      {EXPECTED_TRUE, BENCH_ANSWER_FALSE, OUTCOME_WRONG_FALSE, true, false},
      {EXPECTED_FALSE, BENCH_ANSWER_TRUE, OUTCOME_WRONG_TRUE, true, false},
      {EXPECTED_FALSE, BENCH_ANSWER_FALSE, OUTCOME_RIGHT_FALSE, false, true},
      {EXPECTED_TRUE, BENCH_ANSWER_UNKNOWN, OUTCOME_UNKNOWN, false, false},
      {EXPECTED_TRUE, BENCH_ANSWER_MEMORY, OUTCOME_UNKNOWN, false, false},
      {EXPECTED_FALSE, BENCH_ANSWER_TIMEOUT, OUTCOME_TIMEOUT, false, false},
      {EXPECTED_FALSE, BENCH_ANSWER_ERROR, OUTCOME_ERROR, false, false},
      {EXPECTED_NONE, BENCH_ANSWER_FALSE, OUTCOME_UNJUDGED, false, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    property.expected = cases[i].expected;
    row.answer = cases[i].answer;
    assert_int_equal(row_outcome(&row), cases[i].outcome);
    assert_int_equal(row_is_wrong(&row), cases[i].wrong);
    assert_int_equal(row_is_as_expected(&row), cases[i].as_expected);
  }
}

static void test_judging_wanted_unknown(void **state) {
  (void)state;
  Task task = {.must_be_unknown = true};
  TaskProperty property = {.name = "unreach-call", .expected = EXPECTED_TRUE};
  BenchRow row = {.task = &task, .property = &property, .done = true, .answer = BENCH_ANSWER_TRUE, .reason = ""};
  assert_false(row_is_as_expected(&row)); // right, but more than can be known
  property.expected = EXPECTED_FALSE;
  assert_false(row_is_as_expected(&row));
  row.answer = BENCH_ANSWER_FALSE;
  assert_true(row_is_as_expected(&row)); // it was executed
  row.answer = BENCH_ANSWER_UNKNOWN;
  row.reason = "no violation up to unwinding 5";
  assert_true(row_is_as_expected(&row));
  task.unknown_reason = "unwinding";
  assert_true(row_is_as_expected(&row));
  task.unknown_reason = "thread bound";
  assert_false(row_is_as_expected(&row));
}

static void test_internal_errors(void **state) {
  (void)state;
  Task task = {0};
  TaskProperty property = {.name = "unreach-call", .expected = EXPECTED_TRUE};
  BenchRow row = {
      .task = &task, .property = &property, .done = true, .answer = BENCH_ANSWER_UNKNOWN, .reason = "out of time"};
  assert_false(row_is_internal_error(&row));
  row.reason = "internal error: a cover of the proof does not hold"; // words do not make one
  assert_false(row_is_internal_error(&row));
  row.why = REASON_INTERNAL;
  assert_true(row_is_internal_error(&row));
  assert_false(row_is_wrong(&row));
  row.answer = BENCH_ANSWER_TRUE;
  assert_false(row_is_internal_error(&row));
}

static void test_scores(void **state) {
  (void)state;
  Task task = {0};
  TaskProperty property = {.name = "unreach-call"};
  BenchRow row = {.task = &task, .property = &property, .done = true, .reason = ""};
  static const struct {
    Expected expected;
    BenchAnswer answer;
    int score, best;
  } cases[] = {
      {EXPECTED_TRUE, BENCH_ANSWER_TRUE, 2, 2},    {EXPECTED_FALSE, BENCH_ANSWER_FALSE, 1, 1},
      {EXPECTED_FALSE, BENCH_ANSWER_TRUE, -32, 1}, {EXPECTED_TRUE, BENCH_ANSWER_FALSE, -16, 2},
      {EXPECTED_TRUE, BENCH_ANSWER_UNKNOWN, 0, 2}, {EXPECTED_FALSE, BENCH_ANSWER_TIMEOUT, 0, 1},
      {EXPECTED_NONE, BENCH_ANSWER_TRUE, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    property.expected = cases[i].expected;
    row.answer = cases[i].answer;
    assert_int_equal(row_score(&row), cases[i].score);
    assert_int_equal(row_best_score(&row), cases[i].best);
  }
}

static void test_csv_quotes(void **state) {
  Fixture *f = *state;
  Task task = {0};
  TaskProperty property = {.name = "unreach-call", .expected = EXPECTED_TRUE};
  BenchRow row = {.task = &task,
                  .property = &property,
                  .name = "d/a,b.yml",
                  .done = true,
                  .answer = BENCH_ANSWER_UNKNOWN,
                  .reason = "say \"why\"",
                  .wall = 1.5,
                  .cpu = 0.25,
                  .memory_mb = 12.34,
                  .options = "--time-limit 1s",
                  .statistics = "a=1;b=2",
                  .why = REASON_INTERNAL};
  Text text;
  text_init(&text, NULL);
  csv_header(&text, false);
  size_t header = text.length;
  csv_row(&text, &row);
  assert_string_equal(text.data + header,
                      "\"d/a,b.yml\",unreach-call,true,unknown,\"say \"\"why\"\"\",1.500,0.250,12.3,"
                      "--time-limit 1s,a=1;b=2,internal error\n");
  // Read again, whole and cut off anywhere: the row is there only if all of it is.
  for (size_t length = 0; length <= text.length; length++) {
    BenchRowVector rows = {0};
    size_t complete;
    text_clear(&f->error);
    assert_true(csv_parse(&rows, &f->arena, text.data, length, NULL, &complete, &f->error));
    assert_int_equal(complete, length < header ? 0 : length < text.length ? header : text.length);
    assert_int_equal(rows.count, length == text.length);
    if (rows.count) {
      assert_string_equal(rows.data[0].name, "d/a,b.yml");
      assert_string_equal(rows.data[0].directory, "d");
      assert_string_equal(rows.data[0].reason, "say \"why\"");
      assert_int_equal(rows.data[0].why, REASON_INTERNAL);
      assert_string_equal(rows.data[0].options, "--time-limit 1s");
      assert_int_equal(row_outcome(&rows.data[0]), OUTCOME_UNKNOWN);
      assert_true(rows.data[0].wall == 1.5);
    }
    BenchRowVector_free(&rows);
  }
  text_free(&text);
}

static void test_csv_malformed(void **state) {
  Fixture *f = *state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"a,b\n", "line 1: not a file of results: no column `task`"},
      {"task,verdict,wall\nx,true\n", "line 2: 2 fields, but the header has 3"},
      {"task,verdict,wall\nx,yes,1\n", "line 2: bad verdict `yes`"},
      {"task,verdict,wall\nx,true,1s\n", "line 2: bad wall `1s`"},
      {"task,verdict,wall\nx,true,1\n,true,1\n", "line 3: bad task ``"},
      {"task,verdict,wall,expected\nx,true,1,no\n", "line 2: bad expected `no`"},
      {"task,verdict,wall\n\"x,true,1\ny,true,1\n", "line 2: a quotation mark without its partner"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    BenchRowVector rows = {0};
    size_t complete;
    text_clear(&f->error);
    assert_false(csv_parse(&rows, &f->arena, cases[i].text, strlen(cases[i].text), NULL, &complete, &f->error));
    assert_string_equal(f->error.data, cases[i].error);
    BenchRowVector_free(&rows);
  }
}

static void write_file(const char *directory, const char *name, const char *contents) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(contents, file);
  assert_int_equal(fclose(file), 0);
}

static void test_find(void **state) {
  Fixture *f = *state;
  char root[] = "/tmp/heddle-test-XXXXXX", below[100];
  assert_non_null(mkdtemp(root));
  snprintf(below, sizeof below, "%s/deep", root);
  assert_int_equal(mkdir(below, 0700), 0);
  write_file(below, "b.yml", HEAD PROPERTIES_KEY "  - property_file: no-data-race.prp\n");
  write_file(below, "a.yml", HEAD PROPERTIES_KEY "  - property_file: termination.prp\n");
  write_file(below, "c.txt", "not a task");
  write_file(root, "bad.yml", "nonsense");
  Log log;
  log_init(&log, LOG_QUIET);
  log.terminal = false;
  BenchRowVector rows = {0};
  assert_int_equal(dup2(STDERR_FILENO, 9), 9); // hide the message about bad.yml
  assert_non_null(freopen("/dev/null", "w", stderr));
  assert_true(rows_find(&rows, &f->arena, root, "all", &log));
  assert_int_equal(rows.count, 4);
  assert_true(rows.data[0].done && !rows.data[0].task && rows.data[0].answer == BENCH_ANSWER_ERROR);
  assert_string_equal(rows.data[1].name, "deep/a.yml");
  assert_string_equal(rows.data[1].directory, "deep");
  assert_string_equal(rows.data[2].property->name, "unreach-call");
  assert_string_equal(rows.data[3].property->name, "no-data-race");
  assert_ptr_equal(rows.data[2].task, rows.data[3].task);
  rows_free_tasks(&rows);
  BenchRowVector_clear(&rows);
  assert_true(rows_find(&rows, &f->arena, below, "no-data-race", &log));
  assert_int_equal(rows.count, 1);
  assert_string_equal(rows.data[0].name, "deep/b.yml");
  rows_free_tasks(&rows);
  BenchRowVector_clear(&rows);
  assert_false(rows_find(&rows, &f->arena, "/nonexistent", "all", &log));
  assert_int_equal(dup2(9, STDERR_FILENO), STDERR_FILENO);
  BenchRowVector_free(&rows);
  char command[200];
  snprintf(command, sizeof command, "rm -r '%s'", root);
  assert_int_equal(system(command), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_format_1),
      TEST(test_format_2),
      TEST(test_our_keys),
      TEST(test_malformed),
      TEST(test_not_yaml),
      TEST(test_prefixes),
      TEST(test_limits),
      TEST(test_judging),
      TEST(test_find),
      TEST(test_scores),
      TEST(test_csv_quotes),
      TEST(test_csv_malformed),
      TEST(test_judging_wanted_unknown),
      TEST(test_internal_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
