// Dead code: removes assignments to variables that are not read any more, and steps without effect.
#include "program/facts/facts.h"
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

// Is the value of the variable read behind the edge, or does a message show it?
static bool is_kept(const Program *p, const LiveRows *live, const Edge *edge, const Assignment *assignment) {
  bool shown = p->variables.data[assignment->variable].pointer && !value_is_fresh(assignment->value);
  return shown || live_rows_get(live, edge->to, assignment->variable);
}

// Keeps the assignments of the edge's step that are read later. The region of its source must be loaded.
static void drop_dead(Program *p, const LiveRows *live, const Edge *edge) {
  assert(edge->step_count == 1 && "before large blocks");
  Step *step = &p->steps.data[edge->first_step];
  if (step->kind == STEP_CHECK) return; // messages show what it keeps
  uint32_t kept = 0, next = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++) kept += is_kept(p, live, edge, &step->assignments[i]);
  if (kept == step->assignment_count) return;
  Assignment *assignments = kept ? arena_allocate(&p->arena, kept * sizeof *assignments) : NULL;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (is_kept(p, live, edge, &step->assignments[i])) assignments[next++] = step->assignments[i];
  step->assignments = assignments;
  step->assignment_count = kept;
}

// Removes assignments to variables that are not live afterwards. For edges of one step.
static void drop_dead_assignments(Program *p) {
  StepUses uses;
  LiveRows live;
  step_uses_init(&uses, p, p->account);
  live_rows_init(&live, p, &uses, LIVE_MOST_IN_ROOTS, p->account);
  for (uint32_t r = 0; r < live.region_count; r++) {
    live_rows_load(&live, r);
    for (uint32_t m = live.member_start.data[r]; m < live.member_start.data[r + 1]; m++) {
      uint32_t count;
      const EdgeId *edges = location_edges(p, live.members.data[m], &count);
      for (uint32_t i = 0; i < count; i++) drop_dead(p, &live, &p->edges.data[edges[i]]);
    }
  }
  live_rows_free(&live);
  step_uses_free(&uses);
}

// Divisors that are known not to be zero need no check, nor does arithmetic that is known not to overflow.
static void drop_checks(Program *p) {
  for (size_t s = 0; s < p->steps.count; s++) {
    Step *step = &p->steps.data[s];
    bool shown = step->kind == STEP_CHECK && step->check->subject == CHECK_SCOPE;
    if (step->kind == STEP_CHECK && !shown && term_is_false(p->terms, step->operand)) step_drop_check(step);
    if (step->kind != STEP_DIVIDE || !term_is_constant(p->terms, step->operand)) continue;
    if (term_constant_value(p->terms, step->operand) == 0) continue;
    step->kind = STEP_PLAIN;
    step->operand = TERM_NONE;
  }
}

static bool has_no_effect(const Program *p, const Step *step) {
  return step->kind == STEP_PLAIN && step->access.address == TERM_NONE && step->assignment_count == 0 &&
         !step->replaced && term_is_true(p->terms, step->guard);
}

// May `edge`, the only way out of its source, be skipped by going to its target at once?
static bool may_skip(const Program *p, const Edge *edge) {
  const Location *from = &p->locations.data[edge->from], *to = &p->locations.data[edge->to];
  if (from->out_count != 1 || edge->from == edge->to) return false;
  // Every cycle has a loop head, and edges beside loop heads stay: a thread that spins goes on spinning.
  if (from->loop_head || to->loop_head || edge->back) return false;
  if (from->atomic != to->atomic || to->final) return false;
  return has_no_effect(p, edge_step(p, edge, 0));
}

static void skip_edges(Program *p) {
  size_t count = p->locations.count;
  LocationId *next = memory_allocate(p->account, count * sizeof *next);
  for (size_t l = 0; l < count; l++) next[l] = (LocationId)l;
  for (size_t e = 0; e < p->edges.count; e++) {
    Edge *edge = &p->edges.data[e];
    if (!may_skip(p, edge)) continue;
    next[edge->from] = edge->to;
    edge->step_count = 0;
  }
  for (size_t e = 0; e < p->edges.count; e++) {
    Edge *edge = &p->edges.data[e];
    while (next[edge->to] != edge->to) {
      next[edge->to] = next[next[edge->to]]; // halve the way for the next one
      edge->to = next[edge->to];
    }
  }
  for (size_t t = 0; t < p->threads.count; t++)
    while (next[p->threads.data[t].entry] != p->threads.data[t].entry)
      p->threads.data[t].entry = next[p->threads.data[t].entry];
  memory_free(p->account, next, count * sizeof *next);
  program_sweep(p);
}

void pass_dead_code(Program *p) {
  drop_checks(p);
  drop_dead_assignments(p); // liveness is strong: once is enough
  skip_edges(p);
  program_drop_unused_variables(p);
  program_mark_cells(p);
}
