#include "reach/reduction_check.h"

void reduction_check_init(ReductionCheck *check, Explorer *explorer) {
  *check = (ReductionCheck){.explorer = explorer, .terms = explorer->terms, .account = explorer->account};
  check->solver = solver_new(SOLVER_AUTOMATIC, check->terms, check->account, explorer->budget);
  feasibility_init(&check->feasibility, &explorer->transitions, &explorer->tree, explorer->budget, check->account);
  map_init(&check->commuting, check->account);
  map_init(&check->local, check->account);
}

void reduction_check_free(ReductionCheck *check) {
  map_free(&check->local);
  map_free(&check->commuting);
  feasibility_free(&check->feasibility);
  solver_free(check->solver);
}

// --- do two edges commute? ---

static const Transition *transition_of(const ReductionCheck *check, EdgeId edge) {
  return &check->explorer->transitions.edges.data[edge];
}

static const Update *updates_of(const ReductionCheck *check, const Transition *transition) {
  return check->explorer->transitions.updates.data + transition->first_update;
}

static void put_updates(const ReductionCheck *check, EdgeId edge, Map *after) {
  const Transition *transition = transition_of(check, edge);
  for (uint32_t i = 0; i < transition->update_count; i++)
    map_put(after, updates_of(check, transition)[i].variable, updates_of(check, transition)[i].value);
}

// The value of a term after the edge, over the state before it.
static Term after_edge(ReductionCheck *check, EdgeId edge, Term term) {
  Map after, cache;
  map_init(&after, check->account);
  map_init(&cache, check->account);
  put_updates(check, edge, &after);
  Term value = term_substitute(check->terms, term, &after, &cache);
  map_free(&cache);
  map_free(&after);
  return value;
}

static Term not_same(ReductionCheck *check, Term a, Term b) {
  return a == b ? term_false(check->terms) : term_not(check->terms, term_eq(check->terms, a, b));
}

// When does taking `first` change whether `second` can be taken, or meets a pointer that was not foreseen?
static Term disturbs(ReductionCheck *check, EdgeId first, EdgeId second) {
  const Transition *a = transition_of(check, first), *b = transition_of(check, second);
  Term changed = not_same(check, b->guard, after_edge(check, first, b->guard));
  if (b->missed != TERM_NONE)
    changed = term_or(check->terms, changed, not_same(check, b->missed, after_edge(check, first, b->missed)));
  return term_and(check->terms, a->guard, changed);
}

// The value of a variable after `first` and then `second`.
static Term after_both(ReductionCheck *check, EdgeId first, EdgeId second, Term variable) {
  return after_edge(check, first, after_edge(check, second, variable));
}

static Term differ_after(ReductionCheck *check, EdgeId a, EdgeId b) {
  Term differ = term_false(check->terms);
  for (unsigned side = 0; side < 2; side++) {
    const Transition *transition = transition_of(check, side ? b : a);
    for (uint32_t i = 0; i < transition->update_count; i++) {
      Term variable = updates_of(check, transition)[i].variable;
      Term one = after_both(check, a, b, variable), other = after_both(check, b, a, variable);
      differ = term_or(check->terms, differ, not_same(check, one, other));
    }
  }
  Term both = term_and(check->terms, transition_of(check, a)->guard, transition_of(check, b)->guard);
  return term_and(check->terms, both, differ);
}

static bool commute(ReductionCheck *check, Term label, EdgeId a, EdgeId b) {
  const uint32_t parts[3] = {label, a, b};
  uint64_t key = hash_bytes(parts, sizeof parts);
  if (map_contains(&check->commuting, key)) return true;
  check->pairs++;
  Term violations[3] = {disturbs(check, a, b), disturbs(check, b, a), differ_after(check, a, b)};
  for (unsigned i = 0; i < 3; i++) {
    if (term_is_false(check->terms, violations[i])) continue;
    Term conjuncts[2] = {label, violations[i]};
    if (solver_check(check->solver, conjuncts, 2) == SOLVER_SAT) return false;
  }
  map_put(&check->commuting, key, 1);
  return true;
}

// --- the definitions ---

static const Location *location_of(const ReductionCheck *check, LocationId at) {
  return &check->explorer->program->locations.data[at];
}

static EdgeId edge_at(const ReductionCheck *check, LocationId at, uint32_t i) {
  return check->explorer->program->out_edges.data[location_of(check, at)->first_out + i];
}

// No thread is left out but for the reasons that control gives.
static const char *check_enabled(ReductionCheck *check, NodeId node, ThreadMask enabled) {
  Explorer *x = check->explorer;
  ControlId control = tree_node(&x->tree, node)->control;
  ThreadId holder = control_holder(&x->controls, control);
  bool *used = memory_allocate_zeroed(check->account, tree_node(&x->tree, node)->depth + 1);
  const char *flaw = NULL;
  for (ThreadId t = 0; t < x->controls.thread_count && !flaw; t++) {
    LocationId at = control_at(&x->controls, control, t);
    if (at == NO_ID || enabled >> t & 1 || (holder != NO_ID && holder != t)) continue;
    for (uint32_t i = 0; i < location_of(check, at)->out_count && !flaw; i++) {
      Term guard = transition_of(check, edge_at(check, at, i))->guard;
      if (path_check(&check->feasibility, node, guard, used) == PATH_FEASIBLE)
        flaw = "internal error: the reduction takes a thread that can move for one that cannot";
    }
  }
  memory_free(check->account, used, tree_node(&x->tree, node)->depth + 1);
  return flaw;
}

static bool commutes_with_others(ReductionCheck *check, EdgeId edge, ThreadId thread) {
  const Program *p = check->explorer->program;
  for (EdgeId other = 0; other < p->edges.count; other++) {
    if (p->locations.data[p->edges.data[other].from].thread == thread) continue;
    if (!commute(check, term_true(check->terms), edge, other)) return false;
  }
  return true;
}

static const char *check_local(ReductionCheck *check, LocationId at, ThreadId thread) {
  const Program *p = check->explorer->program;
  if (map_contains(&check->local, at)) return NULL;
  Term possible = term_false(check->terms);
  for (uint32_t i = 0; i < location_of(check, at)->out_count; i++) {
    EdgeId edge = edge_at(check, at, i);
    const Transition *transition = transition_of(check, edge);
    if (p->edges.data[edge].back) return "internal error: the reduction follows a loop alone";
    if (transition->creates != NO_ID || p->locations.data[p->edges.data[edge].to].atomic)
      return "internal error: the reduction follows an edge alone that is not local";
    if (!commutes_with_others(check, edge, thread))
      return "internal error: the reduction follows an edge alone that another thread's does not commute with";
    possible = term_or(check->terms, possible, transition->guard);
  }
  Term stuck = term_not(check->terms, possible);
  if (solver_check(check->solver, &stuck, 1) == SOLVER_SAT)
    return "internal error: the reduction follows a thread alone that may be stuck";
  map_put(&check->local, at, 1);
  return NULL;
}

static const char *check_left_out(ReductionCheck *check, NodeId node, ThreadId thread) {
  const Explorer *x = check->explorer;
  const TreeNode *here = tree_node(&x->tree, node);
  if (here->parent == NO_ID) return "internal error: the reduction leaves a thread out at the root";
  const TreeNode *before = tree_node(&x->tree, here->parent);
  const Edge *edge = &x->program->edges.data[here->edge];
  LocationId at = control_at(&x->controls, here->control, thread);
  if (thread >= x->program->locations.data[edge->from].thread || edge->back ||
      control_at(&x->controls, before->control, thread) != at || control_holder(&x->controls, before->control) != NO_ID)
    return "internal error: the reduction leaves a thread out that was not to be expanded before";
  Term label = x->domain->operations->formula(x->domain, before->label);
  for (uint32_t i = 0; i < location_of(check, at)->out_count; i++) {
    EdgeId other = edge_at(check, at, i);
    // What a section does after its first step is not in this edge.
    if (x->program->locations.data[x->program->edges.data[other].to].atomic)
      return "internal error: the reduction leaves out a thread that starts a section";
    if (!commute(check, label, here->edge, other))
      return "internal error: the reduction leaves out a thread whose edge does not commute";
  }
  return NULL;
}

const char *reduction_check_choice(ReductionCheck *check, NodeId node, ThreadMask chosen) {
  Explorer *x = check->explorer;
  ControlId control = tree_node(&x->tree, node)->control;
  ThreadMask enabled = reduction_enabled(&x->reduction, control);
  check->choices++;
  const char *flaw = check_enabled(check, node, enabled);
  if (flaw || chosen == enabled) return flaw;
  if (chosen & ~enabled) return "internal error: the reduction chooses a thread that cannot move";
  if (x->reduction.kind == &reduction_none) return "internal error: a thread is left out without a reduction";
  for (ThreadId t = 0; t < x->controls.thread_count && !flaw; t++) {
    if (x->reduction.kind == &reduction_local) {
      if (chosen >> t & 1) flaw = check_local(check, control_at(&x->controls, control, t), t);
    } else if (enabled >> t & 1 && !(chosen >> t & 1)) {
      flaw = check_left_out(check, node, t);
    }
  }
  return flaw;
}
