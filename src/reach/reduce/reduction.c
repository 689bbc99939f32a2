#include "reach/reduce/reduction.h"

void reduction_init(Reduction *r, const ReductionKind *kind, const Transitions *transitions,
                    const ControlTable *controls, Account *account) {
  assert(kind->choose != NULL && (kind->open == NULL) == (kind->close == NULL));
  *r = (Reduction){.kind = kind, .transitions = transitions, .controls = controls, .begins = begin_order_none()};
  held_locks_init(&r->locks, transitions->program, account);
  map_init(&r->conflicts, account);
  valid_choices_init(&r->valid, account);
  if (kind->open) kind->open(r, account);
}

void reduction_order_begins(Reduction *r, Account *account) {
  assert(r->valid.choices.count == 0);
  r->begins = begin_order_find(r->transitions, account);
}

void reduction_free(Reduction *r) {
  if (r->kind->close) r->kind->close(r);
  valid_choices_free(&r->valid);
  map_free(&r->conflicts);
  held_locks_free(&r->locks);
}

// The status of a thread is a function of its location.
static Term status_of(const Reduction *r, ControlId control, ThreadId thread, unsigned width) {
  const Program *p = r->transitions->program;
  LocationId at = control_at(r->controls, control, thread);
  unsigned status = at == NO_ID                           ? THREAD_UNBORN
                    : at == p->threads.data[thread].final ? THREAD_FINISHED
                                                          : THREAD_RUNNING;
  return term_constant(p->terms, width, status);
}

// Does the edge take a lock that another thread holds, at this control vector?
static bool takes_held_lock(const Reduction *r, ControlId control, EdgeId edge) {
  const HeldLocks *locks = &r->locks;
  const Program *p = locks->program;
  if (!locks->taken[edge]) return false;
  ThreadId mover = p->locations.data[p->edges.data[edge].from].thread;
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    LocationId at = control_at(r->controls, control, t);
    if (t != mover && at != NO_ID && locks->held[at] & locks->taken[edge]) return true;
  }
  return false;
}

bool reduction_excludes(const Reduction *r, ControlId control, EdgeId edge) {
  assert(edge < r->transitions->edges.count && control < control_count(r->controls));
  const Transition *transition = &r->transitions->edges.data[edge];
  const Program *p = r->transitions->program;
  if (!transition->waits) return false;
  // An unforeseen pointer may be met before the lock is taken.
  if (transition->missed == TERM_NONE && takes_held_lock(r, control, edge)) return true;
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

// Does the thread have an edge that control does not exclude?
static bool may_be_enabled(const Reduction *r, ControlId control, ThreadId thread) {
  const Program *p = r->transitions->program;
  LocationId at = control_at(r->controls, control, thread);
  if (at == NO_ID) return false;
  uint32_t count;
  const EdgeId *edges = location_edges(p, at, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!reduction_excludes(r, control, edges[i])) return true;
  return false;
}

ThreadMask reduction_enabled(const Reduction *r, ControlId control) {
  if (joint_edges_only(r->transitions->program, control_locations(r->controls, control))) return 0;
  ThreadId holder = control_holder(r->controls, control);
  if (holder != NO_ID) return thread_bit(holder);
  ThreadMask enabled = 0;
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    bool held = begin_order_holds(&r->begins, control_locations(r->controls, control), t);
    if (!held && may_be_enabled(r, control, t)) enabled |= thread_bit(t);
  }
  return enabled;
}

static ThreadMask choose_all(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  (void)r, (void)tree, (void)node;
  return enabled;
}

static ThreadMask choose_local(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  ControlId control = tree_node(tree, node)->control;
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    if (!(enabled & thread_bit(t))) continue;
    const Action *action = &r->transitions->actions.data[control_at(r->controls, control, t)];
    // A loop of local actions, followed alone, would be explored for ever without a step of another thread.
    if (action->local && !action->loops) return thread_bit(t);
  }
  return enabled;
}

// --- monotone ---

static Term conflict(Reduction *r, EdgeId edge, LocationId at) {
  uint64_t key = (uint64_t)edge << 32 | at, known;
  if (map_get(&r->conflicts, key, &known)) return (Term)known;
  Term condition = transitions_conflict(r->transitions, edge, at);
  map_put(&r->conflicts, key, condition);
  return condition;
}

// Does the action at the location enter a section? The accesses of the section's later steps are not those of the
// action.
static bool enters_section(const Reduction *r, LocationId at) {
  const Program *p = r->transitions->program;
  for (uint32_t i = 0; i < p->locations.data[at].out_count; i++)
    if (p->locations.data[location_edge(p, at, i)->to].atomic) return true;
  return false;
}

// Paper: SKIP. A thread can be left out if the step that led to the node was taken by a thread with a larger number, is
// independent of the thread's action and is not a backward edge. Returns the condition, over the state before that
// step, under which the thread cannot be left out.
static Term needed_if(Reduction *r, const Tree *tree, NodeId node, ThreadId thread) {
  const Program *p = r->transitions->program;
  const TreeNode *here = tree_node(tree, node);
  Term unrestricted = term_true(p->terms);
  if (here->parent == NO_ID) return unrestricted;
  const Edge *edge = &p->edges.data[here->edge];
  ThreadId last = p->locations.data[edge->from].thread;
  if (thread >= last || edge->back) return unrestricted;
  // A section that is followed in single steps is one action: its last step alone does not show what it is dependent
  // on.
  if (p->locations.data[edge->from].atomic) return unrestricted;
  if (transitions_births(r->transitions, here->edge) & thread_bit(thread)) return unrestricted;
  const LocationId *parent = control_locations(r->controls, tree_node(tree, here->parent)->control);
  if (begin_order_holds(&r->begins, parent, thread)) return unrestricted; // the step has enabled it
  LocationId before = parent[thread];
  LocationId at = control_at(r->controls, here->control, thread);
  assert(at != NO_ID); // the thread is enabled
  if (before != at) return unrestricted;
  if (p->locations.data[at].atomic || enters_section(r, at)) return unrestricted;
  return conflict(r, here->edge, at);
}

static bool is_excluded(Reduction *r, NodeId node, Term condition) {
  const TermStore *terms = r->transitions->program->terms;
  if (term_is_constant(terms, condition)) return term_is_false(terms, condition);
  return r->excludes && r->excludes(r->context, node, condition);
}

static ThreadMask choose_monotone(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  NodeId parent = tree_node(tree, node)->parent;
  ThreadMask chosen = 0;
  for (ThreadId t = 0; t < r->controls->thread_count; t++)
    if (enabled & thread_bit(t) && !is_excluded(r, parent, needed_if(r, tree, node, t))) chosen |= thread_bit(t);
  return chosen;
}

void reduction_open_conflicts(Reduction *r, const Tree *tree, NodeId node, TermVector *conditions) {
  if (r->kind != &reduction_monotone || !r->excludes) return;
  const TreeNode *here = tree_node(tree, node);
  ThreadMask enabled = reduction_enabled(r, here->control);
  for (ThreadId t = 0; t < r->controls->thread_count; t++) {
    if (!(enabled & thread_bit(t))) continue;
    Term condition = needed_if(r, tree, node, t);
    if (term_is_constant(r->transitions->program->terms, condition)) continue;
    if (!is_excluded(r, here->parent, condition)) TermVector_push(conditions, condition);
  }
}

const ReductionKind reduction_none = {.name = "none", .claim = CLAIMS_ALL, .by_control = true, .choose = choose_all};
const ReductionKind reduction_local = {
    .name = "local", .claim = CLAIMS_LOCAL, .by_control = true, .choose = choose_local};
const ReductionKind reduction_monotone = {.name = "monotone", .claim = CLAIMS_MONOTONE, .choose = choose_monotone};

ThreadMask reduction_choice(Reduction *r, const Tree *tree, NodeId node) {
  return r->kind->choose(r, tree, node, reduction_enabled(r, tree_node(tree, node)->control));
}
