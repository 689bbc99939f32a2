#include "verdict/schedule.h"

#include "base/bitset.h"

#include <assert.h>

Schedule *schedule_new(Account *account) {
  Schedule *schedule = memory_allocate_zeroed(account, sizeof *schedule);
  ScheduleStepVector_init(&schedule->steps, account);
  BitsVector_init(&schedule->choices, account);
  schedule->loop_start = NO_ID;
  return schedule;
}

void schedule_free(Schedule *schedule) {
  if (!schedule) return;
  Account *account = schedule->steps.account;
  ScheduleStepVector_free(&schedule->steps);
  BitsVector_free(&schedule->choices);
  memory_free(account, schedule, sizeof *schedule);
}

void schedule_add(Schedule *schedule, ThreadId thread, EdgeId edge, const Bits *choices, size_t choice_count) {
  assert(schedule->choices.count + choice_count < UINT32_MAX);
  ScheduleStep step = {.thread = thread,
                       .edge = edge,
                       .first_choice = (uint32_t)schedule->choices.count,
                       .choice_count = (uint32_t)choice_count};
  for (size_t i = 0; i < choice_count; i++) BitsVector_push(&schedule->choices, choices[i]);
  ScheduleStepVector_push(&schedule->steps, step);
}

Schedule *schedule_copy(const Schedule *schedule, Account *account) {
  Schedule *copy = schedule_new(account);
  copy->fingerprint = schedule->fingerprint;
  copy->property = schedule->property;
  copy->loop_start = schedule->loop_start;
  for (size_t i = 0; i < schedule->steps.count; i++) {
    const ScheduleStep *step = &schedule->steps.data[i];
    assert((size_t)step->first_choice + step->choice_count <= schedule->choices.count);
    const Bits *choices = step->choice_count ? schedule->choices.data + step->first_choice : NULL;
    schedule_add(copy, step->thread, step->edge, choices, step->choice_count);
  }
  return copy;
}

size_t schedule_switches(const Schedule *schedule) {
  size_t switches = 0;
  for (size_t i = 1; i < schedule->steps.count; i++)
    switches += schedule->steps.data[i].thread != schedule->steps.data[i - 1].thread;
  return switches;
}

void schedule_label_threads(const Schedule *schedule, Program *program) {
  Bitset known;
  U32Vector created;
  bitset_init(&known, program->threads.count, NULL);
  U32Vector_init(&created, NULL);
  for (size_t i = 0; i < schedule->steps.count; i++) {
    assert(schedule->steps.data[i].edge < program->edges.count);
    const Edge *edge = &program->edges.data[schedule->steps.data[i].edge];
    for (uint32_t s = 0; s < edge->step_count; s++) {
      const Step *step = edge_step(program, edge, s);
      if (step->kind != STEP_CREATE || !bitset_add(&known, step->target)) continue;
      U32Vector_push(&created, step->target);
    }
  }
  program_label_threads(program, created.data, created.count);
  U32Vector_free(&created);
  bitset_free(&known);
}
