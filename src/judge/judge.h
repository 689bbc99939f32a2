// The concrete engine: runs one schedule, or searches all (or random) schedules of a small program.
//
// `judge_schedule` is the judge of the house: it runs a schedule against the unreduced program, step by step, with its own
// straightforward interpreter, and says whether the property is violated at its end. Every counterexample of every
// engine goes through it.
#ifndef HEDDLE_JUDGE_JUDGE_H
#define HEDDLE_JUDGE_JUDGE_H

#include "verdict/engine.h"
#include "verdict/trace.h"

void trace_init(Trace *trace, Account *account);
void trace_free(Trace *trace);

typedef enum JudgeOutcome {
  JUDGE_VIOLATION, // the property is violated at the end of the schedule
  JUDGE_NO_VIOLATION,
  JUDGE_MISFIT // the schedule does not fit the program: `message` says at which step and why
} JudgeOutcome;

// Runs `schedule`; fills `trace` (may be NULL) and `message` (the violation, or the misfit, one line).
JudgeOutcome judge_schedule(const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                         Account *account);

// The engine (row of the engines table).
extern const Engine explicit_engine;

#endif
