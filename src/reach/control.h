// Control vectors: where every thread stands. Interned, so that equal vectors have equal numbers.
//
// A thread that was not created yet stands nowhere (NO_ID). While a thread stands inside an atomic section, only it may
// run; `holder` is that thread.
#ifndef HEDDLE_REACH_CONTROL_H
#define HEDDLE_REACH_CONTROL_H

#include "base/map.h"
#include "program/program.h"

typedef uint32_t ControlId;

typedef struct ControlTable {
  const Program *program;
  uint32_t thread_count;
  U32Vector locations; // thread_count entries per vector
  U32Vector older;     // per vector: the one before it with the same hash
  Map known;           // hash -> last vector with it
  U32Vector scratch;
} ControlTable;

void control_table_init(ControlTable *table, const Program *program, Account *account);
void control_table_free(ControlTable *table);
ControlId control_initial(ControlTable *table); // main at its entry, nobody else born
// After `thread` went to `to` and, unless `born` is NO_ID, created that thread.
ControlId control_after(ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadId born);
static inline LocationId control_at(const ControlTable *table, ControlId control, ThreadId thread) {
  return table->locations.data[(size_t)control * table->thread_count + thread];
}
// Is `after` what control_after would give?
bool control_follows(const ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadId born,
                     ControlId after);
ThreadId control_holder(const ControlTable *table, ControlId control); // NO_ID: nobody is inside a section
static inline size_t control_count(const ControlTable *table) { return table->older.count; }

#endif
