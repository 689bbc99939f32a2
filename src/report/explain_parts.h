// What the explanations (explain.h) are made from: explain.c, and explain_waiting.c for those who wait or go round.
#ifndef HEDDLE_REPORT_EXPLAIN_PARTS_H
#define HEDDLE_REPORT_EXPLAIN_PARTS_H

#include "report/control.h"
#include "report/trace_lines.h"

typedef struct Explainer {
  const TraceLines *lines;
  const TraceIndex *index;
  const Program *program;
  const Trace *trace;
  Control control;
  Text *out;
} Explainer;

static inline ThreadId thread_of(const Explainer *e, size_t step) { return e->trace->steps.data[step].thread; }
static inline uint32_t step_of(const Explainer *e, uint32_t change) { return e->index->step_of.data[change]; }

void explain_say_thread(const Explainer *e, ThreadId thread); // "main" or "thread 0.1"
void explain_deadlock(const Explainer *e);                    // who waits for whom
void explain_lasso(const Explainer *e);                       // what goes on for ever, and who stays where

#endif
