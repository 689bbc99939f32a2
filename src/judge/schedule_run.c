#include "judge/schedule_run.h"

#include "judge/wording.h"

#include <assert.h>

void schedule_run_init(ScheduleRun *run, const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                       Account *account) {
  *run = (ScheduleRun){.program = program, .schedule = schedule, .trace = trace, .message = message};
  concrete_init(&run->state, program, account);
  concrete_init(&run->before, program, account);
}

void schedule_run_free(ScheduleRun *run) {
  concrete_free(&run->before);
  concrete_free(&run->state);
}

ThreadId concrete_inside_section(const Concrete *state) {
  const Program *p = state->program;
  for (ThreadId t = 0; t < p->threads.count; t++)
    if (p->locations.data[state->locations[t]].atomic) return t;
  return NO_ID;
}

// The message of a misfit at a step: which, why and where.
static void schedule_run_misfit(ScheduleRun *run, size_t index, const char *why) {
  text_clear(run->message);
  text_format(run->message, "step %zu: %s", index, why);
  if (index < run->schedule->steps.count) {
    EdgeId edge = run->schedule->steps.data[index].edge;
    if (edge < run->program->edges.count) {
      const Edge *e = &run->program->edges.data[edge];
      text_add(run->message, " (edge ");
      text_format(run->message, "%u", (unsigned)edge);
      wording_position(run->message, &edge_step(run->program, e, 0)->position);
      text_add_char(run->message, ')');
    }
  }
}

// Why the step at `index` cannot be executed, as far as that is known before it is tried; NULL: it may be tried.
static const char *refuse(const ScheduleRun *run, size_t index) {
  const Program *p = run->program;
  const ScheduleStep *step = &run->schedule->steps.data[index];
  if (run->ended) return "the process has ended before this step";
  if (step->thread >= p->threads.count) return "there is no such thread";
  if (step->edge >= p->edges.count) return "there is no such edge";
  const Edge *edge = &p->edges.data[step->edge];
  if (edge->step_count != 1) return "the program is not in single-step form";
  if (p->locations.data[edge->from].thread != step->thread) return "the edge belongs to another thread";
  if (run->state.stopped[step->thread]) return "the thread has met a limit of the model before this step";
  if (run->state.locations[step->thread] != edge->from) return "the thread does not stand where the edge begins";
  if ((size_t)step->first_choice + step->choice_count > run->schedule->choices.count)
    return "its choices are not in the schedule";
  ThreadId inside = concrete_inside_section(&run->state);
  if (inside != NO_ID && inside != step->thread) return "another thread is inside an atomic section";
  return NULL;
}

static void trace_cell(ScheduleRun *run, CellId cell, bool written) {
  TraceChange change = {.variable = NO_ID, .cell = cell};
  change.after = run->state.cells[cell];
  change.chosen = run->before.indeterminate[cell] && !run->state.indeterminate[cell] && !written;
  change.before = change.chosen ? change.after : run->before.cells[cell];
  change.read = !written;
  TraceChangeVector_push(&run->trace->changes, change);
}

static void trace_variable(ScheduleRun *run, VariableId variable, bool chosen) {
  TraceChange change = {.variable = variable, .cell = NO_ID, .chosen = chosen};
  change.before = run->before.variables[variable];
  change.after = run->state.variables[variable];
  TraceChangeVector_push(&run->trace->changes, change);
}

static void trace_step(ScheduleRun *run, const ScheduleStep *scheduled, const StepEffect *effect) {
  const Program *p = run->program;
  StepId id = p->edges.data[scheduled->edge].first_step;
  const Step *step = &p->steps.data[id];
  TraceStep entry = {.thread = scheduled->thread, .edge = scheduled->edge, .step = id};
  entry.first_change = (uint32_t)run->trace->changes.count;
  for (uint32_t i = 0; effect->first_cell != NO_ID && i < effect->cell_count; i++) {
    if (step->access.reads && !step->access.writes) trace_cell(run, effect->first_cell + i, false);
    if (step->access.writes) trace_cell(run, effect->first_cell + i, true);
  }
  if (step->access.address != TERM_NONE && step->access.reads) trace_variable(run, step->access.into, false);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    trace_variable(run, step->assignments[i].variable, value_is_fresh(step->assignments[i].value));
  entry.change_count = (uint32_t)run->trace->changes.count - entry.first_change;
  TraceStepVector_push(&run->trace->steps, entry);
}

static bool misfit(ScheduleRun *run, size_t index, const char *why) {
  schedule_run_misfit(run, index, why);
  return false;
}

bool schedule_run_step(ScheduleRun *run, size_t index, StepOutcome *outcome, StepEffect *effect) {
  assert(index < run->schedule->steps.count);
  const ScheduleStep *scheduled = &run->schedule->steps.data[index];
  const char *refusal = refuse(run, index);
  if (refusal != NULL) return misfit(run, index, refusal);
  if (run->trace != NULL) concrete_copy(&run->before, &run->state);
  Choices choices = {.values = run->schedule->choices.data + scheduled->first_choice, .count = scheduled->choice_count};
  *outcome = concrete_step(&run->state, scheduled->thread, scheduled->edge, &choices, effect);
  if (*outcome == OUTCOME_BLOCKED) return misfit(run, index, "the thread cannot take this edge now");
  if (*outcome == OUTCOME_CHOICES_MISSING) return misfit(run, index, "there are too few choices");
  if (*outcome == OUTCOME_UNSUPPORTED) return misfit(run, index, "the step cannot be executed");
  bool complete = *outcome == OUTCOME_TAKEN || *outcome == OUTCOME_CUT;
  if (complete && choices.next != choices.count) return misfit(run, index, "there are too many choices");
  if (run->trace != NULL) trace_step(run, scheduled, effect);
  if (!complete) run->ended = true;
  return true;
}
