#include "bench/table.h"

#include <assert.h>
#include <stdlib.h>

// ---- mistakes

static void list_row(Text *out, const BenchRow *row, const char *label) {
  text_format(out, "%s  %s", label, row->name);
  if (row->variant) text_format(out, "  [%s]", row->variant->name);
  if (row->property) text_format(out, "  %s: expected %s", row->property->name, bench_expected_text(row_expected(row)));
  if (row->task && row->task->must_be_unknown)
    text_format(out, " (and the answer unknown%s%s)", row->task->unknown_reason ? ": " : "",
                row->task->unknown_reason ? row->task->unknown_reason : "");
  text_format(out, ", got %s%s%s%s\n", bench_answer_text(row->answer), row->reason[0] ? " (" : "", row->reason,
              row->reason[0] ? ")" : "");
}

void table_list_mistakes(Text *out, const BenchRowVector *rows, bool expect) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->data[i].done && row_is_wrong(&rows->data[i])) list_row(out, &rows->data[i], "WRONG");
  for (size_t i = 0; i < rows->count; i++)
    if (rows->data[i].done && row_is_internal_error(&rows->data[i])) list_row(out, &rows->data[i], "INTERNAL ERROR");
  for (size_t i = 0; i < rows->count && expect; i++) {
    const BenchRow *row = &rows->data[i];
    if (row->done && !row_is_wrong(row) && !row_is_as_expected(row)) list_row(out, row, "NOT AS EXPECTED");
  }
}

// ---- by directory

// A line of the table.
typedef struct Totals {
  const char *directory;
  size_t counts[OUTCOME_COUNT];
  size_t rows;
  double wall;
  int score, best;
} Totals;
VECTOR(TotalsVector, Totals);

static void totals_add(Totals *totals, const BenchRow *row) {
  assert(row->done);
  totals->counts[row_outcome(row)]++;
  totals->rows++;
  totals->wall += row->wall;
  totals->score += row_score(row);
  totals->best += row_best_score(row);
}

static void add_up(const BenchRowVector *rows, const BenchVariant *variant, TotalsVector *directories, Totals *all) {
  for (size_t i = 0; i < rows->count; i++) {
    const BenchRow *row = &rows->data[i];
    if (!row->done || row->variant != variant) continue;
    size_t at = 0;
    while (at < directories->count && strcmp(directories->data[at].directory, row->directory) != 0) at++;
    if (at == directories->count) TotalsVector_push(directories, (Totals){.directory = row->directory});
    totals_add(&directories->data[at], row);
    totals_add(all, row);
  }
}

static const char *const outcome_heads[] = {
#define X(name, text) text,
    OUTCOMES(X)
#undef X
};

static void plain_line(Text *out, const Totals *totals, int width, const bool *shown) {
  text_format(out, "%-*s", width, totals->directory);
  for (int i = 0; i < OUTCOME_COUNT; i++)
    if (shown[i]) text_format(out, " %11zu", totals->counts[i]);
  char score[40];
  snprintf(score, sizeof score, "%d of %d", totals->score, totals->best);
  text_format(out, " %10.1f %14s\n", totals->wall, score);
}

static void plain_table(Text *out, const TotalsVector *directories, const Totals *all, const bool *shown) {
  int width = (int)strlen("directory");
  for (size_t i = 0; i < directories->count; i++) {
    int length = (int)strlen(directories->data[i].directory);
    if (length > width) width = length;
  }
  text_format(out, "%-*s", width, "directory");
  for (int i = 0; i < OUTCOME_COUNT; i++)
    if (shown[i]) text_format(out, " %11s", outcome_heads[i]);
  text_format(out, " %10s %14s\n", "wall [s]", "score");
  for (size_t i = 0; i < directories->count; i++) plain_line(out, &directories->data[i], width, shown);
  if (directories->count != 1) plain_line(out, all, width, shown);
}

// A cell of a Markdown table may hold neither bars nor line ends.
static void add_cell(Text *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '|' || text[i] == '\\') text_add_char(out, '\\');
    text_add_char(out, text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
  }
}

static void markdown_line(Text *out, const Totals *totals, const bool *shown) {
  const size_t *counts = totals->counts;
  text_add(out, "| ");
  add_cell(out, totals->directory, strlen(totals->directory));
  if (strcmp(totals->directory, "all") == 0) text_format(out, " (%zu)", totals->rows);
  text_format(out, " | %zu | %zu | %zu | %zu | %zu", counts[OUTCOME_RIGHT_TRUE], counts[OUTCOME_RIGHT_FALSE],
              counts[OUTCOME_WRONG_TRUE] + counts[OUTCOME_WRONG_FALSE], counts[OUTCOME_UNKNOWN],
              counts[OUTCOME_TIMEOUT]);
  if (shown[OUTCOME_ERROR]) text_format(out, " | %zu", counts[OUTCOME_ERROR]);
  if (shown[OUTCOME_UNJUDGED]) text_format(out, " | %zu", counts[OUTCOME_UNJUDGED]);
  text_format(out, " | %.0f | %d of %d |\n", totals->wall, totals->score, totals->best);
}

static void markdown_table(Text *out, const TotalsVector *directories, const Totals *all, const bool *shown) {
  const char *error = shown[OUTCOME_ERROR] ? " error |" : "", *unjudged = shown[OUTCOME_UNJUDGED] ? " unjudged |" : "";
  text_format(out, "| directory | right true | right false | wrong | unknown | out of time |%s%s wall [s] | score |\n",
              error, unjudged);
  text_format(out, "| --- | --- | --- | --- | --- | --- |%s%s --- | --- |\n", error[0] ? " --- |" : "",
              unjudged[0] ? " --- |" : "");
  for (size_t i = 0; i < directories->count; i++) markdown_line(out, &directories->data[i], shown);
  markdown_line(out, all, shown);
}

static size_t variant_table(Text *out, const BenchRowVector *rows, const BenchVariant *variant, TableStyle style) {
  TotalsVector directories = {0};
  Totals all = {.directory = "all"};
  add_up(rows, variant, &directories, &all);
  assert(directories.count <= all.rows);
  bool shown[OUTCOME_COUNT];
  for (int i = 0; i < OUTCOME_COUNT; i++) shown[i] = i < OUTCOME_ERROR || all.counts[i] > 0;
  if (style == TABLE_MARKDOWN) {
    if (variant) text_format(out, "%sVariant `%s`:\n\n", out->length ? "\n" : "", variant->name);
    markdown_table(out, &directories, &all, shown);
  } else {
    shown[OUTCOME_ERROR] = true;
    if (variant) text_format(out, "variant %s\n", variant->name);
    plain_table(out, &directories, &all, shown);
  }
  TotalsVector_free(&directories);
  return all.counts[OUTCOME_WRONG_TRUE] + all.counts[OUTCOME_WRONG_FALSE];
}

size_t table_by_directory(Text *out, const BenchRowVector *rows, TableStyle style) {
  size_t wrong = 0;
  for (size_t i = 0; i < rows->count; i++)
    if (rows_variant_begins(rows, i)) wrong += variant_table(out, rows, rows->data[i].variant, style);
  return wrong;
}

// ---- what was not decided

static bool is_undecided(const BenchRow *row) { return row->done && !row_is_decided(row); }

static const char *outcome_words(const BenchRow *row) {
  switch (row->answer) {
  case BENCH_ANSWER_TIMEOUT: return "out of time";
  case BENCH_ANSWER_MEMORY: return "out of memory";
  default: return bench_answer_text(row->answer);
  }
}

// The reason and what it led to, unless they are the same words.
static void add_why(Text *out, const BenchRow *row) {
  const char *words = outcome_words(row);
  if (row->reason[0] == '\0' || row->answer == BENCH_ANSWER_ERROR) text_add(out, words);
  if (row->reason[0] && row->answer == BENCH_ANSWER_ERROR) text_add(out, ": ");
  add_cell(out, row->reason, strlen(row->reason));
}

// Rows that are listed together, and how many.
typedef struct Group {
  const BenchRow *first;
  size_t count, place;
} Group;
VECTOR(GroupVector, Group);

static bool same_group(const BenchRow *left, const BenchRow *right) {
  return left->answer == right->answer && row_expected(left) == row_expected(right) &&
         left->variant == right->variant &&
         strcmp(left->reason, right->reason) == 0; // text: rows that say the same are listed once
}

static int compare_groups(const void *left, const void *right) {
  const Group *a = left, *b = right;
  if (a->count != b->count) return a->count < b->count ? 1 : -1;
  return (a->place > b->place) - (a->place < b->place);
}

static void find_groups(const BenchRowVector *rows, const BenchVariant *variant, GroupVector *groups) {
  for (size_t i = 0; i < rows->count; i++) {
    const BenchRow *row = &rows->data[i];
    if (row->variant != variant || !is_undecided(row)) continue;
    size_t at = 0;
    while (at < groups->count && !same_group(groups->data[at].first, row)) at++;
    if (at == groups->count) GroupVector_push(groups, (Group){.first = row, .place = at});
    groups->data[at].count++;
  }
  if (groups->count > 0) qsort(groups->data, groups->count, sizeof *groups->data, compare_groups);
}

// The file without its ending; `all` says that the property has to be named as well.
static void add_task_name(Text *out, const BenchRow *row, bool property) {
  const char *file = strrchr(row->name, '/') ? strrchr(row->name, '/') + 1 : row->name;
  size_t length = strlen(file);
  if (length > 4 && strcmp(file + length - 4, ".yml") == 0) length -= 4;
  add_cell(out, file, length);
  if (property && row->property) text_format(out, " (%s)", row->property->name);
}

static void add_group(Text *out, const BenchRowVector *rows, const Group *group, bool property) {
  const char *expected = bench_expected_text(row_expected(group->first));
  text_add(out, "| ");
  const char *directory = NULL;
  for (size_t i = 0; i < rows->count; i++) {
    const BenchRow *row = &rows->data[i];
    if (!is_undecided(row) || !same_group(group->first, row)) continue;
    bool same = directory && strcmp(directory, row->directory) == 0;
    if (directory) text_add(out, same ? ", " : "; ");
    if (!same) {
      add_cell(out, row->directory, strlen(row->directory));
      text_add(out, ": ");
    }
    add_task_name(out, row, property);
    directory = row->directory;
  }
  assert(directory && "a group has a row");
  text_format(out, " | %s | ", expected[0] ? expected : "-");
  add_why(out, group->first);
  text_format(out, " |\n");
}

static bool has_properties(const BenchRowVector *rows) {
  const char *name = NULL;
  for (size_t i = 0; i < rows->count; i++) {
    if (!rows->data[i].property) continue;
    if (name && strcmp(name, rows->data[i].property->name) != 0) return true;
    name = rows->data[i].property->name;
  }
  return false;
}

static void variant_undecided(Text *out, const BenchRowVector *rows, const BenchVariant *variant) {
  GroupVector groups = {0};
  find_groups(rows, variant, &groups);
  size_t count = 0;
  for (size_t i = 0; i < groups.count; i++) count += groups.data[i].count;
  text_format(out, "\nNot decided%s%s%s: %zu%s\n", variant ? ", variant `" : "", variant ? variant->name : "",
              variant ? "`" : "", count, count ? "\n\n| tasks | expected | why |\n| --- | --- | --- |" : ".");
  bool properties = has_properties(rows);
  for (size_t i = 0; i < groups.count; i++) add_group(out, rows, &groups.data[i], properties);
  GroupVector_free(&groups);
}

void table_undecided(Text *out, const BenchRowVector *rows) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows_variant_begins(rows, i)) variant_undecided(out, rows, rows->data[i].variant);
}
