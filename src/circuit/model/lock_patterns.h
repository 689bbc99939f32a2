// Lock acquisition patterns (paper 002, section 4.2): which locks a thread must take on its way to touching a resource.
//
// For a location and a resource, a pattern is the set of locks that are taken along some way from there to an access, with
// those of the access's own edge. Only the smallest patterns are kept: a way that takes more locks is closed whenever one
// with fewer is. Many patterns are joined to one with the locks that all of them have, which is to know less.
//
// A lock is taken by blocking LOCK steps that mean one cell, of which nobody but its owner can be rid (program/facts/facts.h); so
// trylock, timed locks and locks that may alias make no patterns.
#ifndef HEDDLE_CIRCUIT_MODEL_LOCK_PATTERNS_H
#define HEDDLE_CIRCUIT_MODEL_LOCK_PATTERNS_H

#include "transition/activity.h"
#include "transition/barriers.h"

enum { MOST_PATTERNS = 6 };

typedef struct PatternSet {
  LockMask masks[MOST_PATTERNS];
  uint32_t count; // 0: no way leads to an access
} PatternSet;

typedef struct Patterns {
  const Activity *activity;
  Barriers barriers;
  PatternSet *sets; // per location, resource, and whether it is written; NULL: too many
  size_t set_count;
  Account *account;
} Patterns;

void patterns_init(Patterns *patterns, const Activity *activity, Account *account);
void patterns_free(Patterns *patterns);
// NULL: not known.
static inline const PatternSet *patterns_of(const Patterns *patterns, LocationId location, uint32_t resource,
                                            bool written) {
  size_t resources = patterns->activity->resources.count;
  return patterns->sets ? &patterns->sets[(location * resources + resource) * 2 + written] : NULL;
}

#endif
