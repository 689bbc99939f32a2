#include "replay/path.h"

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
}

void path_add(Path *path, ThreadId thread, const Digit *digits, size_t count) {
  Move move = {.thread = thread, .first_digit = (uint32_t)path->digits.count, .digit_count = (uint32_t)count};
  MoveVector_push(&path->moves, move);
  for (size_t i = 0; i < count; i++) DigitVector_push(&path->digits, digits[i]);
}

void path_add_race(Path *path, const FoundRace *race, const RaceCheck *check) {
  if (race->edge == NO_ID) path_add(path, race->second, check->digits.data, check->digits.count);
  path->tail_thread = race->second;
  path->tail_edge = race->edge;
}

// A value chosen for a variable or a cell while an edge is attempted.
typedef struct ChosenValue {
  ChoiceKind kind;
  uint32_t id;
  uint64_t value;
} ChosenValue;
VECTOR(ChosenValueVector, ChosenValue);

// Listens to the machine and writes the schedule. Indeterminate variables are chosen when they are first read, but
// stand in the schedule at the step that made them indeterminate: that choice is patched then.
typedef struct ScheduleRecorder {
  Recorder recorder;
  const Program *program;
  Schedule *schedule;
  ChosenValueVector chosen; // of the edge attempted
  U32Vector patches;        // per variable: index of its choice in the schedule, or NO_ID
  BitsVector scratch;
} ScheduleRecorder;

static void hear_value(Recorder *recorder, ChoiceKind kind, uint32_t id, uint64_t value) {
  ScheduleRecorder *r = (ScheduleRecorder *)recorder;
  if (kind != CHOICE_VARIABLE) {
    ChosenValueVector_push(&r->chosen, (ChosenValue){kind, id, value});
    return;
  }
  uint32_t at = r->patches.data[id];
  assert(at != NO_ID);
  r->schedule->choices.data[at] = value;
}

static void hear_attempt(Recorder *recorder, EdgeId edge) {
  (void)edge;
  ((ScheduleRecorder *)recorder)->chosen.count = 0;
}

static Bits chosen_input(const ScheduleRecorder *r, VariableId variable) {
  for (size_t i = 0; i < r->chosen.count; i++) {
    if (r->chosen.data[i].kind == CHOICE_INPUT && r->chosen.data[i].id == variable) return r->chosen.data[i].value;
  }
  return 0; // nobody reads it
}

static void hear_taken(Recorder *recorder, ThreadId thread, EdgeId edge) {
  ScheduleRecorder *r = (ScheduleRecorder *)recorder;
  const Step *step = &r->program->steps.data[r->program->edges.data[edge].first_step];
  r->scratch.count = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    if (!value_is_fresh(assignment->value)) continue;
    if (assignment->value == VALUE_INDETERMINATE)
      r->patches.data[assignment->variable] = (uint32_t)(r->schedule->choices.count + r->scratch.count);
    BitsVector_push(&r->scratch, chosen_input(r, assignment->variable));
  }
  for (size_t i = 0; i < r->chosen.count; i++) {
    if (r->chosen.data[i].kind == CHOICE_CELL) BitsVector_push(&r->scratch, r->chosen.data[i].value);
  }
  schedule_add(r->schedule, thread, edge, r->scratch.data, r->scratch.count);
}

// The vector is in the state before the single step at the end.
static void run_tail(Mover *mover, ThreadId thread, EdgeId id) {
  Machine *machine = &mover->machine;
  Recorder *recorder = machine->chooser->recorder;
  LocationId l = vector_location(machine->layout, machine->vector, thread);
  const EdgeCode *edge = &machine->code->edges[machine->code->edge_index[id]];
  recorder->attempt(recorder, id);
  if (edge->from != l) return; // the judge will not be satisfied
  EdgeResult result = machine_begin(machine, edge);
  if (result == EDGE_TAKEN)
    machine_commit(machine, edge, thread);
  else if (result == EDGE_BLOCKED || edge->kind != STEP_FREE) // a second deallocation ends the execution
    return;
  recorder->taken(recorder, thread, id);
}

Schedule *path_schedule(const Path *path, Mover *mover, Property property, Account *account) {
  const Program *p = mover->machine.program;
  Chooser *chooser = mover->machine.chooser;
  ScheduleRecorder r = {.recorder = {hear_value, hear_attempt, hear_taken}, .program = p};
  r.schedule = schedule_new(account);
  r.schedule->fingerprint = p->fingerprint;
  r.schedule->property = property;
  r.schedule->loop_start = NO_ID;
  ChosenValueVector_init(&r.chosen, account);
  BitsVector_init(&r.scratch, account);
  U32Vector_init(&r.patches, account);
  for (VariableId v = 0; v < p->variables.count; v++) U32Vector_push(&r.patches, NO_ID);
  state_layout_initial(mover->machine.layout, mover->machine.vector);
  chooser->recorder = &r.recorder;
  chooser->random = false;
  chooser->base = 0;
  for (size_t i = 0; i < path->moves.count; i++) {
    const Move *move = &path->moves.data[i];
    chooser->digits.count = 0;
    for (uint32_t k = 0; k < move->digit_count; k++)
      DigitVector_push(&chooser->digits, path->digits.data[move->first_digit + k]);
    chooser_restart(chooser);
    mover_run(mover, move->thread);
  }
  chooser->digits.count = 0;
  chooser_restart(chooser);
  if (path->tail_edge != NO_ID) run_tail(mover, path->tail_thread, path->tail_edge);
  chooser->recorder = NULL;
  chooser->digits.count = 0;
  chooser_restart(chooser);
  U32Vector_free(&r.patches);
  BitsVector_free(&r.scratch);
  ChosenValueVector_free(&r.chosen);
  return r.schedule;
}
