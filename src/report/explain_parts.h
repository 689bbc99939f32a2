// What the files that make explanations (explain.h) share: explain.c, explain_race.c, explain_leak.c,
// and explain_waiting.c for deadlocks and lassos.
//
// An Explainer points to the lines, the program and the trace, and owns only `control`. The text is appended to `out`.
#ifndef HEDDLE_REPORT_EXPLAIN_PARTS_H
#define HEDDLE_REPORT_EXPLAIN_PARTS_H

#include "report/trace_control.h"
#include "report/trace_lines.h"

#include <assert.h>

typedef struct Explainer {
  const TraceLines *lines;
  const TraceIndex *index;
  const Program *program;
  const Trace *trace;
  Control control;
  Text *out;
} Explainer;

static inline ThreadId thread_of(const Explainer *e, size_t step) {
  assert(step < e->trace->steps.count);
  return e->trace->steps.data[step].thread;
}
static inline uint32_t step_of(const Explainer *e, uint32_t change) {
  assert(change < e->index->step_of.count);
  return e->index->step_of.data[change];
}

void explain_add_thread(const Explainer *e, ThreadId thread); // "main" or "thread 0.1"
void explain_add_place(const Explainer *e, size_t step);      // " at FILE:LINE"
void explain_add_cell(const Explainer *e, CellId cell);
void explain_race(const Explainer *e);     // the accesses, their locks, and the lock that is missing
void explain_leak(const Explainer *e);     // the block, and the step that lost the last pointer
void explain_deadlock(const Explainer *e); // which thread waits for what
void explain_lasso(const Explainer *e);    // what is repeated for ever, and where other threads stay

#endif
