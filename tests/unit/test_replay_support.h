// Hand-built programs for the tests of the concrete engine, one step at a time, and short ways to run them.
//
// A Build has a present location per thread; each function adds one edge there and moves on.
#ifndef HEDDLE_TESTS_REPLAY_SUPPORT_H
#define HEDDLE_TESTS_REPLAY_SUPPORT_H

#include "explicit/explicit_engine.h"
#include "judge/judge.h"
#include "program/passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum { BUILD_THREADS = 8 };

typedef struct Build {
  Account account;
  Program *p;
  LocationId at[BUILD_THREADS];
  unsigned line;
  bool atomic; // new locations are inside an atomic section
} Build;

static inline void build_begin(Build *b) {
  *b = (Build){.account = {.room = "test"}};
  b->p = program_new(64, &b->account);
}

static inline void build_end(Build *b) {
  program_free(b->p);
  assert_int_equal(b->account.bytes, 0);
}

static inline Position build_position(Build *b) {
  return (Position){.file = intern(&b->p->strings, "test.c"), .line = ++b->line};
}

static inline LocationId build_location(Build *b, ThreadId t) {
  LocationId l = program_add_location(b->p, t, build_position(b));
  b->p->locations.data[l].atomic = b->atomic;
  return l;
}

static inline Step build_step(Build *b, StepKind kind) {
  Step step = step_plain(b->p, build_position(b));
  step.kind = kind;
  return step;
}

static inline EdgeId build_to(Build *b, ThreadId t, Step *step, LocationId to) {
  EdgeId edge = program_add_edge(b->p, b->at[t], to, step);
  b->at[t] = to;
  return edge;
}

static inline EdgeId build_emit(Build *b, ThreadId t, Step *step) { return build_to(b, t, step, build_location(b, t)); }

static inline Term build_constant(Build *b, unsigned width, uint64_t value) {
  return term_constant(b->p->terms, width, value);
}

static inline ObjectId build_object(Build *b, uint64_t size, Storage storage, ThreadId owner, const char *name) {
  return program_add_object(b->p, size, storage, owner, name);
}

static inline ObjectId build_int(Build *b, const char *name) { return build_object(b, 4, STORAGE_GLOBAL, NO_ID, name); }

static inline Term build_address(Build *b, ObjectId object, uint64_t offset) {
  return build_constant(b, 64, b->p->objects.data[object].address + offset);
}

static inline VariableId build_variable(Build *b, ThreadId t, unsigned width, const char *name) {
  return program_add_variable(b->p, t, width, name, false);
}

static inline Term build_value(Build *b, VariableId v) { return variable_term(b->p, v); }

static inline EdgeId build_load_at(Build *b, ThreadId t, VariableId into, Term address) {
  Step step = build_step(b, STEP_PLAIN);
  step.access.address = address;
  step.access.bytes = (uint8_t)(term_width(b->p->terms, build_value(b, into)) / 8);
  step.access.reads = true;
  step.access.into = into;
  return build_emit(b, t, &step);
}

static inline EdgeId build_load(Build *b, ThreadId t, VariableId into, ObjectId object) {
  return build_load_at(b, t, into, build_address(b, object, 0));
}

static inline EdgeId build_store_at(Build *b, ThreadId t, Term address, Term value) {
  Step step = build_step(b, STEP_PLAIN);
  step.access.address = address;
  step.access.bytes = (uint8_t)(term_width(b->p->terms, value) / 8);
  step.access.writes = true;
  step.access.stored = value;
  return build_emit(b, t, &step);
}

static inline EdgeId build_store(Build *b, ThreadId t, ObjectId object, uint64_t value) {
  return build_store_at(b, t, build_address(b, object, 0), build_constant(b, 32, value));
}

static inline EdgeId build_assign(Build *b, ThreadId t, VariableId variable, Term value) {
  Assignment assignment = {variable, value};
  Step step = build_step(b, STEP_PLAIN);
  step.assignments = &assignment;
  step.assignment_count = 1;
  return build_emit(b, t, &step);
}

static inline EdgeId build_guarded(Build *b, ThreadId t, StepKind kind, Term guard) {
  Step step = build_step(b, kind);
  step.guard = guard;
  return build_emit(b, t, &step);
}

static inline EdgeId build_kind(Build *b, ThreadId t, StepKind kind) {
  return build_guarded(b, t, kind, term_true(b->p->terms));
}

// Goes on where the condition holds; returns the location where it does not.
static inline LocationId build_branch(Build *b, ThreadId t, Term condition) {
  LocationId start = b->at[t];
  build_guarded(b, t, STEP_PLAIN, term_not(b->p->terms, condition));
  LocationId otherwise = b->at[t];
  b->at[t] = start;
  build_guarded(b, t, STEP_PLAIN, condition);
  return otherwise;
}

// A step without effect from the present location to `to`.
static inline EdgeId build_jump(Build *b, ThreadId t, LocationId to) {
  Step step = build_step(b, STEP_PLAIN);
  return build_to(b, t, &step, to);
}

// An error if the condition holds; goes on otherwise.
static inline void build_error_if(Build *b, ThreadId t, Term condition) {
  LocationId on = build_branch(b, t, condition);
  build_kind(b, t, STEP_ERROR);
  b->at[t] = on;
}

static inline Term build_equals(Build *b, VariableId v, uint64_t value) {
  Term term = build_value(b, v);
  return term_eq(b->p->terms, term, build_constant(b, term_width(b->p->terms, term), value));
}

static inline Step build_sync(Build *b, StepKind kind, Term address) {
  Step step = build_step(b, kind);
  step.access.address = address;
  step.access.bytes = 4;
  step.access.synchronises = true;
  return step;
}

static inline EdgeId build_lock(Build *b, ThreadId t, ObjectId mutex) {
  Step step = build_sync(b, STEP_LOCK, build_address(b, mutex, 0));
  step.access.reads = step.access.writes = true;
  step.access.into = build_variable(b, t, 32, "owner");
  step.access.stored = build_constant(b, 32, t + 1);
  step.guard = build_equals(b, step.access.into, 0);
  return build_emit(b, t, &step);
}

static inline EdgeId build_sync_store(Build *b, ThreadId t, StepKind kind, Term address, uint64_t value) {
  Step step = build_sync(b, kind, address);
  step.access.writes = true;
  step.access.stored = build_constant(b, 32, value);
  return build_emit(b, t, &step);
}

static inline EdgeId build_unlock(Build *b, ThreadId t, ObjectId mutex) {
  return build_sync_store(b, t, STEP_UNLOCK, build_address(b, mutex, 0), 0);
}

static inline Term build_status(Build *b, ThreadId t) {
  return build_address(b, b->p->threads.data[t].control, CONTROL_STATUS);
}

// Waits until the int at `address` is `value`.
static inline EdgeId build_await(Build *b, ThreadId t, StepKind kind, Term address, uint64_t value) {
  Step step = build_sync(b, kind, address);
  step.access.reads = true;
  step.access.into = build_variable(b, t, 32, "seen");
  step.guard = build_equals(b, step.access.into, value);
  return build_emit(b, t, &step);
}

static inline ThreadId build_thread(Build *b, const char *routine, ThreadId parent) {
  unsigned ordinal = 0;
  for (size_t i = 0; i < b->p->threads.count; i++) ordinal += b->p->threads.data[i].parent == parent;
  ThreadId t = program_add_thread(b->p, routine, parent, ordinal, build_position(b));
  b->p->threads.data[t].control = build_object(b, CONTROL_SIZE, STORAGE_CONTROL, t, "control");
  b->p->threads.data[t].entry = b->at[t] = build_location(b, t);
  LocationId final = build_location(b, t);
  b->p->threads.data[t].final = final;
  b->p->locations.data[final].final = true;
  if (parent != NO_ID) build_await(b, t, STEP_START, build_status(b, t), THREAD_RUNNING);
  return t;
}

static inline void build_create(Build *b, ThreadId t, ThreadId created) {
  Step step = build_sync(b, STEP_CREATE, build_status(b, created));
  step.access.writes = true;
  step.access.stored = build_constant(b, 32, THREAD_RUNNING);
  step.target = created;
  build_emit(b, t, &step);
}

static inline void build_exit(Build *b, ThreadId t) {
  Step step = build_sync(b, STEP_EXIT, build_status(b, t));
  step.access.writes = true;
  step.access.stored = build_constant(b, 32, THREAD_FINISHED);
  build_to(b, t, &step, b->p->threads.data[t].final);
}

static inline void build_join(Build *b, ThreadId t, ThreadId joined) {
  build_await(b, t, STEP_WAIT, build_status(b, joined), THREAD_FINISHED);
}

static inline void build_section(Build *b, ThreadId t) {
  b->atomic = true;
  build_kind(b, t, STEP_ATOMIC_BEGIN);
}

static inline void build_section_end(Build *b, ThreadId t) {
  b->atomic = false;
  build_kind(b, t, STEP_ATOMIC_END);
}

// --- running ---

static inline EngineOptions build_options(const char *reduction) {
  return (EngineOptions){
      .reduction = reduction, .symmetry = "auto", .search = "exhaustive", .seed = 1, .input_bits = 8};
}

// Has the judge confirm a counterexample, as the portfolio does. False if it does not.
static inline bool build_confirm(Build *b, Result *result) {
  if (result->answer != ANSWER_UNSAFE) return true;
  Text message;
  text_init(&message, &b->account);
  result->confirmed = judge_schedule(b->p, result->schedule, NULL, &message, &b->account) == JUDGE_VIOLATION;
  if (result->confirmed) text_add(&result->violation, message.data);
  if (!result->confirmed) result_unknown_for(result, REASON_INTERNAL, "%s", message.data);
  text_free(&message);
  return result->confirmed;
}

static inline Result *build_check_with(Build *b, Property property, const EngineOptions *options, Budget *budget) {
  Context context = {
      .program = b->p, .property = property, .options = options, .budget = budget, .account = &b->account};
  Result *result = explicit_engine.run(&context);
  if (!build_confirm(b, result)) {
    result_free(result);
    context.again = true;
    result = explicit_engine.run(&context);
    build_confirm(b, result);
  }
  result_seal(result);
  return result;
}

static inline Result *build_check(Build *b, Property property, const EngineOptions *options) {
  Budget budget;
  budget_init(&budget, 0, NULL);
  return build_check_with(b, property, options, &budget);
}

// Both searches, with and without reduction, and the answer they must give; returns the states of the reduced search.
static inline double build_expect(Build *b, Property property, Answer expected) {
  static const char *const reductions[] = {"none", "persistent"};
  double states = 0;
  for (size_t i = 0; i < 2; i++) {
    EngineOptions options = build_options(reductions[i]);
    Result *result = build_check(b, property, &options);
    if (result->answer != expected) print_message("reduction %s: %s\n", reductions[i], result->reason.data);
    assert_int_equal(result->answer, expected);
    states = result_statistic(result, "states");
    result_free(result);
  }
  return states;
}

#endif
