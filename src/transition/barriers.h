// Barriers: locks that a thread must take before it can continue.
//
// Which locks a thread holds is a fact of its location (program/facts/facts.h). So the control vector alone excludes an
// edge that takes a lock which another thread holds. And as long as other threads do not move, what a thread can do
// ends at edges that take their locks. At most 64 locks are considered.
#ifndef HEDDLE_TRANSITION_BARRIERS_H
#define HEDDLE_TRANSITION_BARRIERS_H

#include "transition/transition.h"

typedef uint64_t LockMask;

typedef struct Barriers {
  const Program *program;
  U32Vector cells;    // the cell of each lock
  LockMask *held;     // per location: the locks that its thread must hold there
  LockMask *taken;    // per edge: the locks that it takes; each must be free before
  LockMask *takeable; // per location: the locks that its thread may take from there on
  Account *account;
} Barriers;

void barriers_init(Barriers *barriers, const Program *program, Account *account);
void barriers_free(Barriers *barriers);

#endif
