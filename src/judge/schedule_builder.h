// Building a schedule step by step from the values of a model.
//
// The builder executes each step on concrete values when it is added, so the engine need not give addresses and values
// that are read. The builder follows the order of choices of schedule.h: first the step's fresh variables, then the
// cells that are indeterminate when the step reads them. The engine gives the value of an indeterminate cell before it
// is read: at the start, or with the store of VALUE_INDETERMINATE. Values that nothing depends on may stay 0.
//
// The builder does not judge: it assumes that the steps can be taken, and the judge executes the schedule later.
// Ownership: the caller takes `schedule` at the end and frees the rest with schedule_builder_free.
#ifndef HEDDLE_JUDGE_SCHEDULE_BUILDER_H
#define HEDDLE_JUDGE_SCHEDULE_BUILDER_H

#include "verdict/schedule.h"

typedef struct ScheduleBuilder {
  const Program *program; // unreduced
  Schedule *schedule;     // taken by the caller at the end
  bool *open;             // per cell: indeterminate
  Bits *cells;            // per cell: its value, also the value that an indeterminate cell will have when it is read
  Bits *variables;        // per variable
  BitsVector values;      // of the step's assignments
  BitsVector choices;
  Account *account;
} ScheduleBuilder;

void schedule_builder_init(ScheduleBuilder *builder, const Program *program, Property property, Account *account);
void schedule_builder_free(ScheduleBuilder *builder); // all but the schedule
// Sets the value that a cell without an initial value has at the start.
void schedule_builder_initial(ScheduleBuilder *builder, CellId cell, Bits value);

typedef struct BuiltStep {
  ThreadId thread;
  EdgeId edge;
  const Step *reduced; // the step of the reduced program: some of the assignments, in the same order
  const Bits *fresh;   // values of the reduced step's fresh variables, in the order of its assignments
  Bits forgotten;      // the value that a store of VALUE_INDETERMINATE leaves in its cells
} BuiltStep;
void schedule_builder_add(ScheduleBuilder *builder, const BuiltStep *step);

#endif
