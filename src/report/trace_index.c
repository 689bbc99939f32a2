#include "report/trace_index.h"

#include "base/bitset.h"
#include "base/sorted.h"

#include <assert.h>
#include <stdlib.h>

static int compare_keys(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_keys(U64Vector *keys) {
  if (keys->count) qsort(keys->data, keys->count, sizeof *keys->data, compare_keys);
}

// --- locks ---

static void take_lock(TraceIndex *index, size_t step) {
  HeldLock held = {.thread = index->trace->steps.data[step].thread,
                   .cell = trace_touched_cell(index, step),
                   .taken = (uint32_t)step,
                   .released = NO_ID};
  HeldLockVector_push(&index->locks, held);
}

static void release_lock(TraceIndex *index, size_t step) {
  CellId cell = trace_touched_cell(index, step);
  for (size_t i = index->locks.count; i-- > 0;) {
    HeldLock *held = &index->locks.data[i];
    if (held->cell != cell || held->released != NO_ID) continue;
    held->released = (uint32_t)step;
    return;
  }
}

static void index_step(TraceIndex *index, size_t step) {
  const TraceStep *row = &index->trace->steps.data[step];
  const Step *what = &index->program->steps.data[row->step];
  for (uint32_t i = 0; i < row->change_count; i++) {
    uint64_t c = row->first_change + i;
    const TraceChange *change = &index->trace->changes.data[c];
    assert(index->step_of.count == c); // changes lie in the order of their steps
    U32Vector_push(&index->step_of, (uint32_t)step);
    if (change->cell != NO_ID) U64Vector_push(&index->cell_touches, (uint64_t)change->cell << 32 | c);
    if (change->cell != NO_ID && !change->read) U64Vector_push(&index->cell_writes, (uint64_t)change->cell << 32 | c);
    if (change->variable != NO_ID) U64Vector_push(&index->variable_writes, (uint64_t)change->variable << 32 | c);
  }
  index->last_step.data[row->thread] = (uint32_t)step;
  if (what->kind == STEP_CREATE && what->target < index->created_by.count)
    index->created_by.data[what->target] = (uint32_t)step;
  if (what->kind == STEP_LOCK) take_lock(index, step);
  if (what->kind == STEP_TRYLOCK && trace_changes_memory(index, step)) take_lock(index, step);
  if (what->kind == STEP_UNLOCK) release_lock(index, step);
}

void trace_index_init(TraceIndex *index, const Program *program, const Trace *trace) {
  *index = (TraceIndex){.program = program, .trace = trace};
  U32Vector_resize(&index->created_by, program->threads.count);
  U32Vector_resize(&index->last_step, program->threads.count);
  for (size_t i = 0; i < program->threads.count; i++) index->created_by.data[i] = index->last_step.data[i] = NO_ID;
  for (size_t s = 0; s < trace->steps.count; s++) index_step(index, s);
  sort_keys(&index->cell_writes);
  sort_keys(&index->cell_touches);
  sort_keys(&index->variable_writes);
  assert(index->step_of.count == trace->changes.count);
}

void trace_index_free(TraceIndex *index) {
  U64Vector_free(&index->cell_writes);
  U64Vector_free(&index->cell_touches);
  U64Vector_free(&index->variable_writes);
  U32Vector_free(&index->step_of);
  U32Vector_free(&index->created_by);
  U32Vector_free(&index->last_step);
  HeldLockVector_free(&index->locks);
}

// The number of entries below key << 32 | before.
static size_t count_below(const U64Vector *keys, uint32_t key, size_t before) {
  return sorted_find_u64(keys->data, keys->count, (uint64_t)key << 32 | (uint64_t)before);
}

// The change of the largest entry below key << 32 | before, if that entry has this key; else NO_ID.
static uint32_t last_below(const U64Vector *keys, uint32_t key, size_t before) {
  size_t low = count_below(keys, key, before);
  return low > 0 && keys->data[low - 1] >> 32 == key ? (uint32_t)keys->data[low - 1] : NO_ID;
}

Bits trace_cell_value(const TraceIndex *index, CellId cell, size_t before) {
  assert(cell < index->program->cells.count);
  const U64Vector *keys = &index->cell_touches;
  const TraceChange *changes = index->trace->changes.data;
  size_t next = count_below(keys, cell, before);
  if (next > 0 && keys->data[next - 1] >> 32 == cell) return changes[(uint32_t)keys->data[next - 1]].after;
  if (next < keys->count && keys->data[next] >> 32 == cell) return changes[(uint32_t)keys->data[next]].before;
  Term initial = index->program->cells.data[cell].initial;
  bool known = initial != TERM_NONE && term_is_constant(index->program->terms, initial);
  return known ? term_constant_value(index->program->terms, initial) : 0;
}

uint32_t trace_cell_writer(const TraceIndex *index, CellId cell, size_t before) {
  return last_below(&index->cell_writes, cell, before);
}

uint32_t trace_variable_writer(const TraceIndex *index, VariableId variable, size_t before) {
  return last_below(&index->variable_writes, variable, before);
}

// The change of a step that touched a cell, preferring one that wrote; NO_ID if none did.
static uint32_t trace_touching_change(const TraceIndex *index, size_t step) {
  const TraceStep *row = &index->trace->steps.data[step];
  uint32_t found = NO_ID;
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) {
    const TraceChange *change = &index->trace->changes.data[c];
    if (change->cell != NO_ID && (found == NO_ID || !change->read)) found = c;
  }
  return found;
}

CellId trace_touched_cell(const TraceIndex *index, size_t step) {
  uint32_t change = trace_touching_change(index, step);
  if (change != NO_ID) return index->trace->changes.data[change].cell;
  const CellSet *cells = &trace_step_row(index, step)->access.cells;
  return cells->count == 1 ? cell_set_cells(index->program, *cells)[0] : NO_ID;
}

bool trace_changes_memory(const TraceIndex *index, size_t step) {
  uint32_t found = trace_touching_change(index, step);
  if (found == NO_ID) return false;
  const TraceChange *change = &index->trace->changes.data[found];
  return !change->read && change->before != change->after;
}

// --- the state after the trace ---

LocationId trace_final_location(const TraceIndex *index, ThreadId thread) {
  assert(thread < index->last_step.count);
  uint32_t last = index->last_step.data[thread];
  if (last == NO_ID) return index->program->threads.data[thread].entry;
  return index->program->edges.data[index->trace->steps.data[last].edge].to;
}

// A location inside the section that is still to be searched, and the last load on the path to it.
typedef struct Ahead {
  LocationId location;
  const Step *load;
} Ahead;
VECTOR(AheadVector, Ahead);

Waiting trace_waiting(const TraceIndex *index, ThreadId thread) {
  const Program *program = index->program;
  Waiting found = {0};
  Bitset seen;
  AheadVector open = {0};
  bitset_init(&seen, program->locations.count, NULL);
  LocationId start = trace_final_location(index, thread);
  if (start != NO_ID) AheadVector_push(&open, (Ahead){.location = start});
  while (open.count && !found.step) {
    Ahead ahead = AheadVector_pop(&open);
    if (bitset_get(&seen, ahead.location)) continue;
    bitset_set(&seen, ahead.location);
    const Location *row = &program->locations.data[ahead.location];
    for (uint32_t i = 0; i < row->out_count && !found.step; i++) {
      const Edge *edge = &program->edges.data[location_out_edge(program, row, i)];
      const Step *step = edge_step(program, edge, 0);
      const Step *load = step->access.address != TERM_NONE && step->access.reads ? step : ahead.load;
      if (step->kind == STEP_LOCK || step->kind == STEP_WAIT) found = (Waiting){.step = step, .load = load};
      if (program->locations.data[edge->to].atomic)
        AheadVector_push(&open, (Ahead){.location = edge->to, .load = load});
    }
  }
  AheadVector_free(&open);
  bitset_free(&seen);
  return found;
}

typedef struct ValueContext {
  const TraceIndex *index;
  size_t before;
} ValueContext;

static Bits variable_value(void *context, Term term) {
  const ValueContext *values = context;
  VariableId variable = program_variable_of_term(values->index->program, term);
  if (variable == NO_ID) return 0;
  uint32_t writer = trace_variable_writer(values->index, variable, values->before);
  return writer == NO_ID ? 0 : values->index->trace->changes.data[writer].after;
}

Bits trace_evaluate(const TraceIndex *index, Term term, size_t before) {
  ValueContext values = {.index = index, .before = before};
  TermValuation valuation = {.value_of = variable_value, .context = &values};
  return term_evaluate(index->program->terms, term, &valuation);
}

CellId trace_cell_at(const TraceIndex *index, Term address, size_t before) {
  if (address == TERM_NONE) return NO_ID;
  return program_cell_at(index->program, (uint64_t)trace_evaluate(index, address, before));
}

ThreadId trace_lock_holder(const TraceIndex *index, CellId lock) {
  for (size_t i = 0; i < index->locks.count; i++)
    if (index->locks.data[i].cell == lock && index->locks.data[i].released == NO_ID) return index->locks.data[i].thread;
  return NO_ID;
}
