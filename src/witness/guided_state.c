#include "witness/guided_state.h"

#include <assert.h>

static Bits item(const GuidedState *s, ItemKind kind, uint32_t index) {
  switch (kind) {
  case ITEM_VARIABLE: return s->concrete.variables[index];
  case ITEM_CELL: return s->concrete.cells[index];
  case ITEM_INDETERMINATE: return s->concrete.indeterminate[index];
  case ITEM_HEAP: return s->concrete.heap[index];
  case ITEM_EXTENT: return s->concrete.extent[index];
  case ITEM_LOCATION: return s->concrete.locations[index];
  case ITEM_POSITION: return s->position[index];
  case ITEM_NAMED: return s->named[index];
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
  case ITEM_NAMED: s->named[index] = value != 0; break;
  }
}

// Adds an item to the hash of the state, or removes it: the hash is the exclusive or of the hashes of the items. Items
// of value zero do not count.
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
  state->named = memory_allocate_zeroed(account, program->threads.count * sizeof(bool));
  LogEntryVector_init(&state->log, account);
  live_variables(program, &state->live, account);
  state->numbers[0] = 1;
  state->numbers[program->threads.count] = 1;
}

void guided_state_free(GuidedState *state) {
  live_variables_free(&state->live);
  LogEntryVector_free(&state->log);
  memory_free(state->account, state->named, state->program->threads.count * sizeof(bool));
  memory_free(state->account, state->numbers, (state->program->threads.count + 1) * sizeof(uint32_t));
  concrete_free(&state->concrete);
}

static void log_item(GuidedState *s, ItemKind kind, uint32_t index) {
  LogEntry entry = {kind, index, item(s, kind, index)};
  LogEntryVector_push(&s->log, entry);
}

void guided_state_set(GuidedState *s, ItemKind kind, uint32_t index, uint32_t value) {
  log_item(s, kind, index);
  hash_item(s, kind, index, item(s, kind, index));
  hash_item(s, kind, index, value);
  put(s, kind, index, value);
}

void guided_state_undo(GuidedState *s, size_t mark) {
  assert(mark <= s->log.count);
  while (s->log.count > mark) {
    LogEntry entry = LogEntryVector_pop(&s->log);
    hash_item(s, entry.kind, entry.index, item(s, entry.kind, entry.index));
    hash_item(s, entry.kind, entry.index, entry.old);
    put(s, entry.kind, entry.index, entry.old);
  }
}

// Logs the items that the step may change, before it is executed.
static void log_step(GuidedState *s, ThreadId thread, const Step *step) {
  const Program *p = s->program;
  log_item(s, ITEM_LOCATION, thread);
  for (uint32_t i = 0; i < step->assignment_count; i++) log_item(s, ITEM_VARIABLE, step->assignments[i].variable);
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) log_item(s, ITEM_HEAP, step->target);
  if (step->kind == STEP_ALLOCATE && step->operand != TERM_NONE) log_item(s, ITEM_EXTENT, step->target);
  if (step->kind == STEP_FREE) {
    ObjectId object = program_object_at(p, (uint64_t)concrete_evaluate(&s->concrete, step->operand));
    if (object != NO_ID) log_item(s, ITEM_HEAP, object);
  }
  if (step->access.address == TERM_NONE) return;
  if (step->access.reads) log_item(s, ITEM_VARIABLE, step->access.into);
  uint64_t address = (uint64_t)concrete_evaluate(&s->concrete, step->access.address);
  CellId cell = address ? program_cell_at(p, address) : NO_ID;
  for (; cell != NO_ID && cell < p->cells.count && p->cells.data[cell].address < address + step->access.bytes; cell++) {
    log_item(s, ITEM_CELL, cell);
    log_item(s, ITEM_INDETERMINATE, cell);
  }
}

// Sets to zero the variables that were live before the edge and are not live after it.
static void zero_dead(GuidedState *s, const Edge *edge) {
  uint32_t count;
  const VariableId *before = live_list(&s->live, edge->from, &count);
  for (uint32_t i = 0; i < count; i++) {
    VariableId v = before[i];
    if (s->concrete.variables[v] != 0 && !live_at(&s->live, edge->to, v)) guided_state_set(s, ITEM_VARIABLE, v, 0);
  }
}

// Sets to zero the variables that the step wrote and that are not live after it.
static void zero_dead_results(GuidedState *s, const Edge *edge, const Step *step) {
  for (uint32_t i = 0; i <= step->assignment_count; i++) {
    bool loaded = i == step->assignment_count;
    if (loaded && (step->access.address == TERM_NONE || !step->access.reads)) break;
    VariableId v = loaded ? step->access.into : step->assignments[i].variable;
    if (!live_at(&s->live, edge->to, v) && s->concrete.variables[v] != 0) guided_state_set(s, ITEM_VARIABLE, v, 0);
  }
}

StepOutcome guided_state_step(GuidedState *s, ThreadId thread, EdgeId edge, Choices *choices) {
  const Edge *e = &s->program->edges.data[edge];
  const Step *step = edge_step(s->program, e, 0);
  assert(thread < s->program->threads.count && e->from == s->concrete.locations[thread]);
  size_t mark = s->log.count;
  log_step(s, thread, step);
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
  // If an item was logged twice, its first entry has the old value; later entries must record no change.
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
  zero_dead(s, e);
  zero_dead_results(s, e, step);
  return OUTCOME_TAKEN;
}
