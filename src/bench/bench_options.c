#include "bench/bench_options.h"

#include "bench/find.h"

#include <assert.h>

const OptionRow bench_option_rows[] = {
#define X(field, kind, text, value, standard, shown, which, what)                                                      \
  {.name = text,                                                                                                       \
   .argument = value,                                                                                                  \
   .help = what,                                                                                                       \
   .type = OPTION_##kind,                                                                                              \
   .commands = which,                                                                                                  \
   .offset = offsetof(BenchOptions, field),                                                                            \
   .fallback = shown},
    BENCH_OPTIONS(X)
#undef X
};
const size_t bench_option_row_count = sizeof bench_option_rows / sizeof *bench_option_rows;
_Static_assert(sizeof bench_option_rows / sizeof *bench_option_rows <= 64, "what an OptionReader can hold");

const BenchCommandRow bench_command_rows[BENCH_COMMAND_COUNT] = {
    {BENCH_RUN, "bench", "PATH... [OPTION...] [-- CHECK-OPTION...]",
     "check all task definitions below the paths and compare with what is expected",
     "Runs heddle check on every task definition (*.yml) at or below each PATH and compares the answers. The closing "
     "table has a line for each directory, with the score of SV-COMP: 2 for a right true, 1 for a right false, -32 for "
     "a wrong true, -16 for a wrong false.",
     "0 if no verdict was wrong and no check of our own failed (with --expect: and all is as expected), 1 otherwise, "
     "2 for an error in the command line or a file"},
    {BENCH_COMPARE, "bench compare", "OLD.csv NEW.csv [OPTION...]", "compare two files of results",
     "Lists contradictions (the files answer differently, or NEW answers wrongly), then what was lost, gained or ended "
     "otherwise, then how the times of what both decide compare: the geometric mean of new time / old time over the "
     "tasks where one of the two is over 0.1 s, and the largest slowdowns and speedups. Rows are matched by task, "
     "property and variant; where each file has one variant only, whatever its name.",
     "0 if nothing was lost and nothing contradicts, 1 otherwise, 2 for an error in the command line or a file"},
    {BENCH_PLOT, "bench plot", "FILE.csv... [OPTION...]", "draw files of results as an SVG picture",
     "A quantile plot: a line for each variant of each file, whose n-th point is the time of its n-th fastest right "
     "answer, on a logarithmic axis. Wrong answers are left out and counted in the legend.",
     "0, or 2 for an error in the command line or a file"},
    {BENCH_TABLE, "bench table", "FILE.csv... [OPTION...]", "print files of results as Markdown tables",
     "The closing table of a bench, as Markdown, for each variant of each file.",
     "0 if no verdict is wrong, 1 otherwise, 2 for an error in the command line or a file"},
};

const BenchCommandRow *bench_command_row(BenchCommand command) {
  for (size_t i = 0; i < BENCH_COMMAND_COUNT; i++)
    if (bench_command_rows[i].command == command) return &bench_command_rows[i];
  assert(!"a command without a row");
  return &bench_command_rows[0];
}

static void set_defaults(BenchOptions *options) {
  *options = (BenchOptions){.command = BENCH_RUN,
#define X(field, type, name, argument, fallback, shown, commands, help) .field = fallback,
                            BENCH_OPTIONS(X)
#undef X
  };
  arena_init(&options->arena, NULL);
}

// The command that a word after `bench` names; BENCH_RUN if none.
static BenchCommand find_command(const char *word) {
  for (size_t i = 1; i < BENCH_COMMAND_COUNT; i++)
    if (strcmp(word, strchr(bench_command_rows[i].name, ' ') + 1) == 0) return bench_command_rows[i].command;
  return BENCH_RUN;
}

static bool check_operands(const BenchOptions *options, Text *error) {
  size_t count = options->operands.count;
  bool good = options->command == BENCH_COMPARE ? count == 2 : count > 0;
  if (good) return true;
  const BenchCommandRow *row = bench_command_row(options->command);
  const char *wanted = options->command == BENCH_RUN       ? "paths of task definitions"
                       : options->command == BENCH_COMPARE ? "two files of results"
                                                           : "files of results";
  text_format(error, "%s wants %s; try heddle %s --help", row->name, wanted, row->name);
  return false;
}

static bool check_values(const BenchOptions *options, Text *error) {
  if (strcmp(options->property, "all") != 0 && !bench_knows_property(options->property))
    text_format(error, "--property wants all or a property of heddle check, not '%s'", options->property);
  else if (options->jobs < 1 || options->jobs > 1024)
    text_format(error, "--jobs wants a number from 1 to 1024, not %ld", options->jobs);
  else if (options->resume && !options->csv)
    text_add(error, "--resume wants the file to go on with: --csv FILE");
  else if (options->quiet && options->verbose)
    text_add(error, "--quiet and --verbose exclude each other");
  else if (options->passed_on.count && options->command != BENCH_RUN)
    text_format(error, "%s passes nothing on: no -- here", bench_command_row(options->command)->name);
  return error->length == 0;
}

static bool add_variants(BenchOptions *options, Text *error) {
  for (size_t i = 0; i < options->variant.count; i++)
    if (!variants_add(&options->variants, &options->arena, options->variant.data[i], error)) return false;
  return true;
}

bool bench_options_parse(BenchOptions *options, int argc, char **argv, Text *error) {
  set_defaults(options);
  int i = 0;
  if (argc > 0) options->command = find_command(argv[0]);
  if (options->command != BENCH_RUN) i++;
  OptionReader reader = {
      .rows = bench_option_rows, .count = bench_option_row_count, .commands = options->command, .values = options};
  for (; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      while (++i < argc) StringVector_push(&options->passed_on, argv[i]);
    } else if (argv[i][0] == '-' && argv[i][1]) {
      if (!option_read(&reader, argc, argv, &i, error)) return false;
      options->help = reader.help;
      if (options->help) return true;
    } else {
      StringVector_push(&options->operands, argv[i]);
    }
  }
  return check_operands(options, error) && check_values(options, error) && add_variants(options, error);
}

void bench_options_free(BenchOptions *options) {
  StringVector_free(&options->operands);
  StringVector_free(&options->passed_on);
  StringVector_free(&options->variant);
  variants_free(&options->variants);
  arena_free(&options->arena);
}

void bench_options_limits(const BenchOptions *options, Text *time, Text *memory) {
  static const struct {
    size_t factor;
    const char *name;
  } units[] = {{1000000000, "GB"}, {1000000, "MB"}, {1, ""}};
  text_format(time, "%.15gs", options->time_limit);
  assert(options->time_limit > 0 && options->memory_limit > 0);
  size_t unit = 0;
  while (options->memory_limit % units[unit].factor != 0) unit++;
  text_format(memory, "%zu%s", options->memory_limit / units[unit].factor, units[unit].name);
}

static void add_words(Text *out, const StringVector *words) {
  for (size_t i = 0; i < words->count; i++) text_format(out, " %s", words->data[i]);
}

void bench_options_describe(const BenchOptions *options, const BenchVariant *variant, Text *out) {
  Text time, memory;
  text_init(&time, NULL);
  text_init(&memory, NULL);
  bench_options_limits(options, &time, &memory);
  text_format(out, "--time-limit %s --memory-limit %s", time.data, memory.data);
  if (options->engine) text_format(out, " --engine %s", options->engine);
  add_words(out, &options->passed_on);
  if (variant) add_words(out, &variant->options);
  text_free(&time);
  text_free(&memory);
}
