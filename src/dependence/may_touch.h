// What threads may touch next and later, by location.
//
// Only *resources* count: things (touch_source.h) through which threads influence each other, because two threads touch
// them and one of them writes. Resources are numbered densely. For each location there are rows, which are sets of
// resources:
//
//   NEXT      what the next action of a thread at the location may touch. An action is one edge; if the edge enters an
//             atomic section, it is the edge with the rest of the section.
//   LATER     what the thread may touch from there on, its next action included.
//   RELEASES  what it may write from there on without taking it as a lock before. A thread that is blocked at a lock
//             waits for such a write: a thread that has to take the lock first cannot release it.
//
// Direction: may-add, as that of the source. What threads do that a thread creates does not count as its own: `creates`
// lists these threads (and futures.h adds what they do), or their start is itself a resource.
//
// Rows are dropped (`rows` is NULL) if they would take too much memory. Then nothing is known about dependence, and
// every enabled thread has to be explored.
#ifndef HEDDLE_DEPENDENCE_MAY_TOUCH_H
#define HEDDLE_DEPENDENCE_MAY_TOUCH_H

#include "dependence/touch_source.h"

typedef enum TouchRow { NEXT_READS, NEXT_WRITES, LATER_READS, LATER_WRITES, LATER_RELEASES, TOUCH_ROWS } TouchRow;

// Which rows to compute: first to last, in the order of TouchRow; and the memory that they may take.
typedef struct TouchRowRange {
  TouchRow first, last;
  size_t most_bytes;
} TouchRowRange;

typedef struct MayTouch {
  TouchSource source;
  size_t resource_count;
  U32Vector resources; // per resource its thing; empty if source.all_shared, where a resource is its thing
  uint32_t *numbers;   // per thing its resource, or NO_ID; NULL if source.all_shared
  size_t words;        // the length of a row
  TouchRow first, last;
  uint64_t *rows; // per location: the rows first to last; NULL: they would be too large
  ThreadMask
      *creates; // per location: the threads that the location's thread may start from there on; NULL: as in source
  Account *account;
} MayTouch;

// What source->context points to must outlive `touch`.
void may_touch_init(MayTouch *touch, const TouchSource *source, TouchRowRange range, Account *account);
void may_touch_free(MayTouch *touch);

static inline size_t may_touch_row_count(const MayTouch *touch) { return (size_t)(touch->last - touch->first) + 1; }

static inline uint64_t *may_touch_row(const MayTouch *touch, LocationId at, TouchRow which) {
  assert(touch->rows && at < touch->source.program->locations.count);
  assert(which >= touch->first && which <= touch->last);
  return touch->rows + ((size_t)at * may_touch_row_count(touch) + (which - touch->first)) * touch->words;
}

static inline bool may_touch_has(const MayTouch *touch, LocationId at, TouchRow which, uint32_t resource) {
  assert(resource < touch->resource_count);
  return may_touch_row(touch, at, which)[resource / 64] >> resource % 64 & 1;
}

// The resource that a thing is, or NO_ID.
static inline uint32_t may_touch_resource(const MayTouch *touch, uint32_t thing) {
  assert(thing < touch->source.thing_count);
  return touch->numbers ? touch->numbers[thing] : thing;
}
// The thing that a resource is.
static inline uint32_t may_touch_thing(const MayTouch *touch, uint32_t resource) {
  assert(resource < touch->resource_count);
  return touch->numbers ? touch->resources.data[resource] : resource;
}

static inline bool may_touch_counts(const MayTouch *touch, EdgeId edge) {
  return !touch->source.counts || touch->source.counts(touch->source.context, edge);
}
static inline bool may_touch_strays(const MayTouch *touch, EdgeId edge) {
  return touch->source.may_stray && touch->source.may_stray(touch->source.context, edge);
}

// Adds the resources that the edge may touch to rows of the caller.
void may_touch_add_edge(const MayTouch *touch, EdgeId edge, uint64_t *reads, uint64_t *writes);
// Unites rows. True if `into` grew.
bool touch_row_join(uint64_t *into, const uint64_t *from, size_t words);

#endif
