// The judge of schedules. See judge.h and verdict/schedule.h.
#include "judge/judge.h"

#include "judge/lost_pointer.h"
#include "judge/schedule_run.h"
#include "judge/vector_clocks.h"
#include "judge/wording.h"
#include "program/facts/lost_blocks.h"
#include "program/settled.h"

#include <assert.h>

typedef struct Judge {
  ScheduleRun run;
  const Program *program;
  const Schedule *schedule;
  Clocks clocks;           // this and the next three members are used only for data races
  EventAccessVector event; // accesses of the section that is being executed
  ThreadId event_thread;
  bool event_section;
  Trace *trace;
  Text *message;
  ViolationKind violation;
  ObjectId left; // a leak: the block that is told
} Judge;

// For data races: the clocks take the event that was gathered. The first race that is found is the violation.
static void close_event(Judge *judge, ThreadId thread, bool section) {
  Race race;
  bool found = clocks_event(&judge->clocks, thread, &judge->event, section, &race);
  judge->event.count = 0;
  if (!found || judge->violation != VIOLATION_NONE) return;
  judge->violation = VIOLATION_RACE;
  text_clear(judge->message);
  wording_race(judge->message, judge->program, &race);
  if (judge->trace != NULL)
    judge->trace->race = (TraceRace){.cell = race.cell,
                                     .first_thread = race.first_thread,
                                     .second_thread = race.second_thread,
                                     .first_edge = race.first,
                                     .second_edge = race.second};
}

// Was the step an attempt to lock that failed? The step was executed, so its variable has the result of the attempt.
static bool misses_lock(const Judge *judge, const Step *step) {
  return step->kind == STEP_TRYLOCK && judge->run.state.variables[step->access.into] != 0;
}

// Does the step access a cell by which the model supposes that an attempt to lock fails? No execution of the program
// does that.
static bool is_supposition(const Program *p, const StepEffect *effect) {
  for (size_t i = 0; effect->first_cell != NO_ID && i < p->supposed.count; i++)
    if (p->cells.data[effect->first_cell].object == p->supposed.data[i]) return true;
  return false;
}

// Adds the accesses of one step to the event: the cells that it accessed, or all cells of the block that it freed.
static void gather_accesses(Judge *judge, EdgeId edge, const StepEffect *effect) {
  const Program *p = judge->program;
  const Step *step = edge_first_step(p, edge);
  EventAccess entry = {.edge = edge,
                       .cell = effect->first_cell,
                       .reads = step->access.reads,
                       .writes = step->access.writes,
                       .synchronises = step->access.synchronises,
                       .unordered = step->access.unordered || misses_lock(judge, step)};
  uint32_t count =
      effect->first_cell == NO_ID || step->access.doubtful || step->access.innocent ? 0 : effect->cell_count;
  if (step->kind == STEP_FREE && !step->excused) {
    program_block_cells(p, effect->address, &entry.cell, &count);
    entry.writes = true;
  }
  for (uint32_t i = 0; i < count; i++, entry.cell++) EventAccessVector_push(&judge->event, entry);
}

static void observe_race(Judge *judge, const ScheduleStep *scheduled, const StepEffect *effect) {
  const Program *p = judge->program;
  const Edge *edge = &p->edges.data[scheduled->edge];
  bool from_inside = p->locations.data[edge->from].atomic, to_inside = p->locations.data[edge->to].atomic;
  gather_accesses(judge, scheduled->edge, effect);
  judge->event_thread = scheduled->thread;
  judge->event_section = from_inside || to_inside;
  if (!to_inside) close_event(judge, scheduled->thread, judge->event_section);
}

// The violation that the outcome of one step is, or VIOLATION_NONE. No single outcome violates the properties on races,
// deadlocks and formulas.
static ViolationKind violation_of(Property property, StepOutcome outcome) {
  static const ViolationKind kinds[] = {[OUTCOME_ERROR] = VIOLATION_ERROR,
                                        [OUTCOME_INVALID_ACCESS] = VIOLATION_DEREFERENCE,
                                        [OUTCOME_INVALID_FREE] = VIOLATION_FREE,
                                        [OUTCOME_ZERO_DIVISOR] = VIOLATION_DIVISION};
  static const unsigned violations[PROPERTY_COUNT] = {[PROPERTY_UNREACH_CALL] = 1u << VIOLATION_ERROR,
                                                      [PROPERTY_VALID_MEMSAFETY] =
                                                          1u << VIOLATION_DEREFERENCE | 1u << VIOLATION_FREE,
                                                      [PROPERTY_NO_DIVISION_BY_ZERO] = 1u << VIOLATION_DIVISION};
  ViolationKind kind = outcome < sizeof kinds / sizeof *kinds ? kinds[outcome] : VIOLATION_NONE;
  assert(property < PROPERTY_COUNT);
  return violations[property] & 1u << kind ? kind : VIOLATION_NONE;
}

static bool cell_value(const void *context, CellId cell, Bits *value) {
  const Concrete *state = context;
  *value = state->cells[cell];
  return !state->indeterminate[cell];
}

static bool block_lives(const void *context, ObjectId block) {
  return ((const Concrete *)context)->heap[block] == HEAP_LIVE;
}

static LocationId location_of(const void *context, ThreadId thread) {
  return ((const Concrete *)context)->locations[thread];
}

// What a CHECK step violates whose operand is true and that was asked for.
static ViolationKind violation_of_check(const Judge *judge, const Step *step, ThreadId thread, ObjectId *lost) {
  const MemoryState memory = {
      .context = &judge->run.state, .value = cell_value, .lives = block_lives, .location = location_of};
  switch (step->check->subject) {
  case CHECK_OVERFLOW: return VIOLATION_OVERFLOW;
  case CHECK_CLEANUP: return VIOLATION_CLEANUP;
  case CHECK_TRACK:
  case CHECK_SCOPE: break;
  }
  Loss loss = lost_blocks_find(judge->program, &memory, thread, step->check, lost);
  return loss == LOSS_SURE ? VIOLATION_LEAK : VIOLATION_NONE;
}

static ObjectId first_unfreed(const Judge *judge, const PropertyCheck *check) {
  for (ObjectId o = 0; o < judge->program->objects.count; o++)
    if (check_asks_for(judge->program, check, o) && judge->run.state.heap[o] == HEAP_LIVE) return o;
  return NO_ID; // it was freed between the two steps that look
}

static bool run_step(Judge *judge, size_t index) {
  assert(index < judge->schedule->steps.count && judge->violation != VIOLATION_DEADLOCK);
  const ScheduleStep *scheduled = &judge->schedule->steps.data[index];
  Property property = judge->schedule->property;
  StepOutcome outcome;
  StepEffect effect;
  if (!schedule_run_step(&judge->run, index, &outcome, &effect)) return false;
  if (is_supposition(judge->program, &effect)) {
    text_add(judge->message, "an attempt to lock is supposed to fail");
    return false;
  }
  bool complete = outcome == OUTCOME_TAKEN || outcome == OUTCOME_CUT || outcome == OUTCOME_INVALID_FREE;
  if (property == PROPERTY_NO_DATA_RACE && complete) observe_race(judge, scheduled, &effect);
  const Step *step = edge_first_step(judge->program, scheduled->edge);
  bool excused = step->excused;
  ObjectId lost = NO_ID;
  ViolationKind violation = excused ? VIOLATION_NONE : violation_of(property, outcome);
  if (effect.check_fails && !excused && property_has_check(property, step->check))
    violation = violation_of_check(judge, step, scheduled->thread, &lost);
  if (violation != VIOLATION_NONE) {
    judge->violation = violation;
    text_clear(judge->message);
    wording_outcome(judge->message, judge->program, scheduled->thread, scheduled->edge, outcome, &effect);
    if (effect.check_fails && step->check->subject == CHECK_CLEANUP) lost = first_unfreed(judge, step->check);
    judge->left = lost;
    if (effect.check_fails) wording_check(judge->message, &judge->run.state, scheduled->edge, lost);
  }
  return true;
}

// `waiting`: where each thread waits, or NO_ID.
static bool finds_waiting(const Judge *judge, LocationId *waiting) {
  bool some = false;
  for (ThreadId t = 0; t < judge->program->threads.count; t++) {
    CanRun can = concrete_can_wait(&judge->run.state, t);
    if (can == RUN_YES || can == RUN_UNKNOWN) return false;
    waiting[t] = can == RUN_WAITS ? judge->run.state.locations[t] : NO_ID;
    some |= can == RUN_WAITS;
  }
  return some;
}

// Is the state at the end a deadlock that is not settled: the process has not ended, no thread is enabled, and some
// thread waits?
static bool is_deadlock(Judge *judge) {
  // A section that cannot be finished is not entered, so no execution stands inside one.
  if (judge->run.ended || concrete_inside_section(&judge->run.state) != NO_ID) return false;
  size_t bytes = judge->program->threads.count * sizeof(LocationId);
  LocationId *waiting = memory_allocate(NULL, bytes);
  bool found = finds_waiting(judge, waiting) && !deadlock_is_settled(judge->program, waiting);
  memory_free(NULL, waiting, bytes);
  if (!found) return false;
  text_clear(judge->message);
  wording_deadlock(judge->message, judge->program, &judge->run.state);
  return true;
}

static JudgeOutcome judge_run(Judge *judge) {
  const Schedule *schedule = judge->schedule;
  if (schedule->fingerprint != judge->program->fingerprint) {
    text_add(judge->message, "the schedule belongs to another program");
    return JUDGE_MISFIT;
  }
  if (schedule->property == PROPERTY_LTL) {
    text_add(judge->message, "an infinite execution can only be judged with its formula");
    return JUDGE_MISFIT;
  }
  for (size_t i = 0; i < schedule->steps.count; i++) {
    if (!run_step(judge, i)) return JUDGE_MISFIT;
  }
  if (judge->event.count > 0) close_event(judge, judge->event_thread, judge->event_section);
  if (schedule->property == PROPERTY_NO_DEADLOCK && is_deadlock(judge)) judge->violation = VIOLATION_DEADLOCK;
  if (judge->violation != VIOLATION_NONE) return JUDGE_VIOLATION;
  text_clear(judge->message);
  text_format(judge->message, "the schedule ends without violating %s", property_name(schedule->property));
  return JUDGE_NO_VIOLATION;
}

JudgeOutcome judge_schedule(const Program *program, const Schedule *schedule, Trace *trace, Text *message,
                            Account *account) {
  Judge judge = {.program = program, .schedule = schedule, .trace = trace, .message = message, .left = NO_ID};
  bool races = schedule->property == PROPERTY_NO_DATA_RACE;
  schedule_run_init(&judge.run, program, schedule, trace, message, account);
  if (races) clocks_init(&judge.clocks, program, account);
  EventAccessVector_init(&judge.event, account);
  text_clear(message);
  JudgeOutcome outcome = judge_run(&judge);
  if (trace != NULL && outcome == JUDGE_VIOLATION) trace->violation = judge.violation;
  if (trace != NULL && judge.left != NO_ID) trace->loss = lost_pointer_find(program, schedule, judge.left, account);
  EventAccessVector_free(&judge.event);
  if (races) clocks_free(&judge.clocks);
  schedule_run_free(&judge.run);
  return outcome;
}
