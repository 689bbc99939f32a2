// The lines of a trace: consecutive steps of one thread on one source line, as every report shows them.
//
// What happens inside a library model is told at the user's call. What surrounds a thread's routine (its start, its
// end) has the place of the call that created it, which is not a line that this thread executes: such steps join the
// line before, or have none. With `full` every step is a line of its own.
#ifndef HEDDLE_REPORT_TRACE_LINES_H
#define HEDDLE_REPORT_TRACE_LINES_H

#include "report/relevance.h"
#include "report/trace_notes.h"
#include "verdict/verdict.h"

typedef struct TraceLine {
  ThreadId thread;
  uint32_t first, last;     // steps [first, last)
  const Position *position; // NULL: it has no place of its own
  bool matters;             // a step of it does
  char *notes;              // owned; "" if there is nothing to tell
} TraceLine;
VECTOR(TraceLineVector, TraceLine);

typedef struct TraceLines {
  TraceIndex index;
  Relevance relevance; // everything, unless the result is UNSAFE
  TraceLineVector lines;
  size_t hidden;       // lines that do not matter
  uint32_t loop_start; // the step at which a lasso's loop begins, where a line begins too; NO_ID: not a lasso
} TraceLines;

void trace_lines_init(TraceLines *lines, const Program *program, const Trace *trace, const Result *result, bool full);
void trace_lines_free(TraceLines *lines);

#endif
