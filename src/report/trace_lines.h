// The lines of a trace: consecutive steps of one thread on one source line. All reports for human readers show them.
//
// The steps of a library model are on the line of the program's call. The first and last steps of a thread have the
// position of the call that created it, which is not a line that the thread executes: they join the line before, or
// have no position. With `full` each step is a line of its own.
//
// Invariants: the lines are in the order of execution; their ranges of steps are disjoint; no line contains both a step
// before and a step in the loop of a lasso. Steps without a position and without notes may be on no line. The value
// owns its index, relevance and notes; the program and the trace must outlive it.
#ifndef HEDDLE_REPORT_TRACE_LINES_H
#define HEDDLE_REPORT_TRACE_LINES_H

#include "report/relevance.h"
#include "report/trace_notes.h"
#include "verdict/verdict.h"

typedef struct TraceLine {
  ThreadId thread;
  uint32_t first, last;     // steps [first, last)
  const Position *position; // NULL: none of the thread's own
  bool matters;             // one of its steps matters for the violation
  char *notes;              // owned; "" if there are none
} TraceLine;
VECTOR(TraceLineVector, TraceLine);

typedef struct TraceLines {
  TraceIndex index;
  Relevance relevance; // everything, unless the result is UNSAFE
  TraceLineVector lines;
  size_t hidden;       // lines that do not matter
  uint32_t loop_start; // the step at which a lasso's loop begins; a line begins there, too; NO_ID: not a lasso
} TraceLines;

void trace_lines_init(TraceLines *lines, const Program *program, const Trace *trace, const Result *result, bool full);
void trace_lines_free(TraceLines *lines);

#endif
