// Tracking: a precision. It says which items (predicates or variables) labels may mention, and at which nodes.
//
// An item is tracked everywhere, or at locations of threads. At a node, an item is tracked if it is tracked at some
// location of the node's control vector. The sets of tracked items are interned, so equal sets have equal numbers. The
// numbers are valid until the precision changes.
#ifndef HEDDLE_REACH_DOMAINS_TRACKING_H
#define HEDDLE_REACH_DOMAINS_TRACKING_H

#include "reach/tree/control.h"
#include "term/term.h"

typedef uint32_t TrackedSet;

typedef struct Tracking {
  const ControlTable *controls;
  bool local;            // items may be tracked at locations; else everywhere or not at all
  TermVector items;      // all items that were ever added, in the order of their addition
  ByteVector everywhere; // per item
  Map places;            // item -> its place in `items`
  Map at;                // place << 32 | location -> 1
  // Derived from the members above.
  Map set_of;         // control -> set
  Map known;          // hash of a set -> the last set with it
  U32Vector older;    // per set: the one before it with the same hash
  U64Vector rows;     // per set: a bit for each item
  U32Vector first;    // per set: its start in `members`
  TermVector members; // in the order of `items`
} Tracking;

void tracking_init(Tracking *tracking, const ControlTable *controls, bool local, Account *account);
void tracking_free(Tracking *tracking);
// Tracks the item at the location; everywhere if the location is NO_ID or the precision is not local. True: this is
// new.
bool tracking_add(Tracking *tracking, Term item, LocationId location);
// Tracks the item at every location of the control vector; everywhere if that is NO_ID. True: this is new.
bool tracking_add_at(Tracking *tracking, Term item, ControlId control);
// Stops tracking the item everywhere. It stays tracked at the locations at which it was added.
void tracking_drop(Tracking *tracking, Term item);
bool tracking_is_everywhere(const Tracking *tracking, Term item);

TrackedSet tracking_set(Tracking *tracking, ControlId control);
static inline const Term *tracked_items(const Tracking *tracking, TrackedSet set, size_t *count) {
  assert(set < tracking->first.count);
  uint32_t first = tracking->first.data[set];
  size_t end = set + 1 < tracking->first.count ? tracking->first.data[set + 1] : tracking->members.count;
  *count = end - first;
  return tracking->members.data + first;
}
static inline size_t tracking_stride(const Tracking *tracking) { return tracking->items.count / 64 + 1; } // of a row
static inline bool tracked_has(const Tracking *tracking, TrackedSet set, Term item) {
  uint64_t place;
  assert(set < tracking->first.count);
  if (!map_get(&tracking->places, item, &place)) return false;
  return tracking->rows.data[set * tracking_stride(tracking) + place / 64] >> place % 64 & 1;
}

#endif
