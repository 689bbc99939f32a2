// Running a schedule, step by step, against the unreduced program: what both judges (judge.c, lasso.c) do.
//
// A run owns its state. The trace, the message and the schedule are the caller's.
#ifndef HEDDLE_JUDGE_SCHEDULE_RUN_H
#define HEDDLE_JUDGE_SCHEDULE_RUN_H

#include "judge/interpreter.h"
#include "judge/judge.h"

typedef struct ScheduleRun {
  const Program *program;
  const Schedule *schedule;
  Concrete state, before; // `before` only with a trace
  Trace *trace;           // may be NULL: nothing is written down
  Text *message;          // what does not fit, one line
  bool ended;             // the process has ended
} ScheduleRun;

void schedule_run_init(ScheduleRun *run, const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                       Account *account);
void schedule_run_free(ScheduleRun *run);

// Executes the schedule's step `index`. False, with a message, if it does not fit. Every outcome but TAKEN and CUT ends
// the process.
bool schedule_run_step(ScheduleRun *run, size_t index, StepOutcome *outcome, StepEffect *effect);

// The message of a misfit at a step: which, why and where.
void schedule_run_misfit(ScheduleRun *run, size_t index, const char *why);

// Is a thread inside an atomic section? NO_ID: none is.
ThreadId concrete_inside_section(const Concrete *state);

#endif
