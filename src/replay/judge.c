// replay_run: the judge. See replay.h and verdict/schedule.h.
#include "replay/clocks.h"
#include "replay/interpreter.h"
#include "replay/replay.h"
#include "replay/wording.h"

void trace_init(Trace *trace, Account *account) {
  TraceStepVector_init(&trace->steps, account);
  TraceChangeVector_init(&trace->changes, account);
  trace->race = (TraceRace){0};
}

void trace_free(Trace *trace) {
  TraceStepVector_free(&trace->steps);
  TraceChangeVector_free(&trace->changes);
}

typedef struct Judge {
  const Program *program;
  const Schedule *schedule;
  Concrete state, before;  // `before` only with a trace
  Clocks clocks;           // only for data races, as the next three
  EventAccessVector event; // accesses of the section that is being executed
  ThreadId event_thread;
  bool event_section;
  Trace *trace;
  Text *message;
  bool ended; // the process has ended
  bool violated;
} Judge;

static ReplayOutcome misfit(Judge *judge, size_t index, const char *why) {
  text_clear(judge->message);
  text_format(judge->message, "step %zu: %s", index, why);
  if (index < judge->schedule->steps.count) {
    EdgeId edge = judge->schedule->steps.data[index].edge;
    if (edge < judge->program->edges.count) {
      const Edge *e = &judge->program->edges.data[edge];
      text_add(judge->message, " (edge ");
      text_format(judge->message, "%u", (unsigned)edge);
      wording_position(judge->message, &judge->program->steps.data[e->first_step].position);
      text_add_char(judge->message, ')');
    }
  }
  return REPLAY_MISFIT;
}

// Why the step at `index` may not even be tried, or NULL.
static const char *refuse(const Judge *judge, size_t index) {
  const Program *p = judge->program;
  const ScheduleStep *step = &judge->schedule->steps.data[index];
  if (judge->ended) return "the process has ended before this step";
  if (step->thread >= p->threads.count) return "there is no such thread";
  if (step->edge >= p->edges.count) return "there is no such edge";
  const Edge *edge = &p->edges.data[step->edge];
  if (edge->step_count != 1) return "the program is not in single-step form";
  if (p->locations.data[edge->from].thread != step->thread) return "the edge belongs to another thread";
  if (judge->state.stopped[step->thread]) return "the thread has met a limit of the model before this step";
  if (judge->state.locations[step->thread] != edge->from) return "the thread does not stand where the edge begins";
  if ((size_t)step->first_choice + step->choice_count > judge->schedule->choices.count)
    return "its choices are not in the schedule";
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (t != step->thread && p->locations.data[judge->state.locations[t]].atomic)
      return "another thread is inside an atomic section";
  }
  return NULL;
}

static void trace_cell(Judge *judge, CellId cell, bool written) {
  TraceChange change = {.variable = NO_ID, .cell = cell};
  change.after = judge->state.cells[cell];
  change.chosen = judge->before.indeterminate[cell] && !judge->state.indeterminate[cell] && !written;
  change.before = change.chosen ? change.after : judge->before.cells[cell];
  change.read = !written;
  TraceChangeVector_push(&judge->trace->changes, change);
}

static void trace_variable(Judge *judge, VariableId variable, bool chosen) {
  TraceChange change = {.variable = variable, .cell = NO_ID, .chosen = chosen};
  change.before = judge->before.variables[variable];
  change.after = judge->state.variables[variable];
  TraceChangeVector_push(&judge->trace->changes, change);
}

static void trace_step(Judge *judge, const ScheduleStep *scheduled, const StepEffect *effect) {
  const Program *p = judge->program;
  StepId id = p->edges.data[scheduled->edge].first_step;
  const Step *step = &p->steps.data[id];
  TraceStep entry = {.thread = scheduled->thread, .edge = scheduled->edge, .step = id};
  entry.first_change = (uint32_t)judge->trace->changes.count;
  for (uint32_t i = 0; effect->first_cell != NO_ID && i < effect->cell_count; i++) {
    if (step->access.reads && !step->access.writes) trace_cell(judge, effect->first_cell + i, false);
    if (step->access.writes) trace_cell(judge, effect->first_cell + i, true);
  }
  if (step->access.address != TERM_NONE && step->access.reads) trace_variable(judge, step->access.into, false);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    trace_variable(judge, step->assignments[i].variable, value_is_fresh(step->assignments[i].value));
  entry.change_count = (uint32_t)judge->trace->changes.count - entry.first_change;
  TraceStepVector_push(&judge->trace->steps, entry);
}

// Data races: the event gathered so far happens, and the first race found decides.
static void close_event(Judge *judge, ThreadId thread, bool section) {
  Race race;
  bool found = clocks_event(&judge->clocks, thread, &judge->event, section, &race);
  judge->event.count = 0;
  if (!found || judge->violated) return;
  judge->violated = true;
  text_clear(judge->message);
  wording_race(judge->message, judge->program, &race);
  if (judge->trace != NULL)
    judge->trace->race = (TraceRace){.cell = race.cell,
                                     .first_thread = race.first_thread,
                                     .second_thread = race.second_thread,
                                     .first_edge = race.first,
                                     .second_edge = race.second};
}

static void observe_race(Judge *judge, const ScheduleStep *scheduled, const StepEffect *effect) {
  const Program *p = judge->program;
  const Edge *edge = &p->edges.data[scheduled->edge];
  const Access *access = &p->steps.data[edge->first_step].access;
  bool from_inside = p->locations.data[edge->from].atomic, to_inside = p->locations.data[edge->to].atomic;
  for (uint32_t i = 0; effect->first_cell != NO_ID && i < effect->cell_count; i++) {
    EventAccess entry = {.edge = scheduled->edge,
                         .cell = effect->first_cell + i,
                         .reads = access->reads,
                         .writes = access->writes,
                         .synchronises = access->synchronises};
    EventAccessVector_push(&judge->event, entry);
  }
  judge->event_thread = scheduled->thread;
  judge->event_section = from_inside || to_inside;
  if (!to_inside) close_event(judge, scheduled->thread, judge->event_section);
}

// Does this outcome violate the property? Every one but TAKEN and CUT ends the process.
static bool violates(Property property, StepOutcome outcome) {
  switch (property) {
  case PROPERTY_UNREACH_CALL: return outcome == OUTCOME_ERROR;
  case PROPERTY_VALID_MEMSAFETY: return outcome == OUTCOME_INVALID_ACCESS || outcome == OUTCOME_INVALID_FREE;
  case PROPERTY_NO_DIVISION_BY_ZERO: return outcome == OUTCOME_ZERO_DIVISOR;
  default: return false;
  }
}

static ReplayOutcome run_step(Judge *judge, size_t index) {
  const Program *p = judge->program;
  const ScheduleStep *scheduled = &judge->schedule->steps.data[index];
  const char *refusal = refuse(judge, index);
  if (refusal != NULL) return misfit(judge, index, refusal);
  if (judge->trace != NULL) concrete_copy(&judge->before, &judge->state);
  Choices choices = {.values = judge->schedule->choices.data + scheduled->first_choice,
                     .count = scheduled->choice_count};
  StepEffect effect;
  StepOutcome outcome = concrete_step(&judge->state, scheduled->thread, scheduled->edge, &choices, &effect);
  if (outcome == OUTCOME_BLOCKED) return misfit(judge, index, "the thread cannot take this edge now");
  if (outcome == OUTCOME_CHOICES_MISSING) return misfit(judge, index, "there are too few choices");
  if (outcome == OUTCOME_UNSUPPORTED) return misfit(judge, index, "the step cannot be executed");
  bool complete = outcome == OUTCOME_TAKEN || outcome == OUTCOME_CUT;
  if (complete && choices.next != choices.count) return misfit(judge, index, "there are too many choices");
  if (judge->trace != NULL) trace_step(judge, scheduled, &effect);
  if (judge->schedule->property == PROPERTY_NO_DATA_RACE && complete) observe_race(judge, scheduled, &effect);
  if (!complete) judge->ended = true;
  if (violates(judge->schedule->property, outcome)) {
    judge->violated = true;
    text_clear(judge->message);
    wording_outcome(judge->message, p, scheduled->thread, scheduled->edge, outcome, &effect);
  }
  return REPLAY_NO_VIOLATION;
}

// A deadlock: nobody can run, the process has not ended, and somebody waits.
static bool deadlocked(Judge *judge) {
  if (judge->ended) return false;
  ThreadId waiting = NO_ID;
  for (ThreadId t = 0; t < judge->program->threads.count; t++) {
    CanRun can = concrete_can_wait(&judge->state, t);
    if (can == RUN_YES || can == RUN_UNKNOWN) return false;
    if (can == RUN_WAITS && waiting == NO_ID) waiting = t;
  }
  if (waiting == NO_ID) return false;
  text_clear(judge->message);
  wording_deadlock(judge->message, judge->program, &judge->state);
  return true;
}

static ReplayOutcome judge_run(Judge *judge) {
  const Schedule *schedule = judge->schedule;
  if (schedule->fingerprint != judge->program->fingerprint) {
    text_add(judge->message, "the schedule belongs to another program");
    return REPLAY_MISFIT;
  }
  for (size_t i = 0; i < schedule->steps.count; i++) {
    if (run_step(judge, i) == REPLAY_MISFIT) return REPLAY_MISFIT;
  }
  if (judge->event.count > 0) close_event(judge, judge->event_thread, judge->event_section);
  if (schedule->property == PROPERTY_NO_DEADLOCK && deadlocked(judge)) judge->violated = true;
  if (judge->violated) return REPLAY_VIOLATION;
  text_clear(judge->message);
  text_format(judge->message, "the schedule ends without violating %s", property_name(schedule->property));
  return REPLAY_NO_VIOLATION;
}

ReplayOutcome replay_run(const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                         Account *account) {
  Judge judge = {.program = program, .schedule = schedule, .trace = trace, .message = message};
  bool races = schedule->property == PROPERTY_NO_DATA_RACE;
  concrete_init(&judge.state, program, account);
  concrete_init(&judge.before, program, account);
  if (races) clocks_init(&judge.clocks, program, account);
  EventAccessVector_init(&judge.event, account);
  text_clear(message);
  ReplayOutcome outcome = judge_run(&judge);
  EventAccessVector_free(&judge.event);
  if (races) clocks_free(&judge.clocks);
  concrete_free(&judge.before);
  concrete_free(&judge.state);
  return outcome;
}
