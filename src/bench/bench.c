#include "bench/bench.h"

#include "base/budget.h"
#include "bench/bench_help.h"
#include "bench/bench_options.h"
#include "bench/find.h"
#include "bench/plot.h"
#include "bench/results.h"
#include "bench/results_file.h"
#include "bench/session.h"
#include "bench/table.h"
#include "command/file_roles.h"
#include "command/output.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Bench {
  const BenchOptions *options;
  Log *log;
  Arena arena;
  Text time_limit, memory_limit; // as `check` reads them
  BenchLimits limits;
  BenchRowVector rows;
  size_t next_row;
  BenchChild *children; // one slot for each job
  size_t jobs, running, done, wrong;
  BenchFile file; // of results, if there is one
  bool unwritten; // a row could not be written to it
  sigset_t caught, before;
  bool interrupted;
} Bench;

// ---- running

// The `.c` beside a `.i`, or NULL.
static const char *source_beside(Arena *arena, const char *input) {
  if (!ends_with(input, ".i")) return NULL;
  const char *source = arena_format(arena, "%.*s.c", (int)(strlen(input) - 2), input);
  return access(source, R_OK) == 0 ? source : NULL;
}

static void add_arguments(Bench *bench, StringVector *arguments, const BenchRow *row, bool plain_source) {
  const BenchOptions *options = bench->options;
  assert(row->task && row->task->inputs.count > 0 && row->property);
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
      {"--json", BENCH_JSON_PATH},
      {"--time-limit", bench->time_limit.data},
      {"--memory-limit", bench->memory_limit.data},
      {"--engine", options->engine},
      {"--config", "none"}, // a task has its own settings
  };
  StringVector_push(arguments, "--first"); // what is measured is the time to an answer
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

static void end_children(Bench *bench) {
  bench->interrupted = true;
  for (size_t slot = 0; slot < bench->jobs; slot++)
    if (bench->children[slot].pid != 0) bench_child_end(&bench->children[slot], BENCH_ANSWER_ERROR, "interrupted");
}

// The row is done. If it cannot be kept, whatever follows would be lost as well.
static void keep_row(Bench *bench, BenchRow *row) {
  assert(row->done && bench->done < bench->rows.count);
  bench->done++;
  if (bench->unwritten || bench_file_append(&bench->file, row, bench->log)) return;
  bench->unwritten = true;
  end_children(bench);
}

static void start_row(Bench *bench, size_t slot, size_t index, bool plain_source) {
  BenchRow *row = BenchRowVector_at(&bench->rows, index);
  BenchChild *child = &bench->children[slot];
  assert(child->pid == 0 && !row->done);
  ArenaMark mark = arena_mark(&bench->arena);
  StringVector arguments = {0};
  add_arguments(bench, &arguments, row, plain_source);
  child->row = index;
  child->plain_source = plain_source;
  if (bench_child_start(child, (char *const *)arguments.data, &bench->before)) {
    bench->running++;
  } else {
    row->done = true;
    row->answer = BENCH_ANSWER_ERROR;
    row->reason = "the child process could not be started";
    keep_row(bench, row);
  }
  StringVector_free(&arguments);
  arena_rollback(&bench->arena, mark);
}

static void finish_row(Bench *bench, size_t slot, int status) {
  BenchChild *child = &bench->children[slot];
  BenchRow *row = BenchRowVector_at(&bench->rows, child->row);
  assert(bench->running > 0);
  bench->running--;
  if (child->killed_as == BENCH_ANSWER_NONE && WIFEXITED(status) && WEXITSTATUS(status) == 2 && !child->plain_source &&
      source_beside(&bench->arena, row->task->inputs.data[0])) {
    start_row(bench, slot, child->row, true);
    return;
  }
  if (bench->interrupted) return; // it was not run to its end: the row stays open
  bench_child_read_answer(child, row, &bench->arena, status, bench->limits.wall);
  keep_row(bench, row);
  const char *variant = row->variant ? row->variant->name : "";
  log_detail(bench->log, "%s %s%s%s: %s%s%s, %.2f s", row->name, row->property->name, variant[0] ? " " : "", variant,
             bench_answer_text(row->answer), row->reason[0] ? ", " : "", row->reason, row->wall);
  if (row_is_wrong(row)) {
    bench->wrong++;
    log_error(bench->log, "WRONG: %s %s%s%s is not %s", row->name, row->property->name, variant[0] ? " " : "", variant,
              bench_answer_text(row->answer));
  }
}

static void reap_children(Bench *bench) {
  for (size_t slot = 0; slot < bench->jobs; slot++) {
    BenchChild *child = &bench->children[slot];
    int status;
    if (child->pid != 0 && bench_child_reap(child, BenchRowVector_at(&bench->rows, child->row), &status))
      finish_row(bench, slot, status);
  }
}

static void fill_slots(Bench *bench) {
  for (size_t slot = 0; slot < bench->jobs; slot++) {
    while (bench->next_row < bench->rows.count && bench->rows.data[bench->next_row].done) bench->next_row++;
    assert(bench->next_row <= bench->rows.count);
    if (bench->next_row == bench->rows.count) return;
    if (bench->children[slot].pid == 0) start_row(bench, slot, bench->next_row++, false);
  }
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
      bench_children_enforce(bench->children, bench->jobs, &bench->limits);
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
  run_rows(bench);
  assert(bench->running == 0);
  sigprocmask(SIG_SETMASK, &bench->before, NULL);
}

// ---- the command

static bool open_slots(Bench *bench) {
  assert(bench->jobs > 0 && !bench->children);
  bench->children = memory_allocate_zeroed(NULL, bench->jobs * sizeof *bench->children);
  bool good = true;
  for (size_t slot = 0; slot < bench->jobs; slot++) good = bench_child_init(&bench->children[slot]) && good;
  if (!good) log_error(bench->log, "bench: no files for %zu jobs: %s", bench->jobs, strerror(errno));
  return good;
}

static void close_slots(Bench *bench) {
  for (size_t slot = 0; bench->children && slot < bench->jobs; slot++) bench_child_free(&bench->children[slot]);
  memory_free(NULL, bench->children, bench->children ? bench->jobs * sizeof *bench->children : 0);
}

static bool open_file(Bench *bench) {
  const BenchOptions *options = bench->options;
  return !options->csv ||
         bench_file_open(&bench->file, options->csv, options->resume, &bench->rows, &bench->arena, bench->log);
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

// The closing words, and the picture.
static bool summarise(const Bench *bench) {
  const BenchOptions *options = bench->options;
  const BenchRowVector *rows = &bench->rows;
  Text text;
  text_init(&text, NULL);
  table_list_mistakes(&text, rows, options->expect);
  size_t wrong = table_by_directory(&text, rows, options->markdown ? TABLE_MARKDOWN : TABLE_PLAIN);
  if (options->undecided) table_undecided(&text, rows);
  if (bench->done < rows->count) text_format(&text, "%zu of %zu were run\n", bench->done, rows->count);
  if (wrong > 0) text_format(&text, "%zu WRONG %s\n", wrong, wrong == 1 ? "VERDICT" : "VERDICTS");
  bool good = output_print(bench->log, &text);
  if (options->plot) {
    text_clear(&text);
    plot_svg(&text, rows, options->engine ? options->engine : "heddle check");
    good = output_file(bench->log, &text, options->plot) && good;
  }
  text_free(&text);
  return good;
}

// Says in each row what it is run with.
static void describe_rows(Bench *bench) {
  Text text;
  text_init(&text, NULL);
  const BenchVariantVector *variants = &bench->options->variants;
  for (size_t k = 0; k < (variants->count ? variants->count : 1); k++) {
    const BenchVariant *variant = variants->count ? &variants->data[k] : NULL;
    text_clear(&text);
    bench_options_describe(bench->options, variant, &text);
    const char *description = arena_string(&bench->arena, text.data);
    for (size_t i = 0; i < bench->rows.count; i++)
      if (bench->rows.data[i].variant == variant) bench->rows.data[i].options = description;
  }
  text_free(&text);
}

static bool find_rows(Bench *bench) {
  const BenchOptions *options = bench->options;
  for (size_t i = 0; i < options->operands.count; i++)
    if (!rows_find(&bench->rows, &bench->arena, options->operands.data[i], options->property, bench->log)) return false;
  if (bench->rows.count == 0) {
    log_error(bench->log, "bench: no task definition with the property %s found", options->property);
    return false;
  }
  rows_multiply(&bench->rows, &options->variants);
  describe_rows(bench);
  return true;
}

// No file of results may be one that a task is made of.
static bool check_files(Bench *bench) {
  const BenchOptions *options = bench->options;
  FileRoles roles;
  file_roles_init(&roles);
  for (size_t i = 0; i < options->operands.count; i++) file_roles_input(&roles, options->operands.data[i]);
  for (size_t i = 0; i < bench->rows.count; i++) {
    const Task *task = bench->rows.data[i].task;
    if (!task) continue;
    file_roles_input(&roles, task->path);
    for (size_t k = 0; k < task->inputs.count; k++) file_roles_input(&roles, task->inputs.data[k]);
    for (size_t k = 0; k < task->properties.count; k++) file_roles_input(&roles, task->properties.data[k].file);
  }
  file_roles_output(&roles, "--csv", options->csv);
  file_roles_output(&roles, "--plot", options->plot);
  bool good = file_roles_check(&roles, bench->log);
  file_roles_free(&roles);
  return good;
}

static int run_bench(Bench *bench) {
  if (!find_rows(bench) || !check_files(bench) || !open_slots(bench) || !open_file(bench)) return 2;
  for (size_t i = 0; i < bench->rows.count; i++) {
    bench->done += bench->rows.data[i].done;
    bench->wrong += bench->rows.data[i].done && row_is_wrong(&bench->rows.data[i]);
  }
  run_all(bench);
  bool written = bench_file_close(&bench->file, bench->log) && !bench->unwritten;
  written = summarise(bench) && written;
  return written ? judge(bench) : 1;
}

static int run_command(const BenchOptions *options, Log *log) {
  Bench bench = {.options = options, .log = log, .jobs = (size_t)options->jobs, .file.descriptor = -1};
  bench.limits = (BenchLimits){.wall = options->time_limit, .bytes = options->memory_limit};
  arena_init(&bench.arena, NULL);
  text_init(&bench.time_limit, NULL);
  text_init(&bench.memory_limit, NULL);
  bench_options_limits(options, &bench.time_limit, &bench.memory_limit);
  int status = run_bench(&bench);
  close_slots(&bench);
  rows_free_tasks(&bench.rows);
  BenchRowVector_free(&bench.rows);
  text_free(&bench.time_limit);
  text_free(&bench.memory_limit);
  arena_free(&bench.arena);
  return status;
}

static int print_help(BenchCommand command, Log *log) {
  Text text;
  text_init(&text, NULL);
  bench_help_print(command, &text);
  bool good = output_print(log, &text);
  text_free(&text);
  return good ? 0 : 2;
}

static int dispatch(const BenchOptions *options, Log *log) {
  if (options->help) return print_help(options->command, log);
  log->level = options->quiet ? LOG_QUIET : options->verbose ? LOG_VERBOSE : log->level;
  switch (options->command) {
  case BENCH_COMPARE: return bench_compare_command(options, log);
  case BENCH_PLOT: return bench_plot_command(options, log);
  case BENCH_TABLE: return bench_table_command(options, log);
  default: return run_command(options, log);
  }
}

int bench_command(int argc, char **argv, Log *log) {
  BenchOptions options;
  Text error;
  text_init(&error, NULL);
  int status = 2;
  if (bench_options_parse(&options, argc - 1, argv + 1, &error))
    status = dispatch(&options, log);
  else
    log_error(log, "bench: %s", error.data);
  bench_options_free(&options);
  text_free(&error);
  return status;
}
