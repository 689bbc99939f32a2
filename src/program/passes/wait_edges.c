// The joint edges of deadlocks, and what both kinds of joint edges share. See joint_edges.h.
#include "program/passes/joint_edges.h"

void joint_edges_begin(Program *view, const Program *whole) {
  assert(view->joints.count == 0 && view->fingerprint == whole->fingerprint);
  view->joint_whole = whole;
  view->joint_ends = (LocationId)view->locations.count;
  for (ThreadId t = 0; t < view->threads.count; t++) {
    LocationId end = program_add_location(view, t, view->threads.data[t].created_at);
    view->locations.data[end].first_out = (uint32_t)view->out_edges.count; // none
    view->locations.data[end].first_in = (uint32_t)view->in_edges.count;
  }
}

void joint_edges_push(Program *view, const JointEdge *joint, LocationId from, StepId first_step) {
  assert(first_step < view->steps.count);
  Edge edge = {.from = from,
               .to = view->joint_ends + view->locations.data[from].thread,
               .first_step = first_step,
               .step_count = (uint32_t)view->steps.count - first_step};
  EdgeVector_push(&view->edges, edge);
  JointEdgeVector_push(&view->joints, *joint);
}

void joint_cells(const Program *view, Bitset *cells, Account *account) {
  bitset_init(cells, view->cells.count, account);
  for (EdgeId e = (EdgeId)(view->edges.count - view->joints.count); e < view->edges.count; e++) {
    uint32_t count;
    const Step *steps = edge_steps(view, e, &count);
    for (uint32_t i = 0; i < count && program_joint(view, e)->kind == JOINT_RACE; i++) {
      uint32_t cell_count;
      const CellId *touched = access_cells(view, &steps[i].access, &cell_count);
      for (uint32_t k = 0; steps[i].access.address != TERM_NONE && k < cell_count; k++) bitset_set(cells, touched[k]);
    }
  }
}

// The location's counterpart in the unreduced program, in which each edge has one step.
static LocationId unreduced(const Program *view, LocationId at) {
  const Program *whole = view->joint_whole;
  StepId origin = edge_step(view, location_edge(view, at, 0), 0)->origin;
  for (EdgeId e = 0; e < whole->edges.count; e++)
    if (whole->edges.data[e].first_step == origin) return whole->edges.data[e].from;
  assert(false && "each step of a view has an origin");
  return NO_ID;
}

// The guard of such an edge is set when transitions are made. Its only step has no origin.
static void add_wait(Program *view, JointKind kind, LocationId at) {
  JointEdge joint = {.kind = kind, .partner = unreduced(view, at)};
  StepVector_push(&view->steps, step_plain(view, view->locations.data[at].position));
  if (kind == JOINT_LAST_WAIT) StepVector_last(&view->steps)->kind = STEP_ERROR;
  joint_edges_push(view, &joint, at, (StepId)view->steps.count - 1);
}

// May a thread wait inside this section, which is not one edge?
static bool waits_inside(const Program *view, LocationId inside) {
  U32Vector open;
  Bitset seen;
  U32Vector_init(&open, view->account);
  bitset_init(&seen, view->locations.count, view->account);
  bool waits = false;
  U32Vector_push(&open, inside);
  while (open.count > 0 && !waits) {
    LocationId at = U32Vector_pop(&open);
    if (!view->locations.data[at].atomic || !bitset_add(&seen, at)) continue;
    for (uint32_t i = 0; i < view->locations.data[at].out_count; i++) {
      const Edge *edge = location_edge(view, at, i);
      for (uint32_t k = 0; k < edge->step_count; k++) waits |= step_waits(edge_step(view, edge, k));
      U32Vector_push(&open, edge->to);
    }
  }
  bitset_free(&seen);
  U32Vector_free(&open);
  return waits;
}

static void add_waits_at(Program *view, LocationId at) {
  bool waits = false, again = false;
  for (uint32_t i = 0; i < view->locations.data[at].out_count; i++) {
    const Edge *edge = location_edge(view, at, i);
    for (uint32_t k = 0; k < edge->step_count; k++) {
      waits |= step_waits(edge_step(view, edge, k));
      again |= edge_step(view, edge, k)->kind == STEP_AGAIN;
    }
    if (view->locations.data[edge->to].atomic && waits_inside(view, edge->to))
      view->joints_missing = "a thread that waits in an atomic section with too many ways through it";
  }
  assert(!waits || !again);
  if (waits) add_wait(view, JOINT_WAIT, at);
  if (waits) add_wait(view, JOINT_LAST_WAIT, at);
  if (again) add_wait(view, JOINT_IDLE, at);
}

void joint_edges_add_waits(Program *view, const Program *whole) {
  size_t count = view->locations.count;
  joint_edges_begin(view, whole);
  for (LocationId at = 0; at < count; at++)
    if (!view->locations.data[at].atomic) add_waits_at(view, at);
}
