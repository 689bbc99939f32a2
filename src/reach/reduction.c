#include "reach/reduction.h"

static ThreadMask bit(ThreadId thread) { return (ThreadMask)1 << thread; }

// The status of a thread is a function of where it stands.
static Term status_of(const Reduction *r, ControlId control, ThreadId thread, unsigned width) {
  const Program *p = r->transitions->program;
  LocationId at = control_at(r->controls, control, thread);
  unsigned status = at == NO_ID                           ? THREAD_UNBORN
                    : at == p->threads.data[thread].final ? THREAD_FINISHED
                                                          : THREAD_RUNNING;
  return term_constant(p->terms, width, status);
}

bool reduction_excludes(const Reduction *r, ControlId control, EdgeId edge) {
  const Transition *transition = &r->transitions->edges.data[edge];
  const Program *p = r->transitions->program;
  if (!transition->waits) return false;
  Map map;
  map_init(&map, r->transitions->account);
  for (ThreadId t = 1; t < r->controls->thread_count; t++) {
    CellId cell = program_cell_at(p, p->objects.data[p->threads.data[t].control].address + CONTROL_STATUS);
    if (cell == NO_ID) continue;
    Term status = p->cells.data[cell].term;
    map_put(&map, status, status_of(r, control, t, term_width(p->terms, status)));
  }
  bool excluded = term_is_false(p->terms, term_substitute(p->terms, transition->guard, &map, NULL));
  map_free(&map);
  return excluded;
}

static bool can_move(const Reduction *r, ControlId control, ThreadId thread) {
  const Program *p = r->transitions->program;
  LocationId at = control_at(r->controls, control, thread);
  if (at == NO_ID) return false;
  const Location *location = &p->locations.data[at];
  for (uint32_t i = 0; i < location->out_count; i++)
    if (!reduction_excludes(r, control, p->out_edges.data[location->first_out + i])) return true;
  return false;
}

ThreadMask reduction_enabled(const Reduction *r, ControlId control) {
  ThreadId holder = control_holder(r->controls, control);
  if (holder != NO_ID) return bit(holder);
  ThreadMask enabled = 0;
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    if (can_move(r, control, t)) enabled |= bit(t);
  }
  return enabled;
}

static ThreadMask choose_local(const Reduction *r, ControlId control, ThreadMask enabled) {
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    if (!(enabled & bit(t))) continue;
    const Action *action = &r->transitions->actions.data[control_at(r->controls, control, t)];
    // A loop of local actions must not keep the others from running for ever.
    if (action->local && !action->loops) return bit(t);
  }
  return enabled;
}

// Paper: SKIP. The step that led here came from a larger thread, is independent of this thread's action, and does not
// close a loop.
static bool skips(const Reduction *r, const Tree *tree, NodeId node, ThreadId thread) {
  const Program *p = r->transitions->program;
  const TreeNode *here = tree_node(tree, node);
  if (here->parent == NO_ID) return false;
  const Edge *edge = &p->edges.data[here->edge];
  ThreadId last = p->locations.data[edge->from].thread;
  if (thread >= last || edge->back) return false;
  // A section in single steps is one action: its last step alone does not tell.
  if (p->locations.data[edge->from].atomic) return false;
  if (r->transitions->edges.data[here->edge].creates == thread) return false;
  LocationId before = control_at(r->controls, tree_node(tree, here->parent)->control, thread);
  LocationId at = control_at(r->controls, here->control, thread);
  if (before != at) return false;
  if (p->locations.data[at].atomic) return false;
  return !transitions_conflict(r->transitions, here->edge, at);
}

// Does the action enter a section whose later steps are not in its own accesses?
static bool enters_section(const Reduction *r, LocationId at) {
  const Program *p = r->transitions->program;
  const Location *location = &p->locations.data[at];
  for (uint32_t i = 0; i < location->out_count; i++)
    if (p->locations.data[p->edges.data[p->out_edges.data[location->first_out + i]].to].atomic) return true;
  return false;
}

static ThreadMask choose_monotone(const Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  ControlId control = tree_node(tree, node)->control;
  ThreadMask chosen = 0;
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    if (!(enabled & bit(t))) continue;
    bool whole = !enters_section(r, control_at(r->controls, control, t));
    if (!whole || !skips(r, tree, node, t)) chosen |= bit(t);
  }
  return chosen;
}

ThreadMask reduction_choice(const Reduction *r, const Tree *tree, NodeId node) {
  ControlId control = tree_node(tree, node)->control;
  ThreadMask enabled = reduction_enabled(r, control);
  switch (r->kind) {
  case REDUCE_NONE: return enabled;
  case REDUCE_LOCAL: return choose_local(r, control, enabled);
  case REDUCE_MONOTONE: return choose_monotone(r, tree, node, enabled);
  }
  return enabled;
}
