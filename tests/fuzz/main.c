// heddle-fuzz: random concurrent C programs, and the comparison of Heddle's engines on them. See README.md.
#include "fuzz/generate.h"
#include "fuzz/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_FAILURES = 1, STATUS_USAGE = 2, MOST_COMMANDS = 8 };

typedef struct Arguments {
  uint64_t seed;
  unsigned long programs, size, jobs, sample, failures, time_limit, shrink_time;
  const char *heddle, *property, *output, *only;
  const char *commands[MOST_COMMANDS];
  unsigned command_count;
} Arguments;

static const char usage[] =
    "usage: heddle-fuzz generate --seed S [--size K] [--property ltl]\n"
    "       heddle-fuzz run --heddle PATH [options]\n"
    "       heddle-fuzz list [--property ltl]\n"
    "\n"
    "generate prints the program of a seed; run compares the configurations (see list) on N programs.\n"
    "\n"
    "  --heddle PATH       the command that is tested\n"
    "  --programs N        how many (default: 100)\n"
    "  --seed S            the first seed; each program has its own (default: 1)\n"
    "  --size K            about the number of statements of a thread (default: 6; with formulas 3)\n"
    "  --jobs N            programs at a time (default: the number of processors)\n"
    "  --sample K          ask only K configurations beside the judge, others for each program\n"
    "  --only TEXT         only configurations with TEXT in their name, beside the judge\n"
    "  --property NAME     what is checked (default: unreach-call); ltl: a random formula for each program\n"
    "  --time-limit N      seconds for one check (default: 10; for formulas 2)\n"
    "  --also NAME=COMMAND a further configuration: COMMAND is run with the C file as its argument\n"
    "                      (then the formula, and --fair if it is so),\n"
    "                      and must answer as heddle check does\n"
    "  --failures N        stop after so many failing programs (default: 3)\n"
    "  --shrink-time N     seconds for making one failing program small (default: 120)\n"
    "  --output DIR        where failing programs go (default: build/fuzz)\n"
    "\n"
    "exit status: 0 if nothing failed, 1 for a disagreement or a crash, 2 for an error\n";

static _Noreturn void fail(const char *what, const char *detail) {
  fprintf(stderr, "heddle-fuzz: %s%s\n", what, detail);
  exit(STATUS_USAGE);
}

static unsigned long parse_number(const char *name, const char *text, unsigned long least, unsigned long most) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno || value < least || value > most)
    fail("not a number that fits: ", name);
  return value;
}

// Options of numbers: name, where it goes, least, most.
static bool take_number(Arguments *arguments, const char *name, const char *value) {
  const struct {
    const char *name;
    unsigned long *target, least, most;
  } numbers[] = {
      {"--programs", &arguments->programs, 1, 1000000000},
      {"--seed", &arguments->seed, 0, UINT64_MAX / 2},
      {"--size", &arguments->size, 1, MOST_SIZE},
      {"--jobs", &arguments->jobs, 1, 64},
      {"--sample", &arguments->sample, 1, MOST_CONFIGURATIONS},
      {"--time-limit", &arguments->time_limit, 1, 3600},
      {"--failures", &arguments->failures, 1, 1000000},
      {"--shrink-time", &arguments->shrink_time, 0, 100000},
  };
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (strcmp(name, numbers[i].name) != 0) continue;
    *numbers[i].target = parse_number(name, value, numbers[i].least, numbers[i].most);
    return true;
  }
  return false;
}

static bool take_text(Arguments *arguments, const char *name, const char *value) {
  const struct {
    const char *name, **target;
  } texts[] = {{"--heddle", &arguments->heddle},
               {"--property", &arguments->property},
               {"--output", &arguments->output},
               {"--only", &arguments->only}};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(name, texts[i].name) != 0) continue;
    *texts[i].target = value;
    return true;
  }
  if (strcmp(name, "--also") != 0 || arguments->command_count == MOST_COMMANDS) return false;
  arguments->commands[arguments->command_count++] = value;
  return true;
}

static bool asks_formulas(const Arguments *arguments) { return strcmp(arguments->property, "ltl") == 0; }

static Arguments parse(int argc, char **argv) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  Arguments arguments = {.seed = 1,
                         .programs = 100,
                         .jobs = processors > 0 && processors < 64 ? (unsigned long)processors : 2,
                         .failures = 3,
                         .shrink_time = 120,
                         .property = "unreach-call",
                         .output = "build/fuzz"};
  for (int i = 2; i < argc; i += 2) {
    if (i + 1 == argc) fail("no value after ", argv[i]);
    if (!take_number(&arguments, argv[i], argv[i + 1]) && !take_text(&arguments, argv[i], argv[i + 1]))
      fail("unknown option ", argv[i]);
  }
  if (!arguments.time_limit) arguments.time_limit = asks_formulas(&arguments) ? 2 : 10;
  if (!arguments.size) arguments.size = asks_formulas(&arguments) ? DEFAULT_SIZE_WITH_FORMULA : DEFAULT_SIZE;
  return arguments;
}

static int command_generate(const Arguments *arguments) {
  Arena arena;
  Text text, formula;
  Tree tree;
  arena_init(&arena, NULL);
  text_init(&text, NULL);
  text_init(&formula, NULL);
  generate(&arena, &tree, arguments->seed, (unsigned)arguments->size, asks_formulas(arguments));
  tree_print(&tree, &text);
  if (tree.formula) {
    tree_print_formula(&tree, text.data, 1, &formula);
    printf("// --ltl '%s'%s\n", formula.data, tree.fair ? " --fair" : "");
  }
  fputs(text.data, stdout);
  text_free(&formula);
  text_free(&text);
  arena_free(&arena);
  return 0;
}

// Makes the directory and those above it.
static void make_directories(const char *path) {
  Text text;
  text_init(&text, NULL);
  text_add(&text, path);
  for (size_t i = 1; i <= text.length; i++) {
    if (text.data[i] != '/' && text.data[i] != 0) continue;
    char kept = text.data[i];
    text.data[i] = 0;
    if (mkdir(text.data, 0777) != 0 && errno != EEXIST) fail("cannot make the directory ", text.data);
    text.data[i] = kept;
  }
  text_free(&text);
}

static int command_run(const Arguments *arguments) {
  if (!arguments->heddle) fail("run needs --heddle PATH", "");
  Arena arena;
  arena_init(&arena, NULL);
  Configurations all;
  if (!configurations_find(&all, &arena, arguments->heddle, arguments->only, asks_formulas(arguments)))
    return STATUS_USAGE;
  for (unsigned i = 0; i < arguments->command_count; i++)
    if (!configurations_add_command(&all, &arena, arguments->commands[i]))
      fail("not NAME=COMMAND: ", arguments->commands[i]);
  make_directories(arguments->output);
  char *directory = arena_format(&arena, "%s/work-XXXXXX", arguments->output);
  if (!mkdtemp(directory)) fail("cannot make the directory ", directory);
  Comparison comparison = {.all = &all,
                           .checker = {.heddle = arguments->heddle,
                                       .property = arguments->property,
                                       .time_limit = (double)arguments->time_limit,
                                       .directory = directory},
                           .size = (unsigned)arguments->size,
                           .formulas = asks_formulas(arguments),
                           .sample = (unsigned)arguments->sample,
                           .output = arguments->output,
                           .shrink_seconds = (double)arguments->shrink_time};
  Work work = {.first_seed = arguments->seed,
               .programs = (unsigned)arguments->programs,
               .jobs = (unsigned)arguments->jobs,
               .most_failures = (unsigned)arguments->failures};
  Tally tally;
  tally_init(&tally, &all, work.programs);
  bool well = workers_run(&comparison, &work, &tally);
  tally_summary(&tally);
  bool failed = tally_failed(&tally);
  tally_free(&tally);
  arena_free(&arena);
  return !well ? STATUS_USAGE : failed ? STATUS_FAILURES : 0;
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  if (strcmp(command, "--help") == 0 || strcmp(command, "help") == 0) {
    fputs(usage, stdout);
    return 0;
  }
  Arguments arguments = parse(argc, argv);
  if (strcmp(command, "generate") == 0) return command_generate(&arguments);
  if (strcmp(command, "run") == 0) return command_run(&arguments);
  if (strcmp(command, "list") == 0) {
    configurations_print(asks_formulas(&arguments));
    return 0;
  }
  fputs(usage, stderr);
  return STATUS_USAGE;
}
