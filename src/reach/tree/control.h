// Control vectors: where every thread stands. Interned, so that equal vectors have equal numbers.
//
// A thread that was not created yet stands nowhere (NO_ID). While a thread stands inside an atomic section, only it may
// run; `holder` is that thread.
//
// A table may also count *turns*: how often each thread went back in a loop. Vectors then differ if the counts do, no way
// leads back to one, and the ways to one have the same progress.
#ifndef HEDDLE_REACH_TREE_CONTROL_H
#define HEDDLE_REACH_TREE_CONTROL_H

#include "base/map.h"
#include "transition/transition.h"

typedef uint32_t ControlId;

typedef struct ControlTable {
  const Program *program;
  uint32_t thread_count;
  bool counts_turns;
  U32Vector positions; // per location: its place in reverse postorder; the order in which nodes are best visited
  U32Vector locations; // thread_count entries per vector
  U32Vector turns;     // the same, if they are counted
  U32Vector older;     // per vector: the one before it with the same hash
  Map known;           // hash -> last vector with it
  U32Vector scratch;
} ControlTable;

void control_table_init(ControlTable *table, const Program *program, Account *account);
void control_table_free(ControlTable *table);
void control_table_count_turns(ControlTable *table); // as long as the table is empty
ControlId control_initial(ControlTable *table);      // main at its entry, nobody else born
// After `thread` went to `to` and created those of `born`.
ControlId control_after(ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadMask born);
static inline LocationId control_at(const ControlTable *table, ControlId control, ThreadId thread) {
  return table->locations.data[(size_t)control * table->thread_count + thread];
}
// Where an edge leads that its thread takes and that creates those of `born`: control_after, and the turn is counted if
// turns are and it goes back.
ControlId control_along(ControlTable *table, ControlId control, EdgeId edge, ThreadMask born);
static inline uint32_t control_turns(const ControlTable *table, ControlId control, ThreadId thread) {
  return table->counts_turns ? table->turns.data[(size_t)control * table->thread_count + thread] : 0;
}
// The largest count of turns in the upper 24 bits, how far the threads are in the lower ones. A step that does not go back
// makes it larger, and any step does if turns are counted.
uint64_t control_progress(const ControlTable *table, ControlId control);
// Is `after` what control_after would give (whatever the turns)?
bool control_follows(const ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadMask born,
                     ControlId after);
ThreadId control_holder(const ControlTable *table, ControlId control); // NO_ID: nobody is inside a section
static inline size_t control_count(const ControlTable *table) { return table->older.count; }

#endif
