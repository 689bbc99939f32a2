// Are two steps of two threads the same up to the renaming of equal_threads.h?
#ifndef HEDDLE_DEPENDENCE_EQUAL_STEPS_H
#define HEDDLE_DEPENDENCE_EQUAL_STEPS_H

#include "base/map.h"
#include "dependence/equal_threads.h"

typedef struct StepComparison {
  const EqualThreads *equal; // only its lists are read
  ThreadId a, b;
  Map terms; // pairs of terms that were compared -> the result
  Map cells; // cells of thread `a` -> corresponding cells, or NO_ID
} StepComparison;

void step_comparison_init(StepComparison *comparison, const EqualThreads *equal, ThreadId a, ThreadId b);
void step_comparison_free(StepComparison *comparison);
// The first step is one of thread `a`, the second one of `b`.
bool steps_equal(StepComparison *comparison, const Step *x, const Step *y);

// The number that a thread stores in the locks that it holds.
static inline Bits thread_lock_number(ThreadId t) { return (Bits)t + 1; }

#endif
