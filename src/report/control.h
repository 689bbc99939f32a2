// Which decision of its thread an executed step depends on: the last branch that could have led around it.
//
// A decision holds until the thread reaches the immediate postdominator of its branch. Ways that only end the process
// (or the execution) do not count as ways around: passing such a check is an assumption, not a decision. A thread that
// never ends is seen as ending at its back edges. A branch without a postdominator holds for ever.
#ifndef HEDDLE_REPORT_CONTROL_H
#define HEDDLE_REPORT_CONTROL_H

#include "verdict/trace.h"

typedef struct Control {
  U32Vector postdominator; // per location: the immediate one, or NO_ID
  ByteVector alive;        // per location: the thread can go on to its end from here
  U32Vector parent;        // per step of the trace: the decision (a step) that it depends on, or NO_ID
} Control;

void control_init(Control *control, const Program *program, const Trace *trace);
void control_free(Control *control);

// Did this edge leave a loop, or pass a check that would have ended the execution?
bool control_is_exit(const Control *control, const Program *program, EdgeId edge);

#endif
