// Lock acquisition patterns (paper 002, section 4.2): which locks a thread must take before it can touch a resource.
//
// For a location and a resource, a pattern is the set of locks that are taken along some path from the location to an
// access of the resource, including the locks that the access's own edge takes. Only the smallest patterns are kept: if
// a path with fewer locks is blocked, so is one that takes more. If there are too many patterns, they are joined to one
// pattern of the locks that all of them have; this loses precision only.
//
// The locks are those of held_locks.h. So trylock, timed locks and locks that may alias make no pattern.
//
// Direction: a pattern may drop locks, never add some.
#ifndef HEDDLE_DEPENDENCE_LOCK_PATTERNS_H
#define HEDDLE_DEPENDENCE_LOCK_PATTERNS_H

#include "dependence/held_locks.h"
#include "dependence/may_touch.h"

enum { MOST_PATTERNS = 6 };

typedef struct PatternSet {
  LockMask masks[MOST_PATTERNS];
  uint32_t count; // 0: no path leads to an access
} PatternSet;

typedef struct Patterns {
  const MayTouch *touch;
  HeldLocks locks;
  PatternSet *sets; // per location, resource, and whether it is written; NULL: too many
  size_t set_count;
  Account *account;
} Patterns;

void patterns_init(Patterns *patterns, const MayTouch *touch, Account *account);
void patterns_free(Patterns *patterns);
// NULL: not known, because there would be too many.
static inline const PatternSet *patterns_of(const Patterns *patterns, LocationId location, uint32_t resource,
                                            bool written) {
  size_t resources = patterns->touch->resource_count;
  assert(resource < resources);
  return patterns->sets ? &patterns->sets[((size_t)location * resources + resource) * 2 + written] : NULL;
}

#endif
