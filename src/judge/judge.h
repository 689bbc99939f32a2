// The judge: it executes a schedule on the unreduced program, step by step, and decides whether the execution violates
// the property. Every counterexample of every engine is judged; only a confirmed one is reported as UNSAFE.
//
// The judge shares no code with the engines' searches: it uses the plain interpreter (interpreter.h) and, for data
// races, vector clocks (vector_clocks.h). Formulas are judged by replay_lasso (lasso.h). Any schedule may be given: one
// that does not fit the program is a misfit with a message, not an error of the caller. In doubt nothing is confirmed.
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

// Executes `schedule`. Fills `trace` (initialised by the caller, or NULL) and replaces `message` by one line: the
// violation, the doubt, the misfit, or that there is no violation.
JudgeOutcome judge_schedule(const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                            Account *account);

#endif
