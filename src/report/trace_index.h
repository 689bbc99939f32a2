// What can be looked up in an executed trace: who wrote a value last, who created a thread, who holds which lock, where
// each thread stands at the end, and what a term is worth there.
//
// Built once per trace; it only points to the program and the trace, which must outlive it.
#ifndef HEDDLE_REPORT_TRACE_INDEX_H
#define HEDDLE_REPORT_TRACE_INDEX_H

#include "verdict/trace.h"

// A lock held by a thread during the steps (taken, released).
typedef struct HeldLock {
  ThreadId thread;
  CellId cell;
  uint32_t taken, released; // steps; NO_ID: held at the end
} HeldLock;
VECTOR(HeldLockVector, HeldLock);

typedef struct TraceIndex {
  const Program *program;
  const Trace *trace;
  U64Vector cell_writes;     // cell << 32 | change, sorted
  U64Vector cell_touches;    // the same with reads
  U64Vector variable_writes; // variable << 32 | change, sorted
  U32Vector step_of;         // per change: its step
  U32Vector created_by;      // per thread: the CREATE step, or NO_ID
  U32Vector last_step;       // per thread: its last step, or NO_ID
  HeldLockVector locks;      // in the order of `taken`
} TraceIndex;

void trace_index_init(TraceIndex *index, const Program *program, const Trace *trace);
void trace_index_free(TraceIndex *index);

// The last change that wrote the cell or variable and comes before the change `before`, or NO_ID.
uint32_t trace_cell_writer(const TraceIndex *index, CellId cell, size_t before);
uint32_t trace_variable_writer(const TraceIndex *index, VariableId variable, size_t before);

// The value of a cell before the changes from `before` on; 0 if the trace does not tell.
Bits trace_cell_value(const TraceIndex *index, CellId cell, size_t before);

// The change of a step that touched a cell, preferring one that wrote; NO_ID if none did.
uint32_t trace_touching_change(const TraceIndex *index, size_t step);
// The cell that a step touched, in the trace or, if its layout leaves only one, in the program; else NO_ID.
CellId trace_touched_cell(const TraceIndex *index, size_t step);
// Did a step change a cell? (A trylock that fails writes the value that it found.)
bool trace_changes_memory(const TraceIndex *index, size_t step);

// Where a thread stands after the trace; its entry if it never ran.
LocationId trace_final_location(const TraceIndex *index, ThreadId thread);
// What a thread waits for after a trace that ends in a deadlock: a LOCK or WAIT step at its location or in the atomic
// section that begins there.
typedef struct Waiting {
  const Step *step; // NULL: it does not wait
  const Step *load; // the access that reads what is waited for; NULL: unknown
} Waiting;
Waiting trace_waiting(const TraceIndex *index, ThreadId thread);
// The value of a term over variables, before the changes from `before` on (pass the number of changes for the end).
Bits trace_evaluate(const TraceIndex *index, Term term, size_t before);
// The cell at the value of an address, or NO_ID.
CellId trace_cell_at(const TraceIndex *index, Term address, size_t before);
// The thread that holds the lock after the trace, or NO_ID.
ThreadId trace_lock_holder(const TraceIndex *index, CellId lock);

static inline const Step *trace_step_row(const TraceIndex *index, size_t step) {
  return &index->program->steps.data[index->trace->steps.data[step].step];
}

#endif
