#include "report/relevance.h"

#include "report/trace_control.h"

#include <assert.h>

// How much of a step matters. If only its place in the order matters (a write whose value was overwritten, a lock), the
// sources of its values do not.
typedef enum Weight { WEIGHT_NONE, WEIGHT_PLACE, WEIGHT_VALUES } Weight;

typedef struct Slicer {
  const TraceIndex *index;
  const Program *program;
  const Trace *trace;
  Control control;
  ByteVector weight;    // per step
  Bitset changes;       // the changes whose values matter
  Bitset cells;         // the cells with an access that matters
  Bitset contended;     // the cells that two threads of the trace touch, at least one of them with a write
  Bitset atoms;         // per cell: the formula reads it
  U32Vector sources;    // per step: for a decision or wait that depends on a contended cell, the read of it; else NO_ID
  U32Vector open;       // changes that are still to be followed
  U32Vector open_steps; // steps that are still to be followed
  bool grown;
} Slicer;

static void want_step(Slicer *s, uint32_t step, Weight weight) {
  if (step == NO_ID) return;
  assert(step < s->weight.count);
  if (s->weight.data[step] >= weight) return;
  s->weight.data[step] = (uint8_t)weight;
  s->grown = true;
  U32Vector_push(&s->open_steps, step);
}

static void want_change(Slicer *s, uint32_t change) {
  if (change == NO_ID || bitset_get(&s->changes, change)) return;
  assert(change < s->index->step_of.count);
  bitset_set(&s->changes, change);
  U32Vector_push(&s->open, change);
  want_step(s, s->index->step_of.data[change], WEIGHT_VALUES);
}

// --- where values come from ---

typedef struct TermUse {
  Slicer *slicer;
  uint32_t step;
} TermUse;

// The change that gave the variable the value that the step uses: a load of the step itself, or the last write before.
static uint32_t definition(const Slicer *s, uint32_t step, VariableId variable) {
  const TraceStep *row = &s->trace->steps.data[step];
  const Access *access = &s->program->steps.data[row->step].access;
  bool loaded = access->address != TERM_NONE && access->reads && access->into == variable;
  size_t before = row->first_change;
  if (loaded)
    for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++)
      if (s->trace->changes.data[c].variable == variable) return c;
  return trace_variable_writer(s->index, variable, before);
}

static void want_variable(void *context, Term term) {
  const TermUse *use = context;
  VariableId variable = program_variable_of_term(use->slicer->program, term);
  if (variable != NO_ID) want_change(use->slicer, definition(use->slicer, use->step, variable));
}

static void want_term(Slicer *s, uint32_t step, Term term) {
  if (term == TERM_NONE || value_is_fresh(term)) return;
  TermUse use = {.slicer = s, .step = step};
  term_each_variable(s->program->terms, term, want_variable, &use);
}

// Adds the last write of each cell that the step read.
static void want_read_cells(Slicer *s, uint32_t step) {
  const TraceStep *row = &s->trace->steps.data[step];
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) {
    CellId cell = s->trace->changes.data[c].cell;
    if (cell == NO_ID) continue;
    bitset_set(&s->cells, cell);
    want_change(s, trace_cell_writer(s->index, cell, row->first_change));
  }
}

static void follow_change(Slicer *s, uint32_t change) {
  uint32_t step = s->index->step_of.data[change];
  const Step *row = trace_step_row(s->index, step);
  const TraceChange *what = &s->trace->changes.data[change];
  if (what->cell != NO_ID) {
    bitset_set(&s->cells, what->cell);
    if (!what->read) want_term(s, step, row->access.stored);
    return;
  }
  if (row->access.address != TERM_NONE && row->access.reads && row->access.into == what->variable) {
    want_read_cells(s, step);
    want_term(s, step, row->access.address);
  }
  for (uint32_t i = 0; i < row->assignment_count; i++)
    if (row->assignments[i].variable == what->variable) want_term(s, step, row->assignments[i].value);
}

// --- what surrounds a step ---

static bool is_lock(StepKind kind) { return kind == STEP_LOCK || kind == STEP_UNLOCK || kind == STEP_TRYLOCK; }

static void follow_step(Slicer *s, uint32_t step) {
  const Step *row = trace_step_row(s->index, step);
  uint32_t parent = s->control.parent.data[step];
  bool values = s->weight.data[step] == WEIGHT_VALUES;
  if (values) want_step(s, parent, WEIGHT_VALUES);
  want_step(s, s->index->created_by.data[s->trace->steps.data[step].thread], WEIGHT_PLACE);
  if (!values || is_lock(row->kind)) return;
  want_term(s, step, row->guard);
  want_term(s, step, row->operand);
  if (row->access.address != TERM_NONE) want_term(s, step, row->access.address);
}

static void drain(Slicer *s) {
  while (s->open.count || s->open_steps.count) {
    if (s->open.count)
      follow_change(s, U32Vector_pop(&s->open));
    else
      follow_step(s, U32Vector_pop(&s->open_steps));
  }
}

// --- order ---

// Does one of the steps (from, to) of the thread matter, apart from locks? `from` may be SIZE_MAX: from the start.
static bool matters_between(const Slicer *s, ThreadId thread, size_t from, size_t to) {
  for (size_t i = from + 1; i < to && i < s->trace->steps.count; i++)
    if (s->trace->steps.data[i].thread == thread && s->weight.data[i] && !is_lock(trace_step_row(s->index, i)->kind))
      return true;
  return false;
}

static void want_locks(Slicer *s) {
  for (size_t i = 0; i < s->index->locks.count; i++) {
    const HeldLock *held = &s->index->locks.data[i];
    if (s->weight.data[held->taken] && (held->released == NO_ID || s->weight.data[held->released])) continue;
    if (!s->weight.data[held->taken] && !matters_between(s, held->thread, held->taken, held->released)) continue;
    want_step(s, held->taken, WEIGHT_PLACE);
    want_step(s, held->released, WEIGHT_PLACE);
  }
}

// Adds the program's own atomic sections around steps that matter, and signals before them.
static void want_sections(Slicer *s) {
  for (size_t i = 0; i < s->trace->steps.count; i++) {
    const Step *row = trace_step_row(s->index, i);
    ThreadId thread = s->trace->steps.data[i].thread;
    // The section is that of a signal that arrives before a step of its thread that matters.
    if (row->kind == STEP_ATOMIC_BEGIN && row->target != NO_ID && matters_between(s, thread, i, s->trace->steps.count))
      want_step(s, (uint32_t)i, WEIGHT_PLACE);
    if (row->kind != STEP_ATOMIC_BEGIN || row->position.library) continue;
    size_t end = i + 1;
    while (end < s->trace->steps.count &&
           (s->trace->steps.data[end].thread != thread || trace_step_row(s->index, end)->kind != STEP_ATOMIC_END))
      end++;
    if (!matters_between(s, thread, i, end)) continue;
    want_step(s, (uint32_t)i, WEIGHT_PLACE);
    if (end < s->trace->steps.count) want_step(s, (uint32_t)end, WEIGHT_PLACE);
  }
}

// Did the value that a wait or decision read come from a step that matters? A write of a library model (the end of a
// thread, a semaphore) does if a step before it in its thread matters. A write of the program always does, and so does
// the initial value if the program itself waits.
static bool has_reason(const Slicer *s, size_t step) {
  uint32_t read = s->sources.data[step];
  assert(read != NO_ID && s->trace->changes.data[read].cell != NO_ID);
  const TraceChange *change = &s->trace->changes.data[read];
  uint32_t writer = trace_cell_writer(s->index, change->cell, read);
  if (writer == NO_ID) return !trace_step_row(s->index, step)->position.library;
  uint32_t by = s->index->step_of.data[writer];
  if (!trace_step_row(s->index, by)->position.library && trace_step_row(s->index, by)->kind != STEP_EXIT) return true;
  return matters_between(s, s->trace->steps.data[by].thread, SIZE_MAX, by);
}

// Adds waits, and decisions that depend on contended cells, before steps that matter.
static void want_orders(Slicer *s) {
  for (size_t i = 0; i < s->trace->steps.count; i++) {
    if (s->sources.data[i] == NO_ID || s->weight.data[i] == WEIGHT_VALUES) continue;
    if (matters_between(s, s->trace->steps.data[i].thread, i, s->trace->steps.count) && has_reason(s, i))
      want_step(s, (uint32_t)i, WEIGHT_VALUES);
  }
}

// Adds the writes to contended cells that matter.
static void want_interference(Slicer *s) {
  for (size_t i = 0; i < s->index->cell_writes.count; i++) {
    CellId cell = (CellId)(s->index->cell_writes.data[i] >> 32);
    uint32_t step = s->index->step_of.data[(uint32_t)s->index->cell_writes.data[i]];
    if (!bitset_get(&s->cells, cell) || !bitset_get(&s->contended, cell)) continue;
    if (is_lock(trace_step_row(s->index, step)->kind)) continue;
    want_step(s, step, WEIGHT_PLACE);
  }
}

// --- decisions that depend on other threads ---

// Per variable and cell: the read of a contended cell from which its value was computed.
typedef struct Taint {
  Slicer *slicer;
  U32Vector variables, cells; // NO_ID: there is none
  uint32_t found;
} Taint;

static void find_taint(void *context, Term term) {
  Taint *taint = context;
  VariableId variable = program_variable_of_term(taint->slicer->program, term);
  if (variable != NO_ID && taint->variables.data[variable] != NO_ID) taint->found = taint->variables.data[variable];
}

static uint32_t taint_of(Taint *taint, Term term) {
  taint->found = NO_ID;
  if (term != TERM_NONE && !value_is_fresh(term))
    term_each_variable(taint->slicer->program->terms, term, find_taint, taint);
  return taint->found;
}

static uint32_t taint_of_loaded(const Taint *taint, const TraceStep *row) {
  const Slicer *s = taint->slicer;
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) {
    CellId cell = s->trace->changes.data[c].cell;
    if (cell == NO_ID) continue;
    if (bitset_get(&s->contended, cell)) return c;
    if (taint->cells.data[cell] != NO_ID) return taint->cells.data[cell];
  }
  return NO_ID;
}

static void taint_step(Taint *taint, size_t i) {
  Slicer *s = taint->slicer;
  const TraceStep *row = &s->trace->steps.data[i];
  const Step *step = &s->program->steps.data[row->step];
  if (step->access.address != TERM_NONE && step->access.reads)
    taint->variables.data[step->access.into] = taint_of_loaded(taint, row);
  uint32_t decided = is_lock(step->kind) ? NO_ID : taint_of(taint, step->guard);
  if (decided != NO_ID &&
      (step->kind == STEP_WAIT || step->kind == STEP_ASSUME || control_is_exit(&s->control, s->program, row->edge)))
    s->sources.data[i] = decided;
  uint32_t stored = taint_of(taint, step->access.stored);
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) {
    const TraceChange *change = &s->trace->changes.data[c];
    if (change->cell != NO_ID && !change->read) taint->cells.data[change->cell] = stored;
  }
  for (uint32_t k = 0; k < step->assignment_count; k++)
    taint->variables.data[step->assignments[k].variable] = taint_of(taint, step->assignments[k].value);
}

static void fill(U32Vector *vector, size_t count) {
  U32Vector_resize(vector, count);
  for (size_t i = 0; i < count; i++) vector->data[i] = NO_ID;
}

static void find_orders(Slicer *s) {
  Taint taint = {.slicer = s};
  fill(&taint.variables, s->program->variables.count);
  fill(&taint.cells, s->program->cells.count);
  fill(&s->sources, s->trace->steps.count);
  for (size_t i = 0; i < s->trace->steps.count; i++) taint_step(&taint, i);
  U32Vector_free(&taint.variables);
  U32Vector_free(&taint.cells);
}

// Finds the cells that two threads touch, at least one of them with a write.
static void find_contended(Slicer *s) {
  U32Vector first = {0}; // per cell: the first thread that touched it, or NO_ID
  Bitset several, written;
  bitset_init(&several, s->program->cells.count, NULL);
  bitset_init(&written, s->program->cells.count, NULL);
  U32Vector_resize(&first, s->program->cells.count);
  for (size_t c = 0; c < first.count; c++) first.data[c] = NO_ID;
  for (size_t c = 0; c < s->trace->changes.count; c++) {
    const TraceChange *change = &s->trace->changes.data[c];
    if (change->cell == NO_ID) continue;
    ThreadId thread = s->trace->steps.data[s->index->step_of.data[c]].thread;
    if (first.data[change->cell] == NO_ID) first.data[change->cell] = thread;
    if (first.data[change->cell] != thread) bitset_set(&several, change->cell);
    if (!change->read) bitset_set(&written, change->cell);
  }
  bitset_intersect(&several, &written);
  bitset_copy(&s->contended, &several);
  bitset_free(&several);
  bitset_free(&written);
  U32Vector_free(&first);
}

// --- where the slice begins ---

static void want_all_of(Slicer *s, size_t step) {
  const TraceStep *row = &s->trace->steps.data[step];
  want_step(s, (uint32_t)step, WEIGHT_VALUES);
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) want_change(s, c);
  want_read_cells(s, (uint32_t)step);
}

static void want_race(Slicer *s) {
  const TraceRace *race = &s->trace->race;
  bool second = false, first = false;
  for (size_t i = s->trace->steps.count; i-- > 0 && !first;) {
    const TraceStep *row = &s->trace->steps.data[i];
    bool is_second = !second && row->thread == race->second_thread && row->edge == race->second_edge;
    bool is_first = row->thread == race->first_thread && row->edge == race->first_edge;
    if (!is_second && !is_first) continue;
    want_step(s, (uint32_t)i, WEIGHT_VALUES);
    bitset_set(&s->cells, race->cell);
    second = second || is_second;
    first = first || is_first;
  }
}

// Adds the last step of each thread that waits, and the steps that took the locks that are held.
static void want_deadlock(Slicer *s) {
  for (ThreadId t = 0; t < s->program->threads.count; t++)
    if (s->index->last_step.data[t] != NO_ID && trace_waiting(s->index, t).step)
      want_step(s, s->index->last_step.data[t], WEIGHT_VALUES);
  for (size_t i = 0; i < s->index->locks.count; i++)
    if (s->index->locks.data[i].released == NO_ID) want_step(s, s->index->locks.data[i].taken, WEIGHT_VALUES);
}

// Adds the steps that allocated or freed the block of the last step's address.
static void want_block(Slicer *s) {
  size_t last = s->trace->steps.count - 1;
  const Step *row = trace_step_row(s->index, last);
  Term pointer = row->kind == STEP_FREE ? row->operand : row->access.address;
  if (pointer == TERM_NONE) return;
  size_t before = s->trace->steps.data[last].first_change;
  ObjectId object = program_object_at(s->program, (uint64_t)trace_evaluate(s->index, pointer, before));
  for (size_t i = 0; i < last && object != NO_ID; i++) {
    const Step *step = trace_step_row(s->index, i);
    bool about = (step->kind == STEP_ALLOCATE || step->kind == STEP_END) && step->target == object;
    if (step->kind == STEP_FREE && step->operand != TERM_NONE) {
      uint64_t freed = (uint64_t)trace_evaluate(s->index, step->operand, s->trace->steps.data[i].first_change);
      about = program_object_at(s->program, freed) == object;
    }
    if (about) want_step(s, (uint32_t)i, WEIGHT_VALUES);
  }
}

// Adds the step that lost the last pointer to a block, with the value that a variable got there.
static void want_losing_step(Slicer *s, const TraceLoss *loss) {
  want_step(s, loss->lost, WEIGHT_VALUES);
  const TraceStep *row = &s->trace->steps.data[loss->lost];
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++)
    if (loss->object == NO_ID && s->trace->changes.data[c].variable == loss->variable) want_change(s, c);
}

// Adds the steps that allocated the block that leaks, that lost the last pointer to it, and that stored this pointer.
static void want_loss(Slicer *s) {
  const TraceLoss *loss = &s->trace->loss;
  if (loss->cause == LOST_UNTOLD || loss->allocated == NO_ID) return;
  want_step(s, loss->allocated, WEIGHT_VALUES);
  if (loss->cause != LOST_KEPT) want_losing_step(s, loss);
  size_t before = loss->cause == LOST_KEPT ? s->trace->changes.count : s->trace->steps.data[loss->lost].first_change;
  if (loss->object == NO_ID) {
    if (loss->cause != LOST_NEVER_KEPT) want_change(s, trace_variable_writer(s->index, loss->variable, before));
    return;
  }
  const Object *object = &s->program->objects.data[loss->object];
  for (CellId c = object->first_cell; c < object->first_cell + object->cell_count; c++)
    if (s->program->cells.data[c].address - object->address == loss->offset)
      want_change(s, trace_cell_writer(s->index, c, before));
}

static void add_cell(void *context, Term term) {
  Slicer *s = context;
  CellId cell = program_cell_of_term(s->program, term);
  if (cell != NO_ID) bitset_set(&s->atoms, cell);
}

static void find_atoms(Slicer *s) {
  for (size_t i = 0; i < s->program->observations.count; i++) {
    Term condition = s->program->observations.data[i];
    if (condition != TERM_NONE) term_each_variable(s->program->terms, condition, add_cell, s);
  }
}

// Adds the steps that change what the formula reads, all steps of the loop, and the locks that are held at its end.
static void want_lasso(Slicer *s, uint32_t loop_start) {
  const Program *p = s->program;
  for (size_t i = 0; i < s->trace->steps.count; i++) {
    const TraceStep *row = &s->trace->steps.data[i];
    const Edge *edge = &p->edges.data[row->edge];
    bool changes_place = p->locations.data[edge->from].observed != p->locations.data[edge->to].observed;
    if (i >= loop_start || changes_place) want_step(s, (uint32_t)i, WEIGHT_VALUES);
    for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) {
      const TraceChange *change = &s->trace->changes.data[c];
      if (change->cell != NO_ID && !change->read && bitset_get(&s->atoms, change->cell)) want_change(s, c);
    }
  }
  want_deadlock(s);
}

// Is the property violated by the place of an access, whatever value the access stores?
static bool is_about_accesses(Property property) {
  return property == PROPERTY_NO_DATA_RACE || property == PROPERTY_VALID_MEMSAFETY;
}

static void begin(Slicer *s, Property property, uint32_t loop_start) {
  if (is_about_accesses(property))
    want_step(s, (uint32_t)s->trace->steps.count - 1, WEIGHT_VALUES);
  else
    want_all_of(s, s->trace->steps.count - 1);
  if (property == PROPERTY_LTL || loop_start != NO_ID) want_lasso(s, loop_start);
  if (property == PROPERTY_NO_DATA_RACE) want_race(s);
  if (property == PROPERTY_NO_DEADLOCK) want_deadlock(s);
  if (property == PROPERTY_VALID_MEMSAFETY) want_block(s);
  want_loss(s);
}

void relevance_free(Relevance *relevance) {
  bitset_free(&relevance->steps);
  bitset_free(&relevance->changes);
  bitset_free(&relevance->cells);
}

void relevance_all(const TraceIndex *index, Relevance *relevance) {
  bitset_init(&relevance->steps, index->trace->steps.count, NULL);
  bitset_init(&relevance->changes, index->trace->changes.count, NULL);
  for (size_t i = 0; i < relevance->changes.bits; i++) bitset_set(&relevance->changes, i);
  bitset_init(&relevance->cells, index->program->cells.count, NULL);
  for (size_t i = 0; i < relevance->steps.bits; i++) bitset_set(&relevance->steps, i);
  for (size_t i = 0; i < index->trace->changes.count; i++)
    if (index->trace->changes.data[i].cell != NO_ID) bitset_set(&relevance->cells, index->trace->changes.data[i].cell);
}

void relevance_find(const TraceIndex *index, Property property, uint32_t loop_start, Relevance *relevance) {
  const Program *program = index->program;
  size_t count = index->trace->steps.count;
  assert(loop_start == NO_ID || loop_start <= count);
  Slicer s = {.index = index, .program = program, .trace = index->trace};
  bitset_init(&relevance->steps, count, NULL);
  bitset_init(&relevance->changes, index->trace->changes.count, NULL);
  bitset_init(&relevance->cells, program->cells.count, NULL);
  if (count == 0) return;
  control_init(&s.control, program, s.trace);
  ByteVector_resize(&s.weight, count);
  bitset_init(&s.changes, s.trace->changes.count, NULL);
  bitset_init(&s.cells, program->cells.count, NULL);
  bitset_init(&s.contended, program->cells.count, NULL);
  bitset_init(&s.atoms, program->cells.count, NULL);
  find_contended(&s);
  find_orders(&s);
  find_atoms(&s);
  begin(&s, property, loop_start);
  do {
    drain(&s);
    s.grown = false;
    want_locks(&s);
    want_sections(&s);
    want_orders(&s);
    want_interference(&s);
  } while (s.grown);
  for (size_t i = 0; i < count; i++)
    if (s.weight.data[i]) bitset_set(&relevance->steps, i);
  bitset_copy(&relevance->changes, &s.changes);
  bitset_copy(&relevance->cells, &s.cells);
  bitset_intersect(&relevance->cells, &s.contended);
  bitset_union(&relevance->cells, &s.atoms);
  control_free(&s.control);
  ByteVector_free(&s.weight);
  bitset_free(&s.changes);
  bitset_free(&s.cells);
  bitset_free(&s.contended);
  bitset_free(&s.atoms);
  U32Vector_free(&s.sources);
  U32Vector_free(&s.open);
  U32Vector_free(&s.open_steps);
}
