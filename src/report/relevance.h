// Which steps of a trace matter for its violation: a backward slice of the execution.
//
// The slice begins with the steps at which the property is violated: the last step, the two accesses of a race, the
// locks of a deadlock; for a formula, all steps of the loop and the steps that changed the formula's atoms. Then these
// are added, until nothing changes:
//   - the last write of each cell and variable that a step of the slice read;
//   - the decisions that a step of the slice depends on (trace_control.h), and the step that created its thread;
//   - the locks and atomic sections around steps of the slice;
//   - the ends of waits, and of loops that wait, if a step of the slice follows in the same thread and the value that
//     ended them came from another thread;
//   - writes by other threads to shared memory of the slice, even if their values were overwritten: an update that was
//     lost is often the cause of the violation.
//
// The slice only decides what is shown. A step outside it may be needed for the execution, but no value, decision or
// order that led to the violation comes from it. The caller frees a Relevance with relevance_free.
#ifndef HEDDLE_REPORT_RELEVANCE_H
#define HEDDLE_REPORT_RELEVANCE_H

#include "base/bitset.h"
#include "report/trace_index.h"
#include "verdict/property.h"

typedef struct Relevance {
  Bitset steps;   // of the trace
  Bitset changes; // of the trace: the changes whose values matter
  Bitset cells;   // of the program: cells that threads of the trace share, with an access that matters; cells of atoms
} Relevance;

// `loop_start`: the first step of a lasso's loop, or NO_ID.
void relevance_find(const TraceIndex *index, Property property, uint32_t loop_start, Relevance *relevance);
// Makes everything matter: for executions that violate nothing.
void relevance_all(const TraceIndex *index, Relevance *relevance);
void relevance_free(Relevance *relevance);

#endif
