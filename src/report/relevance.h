// Which steps of a trace matter for its violation: a backward slice of the execution.
//
// From the steps at which the property is violated (the last step, the two accesses of a race, the locks of a deadlock)
// it follows where values came from (the last write of each cell and variable that was read), the decisions that the
// thread took on the way (control.h), the creation of the thread, the locks and atomic sections around what matters,
// the waits whose end another thread's relevant step brought about, and the ends of waiting loops that looked at what
// others write. Writes of other threads to shared memory that matters are in it too, even if their values got lost:
// that they got lost is often the point.
//
// For a formula, everything in the loop matters, and what changed its atoms on the way there.
//
// It decides only what is shown. A step that is left out may still be needed for the execution (the program would not
// run without it), but no value, decision or order that led to the violation comes from it.
#ifndef HEDDLE_REPORT_RELEVANCE_H
#define HEDDLE_REPORT_RELEVANCE_H

#include "base/bitset.h"
#include "report/trace_index.h"
#include "verdict/property.h"

typedef struct Relevance {
  Bitset steps;   // of the trace
  Bitset changes; // of the trace: their values matter
  Bitset cells;   // of the program: memory shared by threads of the trace, with an access that matters; and of atoms
} Relevance;

// `loop_start`: the first step of a lasso's loop, or NO_ID.
void relevance_find(const TraceIndex *index, Property property, uint32_t loop_start, Relevance *relevance);
// Everything matters: for executions that violate nothing.
void relevance_all(const TraceIndex *index, Relevance *relevance);
void relevance_free(Relevance *relevance);

#endif
