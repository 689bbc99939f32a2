#include "report/trace_control.h"

#include <assert.h>

// --- postdominators ---

// A depth-first walk against the direction of the edges, from the ends of threads. The virtual exit is not part of it.
typedef struct Walk {
  const Program *program;
  Control *control;
  U32Vector order;  // postorder
  U32Vector number; // per location that was reached: its position in `order`
  U32Vector stack, next;
  ByteVector ends; // per location: an end of its thread
} Walk;

static void walk_from(Walk *walk, LocationId start) {
  const Program *program = walk->program;
  if (walk->control->alive.data[start]) return;
  walk->control->alive.data[start] = 1;
  U32Vector_push(&walk->stack, start);
  U32Vector_push(&walk->next, 0);
  while (walk->stack.count) {
    LocationId location = *U32Vector_last(&walk->stack);
    const Location *row = &program->locations.data[location];
    uint32_t *next = U32Vector_last(&walk->next);
    if (*next == row->in_count) {
      walk->number.data[location] = (uint32_t)walk->order.count;
      U32Vector_push(&walk->order, location);
      U32Vector_pop(&walk->stack);
      U32Vector_pop(&walk->next);
      continue;
    }
    LocationId from = program->edges.data[location_in_edge(program, row, (*next)++)].from;
    if (walk->control->alive.data[from]) continue;
    walk->control->alive.data[from] = 1;
    U32Vector_push(&walk->stack, from);
    U32Vector_push(&walk->next, 0);
  }
}

// The nearest common postdominator. NO_ID stands for the virtual exit, which postdominates every location.
static LocationId common(const Walk *walk, LocationId a, LocationId b) {
  const uint32_t *up = walk->control->postdominator.data;
  while (a != b) {
    if (a == NO_ID || b == NO_ID) return NO_ID;
    assert(walk->control->alive.data[a] && walk->control->alive.data[b]);
    if (walk->number.data[a] < walk->number.data[b])
      a = up[a];
    else
      b = up[b];
  }
  return a;
}

enum { UNSET = NO_ID - 1 }; // not computed yet

// Computes a location's postdominator from those of its successors. True if it changed.
static bool update_postdominator(const Walk *walk, LocationId location) {
  if (walk->ends.data[location]) return false;
  const Program *program = walk->program;
  const Location *row = &program->locations.data[location];
  uint32_t *up = walk->control->postdominator.data;
  LocationId found = UNSET;
  for (uint32_t i = 0; i < row->out_count; i++) {
    LocationId to = program->edges.data[location_out_edge(program, row, i)].to;
    if (!walk->control->alive.data[to] || up[to] == UNSET) continue;
    found = found == UNSET ? to : common(walk, found, to);
  }
  if (found == up[location]) return false;
  up[location] = found;
  return true;
}

static void find_ends(Walk *walk) {
  const Program *program = walk->program;
  for (size_t t = 0; t < program->threads.count; t++) {
    LocationId final = program->threads.data[t].final;
    if (final == NO_ID) continue;
    walk->ends.data[final] = 1;
    walk_from(walk, final);
  }
  // Main ends by returning, which ends the process. A HALT step of a library model (abort, exit) is not an end of main.
  for (size_t e = 0; e < program->edges.count; e++) {
    const Edge *edge = &program->edges.data[e];
    const Step *step = edge_step(program, edge, 0);
    if (step->kind != STEP_HALT || step->position.library) continue;
    walk->ends.data[edge->from] = 1;
    walk_from(walk, edge->from);
  }
  for (size_t e = 0; e < program->edges.count; e++) {
    const Edge *edge = &program->edges.data[e];
    if (!edge->back || walk->control->alive.data[edge->from]) continue;
    walk->ends.data[edge->from] = 1;
    walk_from(walk, edge->from);
  }
}

static void find_postdominators(Control *control, const Program *program) {
  size_t count = program->locations.count;
  Walk walk = {.program = program, .control = control};
  U32Vector_resize(&walk.number, count);
  ByteVector_resize(&walk.ends, count);
  find_ends(&walk);
  for (size_t l = 0; l < count; l++) control->postdominator.data[l] = walk.ends.data[l] ? NO_ID : UNSET;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = walk.order.count; i-- > 0;) changed |= update_postdominator(&walk, walk.order.data[i]);
  }
  for (size_t l = 0; l < count; l++)
    if (control->postdominator.data[l] == UNSET) control->postdominator.data[l] = NO_ID;
  U32Vector_free(&walk.order);
  U32Vector_free(&walk.number);
  U32Vector_free(&walk.stack);
  U32Vector_free(&walk.next);
  ByteVector_free(&walk.ends);
}

// --- decisions of the trace ---

static unsigned count_living_edges(const Control *control, const Program *program, LocationId location) {
  const Location *row = &program->locations.data[location];
  unsigned living = 0;
  for (uint32_t i = 0; i < row->out_count; i++)
    living += control->alive.data[program->edges.data[location_out_edge(program, row, i)].to];
  return living;
}

// A decision that still holds, with the decision that it depends on itself.
typedef struct Decision {
  uint32_t step;
  LocationId until; // NO_ID: for ever
  uint32_t outer;   // index of a decision, or NO_ID
} Decision;
VECTOR(DecisionVector, Decision);

static void find_parents(Control *control, const Program *program, const Trace *trace) {
  DecisionVector decisions = {0};
  U32Vector inner = {0}; // per thread: its innermost decision
  U32Vector_resize(&inner, program->threads.count);
  for (size_t t = 0; t < inner.count; t++) inner.data[t] = NO_ID;
  for (size_t s = 0; s < trace->steps.count; s++) {
    const TraceStep *step = &trace->steps.data[s];
    const Edge *edge = &program->edges.data[step->edge];
    uint32_t *top = &inner.data[step->thread];
    while (*top != NO_ID && decisions.data[*top].until == edge->from) *top = decisions.data[*top].outer;
    U32Vector_push(&control->parent, *top == NO_ID ? NO_ID : decisions.data[*top].step);
    if (program->locations.data[edge->from].out_count < 2) continue;
    bool ending = !control->alive.data[edge->to];
    if (!ending && count_living_edges(control, program, edge->from) < 2) continue;
    Decision decision = {
        .step = (uint32_t)s, .until = ending ? NO_ID : control->postdominator.data[edge->from], .outer = *top};
    *top = (uint32_t)decisions.count;
    DecisionVector_push(&decisions, decision);
  }
  assert(control->parent.count == trace->steps.count);
  U32Vector_free(&inner);
  DecisionVector_free(&decisions);
}

void control_init(Control *control, const Program *program, const Trace *trace) {
  *control = (Control){0};
  U32Vector_resize(&control->postdominator, program->locations.count);
  ByteVector_resize(&control->alive, program->locations.count);
  find_postdominators(control, program);
  find_parents(control, program, trace);
}

void control_free(Control *control) {
  U32Vector_free(&control->postdominator);
  ByteVector_free(&control->alive);
  U32Vector_free(&control->parent);
}

// Can `goal` be reached from `start`?
static bool reaches(const Program *program, LocationId start, LocationId goal) {
  ByteVector seen = {0};
  U32Vector stack = {0};
  ByteVector_resize(&seen, program->locations.count);
  U32Vector_push(&stack, start);
  seen.data[start] = 1;
  bool found = start == goal;
  while (stack.count && !found) {
    const Location *row = &program->locations.data[U32Vector_pop(&stack)];
    for (uint32_t i = 0; i < row->out_count && !found; i++) {
      LocationId to = program->edges.data[location_out_edge(program, row, i)].to;
      found = to == goal;
      if (!seen.data[to]) U32Vector_push(&stack, to);
      seen.data[to] = 1;
    }
  }
  ByteVector_free(&seen);
  U32Vector_free(&stack);
  return found;
}

bool control_is_exit(const Control *control, const Program *program, EdgeId edge) {
  assert(edge < program->edges.count);
  const Edge *taken = &program->edges.data[edge];
  const Location *from = &program->locations.data[taken->from];
  if (from->out_count < 2 || reaches(program, taken->to, taken->from)) return false;
  for (uint32_t i = 0; i < from->out_count; i++) {
    LocationId to = program->edges.data[location_out_edge(program, from, i)].to;
    if (to != taken->to && (!control->alive.data[to] || reaches(program, to, taken->from))) return true;
  }
  return false;
}
