// Barriers: locks that stand between a thread and what it would do next.
//
// Which locks a thread holds is a fact of its location (program/facts/facts.h). So control alone excludes an edge that takes a
// lock which another thread holds; and what a thread may do while others stand still ends at edges that take their
// locks. At most 64 locks are looked at.
#ifndef HEDDLE_TRANSITION_BARRIERS_H
#define HEDDLE_TRANSITION_BARRIERS_H

#include "transition/transition.h"

typedef uint64_t LockMask;

typedef struct Barriers {
  const Program *program;
  U32Vector cells;    // of the locks
  LockMask *held;     // per location: the locks that its thread certainly holds there
  LockMask *taken;    // per edge: the locks that must be free for it, because it takes them
  LockMask *takeable; // per location: the locks that its thread may take from there on
  Account *account;
} Barriers;

void barriers_init(Barriers *barriers, const Program *program, Account *account);
void barriers_free(Barriers *barriers);

#endif
