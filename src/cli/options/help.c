// Help and the man page, both from the tables of commands, options, properties, engines and presets.
#include "bench/bench_options.h"
#include "cli/commands.h"
#include "cli/options/presets.h"
#include "cli/run/engines.h"
#include "command/usage.h"

#include <ctype.h>

const CommandRow command_rows[] = {
    {COMMAND_CHECK, "check", "FILE... [OPTION...] [-- CLANG-OPTION...]", "check a program against properties",
     "FILE is C source, preprocessed source (.i), bitcode (.bc), or - for C on standard input. The word check may be "
     "left "
     "out. The last line on standard output is the result: "
     "SAFE, UNSAFE or UNKNOWN with a reason. Each violation is printed as a trace that was really executed."},
    {COMMAND_REPLAY, "replay", "FILE... SCHEDULE.json [OPTION...] [-- CLANG-OPTION...]",
     "run a schedule that check wrote, and print its trace",
     "FILE, the data model and the options for clang must be those that the schedule was found with."},
    {COMMAND_SHOW, "show", "cfa|cells|access|invariants|circuit|library|code FILE... [OPTION...] [-- CLANG-OPTION...]",
     "print the program as Heddle sees it",
     "cfa: the control-flow automata as a DOT graph; cells: the shared memory; access: what each edge may read and "
     "write; invariants: what holds where, from a proof by the engine reach; circuit: what the engine "
     "circuit looks into, in the AIGER format, binary to a file unless its name ends in .aag; library: which library "
     "functions the program uses, how they are modelled, and which have no model; without FILE, all models; code: "
     "the statements of all functions, as analyses of whole programs read them."},
    {COMMAND_SURVEY, "survey", "FILE... [OPTION...] [-- CLANG-OPTION...]",
     "look for data races and lock orders in a large program",
     "Proves for most shared objects that no data race on them is possible, for any number of threads, and ranks the "
     "others as warnings. FILE is as for check; -p DIR surveys a project. The last line on standard output begins with "
     "survey: and counts objects. Exit status: 0 if there is no warning and nothing is open (with --baseline: nothing "
     "new), 1 if --confirm executed a race, 2 for errors, 3 otherwise."},
    {COMMAND_VALIDATE, "validate", "FILE... WITNESS.yml [OPTION...] [-- CLANG-OPTION...]",
     "look for an execution that follows a violation witness",
     "WITNESS is a violation witness of SV-COMP's format 2.0, with or without the thread ids of 2.2, of whatever tool. "
     "The last line on standard output is the verdict: witness: CONFIRMED (exit status 0), REJECTED (1) or "
     "UNKNOWN (3), with a reason."},
};
const size_t command_row_count = sizeof command_rows / sizeof *command_rows;
enum { COMMAND_COUNT = sizeof command_rows / sizeof *command_rows };

// What formulas are: for the man page and for the help of check.
static const struct {
  const char *form, *means;
} formula_rows[] = {
    {"G a, F a, X a", "a holds always (also []a); at some time (also <>a); after the next step"},
    {"a U b", "b comes, and a holds until then"},
    {"a W b", "a holds until b comes, or for ever"},
    {"a R b", "b holds up to and including when a comes, or for ever"},
    {"!a", "a does not hold"},
    {"a && b, a || b, a -> b, a <-> b",
     "and, or, implies, equals, in this order; U, W and R bind tighter, to the right"},
    {"x + 1 < y, queue.length, full(&q)",
     "an atom is a C expression over what is visible at the end of the file, without &&, || and ! at its top (!x == 1 "
     "is !(x == 1)); it only "
     "looks: it must not write, loop, wait, choose inputs or look at memory that may be freed or of which each "
     "thread has its own; p->q is C, "
     "p -> q an implication"},
    {"\"a && b\"", "an atom in quotes, for what would be taken for a formula; \\\" is a quote in it"},
    {"/* ... */, // ...", "a comment, up to the end of the line if it has two slashes"},
    {"at(f:12), at(f:label), at(label)", "a thread is about to take a step of line 12 of the function f, or of the "
                                         "line of the first step behind a label; at(label, 0.1): "
                                         "the thread of that path"},
};
enum { FORMULA_COUNT = sizeof formula_rows / sizeof *formula_rows };

static const char *const formula_notes[] = {
    "A formula holds if it holds on all executions from their first state on. An execution is infinite: where the "
    "process has "
    "ended, or no thread can take a step, the last state goes on for ever. The states after steps count, but not those "
    "inside "
    "atomic "
    "sections. An execution does not count if a thread can never go on because of a false assumption, an invalid "
    "dereference or a division by zero.",
    "Without --fair a thread may be passed over for ever. With it only executions count in which each thread moves "
    "again "
    "and again, or again and again cannot move (weak fairness). A thread that waits for a mutex which others take "
    "again and again is not passed over: it cannot move in between.",
    "X counts steps of the model: one access to memory or less. A formula with X depends on how statements are "
    "compiled; most are better written without it. With X, or with --fair, all interleavings are looked at, whatever "
    "--schedule says.",
    "A thread that waits for a condition variable is woken by signals and broadcasts only, here and for "
    "no-deadlock; SAFE says so.",
    "A formula may stand in a file, on several lines. What ends in .ltl, or begins with / or ./ or ../, and has no "
    "blanks is always taken for the name of a file.",
    "A violation is an execution that ends in a loop, which the trace marks. heddle replay wants the same --ltl.",
};
enum { FORMULA_NOTE_COUNT = sizeof formula_notes / sizeof *formula_notes };

static const char *const finding_notes[] = {
    "A run goes on after a violation: it looks for others of the same property until the rest is proved, or nothing "
    "more "
    "is to be found, or time is up. --first stops at the first one. Violations with the same cause are one finding: "
    "the "
    "same assertion or failing line, the same two places of a race, the same places at which threads wait for locks. "
    "Properties are asked one after the other; each gets an equal share of the time that is left.",
    "With several properties or several violations the output ends with a table: how many goals (assertions, shared "
    "objects, lines where threads wait, lines that may fail) are proved, violated and open. With several properties, "
    "each then has a line NAME: ANSWER, and the result is the worst of them: UNSAFE, then UNKNOWN, then SAFE.",
    "The page, the SARIF file and the JSON file have all findings. FILE of a schedule or a witness has the first "
    "finding; "
    "further ones are written to files with a number before the suffix: F.yml, F-2.yml, F-3.yml.",
};
enum { FINDING_NOTE_COUNT = sizeof finding_notes / sizeof *finding_notes };

static const char *const suppression_notes[] = {
    "A comment // heddle: ignore no-data-race beside a statement, or alone on the line before it, takes the line out "
    "of "
    "the question for that property; several names are separated by commas, without a name all properties are meant, "
    "and what follows -- is for people. An unknown name gives a warning.",
    "The search goes on without the line: it may find other violations, and SAFE is a proof of the rest. An error on "
    "the line ends the process; an access or a free does not race, though an atomic access still orders threads; at "
    "an invalid use of memory or a division by zero execution ends; a state in which a thread waits there is no "
    "deadlock. Each suppressed line is printed before the result and is among what SAFE rests on. Formulas have no "
    "lines. --no-suppressions asks about all lines; heddle replay wants it for a schedule that was found with it.",
};

static const char *const settings_notes[] = {
    "The file .heddle.yml beside the first file or in the directory of -p, or in one of the parents up to a directory "
    "with .git, sets what the command line does not; --config FILE names another, --config none reads none. It is YAML "
    "with these keys; an unknown key is an error, and paths are meant from where the file is.",
    "properties: one property or a list. files: the program, if no FILE is given. clang-options: a list of options "
    "that need no "
    "-- on the command line. limits: time-limit, memory-limit, threads-limit, jobs. models: C files that are added to "
    "every program. suppressions: a list of property, file (a pattern) and line (12 or 12-20).",
};

static const char statuses[] =
    "0 for SAFE, 1 for UNSAFE, 2 for an error in the command line or the input, 3 for UNKNOWN";

static const CommandRow *command_row(Command command) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (command_rows[i].command == command) return &command_rows[i];
  return &command_rows[0];
}

static void print_options(Command command, bool engine, Text *out) {
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].commands & command && option_rows[i].engine == engine) usage_option(&option_rows[i], out);
}

static void print_presets(Text *out) {
  for (size_t i = 0; i < preset_count; i++) {
    Text description;
    text_init(&description, NULL);
    preset_describe(&presets[i], &description);
    usage_item(presets[i].name, description.data, out);
    text_free(&description);
  }
}

static void print_formula(size_t row, Text *out) {
  text_format(out, "  %s", formula_rows[row].form);
  if (2 + strlen(formula_rows[row].form) >= USAGE_COLUMN) text_add_char(out, '\n');
  usage_wrapped(out, USAGE_COLUMN, formula_rows[row].means);
}

void help_print(Command command, Text *out) {
  const CommandRow *row = command_row(command);
  text_format(out, "usage: heddle %s %s\n\n", row->name, row->synopsis);
  usage_wrapped(out, 0, row->description);
  text_add(out, "\noptions:\n");
  print_options(command, false, out);
  if (command == COMMAND_SHOW) print_options(command, true, out);
  usage_item("--help", "print this", out);
  if (command != COMMAND_CHECK) return;
  text_add(out, "\noptions of engines:\n");
  print_options(command, true, out);
  text_add(out, "\nproperties:\n");
  for (unsigned i = 0; i < PROPERTY_COUNT; i++)
    usage_item(property_name((Property)i), property_summary((Property)i), out);
  usage_item("all", "all of them but ltl", out);
  text_add(out, "\nfindings:\n");
  for (size_t i = 0; i < FINDING_NOTE_COUNT; i++) usage_wrapped(out, 2, finding_notes[i]);
  text_add(out, "\nformulas (--ltl):\n");
  for (size_t i = 0; i < FORMULA_COUNT; i++) print_formula(i, out);
  text_add(out, "\nengines:\n");
  usage_item("auto", "all engines that decide the property, side by side; the first confirmed verdict counts", out);
  for (size_t i = 0; engines[i]; i++) usage_item(engines[i]->name, engines[i]->summary, out);
  text_add(out, "\npresets:\n");
  print_presets(out);
  text_format(out, "\nexit status: %s\n", statuses);
}

void help_print_all(Text *out) {
  text_add(out, "Heddle verifies multi-threaded C programs.\n\nusage:\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    text_format(out, "  heddle %s %s\n", command_rows[i].name, command_rows[i].synopsis);
  for (size_t i = 0; i < BENCH_COMMAND_COUNT; i++)
    text_format(out, "  heddle %s %s\n", bench_command_rows[i].name, bench_command_rows[i].synopsis);
  text_add(out, "  heddle --version (or -V)\n  heddle --completion bash\n\ncommands:\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) usage_item(command_rows[i].name, command_rows[i].summary, out);
  for (size_t i = 0; i < BENCH_COMMAND_COUNT; i++)
    usage_item(bench_command_rows[i].name, bench_command_rows[i].summary, out);
  text_add(out, "\nheddle FILE is heddle check FILE. heddle COMMAND --help lists the options of a command.\n");
}

// --- the man page ---

// Text for roff: hyphens are minus signs, and no line begins with a control character.
static void add_roff(Text *out, const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '-')
      text_add(out, "\\-");
    else if (*c == '\\')
      text_add(out, "\\e");
    else if (*c == '"')
      text_add(out, "\\(dq"); // it would begin an argument of a macro
    else
      text_add_char(out, *c);
  }
}

static void man_item(Text *out, const char *name, const char *argument, const char *description) {
  text_add(out, ".TP\n.B ");
  add_roff(out, name);
  if (argument[0]) {
    text_add(out, " \\fI");
    add_roff(out, argument);
    text_add(out, "\\fR");
  }
  text_add_char(out, '\n');
  add_roff(out, description);
  text_add_char(out, '\n');
}

static void man_bench_options(Text *out) {
  for (size_t i = 0; i < bench_option_row_count; i++) {
    const OptionRow *row = &bench_option_rows[i];
    Text help, name;
    text_init(&help, NULL);
    text_init(&name, NULL);
    usage_describe(row, &help);
    help.data[0] = (char)toupper((unsigned char)help.data[0]);
    text_add(&help, ". For");
    for (size_t k = 0; k < BENCH_COMMAND_COUNT; k++)
      if (row->commands & bench_command_rows[k].command)
        text_format(&help, "%s %s", help.data[help.length - 1] == 'r' ? "" : ",", bench_command_rows[k].name);
    text_add_char(&help, '.');
    text_format(&name, "--%s", row->name);
    man_item(out, name.data, row->argument, help.data);
    text_free(&name);
    text_free(&help);
  }
}

static void man_options(Text *out, bool engine) {
  for (size_t i = 0; i < option_row_count; i++) {
    const OptionRow *row = &option_rows[i];
    if (row->engine != engine) continue;
    Text help, name;
    text_init(&help, NULL);
    text_init(&name, NULL);
    usage_describe(row, &help);
    text_add_char(&help, '.');
    help.data[0] = (char)toupper((unsigned char)help.data[0]);
    text_format(&name, "--%s", row->name);
    if (!engine) {
      const char *separator = " For ";
      for (size_t k = 0; k < COMMAND_COUNT; k++) {
        if (!(row->commands & command_rows[k].command)) continue;
        text_format(&help, "%s%s", separator, command_rows[k].name);
        separator = ", ";
      }
      text_add_char(&help, '.');
    }
    man_item(out, name.data, row->argument, help.data);
    text_free(&name);
    text_free(&help);
  }
}

static void man_commands(Text *out) {
  text_add(out, ".SH SYNOPSIS\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    text_format(out, "%s.B heddle %s\n", i ? ".br\n" : "", command_rows[i].name);
    add_roff(out, command_rows[i].synopsis);
    text_add_char(out, '\n');
  }
  for (size_t i = 0; i < BENCH_COMMAND_COUNT; i++) {
    text_format(out, ".br\n.B heddle %s\n", bench_command_rows[i].name);
    add_roff(out, bench_command_rows[i].synopsis);
    text_add_char(out, '\n');
  }
  text_add(
      out,
      ".br\n.B heddle \\-\\-help\n.br\n.B heddle \\-\\-version\n.br\n.B heddle \\-\\-completion bash\n.SH DESCRIPTION\n"
      "Heddle verifies multi\\-threaded C programs (POSIX threads, C11 threads and atomics) against a property.\n"
      "It answers SAFE, UNSAFE with a schedule that was really executed, or UNKNOWN with the reason.\n"
      ".SH COMMANDS\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    Text text;
    text_init(&text, NULL);
    text_format(&text, "%s. %s", command_rows[i].summary, command_rows[i].description);
    text.data[0] = (char)toupper((unsigned char)text.data[0]);
    man_item(out, command_rows[i].name, "", text.data);
    text_free(&text);
  }
  for (size_t i = 0; i < BENCH_COMMAND_COUNT; i++) {
    const BenchCommandRow *row = &bench_command_rows[i];
    Text text;
    text_init(&text, NULL);
    text_format(&text, "%s. %s Exit status: %s.", row->summary, row->description, row->statuses);
    text.data[0] = (char)toupper((unsigned char)text.data[0]);
    man_item(out, row->name, "", text.data);
    text_free(&text);
  }
}

static void man_presets(Text *out) {
  for (size_t i = 0; i < preset_count; i++) {
    Text description;
    text_init(&description, NULL);
    preset_describe(&presets[i], &description);
    man_item(out, presets[i].name, "", description.data);
    text_free(&description);
  }
}

static void man_formulas(Text *out) {
  for (size_t i = 0; i < FORMULA_COUNT; i++) man_item(out, formula_rows[i].form, "", formula_rows[i].means);
  for (size_t i = 0; i < FORMULA_NOTE_COUNT; i++) {
    text_add(out, ".PP\n");
    add_roff(out, formula_notes[i]);
    text_add_char(out, '\n');
  }
}

static const struct {
  const char *line, *does;
} examples[] = {
    {"heddle check queue.c main.c --time-limit 5m",
     "Assertions, races, deadlocks, memory and divisions: what can go wrong?"},
    {"heddle check -p build --property no-data-race", "All C files of a project, compiled as its build does."},
    {"heddle check main.c --save-schedule s.json -- -DSIZE=3 && heddle replay main.c s.json --full -- -DSIZE=3",
     "Keeps the schedule of a violation and runs it again."},
    {"heddle check lock.c --fair --ltl 'G (want[0] -> F critical[0])'",
     "Does thread 0 get in whenever it wants to, if no thread is passed over for ever?"},
};

static const char about_files[] =
    "Outputs are written as a whole or not at all. An output that is an input or another output, or that cannot be "
    "written, is an error before anything runs; devices and pipes are written in place and may be named twice. Inputs "
    "are regular files, or /dev/null: a pipe, a device, or a file that is too large is an error.";

static void man_notes(const char *heading, const char *const *notes, size_t count, Text *out) {
  text_format(out, ".SH %s\n", heading);
  for (size_t i = 0; i < count; i++) {
    text_add(out, i ? ".PP\n" : "");
    add_roff(out, notes[i]);
    text_add_char(out, '\n');
  }
}

void help_print_man(Text *out) {
  text_add(out, ".TH HEDDLE 1 \"\" \"Heddle " HEDDLE_VERSION "\" \"User Commands\"\n"
                ".SH NAME\nheddle \\- verify multi\\-threaded C programs\n");
  man_commands(out);
  text_add(out,
           ".SH OPTIONS\nAn option is written \\fB\\-\\-name\\fR \\fIvalue\\fR or \\fB\\-\\-name=\\fR\\fIvalue\\fR. "
           "What follows \\fB\\-\\-\\fR goes to clang. Options that compilers know, such as \\fB\\-I\\fR \\fIDIR\\fR, "
           "\\fB\\-D\\fR, \\fB\\-U\\fR, \\fB\\-std=\\fR and \\fB\\-include\\fR, need no \\fB\\-\\-\\fR before them; "
           "\\fB\\-m32\\fR is \\fB\\-\\-data\\-model ILP32\\fR, \\fB\\-m64\\fR is \\fBLP64\\fR.\n");
  man_options(out, false);
  man_item(out, "--help", "", "Print help. For all commands.");
  text_add(out, ".SH OPTIONS OF BENCH\n");
  man_bench_options(out);
  text_add(out, ".SH OPTIONS OF ENGINES\n");
  man_options(out, true);
  text_add(out, ".SH PROPERTIES\n");
  for (unsigned i = 0; i < PROPERTY_COUNT; i++)
    man_item(out, property_name((Property)i), "", property_summary((Property)i));
  man_item(out, "all", "", "All of them but ltl.");
  text_add(out, ".SH FORMULAS\n");
  man_formulas(out);
  text_add(out, ".SH ENGINES\n");
  for (size_t i = 0; engines[i]; i++) man_item(out, engines[i]->name, "", engines[i]->summary);
  text_add(out, ".SH PRESETS\n");
  man_presets(out);
  man_notes("FINDINGS", finding_notes, FINDING_NOTE_COUNT, out);
  man_notes("SUPPRESSIONS", suppression_notes, sizeof suppression_notes / sizeof *suppression_notes, out);
  man_notes("SETTINGS", settings_notes, sizeof settings_notes / sizeof *settings_notes, out);
  text_add(out, ".SH FILES\n");
  add_roff(out, about_files);
  text_add(out, "\n.SH EXIT STATUS\n");
  add_roff(out, statuses);
  text_add(out, ".\n.SH EXAMPLES\n");
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    text_add(out, ".TP\n.B ");
    add_roff(out, examples[i].line);
    text_add_char(out, '\n');
    add_roff(out, examples[i].does);
    text_add_char(out, '\n');
  }
}
