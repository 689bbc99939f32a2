// The command line of `check`, `replay`, `show`, `survey` and `validate`: one table of options, from which the parser,
// `--help` and the man page derive. (`bench` has a table of its own, bench/bench_options.h, which the same OptionReader
// reads.)
//
// An option is written `--name value` or `--name=value`; `-o` is short for `--output`, `-p` for `--project`. What
// follows `--` goes to clang, and so do options that compilers know (language.h); `-m32` and `-m64` are data models.
// The operand `-` is standard input (standard_input.h). With a project, the files of the program are among the operands
// after parsing, named or not. A preset (presets.h) sets what the command line does not, wherever either stands. Texts
// in Options point into argv or into the tables.
#ifndef HEDDLE_CLI_OPTIONS_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_OPTIONS_H

#include "base/text.h"
#include "base/vector.h"
#include "cli/options/launch.h"
#include "cli/options/project.h"
#include "cli/options/settings.h"
#include "cli/options/standard_input.h"
#include "command/option.h"
#include "front/front_slice.h"
#include "verdict/engine.h"
#include "verdict/suppress.h"

typedef enum Command {
  COMMAND_CHECK = 1,
  COMMAND_REPLAY = 2,
  COMMAND_SHOW = 4,
  COMMAND_VALIDATE = 8,
  COMMAND_SURVEY = 16,
  COMMAND_ALL = 31
} Command;

#define DEFAULT_TIME_LIMIT 300 // seconds

// X(field, type, name, argument, default, commands, help). The types are those of command/option.h.
#define COMMAND_OPTIONS(X)                                                                                             \
  X(property, LIST, "property", "NAME[,NAME...]|FILE.prp", {0}, COMMAND_CHECK | COMMAND_SHOW | COMMAND_VALIDATE,       \
    "what to check: names from the list below, all of them but ltl, or an SV-COMP property file; may be given "        \
    "several "                                                                                                         \
    "times; without it check asks unreach-call, no-data-race, no-deadlock, valid-memsafety and no-division-by-zero; "  \
    "other commands want one, unreach-call without it")                                                                \
  X(first, FLAG, "first", "", 0, COMMAND_CHECK,                                                                        \
    "stop at the first violation; without it the search for others goes on until the rest is proved or time is up")    \
  X(ltl, STRING, "ltl", "FORMULA|FILE", NULL, COMMAND_CHECK | COMMAND_REPLAY | COMMAND_SHOW,                           \
    "check a formula of linear temporal logic, such as 'G (request -> F ready == 1)'; see FORMULAS")                   \
  X(fair, FLAG, "fair", "", 0, COMMAND_CHECK | COMMAND_REPLAY | COMMAND_SHOW,                                          \
    "with --ltl: only executions count in which no thread that can always run is passed over for ever")                \
  X(engine, STRING, "engine", "NAME", "auto", COMMAND_CHECK,                                                           \
    "how to check it: an engine from the list below, or auto: all that decide the property")                           \
  X(preset, STRING, "preset", "NAME", NULL, COMMAND_CHECK,                                                             \
    "an engine with settings of its options, from the list below; what else is given wins over it")                    \
  X(data_model, CHOICE, "data-model", "ILP32|LP64", "LP64", COMMAND_ALL, "sizes of int, long and pointers")            \
  X(volatile_accesses, CHOICE, "volatile", "racy|atomic|ignore", "racy",                                               \
    COMMAND_CHECK | COMMAND_SHOW | COMMAND_SURVEY | COMMAND_VALIDATE,                                                  \
    "what accesses to volatile objects are for no-data-race: ordinary ones, which race; atomic ones, which order "     \
    "threads; or ones that do not race")                                                                               \
  X(project_directory, STRING, "project", "DIR", NULL, COMMAND_ALL,                                                    \
    "compile each file as DIR/compile_commands.json says, with the files that define what they call; without a FILE, " \
    "all C files in it (also -p)")                                                                                     \
  X(only_named, FLAG, "only-named", "", 0, COMMAND_ALL,                                                                \
    "with --project: do not add files to those that are named, although they call functions that are defined there")   \
  X(config, STRING, "config", "FILE|none", NULL, COMMAND_ALL,                                                          \
    "the settings of the project; without it .heddle.yml beside the first file or the project, or in the parents up "  \
    "to a directory with .git; none: no settings; see SETTINGS")                                                       \
  X(no_suppressions, FLAG, "no-suppressions", "", 0, COMMAND_CHECK | COMMAND_REPLAY | COMMAND_SURVEY,                  \
    "ask about suppressed lines, too: neither comments nor settings suppress anything; see SUPPRESSIONS")              \
  X(time_limit, DURATION, "time-limit", "TIME|none", DEFAULT_TIME_LIMIT, COMMAND_ALL,                                  \
    "wall time, such as 500ms, 30s, 5m, 1h; none or 0: no limit; without it 5m")                                       \
  X(memory_limit, SIZE, "memory-limit", "SIZE", 0, COMMAND_CHECK | COMMAND_SURVEY,                                     \
    "memory of an engine, such as 512MB, 4GB; without it nine tenths of the machine's")                                \
  X(jobs, INT, "jobs", "N", 0, COMMAND_CHECK | COMMAND_SURVEY,                                                         \
    "processors to use: with 1, engines take turns; 0: all of the machine")                                            \
  X(agree, INT, "agree", "N", 1, COMMAND_CHECK, "say SAFE only if so many engines of different kinds say it")          \
  X(threads_limit, INT, "threads-limit", "N", 16, COMMAND_CHECK | COMMAND_SHOW | COMMAND_VALIDATE,                     \
    "threads that may ever be created")                                                                                \
  X(args, WORDS, "args", "'ARG...'", NULL, COMMAND_CHECK | COMMAND_SHOW | COMMAND_VALIDATE,                            \
    "the program's arguments, quoted as for a shell; without it they may be anything")                                 \
  X(env, LIST, "env", "NAME=VALUE|none", {0}, COMMAND_CHECK | COMMAND_SHOW | COMMAND_VALIDATE,                         \
    "a variable of the program's environment, which has no others; may be given several times; none: an empty "        \
    "environment; without it each variable may be set to anything, or not")                                            \
  X(standard_input, STRING, "stdin", "FILE", NULL, COMMAND_CHECK | COMMAND_SHOW | COMMAND_VALIDATE,                    \
    "what the program reads from its standard input; without it that may be anything")                                 \
  X(json, STRING, "json", "FILE", NULL, COMMAND_CHECK | COMMAND_SURVEY,                                                \
    "write the result and all statistics to FILE as JSON")                                                             \
  X(save_schedule, STRING, "save-schedule", "FILE", NULL, COMMAND_CHECK,                                               \
    "write the schedule of a violation to FILE, for replay")                                                           \
  X(report, STRING, "report", "FILE.html", NULL, COMMAND_CHECK | COMMAND_SURVEY,                                       \
    "write a page to look at the result in a browser: the violation step by step, or the proof")                       \
  X(witness, STRING, "witness", "FILE.yml", NULL, COMMAND_CHECK,                                                       \
    "write a witness of the violation or of correctness, as SV-COMP exchanges them")                                   \
  X(sarif, STRING, "sarif", "FILE", NULL, COMMAND_CHECK | COMMAND_SURVEY,                                              \
    "write the result in SARIF 2.1.0, for CI and editors")                                                             \
  X(dump_smt, STRING, "dump-smt", "DIR", NULL, COMMAND_CHECK,                                                          \
    "write each question that engines ask a solver about terms to files in DIR: SMT-LIB 2, and DIMACS where clauses "  \
    "can say it; not those of circuit about gates (show circuit writes the circuit)")                                  \
  X(cross_check, FLAG, "cross-check", "", 0, COMMAND_CHECK,                                                            \
    "ask a second solver (Z3) each question that engines ask about terms, and compare answers, models and cores; not " \
    "those of circuit about gates")                                                                                    \
  X(full, FLAG, "full", "", 0, COMMAND_CHECK | COMMAND_REPLAY | COMMAND_VALIDATE,                                      \
    "print every step of a trace with all values, not only what matters, and all rounds of loops")                     \
  X(width, INT, "width", "N", 0, COMMAND_CHECK | COMMAND_REPLAY | COMMAND_VALIDATE,                                    \
    "columns for a trace: from 100 on each thread has its own; without it, or 0, as wide as the terminal is")          \
  X(format, CHOICE, "format", "text|gcc", "text", COMMAND_CHECK | COMMAND_REPLAY | COMMAND_VALIDATE,                   \
    "how a violation is printed: text: a trace; gcc: FILE:LINE:COLUMN: error: and note: lines, for editors")           \
  X(output, STRING, "output", "FILE", NULL, COMMAND_SHOW, "write to FILE instead of standard output (also -o)")        \
  X(passes, CHOICE, "passes", "lowered|prepared|reduced|large", "prepared", COMMAND_SHOW,                              \
    "how far the program is rewritten before it is shown")                                                             \
  X(all, FLAG, "all", "", 0, COMMAND_SURVEY, "list each proved object and each pair of accesses, not only counts")     \
  X(explain, INT, "explain", "N", 0, COMMAND_SURVEY,                                                                   \
    "print only warning N: why it could not be excluded, and what would exclude it")                                   \
  X(entry, LIST, "entry", "FUNCTION", {0}, COMMAND_SURVEY,                                                             \
    "a function that any number of threads call at the same time; may be given several times")                         \
  X(baseline, STRING, "baseline", "FILE.json", NULL, COMMAND_SURVEY,                                                   \
    "the --json file of an earlier survey: what was warned of or open there is counted, not told again")               \
  X(confirm, NUMBER, "confirm", "[N]", 0, COMMAND_SURVEY,                                                              \
    "have the engines of check look for the races that are warned of, or for those of warning N, in the time that is " \
    "left: in the whole program, and in slices of it")                                                                 \
  X(quiet, FLAG, "quiet", "", 0, COMMAND_ALL,                                                                          \
    "print only the property, the undefined functions that a violation hangs on, and the result; no progress")         \
  X(verbose, FLAG, "verbose", "", 0, COMMAND_ALL, "tell on standard error what is being done")

typedef struct Options {
  Command command;
  bool help;             // --help was given: nothing else was checked
  uint64_t given;        // bit i: the command line has option_rows[i]
  StringVector operands; // what is not an option, before `--`
  StringVector clang_options;
#define X(field, type, name, argument, fallback, commands, help) OPTION_TYPE_##type field;
  COMMAND_OPTIONS(X)
#undef X
  EngineOptions engine_options;
  bool owns_properties;                  // the texts of `property` are copies
  PropertySet properties;                // of `property` and `ltl`
  Property property_value;               // the one of `properties` that is being asked; the first of them at first
  LtlProperty *formula;                  // of `ltl`, or NULL
  Project *project;                      // of `project_directory`, or NULL
  Settings *settings;                    // or NULL
  SuppressionVector suppressions;        // by the file of settings; texts are its
  Launch *launch;                        // of `args`, `env` and `standard_input`; NULL for `replay`
  StandardInputFile standard_input_file; // of the operand `-`
  const FrontSlice *slice;               // of `check` for `survey --confirm`, or NULL
  const SuppressionVector *focus;        // likewise: lines that it does not ask about, or NULL
} Options;

// Parses the arguments after the command's name. Returns false with one line in `error`.
bool options_parse(Options *options, Command command, int argc, char **argv, Text *error);
bool options_given(const Options *options, const char *name); // by the command line
void options_free(Options *options);

static inline unsigned options_pointer_width(const Options *options) {
  return strcmp(options->data_model, "ILP32") == 0 ? 32 : 64;
}

// --- the table, for help and the man page; `commands` are bits of Command ---
extern const OptionRow option_rows[];
extern const size_t option_row_count;

#endif
