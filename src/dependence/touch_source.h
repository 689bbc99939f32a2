// What an engine tells this room about the edges of its program.
//
// Engines do not agree on what an edge touches: `explicit` reads it from the layout of its states, `reach` and
// `circuit` from composed transitions. The computations of this room do not depend on that. So each engine describes
// its edges by a table of functions, and owns what `context` points to.
//
// A *thing* is a part of the state that edges touch: a cell, or the life (not allocated, live, freed) of an object.
// Things are numbered from 0; the numbers are the engine's.
//
// Direction: may-add. An edge touches at most what `each_touch` lists, in whatever state it is taken. It is sound to
// list too much, and to count an edge that can never be taken.
#ifndef HEDDLE_DEPENDENCE_TOUCH_SOURCE_H
#define HEDDLE_DEPENDENCE_TOUCH_SOURCE_H

#include "dependence/thread_set.h"

typedef void (*ThingVisit)(void *to, uint32_t thing, bool reads, bool writes);

typedef struct TouchSource {
  const Program *program;
  const void *context;
  size_t thing_count;
  // Each thing is a resource. Else those are that two threads touch and one of them writes.
  bool all_shared;
  // May the edge be taken, or access memory that was not foreseen? NULL: all edges may.
  bool (*counts)(const void *context, EdgeId edge);
  // May an access of the edge fall outside of what was foreseen? Then it may happen before the edge takes its lock.
  // NULL: no edge's may.
  bool (*may_stray)(const void *context, EdgeId edge);
  // Visits the things that the edge may touch, in any order, maybe more than once.
  void (*each_touch)(const void *context, EdgeId edge, ThingVisit visit, void *to);
  // The thing that the edge takes as a lock and waits for as long as another thread holds it; NO_ID: none. If not
  // NO_ID, the edge writes nothing else. NULL: not known. Only needed for the row LATER_RELEASES.
  uint32_t (*locks)(const void *context, EdgeId edge);
  // The threads that the edge starts. NULL: a start is a thing that the creator writes and the new thread reads.
  ThreadMask (*creates)(const void *context, EdgeId edge);
} TouchSource;

#endif
