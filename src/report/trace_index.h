// An index of an executed trace. It answers these questions: which change wrote a value last, which step created a
// thread, which thread holds which lock, at which location each thread is at the end, and what the value of a term is
// at a point of the trace.
//
// It is built once per trace. Steps and changes are named by their indices in the trace. The three sorted vectors are
// searched by bisection; an entry has the cell or variable in its upper half and the change in its lower half. The
// index owns its vectors and points to the program and the trace, which must outlive it.
#ifndef HEDDLE_REPORT_TRACE_INDEX_H
#define HEDDLE_REPORT_TRACE_INDEX_H

#include "verdict/trace.h"

#include <assert.h>

// A lock that a thread holds after the step `taken` and before the step `released`.
typedef struct HeldLock {
  ThreadId thread;
  CellId cell;
  uint32_t taken, released; // steps; released == NO_ID: held at the end
} HeldLock;
VECTOR(HeldLockVector, HeldLock);

typedef struct TraceIndex {
  const Program *program;
  const Trace *trace;
  U64Vector cell_writes;     // cell << 32 | change, sorted
  U64Vector cell_touches;    // the same for reads and writes
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

// The value of a cell before the change `before`; 0 if neither the trace nor the program determines it.
Bits trace_cell_value(const TraceIndex *index, CellId cell, size_t before);

// The cell that a step touched in the trace. If there is none: the only cell that its access may touch, else NO_ID.
CellId trace_touched_cell(const TraceIndex *index, size_t step);
// Did a step change a cell? (A trylock that fails writes the value that it found.)
bool trace_changes_memory(const TraceIndex *index, size_t step);

// The location of a thread after the trace; its entry if it took no step.
LocationId trace_final_location(const TraceIndex *index, ThreadId thread);
// The step at which a thread waits after a trace that ends in a deadlock: a LOCK or WAIT step at its location or in the
// atomic section that begins there.
typedef struct Waiting {
  const Step *step; // NULL: it does not wait
  const Step *load; // the access that reads what is waited for; NULL: unknown
} Waiting;
Waiting trace_waiting(const TraceIndex *index, ThreadId thread);
// The value of a term over variables before the change `before`; the number of changes means the end of the trace.
Bits trace_evaluate(const TraceIndex *index, Term term, size_t before);
// The cell at the address that is the value of the term, or NO_ID.
CellId trace_cell_at(const TraceIndex *index, Term address, size_t before);
// The thread that holds the lock after the trace, or NO_ID.
ThreadId trace_lock_holder(const TraceIndex *index, CellId lock);

static inline const Step *trace_step_row(const TraceIndex *index, size_t step) {
  assert(step < index->trace->steps.count);
  return &index->program->steps.data[index->trace->steps.data[step].step];
}

#endif
