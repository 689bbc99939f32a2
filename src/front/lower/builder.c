// Edges: pending assignments, steps, temporaries.
#include "front/lower/lower.h"

#include <string.h>

Step builder_step(Lowering *l) { return step_plain(l->program, l->position); }

LocationId builder_location(Lowering *l) {
  assert(l->thread < l->program->threads.count);
  LocationId location = program_add_location(l->program, l->thread, l->position);
  l->program->locations.data[location].atomic = l->atomic_depth > 0;
  return location;
}

VariableId builder_temporary(Lowering *l, unsigned width, const char *name) {
  assert(width > 0);
  return program_add_variable(l->program, l->thread, width, name && *name ? name : "tmp", true);
}

static Assignment *find_pending(const Lowering *l, VariableId variable) {
  for (size_t i = 0; i < l->pending.count; i++)
    if (l->pending.data[i].variable == variable) return &l->pending.data[i];
  return NULL;
}

void builder_assign(Lowering *l, VariableId variable, Term value) {
  if (l->current == NO_ID) return;
  Assignment *old = find_pending(l, variable);
  assert(variable < l->program->variables.count && value != TERM_NONE);
  if (l->pending.count == 0) l->pending_position = l->position;
  if (old)
    old->value = value;
  else
    AssignmentVector_push(&l->pending, (Assignment){variable, value});
}

Term builder_read(Lowering *l, VariableId variable) {
  assert(variable < l->program->variables.count);
  const Assignment *pending = find_pending(l, variable);
  return pending ? pending->value : variable_term(l->program, variable);
}

typedef struct MentionQuery {
  const Lowering *lowering;
  bool overwritten, changing;
} MentionQuery;

static void look_at_variable(void *context, Term variable) {
  MentionQuery *query = context;
  VariableId id = program_variable_of_term(query->lowering->program, variable);
  if (id == NO_ID) return;
  if (find_pending(query->lowering, id)) query->overwritten = true;
  const ByteVector *changes = &query->lowering->changes;
  if (id < changes->count && changes->data[id]) query->changing = true;
}

// Saves those terms of a binding that the next edge, or leaving the block, would make invalid: each in a temporary
// that the next edge assigns.
static void save_binding(Lowering *l, Binding *binding, bool leaving_block, AssignmentVector *saved) {
  assert(binding->terms && !binding->address);
  for (uint32_t i = 0; i < binding->term_count; i++) {
    Term term = binding->terms[i];
    if (term_is_constant(l->terms, term)) continue;
    MentionQuery query = {.lowering = l};
    term_each_variable(l->terms, term, look_at_variable, &query);
    if (!query.overwritten && !(leaving_block && query.changing)) continue;
    size_t length;
    VariableId temporary = builder_temporary(l, term_width(l->terms, term), LLVMGetValueName2(binding->value, &length));
    AssignmentVector_push(saved, (Assignment){temporary, term});
    binding->terms[i] = variable_term(l->program, temporary);
  }
}

static void save_bindings(Lowering *l, bool leaving_block) {
  if (l->pending.count == 0 && !leaving_block) return;
  AssignmentVector saved;
  AssignmentVector_init(&saved, l->account);
  for (size_t i = 0; i < l->bindings.count; i++) {
    Binding *binding = &l->bindings.data[i];
    if (binding->terms && binding->uses_left > 0 && !binding->address) save_binding(l, binding, leaving_block, &saved);
  }
  if (l->pending.count == 0) l->pending_position = l->position;
  for (size_t i = 0; i < saved.count; i++) AssignmentVector_push(&l->pending, saved.data[i]);
  AssignmentVector_free(&saved);
}

void builder_save_values(Lowering *l) {
  if (l->current != NO_ID) save_bindings(l, true);
}

static void add_edge(Lowering *l, Step *step, LocationId to) {
  assert(l->current < l->program->locations.count && to < l->program->locations.count);
  if (l->pending.count && step->kind == STEP_PLAIN && step->access.address == TERM_NONE)
    step->position = l->pending_position;
  size_t own = step->assignment_count;
  AssignmentVector all;
  AssignmentVector_init(&all, l->account);
  for (size_t i = 0; i < l->pending.count; i++) AssignmentVector_push(&all, l->pending.data[i]);
  for (size_t i = 0; i < own; i++) AssignmentVector_push(&all, step->assignments[i]);
  Step whole = *step;
  whole.assignments = all.data;
  whole.assignment_count = (uint32_t)all.count;
  program_add_edge(l->program, l->current, to, &whole);
  AssignmentVector_free(&all);
}

void builder_emit_to(Lowering *l, Step *step, LocationId to, bool last) {
  if (l->current == NO_ID) return;
  add_edge(l, step, to);
  if (!last) return;
  AssignmentVector_clear(&l->pending);
  l->current = NO_ID;
}

void builder_emit(Lowering *l, Step *step) {
  if (l->current == NO_ID) return;
  save_bindings(l, false);
  LocationId to = builder_location(l);
  add_edge(l, step, to);
  AssignmentVector_clear(&l->pending);
  l->current = to;
}

void builder_save_values_here(Lowering *l) {
  if (l->current == NO_ID) return;
  save_bindings(l, true);
  if (l->pending.count == 0) return;
  Step step = builder_step(l);
  LocationId to = builder_location(l);
  add_edge(l, &step, to);
  AssignmentVector_clear(&l->pending);
  l->current = to;
}

void builder_end(Lowering *l, Step *step) {
  if (l->current == NO_ID) return;
  LocationId to = builder_location(l); // atomic inside a section: no other thread may run between it and the end
  builder_emit_to(l, step, to, true);
}

void builder_flush(Lowering *l) {
  if (l->pending.count == 0) return;
  Step step = builder_step(l);
  builder_emit(l, &step);
}

void builder_cut(Lowering *l, CutKind kind, const char *what) {
  assert(kind < CUT_KIND_COUNT && what);
  if (l->current == NO_ID) return;
  Step step = builder_step(l);
  step.kind = STEP_CUT;
  step.target = program_add_cut(l->program, kind, what, l->position);
  builder_end(l, &step);
}

void builder_cut_if(Lowering *l, Term condition, CutKind kind, const char *what) {
  assert(condition != TERM_NONE && what);
  if (l->current == NO_ID || term_is_false(l->terms, condition)) return;
  builder_save_values_here(l);
  LocationId start = l->current;
  Step on = builder_step(l);
  on.guard = term_not(l->terms, condition);
  builder_emit(l, &on);
  LocationId inside = l->current;
  l->current = start;
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = condition;
  cut.target = program_add_cut(l->program, kind, what, l->position);
  builder_end(l, &cut);
  l->current = inside;
}

Term builder_fresh(Lowering *l, unsigned width, Term kind, const char *name) {
  assert(value_is_fresh(kind));
  if (l->current == NO_ID) return term_constant(l->terms, width, 0);
  builder_flush(l);
  VariableId variable = builder_temporary(l, width, name);
  Assignment fresh = {variable, kind};
  Step step = builder_step(l);
  step.assignments = &fresh;
  step.assignment_count = 1;
  builder_emit(l, &step);
  return variable_term(l->program, variable);
}

AccessReading builder_reading(Lowering *l, bool synchronises) {
  if (synchronises || !l->volatile_access) return (AccessReading){.synchronises = synchronises};
  VolatileReading reading = l->view.volatile_reading;
  if (reading == VOLATILE_IGNORE) l->program->assumptions |= 1u << ASSUME_VOLATILE;
  return (AccessReading){reading == VOLATILE_ATOMIC, true, reading == VOLATILE_IGNORE};
}

static void read_access(Lowering *l, Access *access, bool synchronises) {
  AccessReading reading = builder_reading(l, synchronises);
  access->synchronises = reading.synchronises;
  access->is_volatile = reading.is_volatile;
  access->innocent = reading.innocent;
}

static Term load_whole(Lowering *l, Term address, unsigned bytes, bool synchronises, const char *name) {
  assert(bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0);
  VariableId into = builder_temporary(l, bytes * 8, name);
  Step step = builder_step(l);
  step.access.address = address;
  step.access.bytes = (uint8_t)bytes;
  step.access.reads = true;
  read_access(l, &step.access, synchronises);
  step.access.unordered = step.access.synchronises && l->top && l->top->info->peek;
  step.access.into = into;
  builder_emit(l, &step);
  return variable_term(l->program, into);
}

static void store_whole(Lowering *l, Term address, Term value, bool synchronises) {
  assert(term_width(l->terms, value) % 8 == 0 && term_width(l->terms, value) <= 128);
  Step step = builder_step(l);
  step.access.address = address;
  step.access.bytes = (uint8_t)(term_width(l->terms, value) / 8);
  step.access.writes = true;
  read_access(l, &step.access, synchronises);
  step.access.stored = value;
  builder_emit(l, &step);
}

// The number of bytes of the next access, a power of two. Objects of odd sizes (bit-field units of 3 bytes) need
// several accesses. So do objects wider than a word of the machine, unless the access is atomic.
static unsigned chunk_bytes(const Lowering *l, unsigned bytes, bool synchronises) {
  assert(bytes > 0);
  unsigned chunk = 1, most = synchronises ? 16 : l->unit->pointer_width / 8;
  while (chunk * 2 <= bytes && chunk < most) chunk *= 2;
  return chunk;
}

// A term with the same value that stays valid for several steps: the next step assigns it to a temporary.
static Term keep_term(Lowering *l, Term term) {
  if (term_is_constant(l->terms, term)) return term;
  VariableId kept = builder_temporary(l, term_width(l->terms, term), "kept");
  builder_assign(l, kept, term);
  return variable_term(l->program, kept);
}

Term builder_load(Lowering *l, Term address, unsigned width, bool synchronises, const char *name) {
  if (l->current == NO_ID) return term_constant(l->terms, width, 0);
  unsigned bytes = (width + 7) / 8, chunk = chunk_bytes(l, bytes, synchronises);
  if (chunk == bytes) return term_resize_unsigned(l->terms, load_whole(l, address, bytes, synchronises, name), width);
  address = keep_term(l, address);
  builder_flush(l);
  Term value = TERM_NONE;
  for (unsigned at = 0; at < bytes; at += chunk) {
    chunk = chunk_bytes(l, bytes - at, synchronises);
    Term part = load_whole(l, term_add_constant(l->terms, address, at), chunk, synchronises, name);
    value = value == TERM_NONE ? part : term_binary(l->terms, TERM_CONCAT, part, value);
  }
  return term_resize_unsigned(l->terms, value, width);
}

void builder_store(Lowering *l, Term address, Term value, bool synchronises) {
  if (l->current == NO_ID) return;
  unsigned width = term_width(l->terms, value), bytes = (width + 7) / 8, chunk = chunk_bytes(l, bytes, synchronises);
  value = term_resize_unsigned(l->terms, value, bytes * 8);
  if (chunk == bytes) {
    store_whole(l, address, value, synchronises);
    return;
  }
  address = keep_term(l, address);
  value = keep_term(l, value);
  builder_flush(l);
  for (unsigned at = 0; at < bytes; at += chunk) {
    chunk = chunk_bytes(l, bytes - at, synchronises);
    Term part = term_extract(l->terms, value, (at + chunk) * 8 - 1, at * 8);
    store_whole(l, term_add_constant(l->terms, address, at), part, synchronises);
  }
}

void builder_wait(Lowering *l, StepKind kind, Term condition) {
  assert(kind == STEP_ASSUME || kind == STEP_WAIT || kind == STEP_PLAIN);
  if (l->current == NO_ID || term_is_true(l->terms, condition)) return;
  Step step = builder_step(l);
  step.kind = kind;
  step.guard = condition;
  builder_emit(l, &step);
}
