// Executing a schedule, step by step, on the unreduced program. Both judges (judge.c, lasso.c) use it.
//
// Nothing about the schedule is assumed: its threads, edges and choices are checked before each step. A run owns its
// states. It points to the program, the schedule, the trace and the message, which belong to the caller.
#ifndef HEDDLE_JUDGE_SCHEDULE_RUN_H
#define HEDDLE_JUDGE_SCHEDULE_RUN_H

#include "judge/interpreter.h"
#include "judge/judge.h"

typedef struct ScheduleRun {
  const Program *program;
  const Schedule *schedule;
  Concrete state;  // the present state
  Concrete before; // the state before the last step; kept up only if there is a trace
  Trace *trace;    // NULL: the steps are not recorded
  Text *message;   // one line: why the schedule does not fit
  bool ended;      // the process has ended
} ScheduleRun;

void schedule_run_init(ScheduleRun *run, const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                       Account *account);
void schedule_run_free(ScheduleRun *run);

// Executes the schedule's step `index`. False, with a message, if it does not fit. Every outcome except OUTCOME_TAKEN
// and OUTCOME_CUT ends the process.
bool schedule_run_step(ScheduleRun *run, size_t index, StepOutcome *outcome, StepEffect *effect);

// The thread that is inside an atomic section, or NO_ID.
ThreadId concrete_inside_section(const Concrete *state);

#endif
