#include "program/passes/faults.h"

#include "program/passes/rewrite.h"

static bool may_fail(const Program *p, const Step *step, unsigned kinds) {
  if (step->excused || step->kind == STEP_START) return false;
  if (step->kind == STEP_CHECK) return true;
  if (step->kind == STEP_FREE && (kinds & FAULT_FREE)) return true;
  if (step->kind == STEP_DIVIDE && (kinds & FAULT_DIVISION)) return true;
  return (kinds & FAULT_ACCESS) && step->access.address != TERM_NONE && !access_is_certain(p, &step->access);
}

static unsigned fault_of_check(const Step *step) {
  switch (step->check->subject) {
  case CHECK_OVERFLOW: return FAULT_OVERFLOW;
  case CHECK_CLEANUP: return FAULT_CLEANUP;
  case CHECK_TRACK: break;
  }
  return 0;
}

void faults_mark(Program *view, unsigned kinds) {
  for (size_t s = 0; s < view->steps.count; s++) {
    Step *step = &view->steps.data[s];
    if (step->kind == STEP_CHECK && (step->excused || !(kinds & fault_of_check(step)))) step_drop_check(step);
    step->fault = may_fail(view, step, kinds);
  }
}

// The step beside `step` that can be taken if and only if that one fails.
static Step fault_of(const Program *p, const Step *step) {
  Step fault = step_plain(p, step->position);
  fault.origin = step->origin;
  fault.fault = true;
  if (step->kind == STEP_CHECK) {
    fault.kind = STEP_ERROR;
    fault.guard = term_and(p->terms, step->guard, step->operand);
    return fault;
  }
  if (step->kind == STEP_DIVIDE) {
    Term zero = term_constant(p->terms, term_width(p->terms, step->operand), 0);
    fault.kind = STEP_ERROR;
    fault.guard = term_and(p->terms, step->guard, term_eq(p->terms, step->operand, zero));
    return fault;
  }
  fault.kind = STEP_FAULT;
  fault.operand = step->operand;
  fault.guard = step->guard;
  if (step->access.address == TERM_NONE) return fault;
  fault.operand = TERM_NONE;
  fault.access = step->access;
  // A guard over what is read is not asked where nothing can be read.
  bool reads = step->access.reads && step->access.into != NO_ID;
  if (reads && term_mentions(p->terms, step->guard, variable_term(p, step->access.into)))
    fault.guard = term_true(p->terms);
  return fault;
}

// After a violation nothing more is asked.
static void go_on_without(const Program *view, Step *step) {
  Term good = term_not(view->terms, step->operand);
  step_drop_check(step);
  step->guard = term_and(view->terms, step->guard, good);
}

void faults_cut_tracking(Program *view) {
  size_t count = view->edges.count;
  for (size_t e = 0; e < count; e++) {
    Edge edge = view->edges.data[e];
    assert(edge.step_count == 1 && "before blocks");
    const Step step = *edge_step(view, &edge, 0);
    if (step.kind != STEP_CHECK || step.check->subject != CHECK_TRACK || step.excused) continue;
    LocationId end = program_add_location(view, view->locations.data[edge.from].thread, step.position);
    Step cut = step_plain(view, step.position);
    cut.kind = STEP_CUT;
    cut.target = step.target;
    cut.guard = term_and(view->terms, step.guard, step.operand);
    EdgeId added = program_add_edge(view, edge.from, end, &cut);
    edge_only_step(view, added)->origin = step.origin;
    go_on_without(view, edge_only_step(view, (EdgeId)e));
  }
  program_index(view);
}

void faults_split(Program *view) {
  size_t count = view->edges.count;
  for (size_t e = 0; e < count; e++) {
    Edge edge = view->edges.data[e];
    assert(edge.step_count == 1 && "before blocks");
    const Step step = *edge_step(view, &edge, 0);
    if (!step.fault) continue;
    ThreadId thread = view->locations.data[edge.from].thread;
    LocationId end = program_add_location(view, thread, step.position);
    Step fault = fault_of(view, &step);
    StepId origin = fault.origin;
    EdgeId added = program_add_edge(view, edge.from, end, &fault);
    edge_only_step(view, added)->origin = origin;
    if (step.kind == STEP_CHECK) go_on_without(view, edge_only_step(view, (EdgeId)e));
  }
  program_index(view);
}
