#include "bench/results.h"

#include "base/file.h"
#include "bench/compare.h"
#include "bench/csv.h"
#include "bench/plot.h"
#include "bench/table.h"
#include "command/file_roles.h"
#include "command/output.h"

#include <assert.h>

typedef struct Results {
  BenchRowVector rows;
  Arena arena;
} Results;

static void results_init(Results *results) {
  *results = (Results){0};
  arena_init(&results->arena, NULL);
}

static void results_free(Results *results) {
  BenchRowVector_free(&results->rows);
  arena_free(&results->arena);
}

// Adds the rows of a file. `label` as in csv_parse.
static bool read_file(Results *results, const char *path, const char *label, Log *log) {
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  size_t complete = 0, before = results->rows.count;
  bool good = false;
  if (!file_read_named(&text, path, FILE_MOST_DATA, &error))
    log_error(log, "bench: %s", error.data);
  else if (!csv_parse(&results->rows, &results->arena, text.data, text.length, label, &complete, &error))
    log_error(log, "bench: %s: %s", path, error.data);
  else if (results->rows.count == before)
    log_error(log, "bench: %s: no results", path);
  else
    good = true;
  assert(complete <= text.length);
  if (good && complete < text.length) log_note(log, "bench: %s: the last line is cut off and does not count", path);
  text_free(&text);
  text_free(&error);
  return good;
}

// The file's name without folder and ending.
static const char *stem(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *dot = strrchr(name, '.');
  return dot && dot > name ? arena_format(arena, "%.*s", (int)(dot - name), name) : name;
}

// What tells a file from the others.
static const char *label_of(Arena *arena, const StringVector *paths, size_t index) {
  assert(index < paths->count);
  const char *label = stem(arena, paths->data[index]);
  for (size_t i = 0; i < paths->count; i++)
    if (i != index && strcmp(stem(arena, paths->data[i]), label) == 0) return paths->data[index];
  return label;
}

static bool read_files(Results *results, const StringVector *paths, Log *log) {
  for (size_t i = 0; i < paths->count; i++) {
    const char *label = paths->count > 1 ? label_of(&results->arena, paths, i) : NULL;
    if (!read_file(results, paths->data[i], label, log)) return false;
  }
  return true;
}

static bool write_out(const BenchOptions *options, const Text *text, Log *log) {
  return options->output ? output_file(log, text, options->output) : output_print(log, text);
}

// The output is none of the files that are read, and can be written.
static bool output_possible(const BenchOptions *options, Log *log) {
  FileRoles roles;
  file_roles_init(&roles);
  for (size_t i = 0; i < options->operands.count; i++) file_roles_input(&roles, options->operands.data[i]);
  file_roles_output(&roles, "--output", options->output);
  bool possible = file_roles_check(&roles, log);
  file_roles_free(&roles);
  return possible;
}

int bench_plot_command(const BenchOptions *options, Log *log) {
  assert(options->operands.count > 0);
  Results results;
  results_init(&results);
  Text text;
  text_init(&text, NULL);
  bool good = output_possible(options, log) && read_files(&results, &options->operands, log);
  if (good) {
    plot_svg(&text, &results.rows, stem(&results.arena, options->operands.data[0]));
    good = write_out(options, &text, log);
  }
  text_free(&text);
  results_free(&results);
  return good ? 0 : 2;
}

int bench_table_command(const BenchOptions *options, Log *log) {
  assert(options->operands.count > 0);
  Results results;
  results_init(&results);
  Text text;
  text_init(&text, NULL);
  size_t wrong = 0;
  bool good = output_possible(options, log) && read_files(&results, &options->operands, log);
  if (good) {
    rows_sort(&results.rows);
    wrong = table_by_directory(&text, &results.rows, TABLE_MARKDOWN);
    if (options->undecided) table_undecided(&text, &results.rows);
    good = write_out(options, &text, log);
  }
  text_free(&text);
  results_free(&results);
  return !good ? 2 : wrong ? 1 : 0;
}

// A run that is in a file twice could be compared in two ways.
static bool is_clear(const Results *results, const char *path, Log *log) {
  BenchIndex index;
  bench_index_init(&index, &results->rows);
  const BenchRow *twice = bench_index_twice(&index);
  if (twice) log_error(log, "bench: %s: two rows of %s", path, twice->name);
  bench_index_free(&index);
  return !twice;
}

int bench_compare_command(const BenchOptions *options, Log *log) {
  assert(options->operands.count == 2);
  const char *const *paths = options->operands.data;
  Results before, after;
  results_init(&before);
  results_init(&after);
  Text text;
  text_init(&text, NULL);
  int status = 2;
  if (output_possible(options, log) && read_file(&before, paths[0], NULL, log) &&
      read_file(&after, paths[1], NULL, log) && is_clear(&before, paths[0], log) && is_clear(&after, paths[1], log)) {
    rows_sort(&before.rows);
    Comparison comparison;
    compare_results(&comparison, &before.rows, &after.rows, (size_t)options->most, &text);
    if (write_out(options, &text, log)) status = comparison.lost > 0 || comparison.contradictions > 0;
  }
  text_free(&text);
  results_free(&before);
  results_free(&after);
  return status;
}
