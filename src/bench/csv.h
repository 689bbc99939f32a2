// Results of a bench as comma-separated text: a header, then a row for each run, in the order in which they ended.
//
//   task,property,expected,verdict,reason,wall,cpu,memory_mb,options,statistics[,variant]
//
// The reader goes by the names in the header, in any order; `task`, `verdict` and `wall` must be there, other columns
// are not looked at. A record ends with a line feed: what follows the last one was being written when the writer died,
// and is no part of the results.
#ifndef HEDDLE_BENCH_CSV_H
#define HEDDLE_BENCH_CSV_H

#include "bench/row.h"

void csv_header(Text *out, bool variants);
void csv_row(Text *out, const BenchRow *row);

// Adds the rows of `text`. Variants are named `label`, `label/variant` if there are both, or are those of the rows if
// `label` is NULL. Sets `complete` to the length of what is not torn; 0 if even the header is. Returns false, with one
// line in `error`, if something else than the end is amiss. Rows live in the arena.
bool csv_parse(BenchRowVector *rows, Arena *arena, const char *text, size_t length, const char *label, size_t *complete,
               Text *error);

#endif
