// The command lines of the bench: `heddle bench`, which runs tasks, and `heddle bench compare`, `plot` and `table`,
// which read files of results. One table, from which the parser, `--help` and the man page derive, like that of
// cli/options/options.h.
//
// A word after `bench` that is no command is a path; a folder with the name of a command is written `./compare`.
#ifndef HEDDLE_BENCH_BENCH_OPTIONS_H
#define HEDDLE_BENCH_BENCH_OPTIONS_H

#include "bench/variant.h"
#include "command/option.h"

typedef enum BenchCommand {
  BENCH_RUN = 1,
  BENCH_COMPARE = 2,
  BENCH_PLOT = 4,
  BENCH_TABLE = 8,
  BENCH_FILES = 14, // those that read files
  BENCH_ALL = 15
} BenchCommand;

// X(field, type, name, argument, default, default in words or NULL, commands, help). Types as in command/option.h.
#define BENCH_OPTIONS(X)                                                                                               \
  X(engine, STRING, "engine", "NAME", NULL, NULL, BENCH_RUN, "the engine to run")                                      \
  X(property, STRING, "property", "NAME|all", "unreach-call", "unreach-call", BENCH_RUN,                               \
    "the property to check; all: each one in the task definition")                                                     \
  X(time_limit, DURATION, "time-limit", "TIME", 30, "30s", BENCH_RUN, "wall time for each task")                       \
  X(memory_limit, SIZE, "memory-limit", "SIZE", 4000000000, "4GB", BENCH_RUN, "memory for each task")                  \
  X(jobs, INT, "jobs", "N", 1, "1", BENCH_RUN,                                                                         \
    "so many tasks at once (engines side by side within a task: --variant NAME=\"--jobs N\")")                         \
  X(variant, LIST, "variant", "NAME=OPTS", {0}, NULL, BENCH_RUN,                                                       \
    "run each task with these options of heddle check; given more than once, all are run side by side, and rows of "   \
    "the CSV end with the variant's name")                                                                             \
  X(csv, STRING, "csv", "FILE", NULL, NULL, BENCH_RUN,                                                                 \
    "append one row to FILE as each run ends; a FILE that exists is renamed to FILE~ first, unless --resume")          \
  X(resume, FLAG, "resume", "", 0, NULL, BENCH_RUN,                                                                    \
    "keep the rows of the CSV file and run only what is missing; an error if they were made with other options, "      \
    "limits or tasks; without a file all is run")                                                                      \
  X(plot, STRING, "plot", "FILE.svg", NULL, NULL, BENCH_RUN, "draw the results as heddle bench plot does")             \
  X(markdown, FLAG, "markdown", "", 0, NULL, BENCH_RUN, "print the closing table as Markdown")                         \
  X(undecided, FLAG, "undecided", "", 0, NULL, BENCH_RUN | BENCH_TABLE,                                                \
    "also list what was not decided, by reason, as Markdown")                                                          \
  X(expect, FLAG, "expect", "", 0, NULL, BENCH_RUN, "an undecided task counts as a failure, too")                      \
  X(most, INT, "most", "N", 10, "10", BENCH_COMPARE, "list so many of the largest slowdowns and speedups")             \
  X(output, STRING, "output", "FILE", NULL, NULL, BENCH_FILES, "write to FILE instead of standard output (also -o)")   \
  X(quiet, FLAG, "quiet", "", 0, NULL, BENCH_ALL, "nothing but errors on standard error")                              \
  X(verbose, FLAG, "verbose", "", 0, NULL, BENCH_RUN, "each result on standard error")

typedef struct BenchOptions {
  BenchCommand command;
  bool help;              // --help was given: nothing else was checked
  StringVector operands;  // paths of tasks or of files
  StringVector passed_on; // after `--`
  BenchVariantVector variants;
  Arena arena; // of the variants
#define X(field, type, name, argument, fallback, shown, commands, help) OPTION_TYPE_##type field;
  BENCH_OPTIONS(X)
#undef X
} BenchOptions;

extern const OptionRow bench_option_rows[];
extern const size_t bench_option_row_count;

// A command of the bench, for help and the man page.
typedef struct BenchCommandRow {
  BenchCommand command;
  const char *name, *synopsis, *summary, *description, *statuses;
} BenchCommandRow;

enum { BENCH_COMMAND_COUNT = 4 };
extern const BenchCommandRow bench_command_rows[BENCH_COMMAND_COUNT];
const BenchCommandRow *bench_command_row(BenchCommand command);

// Parses the arguments after `bench`. Returns false with one line in `error`. To be freed in any case.
bool bench_options_parse(BenchOptions *options, int argc, char **argv, Text *error);
void bench_options_free(BenchOptions *options);

// The options of `heddle check` that all runs of the variant (or NULL) have in common, with blanks between them.
void bench_options_describe(const BenchOptions *options, const BenchVariant *variant, Text *out);
void bench_options_limits(const BenchOptions *options, Text *time, Text *memory); // as `check` reads them

#endif
