// Traces: an executed schedule with the values it changed, for people to read.
//
// `replay` fills a Trace while it runs a schedule; `report` prints it. The types live here because engines and reports
// do not include each other.
#ifndef HEDDLE_VERDICT_TRACE_H
#define HEDDLE_VERDICT_TRACE_H

#include "program/program.h"

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
} Trace;

#endif
