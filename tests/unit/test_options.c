// The command line: values, defaults, mistakes, help.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/options/options.h"
#include "cli/options/presets.h"
#include "cli/run/engines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum { MOST_ARGUMENTS = 24 };

// Parses a command line of words separated by one blank.
static bool parse(Options *options, Command command, const char *line, char *buffer, Text *error) {
  char *argv[MOST_ARGUMENTS];
  int argc = 0;
  strcpy(buffer, line);
  for (char *word = strtok(buffer, " "); word; word = strtok(NULL, " ")) {
    assert_true(argc < MOST_ARGUMENTS);
    argv[argc++] = word;
  }
  return options_parse(options, command, argc, argv, error);
}

static void test_defaults(void **state) {
  (void)state;
  Options options;
  Text error;
  char buffer[200];
  text_init(&error, NULL);
  assert_true(parse(&options, COMMAND_CHECK, "a.c b.c", buffer, &error));
  assert_int_equal(options.operands.count, 2);
  assert_string_equal(options.operands.data[1], "b.c");
  assert_int_equal(options.property_value, PROPERTY_UNREACH_CALL);
  assert_int_equal(options_pointer_width(&options), 64);
  assert_int_equal(options.threads_limit, 16);
  assert_true(options.time_limit == DEFAULT_TIME_LIMIT);
  assert_null(options.json);
#define EXPECT_INT(field, fallback) assert_int_equal(options.engine_options.field, fallback);
#define EXPECT_FLAG EXPECT_INT
#define EXPECT_STRING(field, fallback) assert_string_equal(options.engine_options.field, fallback);
#define X(field, type, name, argument, fallback, help) EXPECT_##type(field, fallback)
  ENGINE_OPTIONS(X)
#undef X
  options_free(&options);
  text_free(&error);
}

static void test_values(void **state) {
  (void)state;
  Options options;
  Text error;
  char buffer[300];
  text_init(&error, NULL);
  assert_true(parse(&options, COMMAND_CHECK,
                    "--time-limit 500ms a.c --memory-limit=4GB --data-model ILP32 --full --seed=7 "
                    "--property=no-data-race -- -DX=1 --std=c11",
                    buffer, &error));
  assert_true(options.time_limit == 0.5);
  assert_true(options.memory_limit == 4000000000u);
  assert_int_equal(options_pointer_width(&options), 32);
  assert_true(options.full);
  assert_int_equal(options.engine_options.seed, 7);
  assert_int_equal(options.property_value, PROPERTY_NO_DATA_RACE);
  assert_int_equal(options.operands.count, 1);
  assert_int_equal(options.clang_options.count, 2);
  assert_string_equal(options.clang_options.data[1], "--std=c11");
  options_free(&options);
  assert_true(parse(&options, COMMAND_SHOW, "cfa a.c -o out.dot", buffer, &error));
  assert_string_equal(options.output, "out.dot");
  options_free(&options);
  assert_true(parse(&options, COMMAND_CHECK, "--help --nonsense", buffer, &error));
  assert_true(options.help);
  options_free(&options);
  text_free(&error);
}

typedef struct Mistake {
  Command command;
  const char *line, *message; // part of the message
} Mistake;

static const Mistake mistakes[] = {
    {COMMAND_CHECK, "", "wants a file"},
    {COMMAND_CHECK, "a.c --propert no-data-race", "did you mean --property?"},
    {COMMAND_CHECK, "a.c --tiem-limit=3s", "did you mean --time-limit?"},
    {COMMAND_CHECK, "a.c --xyzzy", "unknown option --xyzzy; --help"},
    {COMMAND_CHECK, "a.c -q", "unknown option -q"},
    {COMMAND_CHECK, "a.c --output x", "unknown option --output"},
    {COMMAND_CHECK, "a.c --property", "--property wants a value"},
    {COMMAND_CHECK, "a.c --json=", "--json wants a value"},
    {COMMAND_CHECK, "a.c --quiet=1", "--quiet takes no value"},
    {COMMAND_CHECK, "a.c --quiet --verbose", "exclude each other"},
    {COMMAND_CHECK, "a.c --property beauty", "unknown property 'beauty'"},
    {COMMAND_CHECK, "a.c --engine steam", "unknown engine 'steam'"},
    {COMMAND_CHECK, "a.c --data-model LP32", "--data-model wants ILP32|LP64"},
    {COMMAND_CHECK, "a.c --data-model LP", "--data-model wants ILP32|LP64"},
    {COMMAND_CHECK, "a.c --time-limit soon", "--time-limit wants a time"},
    {COMMAND_CHECK, "a.c --memory-limit 4XB", "--memory-limit wants a size"},
    {COMMAND_CHECK, "a.c --threads-limit 0", "--threads-limit wants"},
    {COMMAND_CHECK, "a.c --threads-limit -1", "--threads-limit wants"},
    {COMMAND_CHECK, "a.c --seed 1x", "--seed wants a whole number"},
    {COMMAND_CHECK, "a.c --seed 99999999999999999999", "--seed wants a whole number"},
    {COMMAND_CHECK, "a.c --reduction strong", "--reduction wants"},
    {COMMAND_CHECK, "a.c --preset steam",
     "unknown preset 'steam'; known are impara, yogar, sat-cegar, monolithic, theta, theta-predicate, cpa-value, "
     "cpa-predicate, cpa-bdd, cpa-bmc"},
    {COMMAND_CHECK, "a.c --preset", "--preset wants a value"},
    {COMMAND_CHECK, "a.c --preset impara --engine order", "--preset impara is of the engine reach"},
    {COMMAND_CHECK, "--engine auto a.c --preset yogar", "does not go with --engine auto"},
    {COMMAND_CHECK, "a.c --preset impara --ltl true", "engine reach does not decide"},
    {COMMAND_CHECK, "a.c --preset theta --engine order", "--preset theta is of the engine reach"},
    {COMMAND_CHECK, "--preset impara", "wants a file"},
    {COMMAND_SHOW, "cfa a.c --preset impara", "unknown option --preset"},
    {COMMAND_REPLAY, "a.c", "then a schedule"},
    {COMMAND_SHOW, "cfa", "then a file"},
};

static void test_mistakes(void **state) {
  (void)state;
  Text error;
  text_init(&error, NULL);
  char buffer[200];
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    Options options;
    text_clear(&error);
    if (parse(&options, mistakes[i].command, mistakes[i].line, buffer, &error)) fail_msg("taken: %s", mistakes[i].line);
    if (!strstr(error.data, mistakes[i].message)) fail_msg("%s: %s", mistakes[i].line, error.data);
    assert_null(strchr(error.data, '\n'));
    options_free(&options);
  }
  text_free(&error);
}

// Each option stands in the help of its commands, and in no other.
static void test_help(void **state) {
  (void)state;
  static const Command all[] = {COMMAND_CHECK, COMMAND_REPLAY, COMMAND_SHOW};
  for (size_t c = 0; c < 3; c++) {
    Text help;
    text_init(&help, NULL);
    help_print(all[c], &help);
    for (size_t i = 0; i < option_row_count; i++) {
      char name[64];
      snprintf(name, sizeof name, "  --%s%s", option_rows[i].name, option_rows[i].argument[0] ? " " : "");
      bool expected = option_rows[i].commands & all[c];
      if ((strstr(help.data, name) != NULL) != expected) fail_msg("%s in the help of command %d", name, all[c]);
    }
    text_free(&help);
  }
}

// The man page in the tree is the one that the tables give.
static void test_man_page(void **state) {
  (void)state;
  Text made, stored;
  text_init(&made, NULL);
  text_init(&stored, NULL);
  help_print_man(&made);
  assert_true(file_read(&stored, HEDDLE_SOURCE_DIR "/docs/heddle.1", FILE_MOST_DATA, NULL));
  if (strcmp(made.data, stored.data) != 0) fail_msg("docs/heddle.1 is out of date: write it with heddle --man");
  text_free(&made);
  text_free(&stored);
}

static void test_engines(void **state) {
  (void)state;
  EngineOptions defaults = {.domain = "label",
                            .block = "auto",
                            .reduction = "auto",
                            .search = "auto",
                            .schedule = "transactions",
                            .method = "bmc"};
  Text error;
  text_init(&error, NULL);
  for (size_t i = 0; engines[i]; i++)
    for (unsigned p = 0; p < PROPERTY_COUNT; p++) {
      assert_ptr_equal(engine_find(engines[i]->name), engines[i]);
      assert_int_equal(engine_accepts(engines[i]->name, (Property)p, &defaults, &error),
                       engines[i]->properties >> p & 1);
    }
  assert_null(engine_find("auto"));
  // What one engine calls a reduction or a search, another may not know.
  const struct {
    const char *engine, *reduction, *search;
    bool known;
  } words[] = {{"reach", "monotone", "bfs", true},  {"reach", "sleep", "auto", false},
               {"reach", "aware", "random", false}, {"replay", "sleep", "auto", true},
               {"replay", "mono", "auto", false},   {"replay", "auto", "dfs", false},
               {"order", "sleep", "dfs", true},     {"auto", "monotone", "auto", false}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    EngineOptions given = {
        .domain = "label", .block = "auto", .reduction = words[i].reduction, .search = words[i].search};
    assert_int_equal(engine_accepts(words[i].engine, PROPERTY_UNREACH_CALL, &given, &error), words[i].known);
  }
  text_free(&error);
}

static const OptionRow *row_of(const char *name) {
  for (size_t i = 0; i < option_row_count; i++)
    if (strcmp(option_rows[i].name, name) == 0) return &option_rows[i];
  fail_msg("no option --%s", name);
  return NULL;
}

// Whether the field of an option has the value that is written so.
static bool has_value(const Options *options, const OptionRow *row, const char *value) {
  const char *field = (const char *)options + row->offset;
  if (row->type == OPTION_FLAG) return *(const long *)field == 1;
  if (row->type == OPTION_INT) return *(const long *)field == atol(value);
  assert_int_equal(row->type, OPTION_CHOICE); // there is no other type among the options of engines
  return strcmp(*(const char *const *)field, value) == 0;
}

// The command line is taken and gives every setting of the preset its value.
static void expect_preset(const Preset *preset, const char *line) {
  Options options;
  Text error;
  char buffer[400];
  text_init(&error, NULL);
  if (!parse(&options, COMMAND_CHECK, line, buffer, &error)) fail_msg("%s: %s", line, error.data);
  assert_string_equal(options.engine, preset->engine);
  for (const PresetSetting *setting = preset->settings; setting->option; setting++) {
    const OptionRow *row = row_of(setting->option);
    assert_true(row->engine);
    assert_int_equal(row->type == OPTION_FLAG, setting->value == NULL);
    if (!has_value(&options, row, setting->value)) fail_msg("%s: --%s is another", line, setting->option);
  }
  options_free(&options);
  text_free(&error);
}

// Every row of the table means what help says that it means.
static void test_presets(void **state) {
  (void)state;
  Text line, help;
  text_init(&line, NULL);
  text_init(&help, NULL);
  help_print(COMMAND_CHECK, &help);
  for (size_t i = 0; i < preset_count; i++) {
    text_clear(&line);
    text_format(&line, "--preset %s a.c", presets[i].name);
    expect_preset(&presets[i], line.data);
    text_clear(&line);
    preset_describe(&presets[i], &line);
    text_add(&line, " a.c");
    const char *spelled = strstr(line.data, "--engine ");
    assert_non_null(spelled);
    expect_preset(&presets[i], spelled);
    text_clear(&line);
    text_format(&line, "\n  %s ", presets[i].name);
    if (!strstr(help.data, line.data)) fail_msg("%s is not in the help", presets[i].name);
  }
  text_free(&line);
  text_free(&help);
}

// What is given wins over the preset, before it and after it; the rest is the preset's.
static void test_preset_gives_way(void **state) {
  (void)state;
  static const char *const lines[] = {"--preset impara --reduction local --engine reach a.c",
                                      "a.c --engine reach --reduction=local --preset=impara",
                                      "--preset yogar --reduction local a.c --preset impara"};
  Text error;
  text_init(&error, NULL);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    Options options;
    char buffer[200];
    if (!parse(&options, COMMAND_CHECK, lines[i], buffer, &error)) fail_msg("%s: %s", lines[i], error.data);
    assert_string_equal(options.engine, "reach");
    assert_string_equal(options.engine_options.reduction, "local");
    assert_string_equal(options.engine_options.search, "dfs"); // not its default
    options_free(&options);
  }
  Options options;
  char buffer[200];
  assert_true(parse(&options, COMMAND_CHECK, "a.c --preset monolithic --refine graph", buffer, &error));
  assert_string_equal(options.engine_options.refine, "graph"); // though that is the default
  options_free(&options);
  assert_true(parse(&options, COMMAND_CHECK, "a.c --preset cpa-value --domain explicit+predicate", buffer, &error));
  assert_string_equal(options.engine_options.domain, "explicit+predicate");
  assert_string_equal(options.engine_options.search, "bfs"); // still the preset's
  options_free(&options);
  text_free(&error);
}

static void test_split_commands(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena, NULL);
  StringVector words = {0};
  assert_true(compile_command_split(" cc\t'a b'\"c\\\"\\d\"  \\' '' x\\ y '\\'", &words, &arena));
  static const char *const expected[] = {"cc", "a bc\"\\d", "'", "", "x y", "\\"};
  assert_int_equal(words.count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < words.count; i++) assert_string_equal(words.data[i], expected[i]);
  assert_false(compile_command_split("cc 'a", &words, &arena));
  StringVector_free(&words);
  arena_free(&arena);
}

static void test_compile_options(void **state) {
  (void)state;
  Arena arena;
  Text error;
  arena_init(&arena, NULL);
  text_init(&error, NULL);
  CompileEntry entry = {.directory = "/nowhere", .file = "/nowhere/a.c"};
  assert_true(compile_command_split(
      "cc -c -O2 -Ib -D X=1 -D_FORTIFY_SOURCE=2 -DNDEBUG -MF -DNO -m32 --sysroot=s -o o a.c", &entry.command, &arena));
  CompileOptions options;
  assert_true(compile_options_of(&entry, &options, &arena, &error));
  static const char *const expected[] = {"-I", "/nowhere/b", "-D", "X=1", "-D", "NDEBUG", "--sysroot=/nowhere/s"};
  assert_int_equal(options.kept.count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < options.kept.count; i++) assert_string_equal(options.kept.data[i], expected[i]);
  assert_int_equal(options.pointer_width, 32);
  assert_true(options.no_asserts);
  StringVector_free(&options.kept);
  StringVector_push(&entry.command, "@more");
  assert_false(compile_options_of(&entry, &options, &arena, &error));
  StringVector_free(&entry.command);
  text_free(&error);
  arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_defaults),        cmocka_unit_test(test_split_commands),
                                     cmocka_unit_test(test_compile_options), cmocka_unit_test(test_values),
                                     cmocka_unit_test(test_mistakes),        cmocka_unit_test(test_help),
                                     cmocka_unit_test(test_man_page),        cmocka_unit_test(test_engines),
                                     cmocka_unit_test(test_presets),         cmocka_unit_test(test_preset_gives_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
