// Traces: an executed schedule with the values it changed, for people to read.
//
// The judge fills a Trace while it runs a schedule; `report` prints it. The type lives here because `report` knows
// nothing of the judge.
#ifndef HEDDLE_VERDICT_TRACE_H
#define HEDDLE_VERDICT_TRACE_H

#include "program/program.h"
#include "verdict/violation.h"

// One executed step.
typedef struct TraceStep {
  ThreadId thread;
  EdgeId edge;
  StepId step;
  uint32_t first_change, change_count; // range in Trace.changes
} TraceStep;

// A value that a step changed or read.
typedef struct TraceChange {
  VariableId variable; // NO_ID if a cell
  CellId cell;         // NO_ID if a variable
  Bits before, after;
  bool read;   // the step read this cell (after == before)
  bool chosen; // the value is an input
} TraceChange;

VECTOR(TraceStepVector, TraceStep);
VECTOR(TraceChangeVector, TraceChange);

// The two accesses of a data race, as the judge found them. Without a race all is zero: the threads are equal.
typedef struct TraceRace {
  CellId cell;
  ThreadId first_thread, second_thread;
  EdgeId first_edge, second_edge;
} TraceRace;

typedef struct Trace {
  TraceStepVector steps;
  TraceChangeVector changes;
  TraceRace race;
  ViolationKind violation; // at the end of the schedule
} Trace;

void trace_init(Trace *trace, Account *account);
void trace_free(Trace *trace);

#endif
