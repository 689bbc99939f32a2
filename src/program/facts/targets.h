// Where an access may go: the places of its may-set at which it fits the layout.
//
// An access of several byte cells covers consecutive cells of one object. A write does not fit a constant object. What
// has no place is an invalid dereference.
#ifndef HEDDLE_PROGRAM_FACTS_TARGETS_H
#define HEDDLE_PROGRAM_FACTS_TARGETS_H

#include "program/program.h"

typedef struct AccessTarget {
  CellId first;
  uint32_t count;
} AccessTarget;
VECTOR(AccessTargetVector, AccessTarget);

bool cell_set_has(const Program *p, CellSet set, CellId cell);
// The number of cells of the access if it starts at `first`; 0: it does not fit there.
uint32_t access_fits(const Program *p, const Access *access, CellId first);
// Appends all places; of a constant address, the one place it means, if it is valid.
void access_targets(const Program *p, const Access *access, AccessTargetVector *targets);
// Those that an address can have; `address` is the access's own, or what it is known to be.
void access_targets_of(const Program *p, const Access *access, Term address, AccessTargetVector *targets);

// The condition that an access at `address` lies inside an object that it could use (see access_has_base): if no place
// is hit all the same, the static facts had not foreseen the pointer.
Term access_inside_objects(const Program *p, const Access *access, Term address);

#endif
