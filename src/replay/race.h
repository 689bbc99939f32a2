// Data races by co-enabledness: two threads stand in front of conflicting accesses and can both make them.
//
// Two accesses conflict if they touch a common cell, one of them writes, and they are not both synchronising. If some
// execution has two conflicting accesses that are not ordered by happens-before, then some execution reaches a state
// in which two such accesses are next; so looking at every reachable state is complete. An access inside an atomic
// section is compared, when the section has been executed, with what the other threads could do next.
#ifndef HEDDLE_REPLAY_RACE_H
#define HEDDLE_REPLAY_RACE_H

#include "replay/transition.h"

typedef struct PendingAccess {
  ThreadId thread;
  EdgeId edge;
  CellId cell;
  uint32_t count;
  bool writes, synchronises;
} PendingAccess;
VECTOR(PendingAccessVector, PendingAccess);

typedef struct RaceCheck {
  PendingAccessVector pending; // scratch
  bool imprecise;              // an access could not be located, or was in a section that ended the process
} RaceCheck;

typedef struct FoundRace {
  ThreadId first_thread, second_thread;
  EdgeId first, second; // `first` is NO_ID if it was made in the section just executed
} FoundRace;

void race_init(RaceCheck *check, Account *account);
void race_free(RaceCheck *check);
// Two next accesses that race, at the state in the mover's vector?
bool race_at_state(RaceCheck *check, Mover *mover, FoundRace *race);
// Does an access of the section just executed by `thread` race with another thread's next access?
bool race_with_section(RaceCheck *check, Mover *mover, ThreadId thread, FoundRace *race);

#endif
