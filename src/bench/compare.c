#include "bench/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

typedef enum Change {
  CHANGE_NONE,
  CHANGE_CONTRADICTION,
  CHANGE_LOST,
  CHANGE_GAINED,
  CHANGE_OTHERWISE,
  CHANGE_COUNT
} Change;

typedef struct Pair {
  const BenchRow *old_row, *new_row;
  Change change;
  double ratio; // new time / old time; 0 if it is not counted
} Pair;
VECTOR(PairVector, Pair);

// An answer that nothing speaks against.
static bool is_solved(const BenchRow *row) { return row_is_decided(row) && !row_is_wrong(row); }

static Change change_of(const BenchRow *old_row, const BenchRow *new_row) {
  assert(old_row->done && new_row->done);
  bool decided = row_is_decided(old_row) && row_is_decided(new_row);
  // A wrong answer that was corrected is a gain.
  bool corrected = row_is_wrong(old_row) && row_is_right(new_row);
  if (row_is_wrong(new_row) || (decided && old_row->answer != new_row->answer && !corrected))
    return CHANGE_CONTRADICTION;
  if (is_solved(old_row) && !is_solved(new_row)) return CHANGE_LOST;
  if (!is_solved(old_row) && is_solved(new_row)) return CHANGE_GAINED;
  return old_row->answer == new_row->answer ? CHANGE_NONE : CHANGE_OTHERWISE; // reasons have figures in them
}

static double ratio_of(const BenchRow *old_row, const BenchRow *new_row) {
  if (!is_solved(old_row) || !is_solved(new_row) || old_row->answer != new_row->answer) return 0;
  if (fmax(old_row->wall, new_row->wall) <= COMPARE_LEAST_TIME) return 0;
  return fmax(new_row->wall, 1e-3) / fmax(old_row->wall, 1e-3); // times are written in milliseconds
}

static bool has_one_variant(const BenchRowVector *rows) {
  for (size_t i = 1; i < rows->count; i++)
    if (rows->data[i].variant != rows->data[0].variant) return false;
  return rows->count > 0;
}

static void match(Comparison *comparison, PairVector *pairs, const BenchRowVector *old_rows,
                  const BenchRowVector *new_rows) {
  BenchIndex index;
  bench_index_init(&index, new_rows);
  bool any_variant = has_one_variant(old_rows) && has_one_variant(new_rows);
  double logarithms = 0;
  for (size_t i = 0; i < old_rows->count; i++) {
    const BenchRow *row = &old_rows->data[i];
    const BenchRow *other = bench_index_find(&index, row, any_variant ? new_rows->data[0].variant : row->variant);
    if (!other) continue;
    Pair pair = {row, other, change_of(row, other), ratio_of(row, other)};
    PairVector_push(pairs, pair);
    if (pair.ratio > 0) {
      comparison->timed++;
      logarithms += log(pair.ratio);
    }
  }
  bench_index_free(&index);
  assert(pairs->count <= old_rows->count && pairs->count <= new_rows->count && "no set has a run twice");
  comparison->matched = pairs->count;
  comparison->only_old = old_rows->count - pairs->count;
  comparison->only_new = new_rows->count - pairs->count;
  comparison->ratio = comparison->timed ? exp(logarithms / (double)comparison->timed) : 1;
}

// ---- in words

static void add_name(Text *out, const Pair *pair, bool properties) {
  const BenchRow *row = pair->new_row;
  text_format(out, "%s", row->name);
  if (properties && row->property) text_format(out, "  %s", row->property->name);
  if (row->variant) text_format(out, "  [%s]", row->variant->name);
}

static void add_answer(Text *out, const BenchRow *row) {
  text_format(out, "%s%s%s%s%s", bench_answer_text(row->answer), row_is_wrong(row) ? " WRONG" : "",
              row->reason[0] ? " (" : "", row->reason, row->reason[0] ? ")" : "");
}

// Returns how many there are.
static size_t list_changes(Text *out, const PairVector *pairs, Change change, bool properties) {
  static const char *const heads[CHANGE_COUNT] = {[CHANGE_CONTRADICTION] = "CONTRADICTIONS",
                                                  [CHANGE_LOST] = "lost",
                                                  [CHANGE_GAINED] = "gained",
                                                  [CHANGE_OTHERWISE] = "undecided otherwise"};
  assert(heads[change]);
  size_t count = 0;
  for (size_t i = 0; i < pairs->count; i++) count += pairs->data[i].change == change;
  text_format(out, "%s: %zu\n", heads[change], count);
  for (size_t i = 0; i < pairs->count; i++) {
    const Pair *pair = &pairs->data[i];
    if (pair->change != change) continue;
    text_add(out, "  ");
    add_name(out, pair, properties);
    const char *expected = bench_expected_text(row_expected(pair->new_row));
    text_format(out, ": ");
    add_answer(out, pair->old_row);
    text_add(out, " -> ");
    add_answer(out, pair->new_row);
    if (change == CHANGE_CONTRADICTION) text_format(out, ", expected %s", expected[0] ? expected : "nothing");
    text_add_char(out, '\n');
  }
  return count;
}

// Largest ratio first.
static int compare_ratios(const void *left, const void *right) {
  const Pair *a = left, *b = right;
  return (a->ratio < b->ratio) - (a->ratio > b->ratio);
}

static void list_time(Text *out, const Pair *pair, bool properties) {
  text_format(out, "  %8.2f  %9.3f s -> %9.3f s  ", pair->ratio, pair->old_row->wall, pair->new_row->wall);
  add_name(out, pair, properties);
  text_add_char(out, '\n');
}

static void list_times(Text *out, PairVector *pairs, size_t most, bool properties) {
  if (pairs->count == 0) return;
  qsort(pairs->data, pairs->count, sizeof *pairs->data, compare_ratios);
  size_t slower = 0, faster = 0;
  while (slower < pairs->count && pairs->data[slower].ratio > 1) slower++;
  for (size_t i = slower; i < pairs->count; i++) faster += pairs->data[i].ratio > 0 && pairs->data[i].ratio < 1;
  assert(slower + faster <= pairs->count);
  text_format(out, "slower: %zu%s\n", slower, slower > most ? ", the largest slowdowns:" : "");
  for (size_t i = 0; i < slower && i < most; i++) list_time(out, &pairs->data[i], properties);
  text_format(out, "faster: %zu%s\n", faster, faster > most ? ", the largest speedups:" : "");
  size_t listed = 0;
  for (size_t i = pairs->count; i-- > slower && listed < most;) {
    if (pairs->data[i].ratio == 0 || pairs->data[i].ratio == 1) continue;
    list_time(out, &pairs->data[i], properties);
    listed++;
  }
}

static int score_of(const PairVector *pairs, bool old_one) {
  int score = 0;
  for (size_t i = 0; i < pairs->count; i++)
    score += row_score(old_one ? pairs->data[i].old_row : pairs->data[i].new_row);
  return score;
}

static bool has_properties(const PairVector *pairs) {
  for (size_t i = 1; i < pairs->count; i++) {
    const TaskProperty *one = pairs->data[i - 1].new_row->property, *other = pairs->data[i].new_row->property;
    if (one && other && strcmp(one->name, other->name) != 0) return true;
  }
  return false;
}

void compare_results(Comparison *comparison, const BenchRowVector *old_rows, const BenchRowVector *new_rows,
                     size_t most, Text *out) {
  *comparison = (Comparison){0};
  PairVector pairs = {0};
  match(comparison, &pairs, old_rows, new_rows);
  bool properties = has_properties(&pairs);
  comparison->contradictions = list_changes(out, &pairs, CHANGE_CONTRADICTION, properties);
  comparison->lost = list_changes(out, &pairs, CHANGE_LOST, properties);
  comparison->gained = list_changes(out, &pairs, CHANGE_GAINED, properties);
  comparison->otherwise = list_changes(out, &pairs, CHANGE_OTHERWISE, properties);
  text_format(out, "compared: %zu, only in the old file: %zu, only in the new file: %zu\n", comparison->matched,
              comparison->only_old, comparison->only_new);
  text_format(out, "score: %d -> %d\n", score_of(&pairs, true), score_of(&pairs, false));
  text_format(out, "time, new / old: %.3f (geometric mean over %zu that both decide and that take over %g s)\n",
              comparison->ratio, comparison->timed, COMPARE_LEAST_TIME);
  list_times(out, &pairs, most, properties);
  PairVector_free(&pairs);
}
