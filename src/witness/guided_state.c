#include "witness/guided_state.h"

static Bits item(const GuidedState *s, ItemKind kind, uint32_t index) {
  switch (kind) {
  case ITEM_VARIABLE: return s->concrete.variables[index];
  case ITEM_CELL: return s->concrete.cells[index];
  case ITEM_INDETERMINATE: return s->concrete.indeterminate[index];
  case ITEM_HEAP: return s->concrete.heap[index];
  case ITEM_EXTENT: return s->concrete.extent[index];
  case ITEM_LOCATION: return s->concrete.locations[index];
  case ITEM_POSITION: return s->position[index];
  case ITEM_TOLD: return s->told[index];
  default: return s->numbers[index];
  }
}

static void put(GuidedState *s, ItemKind kind, uint32_t index, Bits value) {
  switch (kind) {
  case ITEM_VARIABLE: s->concrete.variables[index] = value; break;
  case ITEM_CELL: s->concrete.cells[index] = value; break;
  case ITEM_INDETERMINATE: s->concrete.indeterminate[index] = value != 0; break;
  case ITEM_HEAP: s->concrete.heap[index] = (uint8_t)value; break;
  case ITEM_EXTENT: s->concrete.extent[index] = (uint32_t)value; break;
  case ITEM_LOCATION: s->concrete.locations[index] = (LocationId)value; break;
  case ITEM_POSITION: s->position[index] = (uint32_t)value; break;
  case ITEM_NUMBER: s->numbers[index] = (uint32_t)value; break;
  case ITEM_TOLD: s->told[index] = value != 0; break;
  }
}

// The hash of a state is the exclusive or of the hashes of its items; zero items count nothing.
static void hash_item(GuidedState *s, ItemKind kind, uint32_t index, Bits value) {
  if (value == 0) return;
  uint64_t place = (uint64_t)kind << 32 | index;
  uint64_t low = hash_mix((uint64_t)value), high = hash_mix((uint64_t)(value >> 64) + 1);
  s->hash[0] ^= hash_mix(hash_mix(place + 1) ^ low ^ high);
  s->hash[1] ^= hash_mix(hash_mix(place + UINT64_C(0x51ed270b)) + low * 3 + high);
}

void guided_state_init(GuidedState *state, const Program *program, Account *account) {
  *state = (GuidedState){.program = program, .account = account};
  concrete_init(&state->concrete, program, account);
  state->numbers = memory_allocate_zeroed(account, (program->threads.count + 1) * sizeof(uint32_t));
  state->told = memory_allocate_zeroed(account, program->threads.count * sizeof(bool));
  LogEntryVector_init(&state->log, account);
  live_variables(program, &state->live, account);
  state->numbers[0] = 1;
  state->numbers[program->threads.count] = 1;
}

void guided_state_free(GuidedState *state) {
  live_variables_free(&state->live);
  LogEntryVector_free(&state->log);
  memory_free(state->account, state->told, state->program->threads.count * sizeof(bool));
  memory_free(state->account, state->numbers, (state->program->threads.count + 1) * sizeof(uint32_t));
  concrete_free(&state->concrete);
}

static void touch(GuidedState *s, ItemKind kind, uint32_t index) {
  LogEntry entry = {kind, index, item(s, kind, index)};
  LogEntryVector_push(&s->log, entry);
}

void guided_state_set(GuidedState *s, ItemKind kind, uint32_t index, uint32_t value) {
  touch(s, kind, index);
  hash_item(s, kind, index, item(s, kind, index));
  hash_item(s, kind, index, value);
  put(s, kind, index, value);
}

void guided_state_undo(GuidedState *s, size_t mark) {
  while (s->log.count > mark) {
    LogEntry entry = LogEntryVector_pop(&s->log);
    hash_item(s, entry.kind, entry.index, item(s, entry.kind, entry.index));
    hash_item(s, entry.kind, entry.index, entry.old);
    put(s, entry.kind, entry.index, entry.old);
  }
}

// Notes what the step may change, before it does.
static void touch_all(GuidedState *s, ThreadId thread, const Step *step) {
  const Program *p = s->program;
  touch(s, ITEM_LOCATION, thread);
  for (uint32_t i = 0; i < step->assignment_count; i++) touch(s, ITEM_VARIABLE, step->assignments[i].variable);
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) touch(s, ITEM_HEAP, step->target);
  if (step->kind == STEP_ALLOCATE && step->operand != TERM_NONE) touch(s, ITEM_EXTENT, step->target);
  if (step->kind == STEP_FREE) {
    ObjectId object = program_object_at(p, (uint64_t)concrete_evaluate(&s->concrete, step->operand));
    if (object != NO_ID) touch(s, ITEM_HEAP, object);
  }
  if (step->access.address == TERM_NONE) return;
  if (step->access.reads) touch(s, ITEM_VARIABLE, step->access.into);
  uint64_t address = (uint64_t)concrete_evaluate(&s->concrete, step->access.address);
  CellId cell = address ? program_cell_at(p, address) : NO_ID;
  for (; cell != NO_ID && cell < p->cells.count && p->cells.data[cell].address < address + step->access.bytes; cell++) {
    touch(s, ITEM_CELL, cell);
    touch(s, ITEM_INDETERMINATE, cell);
  }
}

// Zeroes what the step read or assigned and nobody reads any more.
static void bury(GuidedState *s, const Edge *edge) {
  uint32_t count;
  const VariableId *before = live_list(&s->live, edge->from, &count);
  for (uint32_t i = 0; i < count; i++) {
    VariableId v = before[i];
    if (s->concrete.variables[v] != 0 && !live_at(&s->live, edge->to, v)) guided_state_set(s, ITEM_VARIABLE, v, 0);
  }
}

static void bury_assigned(GuidedState *s, const Edge *edge, const Step *step) {
  for (uint32_t i = 0; i <= step->assignment_count; i++) {
    bool loaded = i == step->assignment_count;
    if (loaded && (step->access.address == TERM_NONE || !step->access.reads)) break;
    VariableId v = loaded ? step->access.into : step->assignments[i].variable;
    if (!live_at(&s->live, edge->to, v) && s->concrete.variables[v] != 0) guided_state_set(s, ITEM_VARIABLE, v, 0);
  }
}

StepOutcome guided_state_step(GuidedState *s, ThreadId thread, EdgeId edge, Choices *choices) {
  const Edge *e = &s->program->edges.data[edge];
  const Step *step = &s->program->steps.data[e->first_step];
  size_t mark = s->log.count;
  touch_all(s, thread, step);
  StepEffect effect;
  StepOutcome outcome = concrete_step(&s->concrete, thread, edge, choices, &effect);
  if (outcome != OUTCOME_TAKEN) {
    s->concrete.stopped[thread] = false;
    for (size_t i = s->log.count; i-- > mark;) {
      const LogEntry *entry = &s->log.data[i];
      put(s, entry->kind, entry->index, entry->old);
    }
    s->log.count = mark;
    return outcome;
  }
  // An item may be noted twice: its first entry counts, the others note no change.
  for (size_t i = mark; i < s->log.count; i++) {
    LogEntry *entry = &s->log.data[i];
    bool again = false;
    for (size_t j = mark; j < i && !again; j++)
      again = s->log.data[j].kind == entry->kind && s->log.data[j].index == entry->index;
    Bits now = item(s, entry->kind, entry->index);
    if (again)
      entry->old = now;
    else {
      hash_item(s, entry->kind, entry->index, entry->old);
      hash_item(s, entry->kind, entry->index, now);
    }
  }
  bury(s, e);
  bury_assigned(s, e, step);
  return OUTCOME_TAKEN;
}
