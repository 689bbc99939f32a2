// Traces: an executed schedule with the values that its steps read and changed.
//
// The judge fills a trace while it executes a schedule; the room `report` shows it. The type is in this room because
// `report` does not include `judge`.
//
// Invariants: the ranges of changes of the steps lie one after the other in `changes`; each change is either that of a
// variable or that of a cell. The caller owns a trace and frees it with trace_free.
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

// The two accesses of a data race, as the judge found them. If there is no race, all members are 0, so the two threads
// are the same.
typedef struct TraceRace {
  CellId cell;
  ThreadId first_thread, second_thread;
  EdgeId first_edge, second_edge;
} TraceRace;

// How the last pointer to a block that leaks was lost.
typedef enum LossCause {
  LOST_UNTOLD,      // the trace is of no leak, or it is not known
  LOST_NEVER_KEPT,  // no pointer to the block was kept
  LOST_OVERWRITTEN, // the holder got another value
  LOST_SCOPE,       // the holder was a variable of a function that returned
  LOST_FREED,       // the holder was in a block that was freed
  LOST_THREAD_END,  // the holder belonged to a thread that ended
  LOST_KEPT         // not at all: the holder still points to it when the process ends
} LossCause;

// Of a block that is lost, or not freed.
typedef struct TraceLoss {
  LossCause cause;
  ObjectId block;
  uint32_t allocated, lost; // steps of the trace
  bool direct;              // the holder pointed to the block itself, not to one from which the block could be reached
  ObjectId object;          // the holder: an object at an offset, or, where this is NO_ID, a variable
  uint64_t offset;
  VariableId variable;
} TraceLoss;

typedef struct Trace {
  TraceStepVector steps;
  TraceChangeVector changes;
  TraceRace race;
  TraceLoss loss;
  ViolationKind violation; // at the end of the schedule; VIOLATION_NONE if the judge did not confirm one
} Trace;

void trace_init(Trace *trace, Account *account);
void trace_free(Trace *trace);

#endif
