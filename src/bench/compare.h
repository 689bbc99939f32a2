// Two sets of results side by side: what the newer one gained, lost and contradicts, and how the times compare.
//
// Rows are matched by task, property and variant; where each set has one variant at most, whatever its name. A row that
// only one set has is counted, but is neither lost nor gained.
#ifndef HEDDLE_BENCH_COMPARE_H
#define HEDDLE_BENCH_COMPARE_H

#include "bench/row.h"

// Seconds: where both times are below, their ratio says little.
#define COMPARE_LEAST_TIME 0.1

typedef struct Comparison {
  size_t matched, only_old, only_new;
  size_t contradictions; // true and false, or wrong in the new set
  size_t lost;           // right before, undecided now
  size_t gained;         // right now, but not before
  size_t otherwise;      // undecided in both, but not alike
  size_t timed;          // decided alike by both, one of the times over COMPARE_LEAST_TIME
  double ratio;          // geometric mean of new time / old time of those; 1 if there are none
} Comparison;

// Writes the comparison; of slowdowns and speedups at most `most` each.
void compare_results(Comparison *comparison, const BenchRowVector *old_rows, const BenchRowVector *new_rows,
                     size_t most, Text *out);

#endif
