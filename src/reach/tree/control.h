// Control vectors: the locations of all threads. They are interned, so equal vectors have equal numbers.
//
// A thread that is not started has no location (NO_ID). While a thread is inside an atomic section, only it may take
// steps. `control_holder` gives that thread.
//
// A table may also count *iterations*: how many backward edges each thread has taken. Then vectors differ if their
// counts differ, no path leads back to a vector, and all paths to a vector have the same progress.
#ifndef HEDDLE_REACH_TREE_CONTROL_H
#define HEDDLE_REACH_TREE_CONTROL_H

#include "base/map.h"
#include "transition/transition.h"

typedef uint32_t ControlId;

typedef struct ControlTable {
  const Program *program;
  uint32_t thread_count;
  bool counts_iterations;
  U32Vector positions;  // per location: its place in reverse postorder; the order in which nodes are best visited
  U32Vector locations;  // thread_count entries per vector
  U32Vector iterations; // thread_count entries per vector; empty if iterations are not counted
  U32Vector older;      // per vector: the one before it with the same hash
  Map known;            // hash -> last vector with it
  U32Vector scratch;
} ControlTable;

void control_table_init(ControlTable *table, const Program *program, Account *account);
void control_table_free(ControlTable *table);
void control_table_count_iterations(ControlTable *table); // only while the table is empty
ControlId control_initial(ControlTable *table);           // main is at its entry, no other thread is started
// The vector after `thread` went to the location `to` and started the threads of `started`.
ControlId control_after(ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadMask started);
static inline LocationId control_at(const ControlTable *table, ControlId control, ThreadId thread) {
  assert(thread < table->thread_count);
  return table->locations.data[(size_t)control * table->thread_count + thread];
}
// The locations of all threads. Valid until the next vector is made.
static inline const LocationId *control_locations(const ControlTable *table, ControlId control) {
  return table->locations.data + (size_t)control * table->thread_count;
}
// Does the edge go backward in reverse postorder? Every cycle of the control flow contains such an edge.
static inline bool control_goes_back(const ControlTable *table, EdgeId edge) {
  const Edge *e = &table->program->edges.data[edge];
  return table->positions.data[e->to] <= table->positions.data[e->from];
}
// The vector after its thread took the edge, which starts the threads of `started`. If the table counts iterations and
// the edge goes backward, the iteration is counted.
ControlId control_along(ControlTable *table, ControlId control, EdgeId edge, ThreadMask started);
static inline uint32_t control_iterations(const ControlTable *table, ControlId control, ThreadId thread) {
  return table->counts_iterations ? table->iterations.data[(size_t)control * table->thread_count + thread] : 0;
}
// A number with the largest count of iterations in its upper 24 bits and the sum of the threads' positions in its lower
// 40 bits. A step that does not go backward makes it larger. If iterations are counted, every step does.
uint64_t control_progress(const ControlTable *table, ControlId control);
// Is `after` the vector that control_after would give? Iterations are not compared.
bool control_follows(const ControlTable *table, ControlId control, ThreadId thread, LocationId to, ThreadMask started,
                     ControlId after);
ThreadId control_holder(const ControlTable *table, ControlId control); // NO_ID: no thread is inside a section
static inline size_t control_count(const ControlTable *table) { return table->older.count; }

#endif
