// One row of a bench: a task definition, one of its properties, perhaps a variant, and how the run ended.
//
// A row whose task definition is malformed has no task and is done from the start, as an error. A row that was read
// from a file of results (bench/csv.h) has no task, either.
#ifndef HEDDLE_BENCH_ROW_H
#define HEDDLE_BENCH_ROW_H

#include "base/arena.h"
#include "bench/task.h"
#include "bench/variant.h"
#include "verdict/verdict.h"

// What the child answered.
#define ANSWERS(X)                                                                                                     \
  X(NONE, "")       /* not run, or not to the end */                                                                   \
  X(TRUE, "true")   /* SAFE */                                                                                         \
  X(FALSE, "false") /* UNSAFE */                                                                                       \
  X(UNKNOWN, "unknown")                                                                                                \
  X(MEMORY, "oom")                                                                                                     \
  X(TIMEOUT, "timeout")                                                                                                \
  X(ERROR, "error")

typedef enum BenchAnswer {
#define X(name, text) BENCH_ANSWER_##name,
  ANSWERS(X)
#undef X
} BenchAnswer;

// How that compares with what was expected; the columns of the closing table.
#define OUTCOMES(X)                                                                                                    \
  X(RIGHT_TRUE, "right true")                                                                                          \
  X(RIGHT_FALSE, "right false")                                                                                        \
  X(WRONG_TRUE, "wrong true")                                                                                          \
  X(WRONG_FALSE, "wrong false")                                                                                        \
  X(UNKNOWN, "unknown")                                                                                                \
  X(TIMEOUT, "timeout")                                                                                                \
  X(ERROR, "error")                                                                                                    \
  X(UNJUDGED, "unjudged") /* an answer where nothing was expected */

typedef enum Outcome {
#define X(name, text) OUTCOME_##name,
  OUTCOMES(X)
#undef X
      OUTCOME_COUNT
} Outcome;

typedef struct BenchRow {
  const Task *task;             // or NULL
  const TaskProperty *property; // or NULL if the task definition is malformed
  const BenchVariant *variant;  // or NULL if none are compared
  const char *name;             // of the task: directory and file
  const char *directory;        // that part of the name
  const char *options;          // of `heddle check`, the same for all tasks; "" if unknown
  bool done;
  bool kept; // stands in the file of results
  BenchAnswer answer;
  const char *reason; // "" if there is none
  ReasonKind why;     // of an undecided answer
  double wall, cpu;   // seconds
  double memory_mb;   // peak, 10^6 bytes
  const char *statistics;
} BenchRow;
VECTOR(BenchRowVector, BenchRow);

const char *bench_answer_text(BenchAnswer answer);
const char *bench_expected_text(Expected expected); // "" for none
Expected row_expected(const BenchRow *row);
const char *row_directory(Arena *arena, const char *name); // that part of a task's name

// The rest is for rows that are done.
Outcome row_outcome(const BenchRow *row);
bool row_is_right(const BenchRow *row);
bool row_is_wrong(const BenchRow *row);
bool row_is_decided(const BenchRow *row); // true or false, right or not
// Did a check of our own fail (a proof, a reduction)? No verdict came of it, but it is a mistake like a wrong one.
bool row_is_internal_error(const BenchRow *row);
// Whether the row ended as its task definition says, with no allowance for an undecided one.
bool row_is_as_expected(const BenchRow *row);
// By the rules of SV-COMP; a violation of ours has been replayed, so it counts as confirmed.
int row_score(const BenchRow *row);
int row_best_score(const BenchRow *row); // if it were right

// Replaces each row by one for each variant, unless there are none.
void rows_multiply(BenchRowVector *rows, const BenchVariantVector *variants);
// Whether no row before this one has its variant.
bool rows_variant_begins(const BenchRowVector *rows, size_t at);
// Orders rows by task, property and variant, the last as they first came along.
void rows_sort(BenchRowVector *rows);

// Rows by task, property and the variant's name ("" for none). The rows must stay where they are.
typedef struct BenchIndex {
  BenchRow **sorted;
  size_t count;
} BenchIndex;

void bench_index_init(BenchIndex *index, const BenchRowVector *rows);
void bench_index_free(BenchIndex *index);
// The row of the same task and property, and of this variant; or NULL.
BenchRow *bench_index_find(const BenchIndex *index, const BenchRow *like, const BenchVariant *variant);
const BenchRow *bench_index_twice(const BenchIndex *index); // a row that another one equals, or NULL

#endif
