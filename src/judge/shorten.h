// Making a counterexample easier to read: fewer steps, fewer switches between threads.
//
// Each candidate is executed by the judge and kept only if it still violates the property. Lassos, and schedules of
// more than 20000 steps, are not shortened. The time limit is one second.
#ifndef HEDDLE_JUDGE_SHORTEN_H
#define HEDDLE_JUDGE_SHORTEN_H

#include "base/budget.h"
#include "verdict/schedule.h"

// Takes over `schedule`, a counterexample, and returns one that is at most as long, which the caller owns. *changed:
// the result may be another schedule.
Schedule *schedule_shorten(const Program *program, Schedule *schedule, Budget *budget, bool *changed, Account *account);

#endif
