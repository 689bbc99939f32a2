// Tracking: a precision, that is, which items (predicates, or variables) labels speak of, and where.
//
// An item is tracked everywhere, or at locations of threads. A node tracks what is tracked at a location of its control
// vector, whichever thread stands there. What nodes track are interned sets, so that equal ones have equal numbers; sets
// last until the precision changes.
#ifndef HEDDLE_REACH_DOMAINS_TRACKING_H
#define HEDDLE_REACH_DOMAINS_TRACKING_H

#include "reach/tree/control.h"
#include "term/term.h"

typedef uint32_t TrackedSet;

typedef struct Tracking {
  const ControlTable *controls;
  bool local;            // items may be tracked at locations; else everywhere or not at all
  TermVector items;      // that were ever added, in that order
  ByteVector everywhere; // per item
  Map places;            // item -> its place in `items`
  Map at;                // place << 32 | location -> 1
  // What follows from these.
  Map set_of;         // control -> set
  Map known;          // hash of a set -> the last set with it
  U32Vector older;    // per set: the one before it with the same hash
  U64Vector rows;     // per set: a bit for each item
  U32Vector first;    // per set: its start in `members`
  TermVector members; // in the order of `items`
} Tracking;

void tracking_init(Tracking *tracking, const ControlTable *controls, bool local, Account *account);
void tracking_free(Tracking *tracking);
// True if that is new. A location of NO_ID, and any if the precision is not local: everywhere.
bool tracking_add(Tracking *tracking, Term item, LocationId location);
// ... at every location of the control vector; NO_ID: everywhere.
bool tracking_add_at(Tracking *tracking, Term item, ControlId control);
// Not everywhere any more, but still at locations at which it was added.
void tracking_drop(Tracking *tracking, Term item);
bool tracking_is_everywhere(const Tracking *tracking, Term item);
// Is it tracked anywhere?
bool tracking_has(const Tracking *tracking, Term item);

TrackedSet tracking_set(Tracking *tracking, ControlId control);
static inline const Term *tracked_items(const Tracking *tracking, TrackedSet set, size_t *count) {
  uint32_t first = tracking->first.data[set];
  size_t end = set + 1 < tracking->first.count ? tracking->first.data[set + 1] : tracking->members.count;
  *count = end - first;
  return tracking->members.data + first;
}
static inline size_t tracking_stride(const Tracking *tracking) { return tracking->items.count / 64 + 1; } // of a row
static inline bool tracked_has(const Tracking *tracking, TrackedSet set, Term item) {
  uint64_t place;
  if (!map_get(&tracking->places, item, &place)) return false;
  return tracking->rows.data[set * tracking_stride(tracking) + place / 64] >> place % 64 & 1;
}

#endif
