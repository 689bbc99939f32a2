// Building a schedule step by step from the values of a model.
//
// The builder executes the steps on concrete values as they are added, so that addresses and what is read need not be
// said, and knows the rules of choices (schedule.h): fresh variables first, then the cells that are indeterminate when
// the step reads them. Whoever uses it says what an indeterminate cell turns out to hold: at the start, or after a
// store of VALUE_INDETERMINATE. What nothing depends on may be left at 0. It judges nothing: that is for replay.
#ifndef HEDDLE_JUDGE_SCHEDULE_BUILDER_H
#define HEDDLE_JUDGE_SCHEDULE_BUILDER_H

#include "verdict/schedule.h"

typedef struct ScheduleBuilder {
  const Program *program; // unreduced
  Schedule *schedule;     // taken by the caller at the end
  bool *open;             // per cell: indeterminate
  Bits *cells;            // what they hold, or will turn out to hold
  Bits *variables;
  BitsVector values; // of the step's assignments
  BitsVector choices;
  Account *account;
} ScheduleBuilder;

void schedule_builder_init(ScheduleBuilder *builder, const Program *program, Property property, Account *account);
void schedule_builder_free(ScheduleBuilder *builder); // not the schedule
// What a cell without an initial value holds at the start.
void schedule_builder_initial(ScheduleBuilder *builder, CellId cell, Bits value);

typedef struct BuiltStep {
  ThreadId thread;
  EdgeId edge;
  const Step *reduced; // the step as the engine saw it: some of the assignments, in the same order
  const Bits *fresh;   // values of the reduced step's fresh variables, in the order of its assignments
  Bits forgotten;      // the value behind a store of VALUE_INDETERMINATE
} BuiltStep;
void schedule_builder_add(ScheduleBuilder *builder, const BuiltStep *step);

#endif
