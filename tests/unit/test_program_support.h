// Hand-built programs for the tests of the room `program`: a Build has a present location per thread; each function
// adds one edge there and moves on.
#ifndef HEDDLE_TESTS_PROGRAM_SUPPORT_H
#define HEDDLE_TESTS_PROGRAM_SUPPORT_H

#include "program/passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum { MAKE_THREADS = 4 };

typedef struct Make {
  Account account;
  Program *p;
  LocationId at[MAKE_THREADS];
  bool atomic; // new locations are inside an atomic section
  unsigned line;
} Make;

static inline Position make_position(Make *m) { return (Position){.line = ++m->line}; }

static inline LocationId make_location(Make *m, ThreadId t) {
  LocationId l = program_add_location(m->p, t, make_position(m));
  m->p->locations.data[l].atomic = m->atomic;
  return l;
}

static inline Step make_step(Make *m, StepKind kind) {
  Step step = step_plain(m->p, make_position(m));
  step.kind = kind;
  return step;
}

static inline EdgeId make_to(Make *m, ThreadId t, const Step *step, LocationId to) {
  EdgeId edge = program_add_edge(m->p, m->at[t], to, step);
  m->at[t] = to;
  return edge;
}

static inline EdgeId make_emit(Make *m, ThreadId t, const Step *step) {
  return make_to(m, t, step, make_location(m, t));
}

static inline Term make_constant(Make *m, unsigned width, uint64_t value) {
  return term_constant(m->p->terms, width, value);
}

static inline ObjectId make_object(Make *m, uint64_t size, const char *name) {
  return program_add_object(m->p, size, STORAGE_GLOBAL, NO_ID, name);
}

static inline Term make_address(Make *m, ObjectId object, int64_t offset) {
  return make_constant(m, m->p->pointer_width, m->p->objects.data[object].address + (uint64_t)offset);
}

static inline VariableId make_variable(Make *m, ThreadId t, unsigned width, const char *name) {
  return program_add_variable(m->p, t, width, name, false);
}

static inline Term make_value(Make *m, VariableId v) { return variable_term(m->p, v); }

static inline EdgeId make_load(Make *m, ThreadId t, VariableId into, Term address) {
  Step step = make_step(m, STEP_PLAIN);
  step.access.address = address;
  step.access.bytes = (uint8_t)(term_width(m->p->terms, make_value(m, into)) / 8);
  step.access.reads = true;
  step.access.into = into;
  return make_emit(m, t, &step);
}

static inline Step make_store_step(Make *m, StepKind kind, Term address, Term value) {
  Step step = make_step(m, kind);
  step.access.address = address;
  step.access.bytes = (uint8_t)(term_width(m->p->terms, value) / 8);
  step.access.writes = true;
  step.access.stored = value;
  return step;
}

static inline EdgeId make_store(Make *m, ThreadId t, Term address, Term value) {
  Step step = make_store_step(m, STEP_PLAIN, address, value);
  return make_emit(m, t, &step);
}

static inline EdgeId make_assign(Make *m, ThreadId t, VariableId variable, Term value) {
  Assignment assignment = {variable, value};
  Step step = make_step(m, STEP_PLAIN);
  step.assignments = &assignment;
  step.assignment_count = 1;
  return make_emit(m, t, &step);
}

static inline EdgeId make_guarded(Make *m, ThreadId t, StepKind kind, Term guard) {
  Step step = make_step(m, kind);
  step.guard = guard;
  return make_emit(m, t, &step);
}

static inline EdgeId make_kind(Make *m, ThreadId t, StepKind kind) {
  return make_guarded(m, t, kind, term_true(m->p->terms));
}

static inline EdgeId make_jump(Make *m, ThreadId t, LocationId to) {
  Step step = make_step(m, STEP_PLAIN);
  return make_to(m, t, &step, to);
}

// Goes on where the condition holds; returns the location where it does not.
static inline LocationId make_branch(Make *m, ThreadId t, Term condition) {
  LocationId start = m->at[t];
  make_guarded(m, t, STEP_PLAIN, term_not(m->p->terms, condition));
  LocationId otherwise = m->at[t];
  m->at[t] = start;
  make_guarded(m, t, STEP_PLAIN, condition);
  return otherwise;
}

static inline EdgeId make_block(Make *m, ThreadId t, StepKind kind, Term destination, Term source, uint64_t length) {
  BlockOperation block = {.destination = destination, .source = source, .length = length, .callback = NO_ID};
  Step step = make_step(m, kind);
  step.block = &block;
  return make_emit(m, t, &step);
}

// LOCK (waits for 0, stores 1) or UNLOCK (stores 0) of the int at `address`.
static inline EdgeId make_lock(Make *m, ThreadId t, StepKind kind, Term address) {
  Step step = make_store_step(m, kind, address, make_constant(m, 32, kind == STEP_LOCK ? t + 1 : 0));
  step.access.synchronises = true;
  if (kind == STEP_LOCK) {
    step.access.reads = true;
    step.access.into = make_variable(m, t, 32, "owner");
    step.guard = term_eq(m->p->terms, make_value(m, step.access.into), make_constant(m, 32, 0));
  }
  return make_emit(m, t, &step);
}

// A thread that begins with its code, not with a step that sees that it was created.
static inline ThreadId make_bare_thread(Make *m, ThreadId parent, unsigned ordinal, const char *routine) {
  ThreadId t = program_add_thread(m->p, routine, parent, ordinal, make_position(m));
  ObjectId control = program_add_object(m->p, CONTROL_SIZE, STORAGE_CONTROL, t, "control");
  LocationId entry = make_location(m, t), final = make_location(m, t);
  Thread *thread = &m->p->threads.data[t];
  m->p->locations.data[final].final = true;
  thread->entry = entry;
  thread->final = final;
  thread->control = control;
  m->at[t] = entry;
  return t;
}

static inline ThreadId make_thread(Make *m, ThreadId parent, unsigned ordinal, const char *routine) {
  ThreadId t = make_bare_thread(m, parent, ordinal, routine);
  if (parent == NO_ID) return t;
  ObjectId control = m->p->threads.data[t].control;
  VariableId status = make_variable(m, t, 32, "status");
  Step start = make_step(m, STEP_START);
  start.access =
      (Access){.address = make_address(m, control, CONTROL_STATUS), .bytes = 4, .reads = true, .into = status};
  start.guard = term_eq(m->p->terms, make_value(m, status), make_constant(m, 32, THREAD_RUNNING));
  make_emit(m, t, &start);
  return t;
}

static inline EdgeId make_create(Make *m, ThreadId t, ThreadId created) {
  Step step = make_store_step(m, STEP_CREATE, make_address(m, m->p->threads.data[created].control, CONTROL_STATUS),
                              make_constant(m, 32, THREAD_RUNNING));
  step.target = created;
  return make_emit(m, t, &step);
}

static inline EdgeId make_exit(Make *m, ThreadId t) {
  Step step = make_store_step(m, STEP_EXIT, make_address(m, m->p->threads.data[t].control, CONTROL_STATUS),
                              make_constant(m, 32, THREAD_FINISHED));
  return make_to(m, t, &step, m->p->threads.data[t].final);
}

static inline void make_begin(Make *m, unsigned pointer_width) {
  *m = (Make){.account = {.room = "test"}};
  m->p = program_new(pointer_width, &m->account);
  make_thread(m, NO_ID, 0, "main");
}

static inline void make_end(Make *m) {
  program_free(m->p);
  assert_int_equal(m->account.bytes, 0);
}

static inline void assert_valid(const Program *p) {
  const char *error = program_validate(p);
  if (error) fail_msg("%s", error);
}

static inline const Cell *cell_named(const Program *p, const char *name) {
  for (size_t c = 0; c < p->cells.count; c++)
    if (strcmp(p->cells.data[c].name, name) == 0) return &p->cells.data[c];
  return NULL;
}

// The only step of the kind, or NULL.
static inline Step *step_of_kind(const Program *p, StepKind kind) {
  Step *found = NULL;
  for (size_t s = 0; s < p->steps.count; s++) {
    if (p->steps.data[s].kind != kind) continue;
    assert_null(found);
    found = &p->steps.data[s];
  }
  return found;
}

static inline size_t count_accesses(const Program *p) {
  size_t count = 0;
  for (size_t s = 0; s < p->steps.count; s++) count += p->steps.data[s].access.address != TERM_NONE;
  return count;
}

#endif
