// Making a counterexample easier to read: fewer steps, fewer switches between threads.
//
// Every change is tried out by the judge and kept only if the schedule still ends in a violation of its property.
#ifndef HEDDLE_JUDGE_SHORTEN_H
#define HEDDLE_JUDGE_SHORTEN_H

#include "base/budget.h"
#include "verdict/schedule.h"

// Returns a schedule at most as long as `schedule`, which it takes over and may free. `changed`: another one may have
// come of it.
Schedule *schedule_shorten(const Program *program, Schedule *schedule, Budget *budget, bool *changed, Account *account);

#endif
