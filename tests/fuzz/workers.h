// Worker processes: each takes the next seed, compares, and sends a record to the parent.
#ifndef HEDDLE_FUZZ_WORKERS_H
#define HEDDLE_FUZZ_WORKERS_H

#include "fuzz/tally.h"

typedef struct Work {
  uint64_t first_seed;
  unsigned programs, jobs;
  unsigned most_failures; // then no further seeds are begun
} Work;

// Compares all seeds and counts in `tally`. `comparison.checker.directory` is a directory in which each worker makes
// its own, and which is removed in the end. Returns false, with a line on standard error, if something outside fails.
bool workers_run(const Comparison *comparison, const Work *work, Tally *tally);

#endif
