// The results of a bench in words: what is wrong, a table by directory for each variant, what was not decided and why.
// Rows that are not done are left out.
#ifndef HEDDLE_BENCH_TABLE_H
#define HEDDLE_BENCH_TABLE_H

#include "bench/row.h"

typedef enum TableStyle { TABLE_PLAIN, TABLE_MARKDOWN } TableStyle;

// Wrong verdicts and failed checks of our own, then (with `expect`) what else was not as expected.
void table_list_mistakes(Text *out, const BenchRowVector *rows, bool expect);
// A table for each variant: a line for each directory with its outcomes, wall time and score (of what is possible).
// Returns how many verdicts are wrong.
size_t table_by_directory(Text *out, const BenchRowVector *rows, TableStyle style);
// What was not decided, for each variant, as a Markdown table by reason.
void table_undecided(Text *out, const BenchRowVector *rows);

#endif
