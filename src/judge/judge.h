// The judge of the house: it runs a schedule against the unreduced program, step by step, with its own straightforward
// interpreter, and says whether the property is violated at the end. Every counterexample of every engine goes through
// it.
#ifndef HEDDLE_JUDGE_JUDGE_H
#define HEDDLE_JUDGE_JUDGE_H

#include "verdict/schedule.h"
#include "verdict/trace.h"

typedef enum JudgeOutcome {
  JUDGE_VIOLATION, // the property is violated at the end of the schedule
  JUDGE_NO_VIOLATION,
  JUDGE_DOUBT, // whether it is violated hangs on inputs too wide to be tried
  JUDGE_MISFIT // the schedule does not fit the program: `message` says at which step and why
} JudgeOutcome;

// Runs `schedule`; fills `trace` (may be NULL) and `message` (the violation, the doubt or the misfit, one line).
JudgeOutcome judge_schedule(const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                            Account *account);

#endif
