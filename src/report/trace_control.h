// Control dependence in a trace: for each executed step, the decision of its thread that it depends on. A decision is
// the execution of a branch.
//
// The step depends on the last decision before it that still holds. A decision holds until the thread reaches the
// immediate postdominator of its branch, and for ever if there is none. An edge from which the thread can only end the
// process does not count as an alternative: passing such a check is an assumption, not a decision. A thread without an
// end counts as ending at its backward edges.
//
// Invariants: a parent is an earlier step of the same thread; `parent` has one entry per step of the trace, the other
// vectors have one per location. The value owns its vectors and keeps no pointer to program or trace.
#ifndef HEDDLE_REPORT_TRACE_CONTROL_H
#define HEDDLE_REPORT_TRACE_CONTROL_H

#include "verdict/trace.h"

typedef struct Control {
  U32Vector postdominator; // per location: its immediate postdominator, or NO_ID
  ByteVector alive;        // per location: the thread can reach its end from here
  U32Vector parent;        // per step of the trace: the decision (a step) that it depends on, or NO_ID
} Control;

void control_init(Control *control, const Program *program, const Trace *trace);
void control_free(Control *control);

// Does this edge leave a loop, or pass a check that would otherwise have ended the execution?
bool control_is_exit(const Control *control, const Program *program, EdgeId edge);

#endif
