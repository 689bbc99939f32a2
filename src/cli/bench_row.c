#include "cli/bench_row.h"

#include <string.h>

const char *bench_answer_text(Answer answer) {
  static const char *const texts[] = {
#define X(name, text) text,
      ANSWERS(X)
#undef X
  };
  return texts[answer];
}

static Expected row_expected(const BenchRow *row) { return row->property ? row->property->expected : EXPECTED_NONE; }

static const char *expected_text(Expected expected) {
  static const char *const texts[] = {"", "true", "false"};
  return texts[expected];
}

Outcome row_outcome(const BenchRow *row) {
  assert(row->done);
  Expected expected = row_expected(row);
  switch (row->answer) {
  case ANSWER_TRUE:
    if (expected == EXPECTED_NONE) return OUTCOME_UNJUDGED;
    return expected == EXPECTED_TRUE ? OUTCOME_RIGHT_TRUE : OUTCOME_WRONG_TRUE;
  case ANSWER_FALSE:
    if (expected == EXPECTED_NONE) return OUTCOME_UNJUDGED;
    return expected == EXPECTED_FALSE ? OUTCOME_RIGHT_FALSE : OUTCOME_WRONG_FALSE;
  case ANSWER_UNKNOWN:
  case ANSWER_MEMORY: return OUTCOME_UNKNOWN;
  case ANSWER_TIMEOUT: return OUTCOME_TIMEOUT;
  case ANSWER_NONE:
  case ANSWER_ERROR: break;
  }
  return OUTCOME_ERROR;
}

bool row_is_wrong(const BenchRow *row) {
  Outcome outcome = row_outcome(row);
  return outcome == OUTCOME_WRONG_TRUE || outcome == OUTCOME_WRONG_FALSE;
}

bool row_is_internal_error(const BenchRow *row) {
  return row->answer == ANSWER_UNKNOWN && strstr(row->reason, "internal error") != NULL;
}

bool row_is_as_expected(const BenchRow *row) {
  if (row->task && row->task->must_be_unknown) {
    const char *reason = row->task->unknown_reason;
    return row->answer == ANSWER_UNKNOWN && (!reason || strstr(row->reason, reason));
  }
  Outcome outcome = row_outcome(row);
  return outcome == OUTCOME_RIGHT_TRUE || outcome == OUTCOME_RIGHT_FALSE || outcome == OUTCOME_UNJUDGED;
}

static void csv_field(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

void rows_multiply(BenchRowVector *rows, const BenchVariantVector *variants) {
  if (variants->count == 0) return;
  BenchRowVector multiplied = {0};
  for (size_t i = 0; i < rows->count; i++) {
    for (size_t k = 0; k < variants->count; k++) {
      BenchRow row = rows->data[i];
      row.variant = &variants->data[k];
      BenchRowVector_push(&multiplied, row);
    }
  }
  BenchRowVector_free(rows);
  *rows = multiplied;
}

void rows_csv_header(FILE *file, bool variants) {
  fprintf(file, "task,property,expected,verdict,reason,wall,cpu,memory_mb,statistics%s\n", variants ? ",variant" : "");
}

void rows_csv_row(FILE *file, const BenchRow *row) {
  assert(row->done);
  csv_field(file, row->name);
  fprintf(file, ",%s,%s,%s,", row->property ? row->property->name : "", expected_text(row_expected(row)),
          bench_answer_text(row->answer));
  csv_field(file, row->reason);
  fprintf(file, ",%.3f,%.3f,%.1f,", row->wall, row->cpu, row->memory_mb);
  csv_field(file, row->statistics);
  if (row->variant) fprintf(file, ",%s", row->variant->name);
  fputc('\n', file);
}

static void print_row(const BenchRow *row, const char *label) {
  printf("%s  %s", label, row->name);
  if (row->variant) printf("  [%s]", row->variant->name);
  if (row->property) printf("  %s: expected %s", row->property->name, expected_text(row_expected(row)));
  if (row->task && row->task->must_be_unknown)
    printf(" (and the answer unknown%s%s)", row->task->unknown_reason ? ": " : "",
           row->task->unknown_reason ? row->task->unknown_reason : "");
  printf(", got %s%s%s%s\n", bench_answer_text(row->answer), row->reason[0] ? " (" : "", row->reason,
         row->reason[0] ? ")" : "");
}

static void totals_add(Totals *totals, const BenchRow *row) {
  totals->counts[row_outcome(row)]++;
  totals->wall += row->wall;
}

static void print_totals(const Totals *totals, int width, const bool *shown) {
  printf("%-*s", width, totals->directory);
  for (int i = 0; i < OUTCOME_COUNT; i++)
    if (shown[i]) printf(" %11zu", totals->counts[i]);
  printf(" %10.1f\n", totals->wall);
}

static void print_table(const TotalsVector *directories, const Totals *all) {
  static const char *const heads[] = {
#define X(name, text) text,
      OUTCOMES(X)
#undef X
  };
  bool shown[OUTCOME_COUNT];
  for (int i = 0; i < OUTCOME_COUNT; i++) shown[i] = i != OUTCOME_UNJUDGED || all->counts[i] > 0;
  int width = (int)strlen("directory");
  for (size_t i = 0; i < directories->count; i++) {
    int length = (int)strlen(directories->data[i].directory);
    if (length > width) width = length;
  }
  printf("%-*s", width, "directory");
  for (int i = 0; i < OUTCOME_COUNT; i++)
    if (shown[i]) printf(" %11s", heads[i]);
  printf(" %10s\n", "wall [s]");
  for (size_t i = 0; i < directories->count; i++) print_totals(&directories->data[i], width, shown);
  if (directories->count != 1) print_totals(all, width, shown);
}

static void print_listed(const BenchRowVector *rows, bool expect) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->data[i].done && row_is_wrong(&rows->data[i])) print_row(&rows->data[i], "WRONG");
  for (size_t i = 0; i < rows->count; i++)
    if (rows->data[i].done && row_is_internal_error(&rows->data[i])) print_row(&rows->data[i], "INTERNAL ERROR");
  if (!expect) return;
  for (size_t i = 0; i < rows->count; i++) {
    const BenchRow *row = &rows->data[i];
    if (row->done && !row_is_wrong(row) && !row_is_as_expected(row)) print_row(row, "NOT AS EXPECTED");
  }
}

// The table of the rows with this variant. Returns how many verdicts were wrong.
static size_t print_variant(const BenchRowVector *rows, const BenchVariant *variant) {
  TotalsVector directories = {0};
  Totals all = {.directory = "all"};
  for (size_t i = 0; i < rows->count; i++) {
    const BenchRow *row = &rows->data[i];
    if (!row->done || row->variant != variant) continue;
    size_t at = 0;
    while (at < directories.count && strcmp(directories.data[at].directory, row->directory) != 0) at++;
    if (at == directories.count) TotalsVector_push(&directories, (Totals){.directory = row->directory});
    totals_add(&directories.data[at], row);
    totals_add(&all, row);
  }
  if (variant) printf("variant %s\n", variant->name);
  print_table(&directories, &all);
  TotalsVector_free(&directories);
  return all.counts[OUTCOME_WRONG_TRUE] + all.counts[OUTCOME_WRONG_FALSE];
}

void rows_print_summary(const BenchRowVector *rows, bool expect) {
  print_listed(rows, expect);
  size_t done = 0, wrong = 0;
  for (size_t i = 0; i < rows->count; i++) {
    done += rows->data[i].done;
    // Each variant has its table when its first row comes along.
    size_t at = 0;
    while (at < i && rows->data[at].variant != rows->data[i].variant) at++;
    if (at == i) wrong += print_variant(rows, rows->data[i].variant);
  }
  if (done < rows->count) printf("%zu of %zu were run\n", done, rows->count);
  if (wrong > 0) printf("%zu WRONG %s\n", wrong, wrong == 1 ? "VERDICT" : "VERDICTS");
  fflush(stdout);
}
