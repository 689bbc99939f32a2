// Data races in the search: two events next to each other that conflict and are not ordered.
//
// An event is one step or one whole atomic section (judge/vector_clocks.h). Two events of different threads race if
//   - they have conflicting accesses: to a common cell, one of them a write, not both synchronising, and
//   - nothing orders them: no cell is accessed by both in a synchronising way, and they are not both sections.
// If some execution has two accesses that race by happens-before, then some execution has two such events directly
// after each other. So it is complete to compare the event of each transition with what the other threads can do
// directly after it.
#ifndef HEDDLE_EXPLICIT_RACE_H
#define HEDDLE_EXPLICIT_RACE_H

#include "explicit/successors.h"

typedef struct RaceCheck {
  LoggedAccessVector moved; // the event of the transition just made
  bool moved_section;
  DigitVector digits; // choices of the second event, if it is a section
  uint8_t *saved;     // the state that is restored after a trial of a section
  Account *account;
} RaceCheck;

typedef struct FoundRace {
  ThreadId second; // thread of the second event; the first is the transition just made
  EdgeId edge;     // its step, or NO_ID: its section, with the digits of the check
} FoundRace;

void race_init(RaceCheck *check, const StateLayout *layout, Account *account);
void race_free(RaceCheck *check, const StateLayout *layout);
// `thread` has just made the transition whose accesses the mover has logged; the vector holds the state after it (and
// still does when this returns). Does something that another thread can do now race with it?
bool race_after_move(RaceCheck *check, Mover *mover, ThreadId thread, FoundRace *race);

#endif
