// Locks: which locks a thread holds at a location, which an edge takes, and which may be taken from a location on.
//
// Which locks a thread holds is a fact of its location (program/facts/facts.h). So two things follow from the locations
// of all threads, without a look at memory:
//   - An edge that takes a lock which another thread holds cannot be taken.
//   - As long as the holder takes no step, what another thread can do ends at the edges that take the lock.
//
// Only blocking LOCK steps of one known cell count, and only locks that no thread but the owner can release. So
// trylock, timed locks and locks that may alias never count as taken.
//
// Direction: `held` and `taken` may drop locks, `takeable` may add some. At most 64 locks are considered.
#ifndef HEDDLE_DEPENDENCE_HELD_LOCKS_H
#define HEDDLE_DEPENDENCE_HELD_LOCKS_H

#include "program/program.h"

typedef uint64_t LockMask;

typedef struct HeldLocks {
  const Program *program;
  U32Vector cells;    // the cell of each lock
  LockMask *held;     // per location: the locks that its thread must hold there
  LockMask *taken;    // per edge: the locks that it takes; each must be free before
  LockMask *takeable; // per location: the locks that its thread may take from there on
  Account *account;
} HeldLocks;

void held_locks_init(HeldLocks *locks, const Program *program, Account *account);
void held_locks_free(HeldLocks *locks);

#endif
