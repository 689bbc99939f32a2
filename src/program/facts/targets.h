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
// Appends the places at which the access fits if its address is `address`: the access's own address, or a simpler term
// that equals it. A constant address has at most one place.
void access_targets_of(const Program *p, const Access *access, Term address, AccessTargetVector *targets);

// The condition that an access at `address` lies inside an object that it could use (see access_has_base). If it holds
// and the access has no place all the same, the static facts did not foresee the pointer.
Term access_inside_objects(const Program *p, const Access *access, Term address);

#endif
