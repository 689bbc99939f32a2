#include "bench/row.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *bench_answer_text(BenchAnswer answer) {
  static const char *const texts[] = {
#define X(name, text) text,
      ANSWERS(X)
#undef X
  };
  assert((size_t)answer < sizeof texts / sizeof *texts);
  return texts[answer];
}

Expected row_expected(const BenchRow *row) { return row->property ? row->property->expected : EXPECTED_NONE; }

const char *bench_expected_text(Expected expected) {
  static const char *const texts[] = {"", "true", "false"};
  assert((size_t)expected < sizeof texts / sizeof *texts);
  return texts[expected];
}

Outcome row_outcome(const BenchRow *row) {
  assert(row->done);
  Expected expected = row_expected(row);
  switch (row->answer) {
  case BENCH_ANSWER_TRUE:
    if (expected == EXPECTED_NONE) return OUTCOME_UNJUDGED;
    return expected == EXPECTED_TRUE ? OUTCOME_RIGHT_TRUE : OUTCOME_WRONG_TRUE;
  case BENCH_ANSWER_FALSE:
    if (expected == EXPECTED_NONE) return OUTCOME_UNJUDGED;
    return expected == EXPECTED_FALSE ? OUTCOME_RIGHT_FALSE : OUTCOME_WRONG_FALSE;
  case BENCH_ANSWER_UNKNOWN:
  case BENCH_ANSWER_MEMORY: return OUTCOME_UNKNOWN;
  case BENCH_ANSWER_TIMEOUT: return OUTCOME_TIMEOUT;
  case BENCH_ANSWER_NONE:
  case BENCH_ANSWER_ERROR: break;
  }
  return OUTCOME_ERROR;
}

bool row_is_right(const BenchRow *row) {
  Outcome outcome = row_outcome(row);
  return outcome == OUTCOME_RIGHT_TRUE || outcome == OUTCOME_RIGHT_FALSE;
}

bool row_is_decided(const BenchRow *row) {
  return row->answer == BENCH_ANSWER_TRUE || row->answer == BENCH_ANSWER_FALSE;
}

bool row_is_wrong(const BenchRow *row) {
  Outcome outcome = row_outcome(row);
  return outcome == OUTCOME_WRONG_TRUE || outcome == OUTCOME_WRONG_FALSE;
}

bool row_is_internal_error(const BenchRow *row) {
  return row->answer == BENCH_ANSWER_UNKNOWN && row->why == REASON_INTERNAL;
}

bool row_is_as_expected(const BenchRow *row) {
  // A violation that was executed is one, also where an engine could not know it.
  bool found = row_outcome(row) == OUTCOME_RIGHT_FALSE;
  if (row->task && row->task->must_be_unknown && !found) {
    const char *reason = row->task->unknown_reason;
    return row->answer == BENCH_ANSWER_UNKNOWN &&
           (!reason || strstr(row->reason, reason)); // text: what a person shall be told
  }
  Outcome outcome = row_outcome(row);
  return outcome == OUTCOME_RIGHT_TRUE || outcome == OUTCOME_RIGHT_FALSE || outcome == OUTCOME_UNJUDGED;
}

int row_score(const BenchRow *row) {
  switch (row_outcome(row)) {
  case OUTCOME_RIGHT_TRUE: return 2;
  case OUTCOME_RIGHT_FALSE: return 1;
  case OUTCOME_WRONG_TRUE: return -32;
  case OUTCOME_WRONG_FALSE: return -16;
  default: return 0;
  }
}

int row_best_score(const BenchRow *row) {
  static const int scores[] = {[EXPECTED_NONE] = 0, [EXPECTED_TRUE] = 2, [EXPECTED_FALSE] = 1};
  return scores[row_expected(row)];
}

const char *row_directory(Arena *arena, const char *name) {
  const char *slash = strrchr(name, '/');
  return slash ? arena_format(arena, "%.*s", (int)(slash - name), name) : ".";
}

// ---- many rows

void rows_multiply(BenchRowVector *rows, const BenchVariantVector *variants) {
  if (variants->count == 0) return;
  BenchRowVector multiplied = {0};
  for (size_t i = 0; i < rows->count; i++) {
    assert(!rows->data[i].variant && "rows are multiplied once");
    for (size_t k = 0; k < variants->count; k++) {
      BenchRow row = rows->data[i];
      row.variant = &variants->data[k];
      BenchRowVector_push(&multiplied, row);
    }
  }
  BenchRowVector_free(rows);
  *rows = multiplied;
}

bool rows_variant_begins(const BenchRowVector *rows, size_t at) {
  assert(at < rows->count);
  for (size_t i = 0; i < at; i++)
    if (rows->data[i].variant == rows->data[at].variant) return false;
  return true;
}

static const char *property_of(const BenchRow *row) { return row->property ? row->property->name : ""; }
static const char *variant_of(const BenchVariant *variant) { return variant ? variant->name : ""; }

static int compare_tasks(const BenchRow *left, const BenchRow *right) {
  int order = strcmp(left->directory, right->directory);
  if (order == 0) order = strcmp(left->name, right->name);
  return order ? order : strcmp(property_of(left), property_of(right));
}

typedef struct Placed {
  BenchRow row;
  size_t place;
} Placed;

static int compare_placed(const void *left, const void *right) {
  const Placed *a = left, *b = right;
  int order = compare_tasks(&a->row, &b->row);
  return order ? order : (a->place > b->place) - (a->place < b->place);
}

void rows_sort(BenchRowVector *rows) {
  if (rows->count == 0) return;
  Placed *placed = memory_allocate(NULL, rows->count * sizeof *placed);
  for (size_t i = 0; i < rows->count; i++) {
    size_t first = 0;
    while (rows->data[first].variant != rows->data[i].variant) first++;
    placed[i] = (Placed){rows->data[i], first};
  }
  qsort(placed, rows->count, sizeof *placed, compare_placed);
  for (size_t i = 0; i < rows->count; i++) rows->data[i] = placed[i].row;
  memory_free(NULL, placed, rows->count * sizeof *placed);
}

static int compare_rows(const BenchRow *left, const BenchRow *right) {
  int order = compare_tasks(left, right);
  return order ? order : strcmp(variant_of(left->variant), variant_of(right->variant));
}

static int compare_pointers(const void *left, const void *right) {
  return compare_rows(*(BenchRow *const *)left, *(BenchRow *const *)right);
}

void bench_index_init(BenchIndex *index, const BenchRowVector *rows) {
  *index = (BenchIndex){.count = rows->count};
  if (rows->count == 0) return;
  index->sorted = memory_allocate(NULL, rows->count * sizeof *index->sorted);
  for (size_t i = 0; i < rows->count; i++) index->sorted[i] = &rows->data[i];
  qsort(index->sorted, index->count, sizeof *index->sorted, compare_pointers);
}

void bench_index_free(BenchIndex *index) { memory_free(NULL, index->sorted, index->count * sizeof *index->sorted); }

BenchRow *bench_index_find(const BenchIndex *index, const BenchRow *like, const BenchVariant *variant) {
  if (index->count == 0) return NULL;
  BenchRow wanted = *like;
  wanted.variant = variant;
  const BenchRow *key = &wanted;
  BenchRow **found = bsearch(&key, index->sorted, index->count, sizeof *index->sorted, compare_pointers);
  return found ? *found : NULL;
}

const BenchRow *bench_index_twice(const BenchIndex *index) {
  for (size_t i = 1; i < index->count; i++)
    if (compare_rows(index->sorted[i - 1], index->sorted[i]) == 0) return index->sorted[i];
  return NULL;
}
