#include "reach/reduction.h"

static ThreadMask bit(ThreadId thread) { return (ThreadMask)1 << thread; }

ThreadMask reduction_enabled(const Reduction *r, ControlId control) {
  const Program *p = r->transitions->program;
  ThreadId holder = control_holder(r->controls, control);
  if (holder != NO_ID) return bit(holder);
  ThreadMask enabled = 0;
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    LocationId at = control_at(r->controls, control, t);
    if (at != NO_ID && p->locations.data[at].out_count > 0) enabled |= bit(t);
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
