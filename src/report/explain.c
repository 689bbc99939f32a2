#include "report/explain.h"

#include "report/explain_parts.h"
#include "report/units.h"

#include <assert.h>

// "main" or "thread 2"
void explain_add_thread(const Explainer *e, ThreadId thread) {
  const Thread *row = &e->program->threads.data[thread];
  if (thread == 0)
    text_add(e->out, "main");
  else
    text_format(e->out, "thread %s", row->label);
}

void explain_add_place(const Explainer *e, size_t step) {
  text_add(e->out, " at ");
  words_place(&trace_step_row(e->index, step)->position, e->out);
}

void explain_add_cell(const Explainer *e, CellId cell) {
  Unit unit = unit_of_number(e->program, cell);
  words_unit_name(e->program, &unit, e->out);
}

// Adds the value of the change's cell after its step.
static void add_value(const Explainer *e, uint32_t change) {
  Unit unit = unit_of_number(e->program, e->trace->changes.data[change].cell);
  words_unit_after(e->index, &unit, change, e->out);
}

// --- the reads from which a value was computed ---

// Collects the reads of shared memory, by the step's own thread, from which the value of a term was computed.
typedef struct Reads {
  const Explainer *e;
  uint32_t step;   // where the term is evaluated
  Bitset seen;     // changes that were found or put into `open`
  U32Vector open;  // changes that are still to be followed
  U32Vector found; // changes that touch a cell
} Reads;

static void open_variable(void *context, Term term) {
  Reads *reads = context;
  const Explainer *e = reads->e;
  VariableId variable = program_variable_of_term(e->program, term);
  if (variable == NO_ID) return;
  const TraceStep *row = &e->trace->steps.data[reads->step];
  const Access *access = &e->program->steps.data[row->step].access;
  bool loaded = access->address != TERM_NONE && access->reads && access->into == variable;
  uint32_t change =
      trace_variable_writer(e->index, variable, loaded ? row->first_change + row->change_count : row->first_change);
  if (change == NO_ID || bitset_get(&reads->seen, change)) return;
  bitset_set(&reads->seen, change);
  U32Vector_push(&reads->open, change);
}

static void open_term(Reads *reads, uint32_t step, Term term) {
  if (term == TERM_NONE || value_is_fresh(term)) return;
  reads->step = step;
  term_each_variable(reads->e->program->terms, term, open_variable, reads);
}

// Follows what a step loaded. A read of shared memory is a result; a read of the thread's own memory leads to the write
// before it.
static void open_loaded(Reads *reads, uint32_t step) {
  const Explainer *e = reads->e;
  const TraceStep *row = &e->trace->steps.data[step];
  for (uint32_t c = row->first_change; c < row->first_change + row->change_count; c++) {
    CellId cell = e->trace->changes.data[c].cell;
    if (cell == NO_ID || bitset_get(&reads->seen, c)) continue;
    bitset_set(&reads->seen, c);
    if (bitset_get(&e->lines->relevance.cells, cell) || e->program->cells.data[cell].shared) {
      U32Vector_push(&reads->found, c);
      continue;
    }
    uint32_t writer = trace_cell_writer(e->index, cell, row->first_change);
    if (writer == NO_ID || bitset_get(&reads->seen, writer)) continue;
    bitset_set(&reads->seen, writer);
    U32Vector_push(&reads->open, writer);
  }
}

static void follow_reads(Reads *reads) {
  const Explainer *e = reads->e;
  while (reads->open.count) {
    uint32_t change = U32Vector_pop(&reads->open), step = step_of(e, change);
    const TraceChange *what = &e->trace->changes.data[change];
    const Step *row = trace_step_row(e->index, step);
    if (what->cell != NO_ID) {
      open_term(reads, step, row->access.stored);
      continue;
    }
    if (row->access.address != TERM_NONE && row->access.reads && row->access.into == what->variable)
      open_loaded(reads, step);
    for (uint32_t i = 0; i < row->assignment_count; i++)
      if (row->assignments[i].variable == what->variable) open_term(reads, step, row->assignments[i].value);
  }
}

static void reads_init(Reads *reads, const Explainer *e) {
  *reads = (Reads){.e = e};
  bitset_init(&reads->seen, e->trace->changes.count, NULL);
}

static void reads_free(Reads *reads) {
  bitset_free(&reads->seen);
  U32Vector_free(&reads->open);
  U32Vector_free(&reads->found);
}

// --- patterns of wrong values ---

// The read of `cell`, by the same thread, from which the value written by `change` was computed; NO_ID: there is none.
static uint32_t read_for_write(const Explainer *e, uint32_t change, CellId cell) {
  Reads reads;
  reads_init(&reads, e);
  uint32_t step = step_of(e, change), found = NO_ID;
  const Step *row = trace_step_row(e->index, step);
  if (row->access.reads) { // one step reads and writes: no other step can come between
    reads_free(&reads);
    return NO_ID;
  }
  open_term(&reads, step, row->access.stored);
  follow_reads(&reads);
  for (size_t i = 0; i < reads.found.count; i++)
    if (e->trace->changes.data[reads.found.data[i]].cell == cell) found = reads.found.data[i];
  reads_free(&reads);
  return found;
}

// Pattern: between the read and the write of an update, another thread wrote the cell; the update overwrote that value.
static bool explain_lost_update(const Explainer *e, CellId cell, size_t before) {
  for (uint32_t write = trace_cell_writer(e->index, cell, before); write != NO_ID;
       write = trace_cell_writer(e->index, cell, write)) {
    uint32_t read = read_for_write(e, write, cell);
    uint32_t lost = trace_cell_writer(e->index, cell, write);
    if (read == NO_ID || lost == NO_ID || lost < read) continue;
    ThreadId updater = thread_of(e, step_of(e, write)), loser = thread_of(e, step_of(e, lost));
    if (updater == loser) continue;
    uint32_t last = trace_cell_writer(e->index, cell, before);
    explain_add_cell(e, cell);
    text_add(e->out, " is ");
    add_value(e, last);
    text_add(e->out, ": ");
    explain_add_thread(e, loser);
    text_add(e->out, "'s write of ");
    add_value(e, lost);
    explain_add_place(e, step_of(e, lost));
    text_add(e->out, " was lost, as ");
    explain_add_thread(e, updater);
    text_add(e->out, " had read ");
    explain_add_cell(e, cell);
    text_add(e->out, " = ");
    add_value(e, read);
    explain_add_place(e, step_of(e, read));
    text_add(e->out, " before it and wrote ");
    add_value(e, write);
    text_add(e->out, " after it");
    return true;
  }
  return false;
}

// The last access of the thread to the cell before the given change; NO_ID if there is none.
static uint32_t own_access_before(const Explainer *e, ThreadId thread, CellId cell, uint32_t before) {
  for (uint32_t c = before; c-- > 0;)
    if (e->trace->changes.data[c].cell == cell && thread_of(e, step_of(e, c)) == thread) return c;
  return NO_ID;
}

// Pattern: another thread wrote the cell between two accesses of this thread.
static bool explain_intrusion(const Explainer *e, uint32_t read) {
  const TraceChange *now = &e->trace->changes.data[read];
  assert(now->cell != NO_ID);
  ThreadId thread = thread_of(e, step_of(e, read));
  uint32_t write = trace_cell_writer(e->index, now->cell, read);
  if (write == NO_ID || thread_of(e, step_of(e, write)) == thread) return false;
  uint32_t own = own_access_before(e, thread, now->cell, read);
  if (own == NO_ID || own > write || e->trace->changes.data[own].after == now->after) return false;
  explain_add_thread(e, thread_of(e, step_of(e, write)));
  text_add(e->out, " came in between: ");
  explain_add_thread(e, thread);
  text_add(e->out, e->trace->changes.data[own].read ? " read " : " wrote ");
  explain_add_cell(e, now->cell);
  text_add(e->out, " = ");
  add_value(e, own);
  explain_add_place(e, step_of(e, own));
  text_add(e->out, " and reads ");
  add_value(e, read);
  explain_add_place(e, step_of(e, read));
  text_add(e->out, ", as it was written");
  explain_add_place(e, step_of(e, write));
  return true;
}

static bool may_write(const Explainer *e, const Step *step, CellId cell) {
  if (step->access.address == TERM_NONE || !step->access.writes || step->position.library) return false;
  if (step->access.cells.count > 4) return false; // one of many cells: too uncertain for an explanation
  for (uint32_t i = 0; i < step->access.cells.count; i++)
    if (access_cell(e->program, &step->access, i) == cell) return true;
  return false;
}

// A step that writes the cell and that the thread may reach after the trace; NULL: there is none.
static const Step *later_write(const Explainer *e, ThreadId thread, CellId cell) {
  const Program *program = e->program;
  LocationId start = trace_final_location(e->index, thread);
  ByteVector seen = {0};
  U32Vector stack = {0};
  ByteVector_resize(&seen, program->locations.count);
  if (start != NO_ID) U32Vector_push(&stack, start);
  const Step *found = NULL;
  while (stack.count && !found) {
    LocationId location = U32Vector_pop(&stack);
    if (seen.data[location]) continue;
    seen.data[location] = 1;
    const Location *row = &program->locations.data[location];
    for (uint32_t i = 0; i < row->out_count; i++) {
      const Edge *edge = &program->edges.data[location_out_edge(program, row, i)];
      if (!found && may_write(e, edge_step(program, edge, 0), cell)) found = edge_step(program, edge, 0);
      U32Vector_push(&stack, edge->to);
    }
  }
  ByteVector_free(&seen);
  U32Vector_free(&stack);
  return found;
}

// Pattern: the cell was read before any write of it, and another thread writes it later, in the trace or after it.
static bool explain_early_read(const Explainer *e, uint32_t read) {
  const TraceChange *now = &e->trace->changes.data[read];
  ThreadId thread = thread_of(e, step_of(e, read));
  uint32_t write = trace_cell_writer(e->index, now->cell, read);
  if (write != NO_ID) return false;
  for (ThreadId t = 0; t < e->program->threads.count; t++) {
    bool running = t == 0 || e->index->created_by.data[t] != NO_ID;
    if (t == thread || !running) continue;
    uint32_t later = NO_ID;
    for (uint32_t c = read + 1; c < e->trace->changes.count && later == NO_ID; c++)
      if (e->trace->changes.data[c].cell == now->cell && !e->trace->changes.data[c].read &&
          thread_of(e, step_of(e, c)) == t)
        later = c;
    const Step *written_by =
        later == NO_ID ? later_write(e, t, now->cell) : trace_step_row(e->index, step_of(e, later));
    if (!written_by) continue;
    explain_add_thread(e, thread);
    text_add(e->out, " read ");
    explain_add_cell(e, now->cell);
    text_add(e->out, " = ");
    add_value(e, read);
    explain_add_place(e, step_of(e, read));
    text_add(e->out, " before ");
    explain_add_thread(e, t);
    text_add(e->out, later == NO_ID ? " came to write it at " : " wrote it at ");
    words_place(&written_by->position, e->out);
    return true;
  }
  return false;
}

// If another thread wrote the cell before the writer of `write`, adds that write.
static void add_other_writer(const Explainer *e, CellId cell, uint32_t write) {
  ThreadId writer = thread_of(e, step_of(e, write));
  uint32_t other = write;
  while (other != NO_ID && thread_of(e, step_of(e, other)) == writer) other = trace_cell_writer(e->index, cell, other);
  if (other == NO_ID) return;
  text_add(e->out, " after ");
  explain_add_thread(e, thread_of(e, step_of(e, other)));
  text_add(e->out, " had written ");
  add_value(e, other);
  explain_add_place(e, step_of(e, other));
}

// If no pattern fits: the values that were read, and the threads that wrote them.
static void explain_values(const Explainer *e, const U32Vector *found) {
  const char *before = "";
  Bitset named;
  bitset_init(&named, e->program->cells.count, NULL);
  for (size_t i = found->count; i-- > 0;) {
    const TraceChange *now = &e->trace->changes.data[found->data[i]];
    if (bitset_get(&named, now->cell)) continue;
    Unit unit = unit_of_number(e->program, now->cell);
    for (uint32_t k = 0; k < unit.count; k++) bitset_set(&named, unit.first + k);
    text_add(e->out, before);
    before = "; ";
    explain_add_thread(e, thread_of(e, step_of(e, found->data[i])));
    text_add(e->out, " read ");
    explain_add_cell(e, now->cell);
    text_add(e->out, " = ");
    add_value(e, found->data[i]);
    explain_add_place(e, step_of(e, found->data[i]));
    uint32_t write = trace_cell_writer(e->index, now->cell, found->data[i]);
    if (write == NO_ID) {
      text_add(e->out, ", which no thread had written");
    } else {
      text_add(e->out, ", written by ");
      explain_add_thread(e, thread_of(e, step_of(e, write)));
      explain_add_place(e, step_of(e, write));
      add_other_writer(e, now->cell, write);
    }
  }
  bitset_free(&named);
}

static bool explain_reads(const Explainer *e, const U32Vector *found) {
  for (size_t i = found->count; i-- > 0;)
    if (explain_lost_update(e, e->trace->changes.data[found->data[i]].cell, found->data[i])) return true;
  for (size_t i = found->count; i-- > 0;)
    if (explain_intrusion(e, found->data[i])) return true;
  for (size_t i = found->count; i-- > 0;)
    if (explain_early_read(e, found->data[i])) return true;
  if (found->count) explain_values(e, found);
  return found->count > 0;
}

// Explains what the decisions before the last step had read, beginning with the nearest.
static void explain_decisions(const Explainer *e, Term also) {
  assert(e->trace->steps.count > 0);
  uint32_t last = (uint32_t)e->trace->steps.count - 1;
  Reads reads;
  reads_init(&reads, e);
  open_term(&reads, last, also);
  follow_reads(&reads);
  bool named = explain_reads(e, &reads.found);
  for (uint32_t step = last; step != NO_ID && !named; step = e->control.parent.data[step]) {
    open_term(&reads, step, trace_step_row(e->index, step)->guard);
    follow_reads(&reads);
    named = explain_reads(e, &reads.found);
  }
  reads_free(&reads);
}

// --- memory ---

static bool explain_block(const Explainer *e, uint64_t address) {
  ObjectId object = program_object_at(e->program, address);
  uint32_t last = (uint32_t)e->trace->steps.count - 1;
  for (uint32_t i = last; i-- > 0 && object != NO_ID;) {
    const Step *step = trace_step_row(e->index, i);
    bool ended = step->kind == STEP_END && step->target == object, freed = false;
    if (step->kind == STEP_FREE && step->operand != TERM_NONE) {
      uint64_t pointer = (uint64_t)trace_evaluate(e->index, step->operand, e->trace->steps.data[i].first_change);
      freed = pointer && program_object_at(e->program, pointer) == object;
    }
    if (!ended && !freed) continue;
    words_object(e->program, object, e->out);
    text_add(e->out, ended ? " is gone: its lifetime ended in " : " was freed by ");
    explain_add_thread(e, thread_of(e, i));
    explain_add_place(e, i);
    text_add(e->out, ", and ");
    explain_add_thread(e, thread_of(e, last));
    text_add(e->out, trace_step_row(e->index, last)->kind == STEP_FREE ? " frees it again" : " still uses it");
    explain_add_place(e, last);
    return true;
  }
  return false;
}

// The size of the object in bytes. If it is sized, its last allocation in the trace determines the size.
static uint64_t block_bytes(const Explainer *e, ObjectId object) {
  for (uint32_t i = (uint32_t)e->trace->steps.count; i-- > 0 && e->program->objects.data[object].sized;) {
    const Step *step = trace_step_row(e->index, i);
    if (step->kind != STEP_ALLOCATE || step->target != object) continue;
    return (uint64_t)trace_evaluate(e->index, step->operand, e->trace->steps.data[i].first_change);
  }
  return e->program->objects.data[object].size;
}

static void explain_memory(const Explainer *e) {
  assert(e->trace->steps.count > 0);
  size_t last = e->trace->steps.count - 1;
  const Step *row = trace_step_row(e->index, last);
  Term pointer = row->kind == STEP_FREE ? row->operand : row->access.address;
  if (pointer == TERM_NONE) return;
  uint64_t address = (uint64_t)trace_evaluate(e->index, pointer, e->trace->steps.data[last].first_change);
  if (address && explain_block(e, address)) return;
  ObjectId object = address ? program_object_at(e->program, address) : NO_ID;
  if (object != NO_ID) {
    const Object *found = &e->program->objects.data[object];
    text_format(e->out, "byte %llu of ", (unsigned long long)(address - found->address));
    words_object(e->program, object, e->out);
    text_format(e->out, ", which has %llu", (unsigned long long)block_bytes(e, object));
  } else {
    text_add(e->out, address ? "the pointer points to no object" : "the pointer is null");
  }
  size_t named = e->out->length;
  text_add(e->out, "; ");
  size_t begun = e->out->length;
  explain_decisions(e, pointer);
  if (e->out->length == begun) {
    e->out->length = named;
    e->out->data[named] = '\0';
  }
}

void explain_trace(const TraceLines *lines, Property property, Text *out) {
  const TraceIndex *index = &lines->index;
  if (index->trace->steps.count == 0) return;
  Explainer e = {.lines = lines, .index = index, .program = index->program, .trace = index->trace, .out = out};
  control_init(&e.control, e.program, e.trace);
  const Step *last = trace_step_row(index, index->trace->steps.count - 1);
  switch (property) {
  case PROPERTY_NO_DATA_RACE: explain_race(&e); break;
  case PROPERTY_NO_DEADLOCK: explain_deadlock(&e); break;
  case PROPERTY_VALID_MEMSAFETY: explain_memory(&e); break;
  case PROPERTY_LTL: explain_lasso(&e); break;
  case PROPERTY_VALID_MEMTRACK:
  case PROPERTY_VALID_MEMCLEANUP: explain_leak(&e); break;
  case PROPERTY_UNREACH_CALL:
  case PROPERTY_NO_DIVISION_BY_ZERO:
  case PROPERTY_NO_OVERFLOW:
  case PROPERTY_COUNT: explain_decisions(&e, last->operand); break;
  }
  control_free(&e.control);
}

void explain_violation(const Program *program, const Trace *trace, const Result *result, Text *out) {
  if (result->answer != ANSWER_UNSAFE) return;
  TraceLines lines;
  trace_lines_init(&lines, program, trace, result, false);
  explain_trace(&lines, result->property, out);
  trace_lines_free(&lines);
}
