// Why a violation happened, in one line, where that can be told from the execution.
//
// A small set of patterns over the trace, tried in order: an update that was lost, a thread that came in between, a
// value that was not written yet; the locks that two racing accesses do not share; who waits for whom in a deadlock;
// who freed a block. Where none fits, the values that decided are named. Everything that is said was seen in the trace;
// that it is the cause is a guess of good odds.
#ifndef HEDDLE_REPORT_EXPLAIN_H
#define HEDDLE_REPORT_EXPLAIN_H

#include "report/trace_lines.h"

// Appends the explanation; nothing if there is none, or the result is not UNSAFE.
void explain_violation(const Program *program, const Trace *trace, const Result *result, Text *out);
void explain_trace(const TraceLines *lines, Property property, Text *out);

#endif
