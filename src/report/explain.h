// The explanation of a violation: one line that says why it happened, if a pattern recognises that.
//
// The patterns for wrong values are tried in this order: an update that was lost, a write of another thread between two
// accesses, a read before the write that it needs; if none fits, the explanation names the values that decided. For a
// race it names the locks that each access holds, for a deadlock which thread waits for which, for a memory error the
// thread that freed the block, for a leak the step that lost the last pointer, for a formula what is repeated for ever.
//
// Every fact in an explanation is in the trace. That it is the cause of the violation is a heuristic. Nothing is kept
// between calls.
#ifndef HEDDLE_REPORT_EXPLAIN_H
#define HEDDLE_REPORT_EXPLAIN_H

#include "report/trace_lines.h"

// Appends the explanation. Appends nothing if there is none, or (explain_violation) if the result is not UNSAFE.
void explain_violation(const Program *program, const Trace *trace, const Result *result, Text *out);
void explain_trace(const TraceLines *lines, Property property, Text *out);

#endif
