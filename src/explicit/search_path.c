#include "explicit/search_path.h"

#include "judge/schedule_builder.h"

void path_init(Path *path, Account *account) {
  *path = (Path){.tail_edge = NO_ID};
  MoveVector_init(&path->moves, account);
  DigitVector_init(&path->digits, account);
}

void path_free(Path *path) {
  MoveVector_free(&path->moves);
  DigitVector_free(&path->digits);
}

void path_clear(Path *path) {
  path->moves.count = path->digits.count = 0;
  path->tail_edge = NO_ID;
  path->onward = 0;
}

void path_add(Path *path, ThreadId thread, const Digit *digits, size_t count) {
  SearchMove move = {.thread = thread, .first_digit = (uint32_t)path->digits.count, .digit_count = (uint32_t)count};
  MoveVector_push(&path->moves, move);
  for (size_t i = 0; i < count; i++) DigitVector_push(&path->digits, digits[i]);
}

void path_add_race(Path *path, const FoundRace *race, const RaceCheck *check) {
  assert(path->moves.count > 0 && path->tail_edge == NO_ID);
  if (race->edge == NO_ID) path_add(path, race->second, check->digits.data, check->digits.count);
  path->tail_thread = race->second;
  path->tail_edge = race->edge;
}

// --- writing a schedule down ---

// A value chosen for a variable or a cell while an edge is attempted.
typedef struct ChosenValue {
  ChoiceKind kind;
  uint32_t id;
  uint64_t value;
} ChosenValue;
VECTOR(ChosenValueVector, ChosenValue);

typedef struct TakenStep {
  ThreadId thread;
  EdgeId edge;
  uint32_t first_fresh; // values of its fresh variables, in ScheduleRecorder.fresh
  Bits forgotten;       // what turned out to be behind a store of VALUE_INDETERMINATE
} TakenStep;
VECTOR(TakenStepVector, TakenStep);

// What made a value indeterminate: the start, where it stood in a cell; the assignment of a variable; a step that
// stored it, so many bits up.
typedef struct Origin {
  enum { FROM_START, FROM_ASSIGNMENT, FROM_STORE } kind;
  uint32_t index; // of the cell, of the choice in `fresh`, of the step
  uint32_t shift;
} Origin;
VECTOR(OriginVector, Origin);

// Records what the machine does. The machine chooses an indeterminate value when it is first used. The schedule has the
// choice at an earlier place: where the value became indeterminate (Origin). So all steps are recorded first, each
// choice is entered at its origin, and the schedule is built afterwards.
typedef struct ScheduleRecorder {
  Recorder recorder;
  const Machine *machine;
  ChosenValueVector chosen; // of the edge attempted
  TakenStepVector steps;
  BitsVector fresh;
  OriginVector variables, cells; // of those that are indeterminate
  OriginVector copied;           // of the assignments of a step
  Bits *initial;                 // per cell: what it turned out to hold at the start
  Account *account;
} ScheduleRecorder;

static void set_origin(ScheduleRecorder *r, Origin origin, Bits value) {
  assert(origin.kind != FROM_ASSIGNMENT || origin.index < r->fresh.count);
  assert(origin.kind != FROM_STORE || (origin.index < r->steps.count && origin.shift < 128));
  switch (origin.kind) {
  case FROM_START: r->initial[origin.index] = value; break;
  case FROM_ASSIGNMENT: r->fresh.data[origin.index] = value; break;
  case FROM_STORE: r->steps.data[origin.index].forgotten |= value << origin.shift; break;
  }
}

static void record_value(Recorder *recorder, ChoiceKind kind, uint32_t id, uint64_t value) {
  ScheduleRecorder *r = (ScheduleRecorder *)recorder;
  if (kind == CHOICE_VARIABLE)
    set_origin(r, r->variables.data[id], value);
  else
    ChosenValueVector_push(&r->chosen, (ChosenValue){kind, id, value});
}

static void record_attempt(Recorder *recorder, EdgeId edge) {
  (void)edge;
  ((ScheduleRecorder *)recorder)->chosen.count = 0;
}

static Bits chosen_input(const ScheduleRecorder *r, VariableId variable) {
  for (size_t i = 0; i < r->chosen.count; i++) {
    if (r->chosen.data[i].kind == CHOICE_INPUT && r->chosen.data[i].id == variable) return r->chosen.data[i].value;
  }
  return 0; // no step reads it
}

static void keep_cells(ScheduleRecorder *r) {
  for (size_t i = 0; i < r->chosen.count; i++) {
    const ChosenValue *chosen = &r->chosen.data[i];
    if (chosen->kind == CHOICE_CELL) set_origin(r, r->cells.data[chosen->id], chosen->value);
  }
}

static Origin *origin_of_term(const ScheduleRecorder *r, Term term) {
  const Program *p = r->machine->program;
  VariableId carrier = indeterminate_carrier(&r->machine->layout->indeterminate, p, term);
  return carrier == NO_ID ? NULL : &r->variables.data[carrier];
}

// The cells that the step has just made indeterminate.
static void keep_stored(ScheduleRecorder *r, const EdgeCode *edge, const Step *step) {
  if (!edge->writes || edge->access == ACCESS_DIRECT) return; // the latter is never indeterminate
  const Origin *carried = edge->forgets ? NULL : origin_of_term(r, step->access.stored);
  Origin origin = {.kind = FROM_STORE, .index = (uint32_t)r->steps.count - 1};
  for (uint32_t i = 0; i < r->machine->cell_count && (edge->forgets || carried != NULL); i++) {
    CellId cell = r->machine->cell + i;
    r->cells.data[cell] = carried != NULL ? *carried : origin;
    origin.shift += 8 * r->machine->program->cells.data[cell].bytes;
  }
}

// The variables that it has made indeterminate.
static void keep_assigned(ScheduleRecorder *r, const EdgeCode *edge, const Step *step) {
  OriginVector_clear(&r->copied);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value;
    const Origin *carried = value_is_fresh(value) ? NULL : origin_of_term(r, value);
    OriginVector_push(&r->copied, carried ? *carried : (Origin){FROM_ASSIGNMENT, (uint32_t)r->fresh.count, 0});
    if (value_is_fresh(value)) BitsVector_push(&r->fresh, chosen_input(r, step->assignments[i].variable));
  }
  if (edge->carries && r->machine->carried) r->variables.data[step->access.into] = r->cells.data[r->machine->cell];
  for (uint32_t i = 0; i < step->assignment_count; i++)
    r->variables.data[step->assignments[i].variable] = r->copied.data[i];
}

static void record_taken(Recorder *recorder, ThreadId thread, EdgeId edge) {
  ScheduleRecorder *r = (ScheduleRecorder *)recorder;
  const Program *p = r->machine->program;
  const Step *step = edge_first_step(p, edge);
  const EdgeCode *code = &r->machine->code->edges[r->machine->code->edge_index[edge]];
  assert(code->edge == edge && p->locations.data[code->from].thread == thread);
  TakenStepVector_push(&r->steps, (TakenStep){thread, edge, (uint32_t)r->fresh.count, 0});
  keep_cells(r);
  keep_stored(r, code, step);
  keep_assigned(r, code, step);
}

static void recorder_init(ScheduleRecorder *r, const Machine *machine, Account *account) {
  size_t cells = machine->program->cells.count;
  *r = (ScheduleRecorder){
      .recorder = {record_value, record_attempt, record_taken}, .machine = machine, .account = account};
  ChosenValueVector_init(&r->chosen, account);
  TakenStepVector_init(&r->steps, account);
  BitsVector_init(&r->fresh, account);
  OriginVector_init(&r->variables, account);
  OriginVector_init(&r->cells, account);
  OriginVector_init(&r->copied, account);
  OriginVector_resize(&r->variables, machine->program->variables.count);
  for (CellId c = 0; c < cells; c++) OriginVector_push(&r->cells, (Origin){.kind = FROM_START, .index = c});
  r->initial = memory_allocate_zeroed(account, cells * sizeof(Bits));
}

static void recorder_free(ScheduleRecorder *r) {
  memory_free(r->account, r->initial, r->machine->program->cells.count * sizeof(Bits));
  OriginVector_free(&r->copied);
  OriginVector_free(&r->cells);
  OriginVector_free(&r->variables);
  BitsVector_free(&r->fresh);
  TakenStepVector_free(&r->steps);
  ChosenValueVector_free(&r->chosen);
}

static Schedule *build_schedule(const ScheduleRecorder *r, const Program *unreduced, Property property) {
  const Program *p = r->machine->program;
  ScheduleBuilder builder;
  schedule_builder_init(&builder, unreduced, property, r->account);
  for (CellId c = 0; c < unreduced->cells.count; c++)
    if (unreduced->cells.data[c].initial == TERM_NONE) schedule_builder_initial(&builder, c, r->initial[c]);
  for (size_t i = 0; i < r->steps.count; i++) {
    const TakenStep *taken = &r->steps.data[i];
    BuiltStep step = {.thread = taken->thread, .edge = taken->edge, .forgotten = taken->forgotten};
    step.reduced = edge_first_step(p, taken->edge);
    assert(taken->first_fresh <= r->fresh.count);
    step.fresh = r->fresh.data + taken->first_fresh;
    schedule_builder_add(&builder, &step);
  }
  Schedule *schedule = builder.schedule;
  schedule_builder_free(&builder);
  return schedule;
}

// The vector is in the state before the single step at the end.
static void run_tail(Mover *mover, ThreadId thread, EdgeId id) {
  Machine *machine = &mover->machine;
  Recorder *recorder = machine->chooser->recorder;
  LocationId l = vector_location(machine->layout, machine->vector, thread);
  const EdgeCode *edge = &machine->code->edges[machine->code->edge_index[id]];
  recorder->attempt(recorder, id);
  if (edge->from != l) return; // the judge will not confirm the schedule
  EdgeResult result = machine_begin(machine, edge);
  if (result == EDGE_TAKEN)
    machine_commit(machine, edge, thread);
  else if (result == EDGE_BLOCKED || edge->kind != STEP_FREE) // a second deallocation ends the execution
    return;
  recorder->taken(recorder, thread, id);
}

static void run_path(const Path *path, Mover *mover) {
  Chooser *chooser = mover->machine.chooser;
  for (size_t i = 0; i < path->moves.count; i++) {
    const SearchMove *move = &path->moves.data[i];
    assert((size_t)move->first_digit + move->digit_count <= path->digits.count);
    chooser->digits.count = 0;
    for (uint32_t k = 0; k < move->digit_count; k++)
      DigitVector_push(&chooser->digits, path->digits.data[move->first_digit + k]);
    chooser_restart(chooser);
    mover_run(mover, move->thread);
  }
  chooser->digits.count = 0;
  chooser_restart(chooser);
  for (uint32_t i = 0; i < path->onward && mover_ready(mover, 0) == READY; i++) mover_run(mover, 0);
  if (path->tail_edge != NO_ID) run_tail(mover, path->tail_thread, path->tail_edge);
}

Schedule *path_schedule(const Path *path, Mover *mover, const Program *unreduced, Property property, Account *account) {
  Chooser *chooser = mover->machine.chooser;
  ScheduleRecorder r;
  recorder_init(&r, &mover->machine, account);
  state_layout_initial(mover->machine.layout, mover->machine.vector);
  chooser->recorder = &r.recorder;
  chooser->random = false;
  chooser->base = 0;
  run_path(path, mover);
  chooser->recorder = NULL;
  chooser->digits.count = 0;
  chooser_restart(chooser);
  Schedule *schedule = build_schedule(&r, unreduced, property);
  recorder_free(&r);
  return schedule;
}
