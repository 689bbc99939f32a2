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
  case CHECK_TRACK: return FAULT_TRACK;
  case CHECK_SCOPE: break;
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

// Adds the edge that is taken if and only if the step of edge `e` fails.
static Step *add_fault(Program *view, EdgeId e) {
  const Edge edge = view->edges.data[e];
  Step fault = fault_of(view, edge_only_step(view, e));
  LocationId end = program_add_location(view, view->locations.data[edge.from].thread, fault.position);
  EdgeId added = program_add_edge(view, edge.from, end, &fault);
  Step *step = edge_only_step(view, added);
  step->origin = fault.origin;
  return step;
}

void faults_split(Program *view) {
  size_t count = view->edges.count;
  for (EdgeId e = 0; e < count; e++) {
    assert(view->edges.data[e].step_count == 1 && "before blocks");
    if (!edge_only_step(view, e)->fault) continue;
    add_fault(view, e);
    Step *step = edge_only_step(view, e);
    if (step->kind == STEP_CHECK) go_on_without(view, step);
  }
  program_index(view);
}

// --- sections that end where a step fails ---

// Is this an access of a section that may race with one outside? Those that synchronise may race, too: with plain ones.
static bool may_race(const Program *p, const Step *step) {
  if (step->kind == STEP_FREE) return true;
  if (step->access.address == TERM_NONE || step->access.innocent) return false;
  uint32_t count;
  const CellId *cells = access_cells(p, &step->access, &count);
  for (uint32_t i = 0; i < count; i++)
    if (p->cells.data[cells[i]].shared || p->objects.data[p->cells.data[cells[i]].object].dynamic) return true;
  return false;
}

// The locations of sections before which an access that may race was made on some path through the section.
static void find_after_access(const Program *p, Bitset *after) {
  bitset_init(after, p->locations.count, p->account);
  for (bool changed = true; changed;) {
    changed = false;
    for (EdgeId e = 0; e < p->edges.count; e++) {
      const Edge *edge = &p->edges.data[e];
      if (!p->locations.data[edge->to].atomic || bitset_get(after, edge->to)) continue;
      bool inside = p->locations.data[edge->from].atomic && bitset_get(after, edge->from);
      if (!inside && !may_race(p, edge_step(p, edge, 0))) continue;
      bitset_set(after, edge->to);
      changed = true;
    }
  }
}

void faults_end_sections(Program *view) {
  Bitset after;
  find_after_access(view, &after);
  size_t count = view->edges.count;
  for (EdgeId e = 0; e < count; e++) {
    assert(view->edges.data[e].step_count == 1 && "before blocks");
    Step step = *edge_only_step(view, e);
    step.excused = false;
    bool fails = step.kind != STEP_CHECK && may_fail(view, &step, FAULT_ACCESS | FAULT_FREE | FAULT_DIVISION);
    if (!fails || !bitset_get(&after, view->edges.data[e].from)) continue;
    Step *fault = add_fault(view, e);
    fault->fault = false;
    if (fault->kind == STEP_ERROR) fault->kind = STEP_HALT;
  }
  program_index(view);
  bitset_free(&after);
}
