#include "cli/bench.h"

#include "base/budget.h"
#include "cli/bench_child.h"
#include "cli/bench_find.h"
#include "cli/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char bench_usage[] =
    "usage: heddle bench PATH... [options] [-- options for heddle check]\n"
    "\n"
    "Runs `heddle check` on every task definition (*.yml) at or below each PATH and compares the answers.\n"
    "\n"
    "  --engine NAME        the engine to run\n"
    "  --property NAME      the property to check; `all`: each one in the task definition (default unreach-call)\n"
    "  --time-limit 30s     wall time for each task\n"
    "  --memory-limit 4GB   memory for each task\n"
    "  --jobs N             so many tasks at once (default 1)\n"
    "  --csv FILE           write one row for each task\n"
    "  --variant NAME=OPTS  run each task with these options of heddle check; given more than once, all are run\n"
    "                       side by side; rows of the CSV end with the variant's name\n"
    "  --expect             an undecided task counts as a failure, too\n"
    "  --quiet, --verbose   less or more on standard error\n"
    "  --help               this text\n";

typedef struct BenchOptions {
  StringVector paths;
  StringVector passed_on; // after `--`
  BenchVariantVector variants;
  Arena arena; // of the variants
  const char *engine, *property, *csv;
  const char *time_limit, *memory_limit; // as written
  BenchLimits limits;
  size_t jobs;
  bool expect, help;
} BenchOptions;

typedef struct Bench {
  const BenchOptions *options;
  Log *log;
  Arena arena;
  BenchRowVector rows;
  size_t next_row;
  BenchChild *children; // one slot for each job
  size_t running, done, wrong;
  char directory[64]; // temporary
  FILE *csv;          // or NULL
  size_t csv_rows;    // so many of the rows have been looked at for the file
  sigset_t caught, before;
  bool interrupted;
} Bench;

// ---- options

static bool parse_jobs(const char *text, size_t *jobs) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno || value < 1 || value > 1024) return false;
  *jobs = value;
  return true;
}

static bool parse_variant(BenchOptions *options, const char *text, Log *log) {
  Text error;
  text_init(&error, NULL);
  bool good = variants_add(&options->variants, &options->arena, text, &error);
  if (!good) log_error(log, "bench: %s", error.data);
  text_free(&error);
  return good;
}

static bool parse_value(BenchOptions *options, const char *option, const char *value, Log *log) {
  bool good = true;
  if (strcmp(option, "--variant") == 0) return parse_variant(options, value, log);
  if (strcmp(option, "--engine") == 0) {
    options->engine = value;
  } else if (strcmp(option, "--csv") == 0) {
    options->csv = value;
  } else if (strcmp(option, "--property") == 0) {
    options->property = value;
    good = strcmp(value, "all") == 0 || bench_knows_property(value);
  } else if (strcmp(option, "--time-limit") == 0) {
    options->time_limit = value;
    good = limits_parse_duration(value, &options->limits.wall);
  } else if (strcmp(option, "--memory-limit") == 0) {
    options->memory_limit = value;
    good = limits_parse_size(value, &options->limits.bytes);
  } else {
    good = parse_jobs(value, &options->jobs);
  }
  if (!good) log_error(log, "bench: bad value `%s` for %s", value, option);
  return good;
}

static bool takes_value(const char *option) {
  static const char *const names[] = {"--engine",       "--csv",  "--property", "--time-limit",
                                      "--memory-limit", "--jobs", "--variant"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0) return true;
  return false;
}

static bool parse_options(BenchOptions *options, int argc, char **argv, Log *log) {
  for (int i = 1; i < argc; i++) {
    const char *argument = argv[i];
    if (strcmp(argument, "--") == 0) {
      while (++i < argc) StringVector_push(&options->passed_on, argv[i]);
    } else if (takes_value(argument)) {
      if (i + 1 == argc) {
        log_error(log, "bench: %s needs a value", argument);
        return false;
      }
      if (!parse_value(options, argument, argv[++i], log)) return false;
    } else if (strcmp(argument, "--expect") == 0) {
      options->expect = true;
    } else if (strcmp(argument, "--help") == 0) {
      options->help = true;
    } else if (strcmp(argument, "--quiet") == 0) {
      log->level = LOG_QUIET;
    } else if (strcmp(argument, "--verbose") == 0) {
      log->level = LOG_VERBOSE;
    } else if (argument[0] == '-') {
      log_error(log, "bench: unknown option %s (see heddle bench --help)", argument);
      return false;
    } else {
      StringVector_push(&options->paths, argument);
    }
  }
  if (options->paths.count == 0 && !options->help) log_error(log, "bench: no task definitions given");
  return options->paths.count > 0 || options->help;
}

// ---- running

// The `.c` beside a `.i`, or NULL.
static const char *source_beside(Arena *arena, const char *input) {
  size_t length = strlen(input);
  if (length < 2 || strcmp(input + length - 2, ".i") != 0) return NULL;
  const char *source = arena_format(arena, "%.*s.c", (int)(length - 2), input);
  return access(source, R_OK) == 0 ? source : NULL;
}

static void add_arguments(Bench *bench, StringVector *arguments, const BenchRow *row, size_t slot, bool plain_source) {
  const BenchOptions *options = bench->options;
  StringVector_push(arguments, "heddle");
  StringVector_push(arguments, "check");
  for (size_t i = 0; i < row->task->inputs.count; i++) {
    const char *input = row->task->inputs.data[i];
    const char *source = plain_source ? source_beside(&bench->arena, input) : NULL;
    StringVector_push(arguments, source ? source : input);
  }
  const char *const pairs[][2] = {
      {"--data-model", row->task->data_model},
      {"--property", row->property->name},
      {"--json", arena_format(&bench->arena, "%s/%zu.json", bench->directory, slot)},
      {"--time-limit", options->time_limit},
      {"--memory-limit", options->memory_limit},
      {"--engine", options->engine},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (!pairs[i][1]) continue;
    StringVector_push(arguments, pairs[i][0]);
    StringVector_push(arguments, pairs[i][1]);
  }
  for (size_t i = 0; i < row->task->options.count; i++) StringVector_push(arguments, row->task->options.data[i]);
  for (size_t i = 0; i < options->passed_on.count; i++) StringVector_push(arguments, options->passed_on.data[i]);
  for (size_t i = 0; row->variant && i < row->variant->options.count; i++)
    StringVector_push(arguments, row->variant->options.data[i]);
  StringVector_push(arguments, NULL);
}

static void remove_files(const Bench *bench, size_t slot) {
  static const char *const kinds[] = {"out", "err", "json"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    char path[100];
    snprintf(path, sizeof path, "%s/%zu.%s", bench->directory, slot, kinds[i]);
    unlink(path);
  }
}

static void start_row(Bench *bench, size_t slot, size_t index, bool plain_source) {
  BenchRow *row = BenchRowVector_at(&bench->rows, index);
  BenchChild *child = &bench->children[slot];
  ArenaMark mark = arena_mark(&bench->arena);
  StringVector arguments = {0};
  add_arguments(bench, &arguments, row, slot, plain_source);
  remove_files(bench, slot); // no answer may be taken from an earlier task
  child->row = index;
  child->plain_source = plain_source;
  if (bench_child_start(child, bench->directory, slot, (char *const *)arguments.data, &bench->before)) {
    bench->running++;
  } else {
    row->done = true;
    row->answer = ANSWER_ERROR;
    row->reason = "the child process could not be started";
    bench->done++;
  }
  StringVector_free(&arguments);
  arena_rollback(&bench->arena, mark);
}

static void write_csv(Bench *bench, bool whole) {
  if (!bench->csv) return;
  // In the order of the rows, as far as all before are done; at the end whatever is done.
  for (; bench->csv_rows < bench->rows.count; bench->csv_rows++) {
    const BenchRow *row = &bench->rows.data[bench->csv_rows];
    if (row->done)
      rows_csv_row(bench->csv, row);
    else if (!whole)
      break;
  }
  fflush(bench->csv);
}

static void finish_row(Bench *bench, size_t slot, int status) {
  BenchChild *child = &bench->children[slot];
  BenchRow *row = BenchRowVector_at(&bench->rows, child->row);
  bench->running--;
  if (child->killed_as == ANSWER_NONE && WIFEXITED(status) && WEXITSTATUS(status) == 2 && !child->plain_source &&
      source_beside(&bench->arena, row->task->inputs.data[0])) {
    start_row(bench, slot, child->row, true);
    return;
  }
  if (bench->interrupted) return; // it was not run to its end: the row stays open
  bench_child_read_answer(child, row, &bench->arena, bench->directory, slot, status, bench->options->limits.wall);
  bench->done++;
  const char *variant = row->variant ? row->variant->name : "";
  log_detail(bench->log, "%s %s%s%s: %s%s%s, %.2f s", row->name, row->property->name, variant[0] ? " " : "", variant,
             bench_answer_text(row->answer), row->reason[0] ? ", " : "", row->reason, row->wall);
  if (row_is_wrong(row)) {
    bench->wrong++;
    log_error(bench->log, "WRONG: %s %s%s%s is not %s", row->name, row->property->name, variant[0] ? " " : "", variant,
              bench_answer_text(row->answer));
  }
  write_csv(bench, false);
}

static void reap_children(Bench *bench) {
  for (size_t slot = 0; slot < bench->options->jobs; slot++) {
    BenchChild *child = &bench->children[slot];
    int status;
    if (child->pid != 0 && bench_child_reap(child, BenchRowVector_at(&bench->rows, child->row), &status))
      finish_row(bench, slot, status);
  }
}

static void fill_slots(Bench *bench) {
  for (size_t slot = 0; slot < bench->options->jobs; slot++) {
    while (bench->next_row < bench->rows.count && bench->rows.data[bench->next_row].done) bench->next_row++;
    if (bench->next_row == bench->rows.count) return;
    if (bench->children[slot].pid == 0) start_row(bench, slot, bench->next_row++, false);
  }
}

static void end_children(Bench *bench) {
  bench->interrupted = true;
  for (size_t slot = 0; slot < bench->options->jobs; slot++)
    if (bench->children[slot].pid != 0) bench_child_end(&bench->children[slot], ANSWER_ERROR, "interrupted");
}

static void run_rows(Bench *bench) {
  static const struct timespec interval = {.tv_nsec = 100 * 1000 * 1000};
  double sampled = 0;
  fill_slots(bench);
  while (bench->running > 0) {
    int signal = sigtimedwait(&bench->caught, NULL, &interval);
    if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) end_children(bench);
    reap_children(bench);
    if (!bench->interrupted) fill_slots(bench);
    if (clock_now() - sampled >= 0.1) {
      bench_children_enforce(bench->children, bench->options->jobs, &bench->options->limits);
      sampled = clock_now();
    }
    log_progress(bench->log, "bench: %zu of %zu done, %zu wrong", bench->done, bench->rows.count, bench->wrong);
  }
  log_progress_end(bench->log);
}

// Blocks the signals that run_rows waits for, runs, and restores.
static void run_all(Bench *bench) {
  sigemptyset(&bench->caught);
  sigaddset(&bench->caught, SIGCHLD);
  sigaddset(&bench->caught, SIGINT);
  sigaddset(&bench->caught, SIGTERM);
  sigaddset(&bench->caught, SIGHUP);
  sigprocmask(SIG_BLOCK, &bench->caught, &bench->before);
  bench->children = memory_allocate_zeroed(NULL, bench->options->jobs * sizeof *bench->children);
  run_rows(bench);
  for (size_t slot = 0; slot < bench->options->jobs; slot++) remove_files(bench, slot);
  memory_free(NULL, bench->children, bench->options->jobs * sizeof *bench->children);
  sigprocmask(SIG_SETMASK, &bench->before, NULL);
}

// ---- the command

static bool open_files(Bench *bench) {
  const char *base = getenv("TMPDIR");
  int length = snprintf(bench->directory, sizeof bench->directory, "%s/heddle-bench-XXXXXX", base ? base : "/tmp");
  if (length >= (int)sizeof bench->directory)
    snprintf(bench->directory, sizeof bench->directory, "/tmp/heddle-bench-XXXXXX");
  if (!mkdtemp(bench->directory)) {
    log_error(bench->log, "bench: %s: %s", bench->directory, strerror(errno));
    return false;
  }
  if (!bench->options->csv) return true;
  bench->csv = fopen(bench->options->csv, "we");
  if (bench->csv) {
    rows_csv_header(bench->csv, bench->options->variants.count > 0);
    return true;
  }
  log_error(bench->log, "bench: %s: %s", bench->options->csv, strerror(errno));
  rmdir(bench->directory);
  return false;
}

static int judge(const Bench *bench) {
  if (bench->interrupted) return 1;
  for (size_t i = 0; i < bench->rows.count; i++) {
    const BenchRow *row = &bench->rows.data[i];
    if (row_is_wrong(row) || row_is_internal_error(row)) return 1;
    if (bench->options->expect && !row_is_as_expected(row)) return 1;
  }
  return 0;
}

static bool close_csv(Bench *bench) {
  if (!bench->csv) return true;
  write_csv(bench, true);
  bool failed = ferror(bench->csv);
  failed |= fclose(bench->csv) != 0;
  if (failed) log_error(bench->log, "bench: %s could not be written", bench->options->csv);
  return !failed;
}

static int run_bench(Bench *bench) {
  for (size_t i = 0; i < bench->options->paths.count; i++)
    if (!rows_find(&bench->rows, &bench->arena, bench->options->paths.data[i], bench->options->property, bench->log))
      return 2;
  if (bench->rows.count == 0) {
    log_error(bench->log, "bench: no task definition with the property %s found", bench->options->property);
    return 2;
  }
  rows_multiply(&bench->rows, &bench->options->variants);
  for (size_t i = 0; i < bench->rows.count; i++) bench->done += bench->rows.data[i].done;
  if (!open_files(bench)) return 2;
  run_all(bench);
  rmdir(bench->directory);
  bool written = close_csv(bench);
  rows_print_summary(&bench->rows, bench->options->expect);
  return written ? judge(bench) : 1;
}

int bench_command(int argc, char **argv, Log *log) {
  BenchOptions options = {.property = "unreach-call", .time_limit = "30s", .memory_limit = "4GB", .jobs = 1};
  arena_init(&options.arena, NULL);
  limits_parse_duration(options.time_limit, &options.limits.wall);
  limits_parse_size(options.memory_limit, &options.limits.bytes);
  int status = 2;
  if (parse_options(&options, argc, argv, log)) {
    if (options.help) {
      fputs(bench_usage, stdout);
      status = 0;
    } else {
      Bench bench = {.options = &options, .log = log};
      arena_init(&bench.arena, NULL);
      status = run_bench(&bench);
      rows_free_tasks(&bench.rows);
      BenchRowVector_free(&bench.rows);
      arena_free(&bench.arena);
    }
  }
  StringVector_free(&options.paths);
  StringVector_free(&options.passed_on);
  variants_free(&options.variants);
  arena_free(&options.arena);
  return status;
}
