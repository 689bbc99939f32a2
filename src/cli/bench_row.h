// One row of a bench: a task definition, one of its properties, perhaps a variant, and how the run ended.
//
// A row whose task definition is malformed has no task and is done from the start, as an error.
#ifndef HEDDLE_CLI_BENCH_ROW_H
#define HEDDLE_CLI_BENCH_ROW_H

#include "base/log.h"
#include "cli/bench_variant.h"
#include "cli/task.h"

// What the child answered.
#define ANSWERS(X)                                                                                                     \
  X(NONE, "")       /* not run, or not to the end */                                                                   \
  X(TRUE, "true")   /* SAFE */                                                                                         \
  X(FALSE, "false") /* UNSAFE */                                                                                       \
  X(UNKNOWN, "unknown")                                                                                                \
  X(MEMORY, "oom")                                                                                                     \
  X(TIMEOUT, "timeout")                                                                                                \
  X(ERROR, "error")

typedef enum Answer {
#define X(name, text) ANSWER_##name,
  ANSWERS(X)
#undef X
} Answer;

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
  const TaskProperty *property; // or NULL with the task
  const BenchVariant *variant;  // or NULL if none are compared
  const char *name;             // of the task: directory and file
  const char *directory;        // that part of the name
  bool done;
  Answer answer;
  const char *reason; // "" if there is none
  double wall, cpu;   // seconds
  double memory_mb;   // peak, 10^6 bytes
  const char *statistics;
} BenchRow;
VECTOR(BenchRowVector, BenchRow);

// A line of the closing table.
typedef struct Totals {
  const char *directory;
  size_t counts[OUTCOME_COUNT];
  double wall;
} Totals;
VECTOR(TotalsVector, Totals);

const char *bench_answer_text(Answer answer);
Outcome row_outcome(const BenchRow *row);
bool row_is_wrong(const BenchRow *row);
// Did a check of our own fail (a proof, a reduction)? No verdict came of it, but it is a mistake like a wrong one.
bool row_is_internal_error(const BenchRow *row);
// Whether the row ended as its task definition says, with no allowance for an undecided one.
bool row_is_as_expected(const BenchRow *row);

// Replaces each row by one for each variant, unless there are none.
void rows_multiply(BenchRowVector *rows, const BenchVariantVector *variants);

// The comma-separated file. The variant is a last column, which is there only if variants are compared.
void rows_csv_header(FILE *file, bool variants);
void rows_csv_row(FILE *file, const BenchRow *row);
// Wrong verdicts, then (with `expect`) what else was not as expected, then the table by directory (one for each
// variant), on standard output.
void rows_print_summary(const BenchRowVector *rows, bool expect);

#endif
