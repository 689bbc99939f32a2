#include "reach/tree/explore.h"

#include "reach/reduce/reduction_check.h"

void explorer_init(Explorer *x, Program *program, const ExploreOptions *options, Budget *budget, Log *log,
                   Account *account) {
  *x = (Explorer){.program = program, .terms = program->terms, .options = *options, .budget = budget, .log = log};
  x->account = account;
  x->error = NO_ID;
  transitions_init(&x->transitions, program, account);
  control_table_init(&x->controls, program, account);
  tree_init(&x->tree, account);
  links_init(&x->links, account);
  candidates_init(&x->candidates, account);
  LabelPartVector_init(&x->parts, account);
  joint_index_init(&x->joints, program, account);
  reduction_init(&x->reduction, options->reduction, &x->transitions, &x->controls, account);
  if (options->symmetry) reduction_order_begins(&x->reduction, account);
  if (options->reduction->looks_at_precision) {
    precision_init(&x->precision, &x->transitions, account);
    x->reduction.tracks = &x->precision.tracks;
  }
  feasibility_init(&x->feasibility, &x->transitions, &x->tree, budget, account);
  waitlist_init(&x->waitlist, options->order, account);
  U32Vector_init(&x->uncovered, account);
  U32Vector_init(&x->labels, account);
  U32Vector_init(&x->met_cuts, account);
}

void explorer_free(Explorer *x) {
  U32Vector_free(&x->met_cuts);
  U32Vector_free(&x->labels);
  U32Vector_free(&x->uncovered);
  waitlist_free(&x->waitlist);
  feasibility_free(&x->feasibility);
  if (x->reduction.kind->looks_at_precision) precision_free(&x->precision);
  reduction_free(&x->reduction);
  joint_index_free(&x->joints);
  LabelPartVector_free(&x->parts);
  candidates_free(&x->candidates);
  links_free(&x->links);
  tree_free(&x->tree);
  control_table_free(&x->controls);
  transitions_free(&x->transitions);
}

static void wait(Explorer *x, NodeId node) { waitlist_add(&x->waitlist, &x->tree, node); }

// The nodes that lost their cover wait again, with their subtrees: leaves in them may not be expanded yet.
static void wait_for_uncovered(Explorer *x) {
  U32Vector nodes;
  U32Vector_init(&nodes, x->account);
  for (size_t i = 0; i < x->uncovered.count; i++) {
    U32Vector_clear(&nodes);
    tree_subtree(&x->tree, x->uncovered.data[i], &nodes);
    for (size_t k = 0; k < nodes.count; k++) wait(x, nodes.data[k]);
  }
  x->statistics.uncovers += x->uncovered.count;
  U32Vector_clear(&x->uncovered);
  U32Vector_free(&nodes);
}

static void note_label(Explorer *x, LabelId label) {
  if (x->reduction.kind->looks_at_precision)
    precision_add(&x->precision, x->domain->operations->formula(x->domain, label));
}

// Adds the root to an empty tree.
static void add_root(Explorer *x) {
  assert(x->tree.nodes.count == 0);
  LabelId initial = x->domain->operations->initial(x->domain);
  note_label(x, initial);
  wait(x, tree_add(&x->tree, NO_ID, NO_ID, control_initial(&x->controls), initial));
  x->statistics.nodes++;
}

// --- expanding ---

typedef enum ChildKind { CHILD_PLAIN, CHILD_GOAL, CHILD_MISSED } ChildKind;

static NodeId add_child(Explorer *x, NodeId node, const Move *move, LabelId label, ChildKind kind) {
  assert(!tree_node(&x->tree, node)->goal && (kind == CHILD_MISSED) == move->missed);
  NodeId child = tree_add(&x->tree, node, move->edge, move->to, label);
  tree_node(&x->tree, child)->goal = kind != CHILD_PLAIN;
  tree_node(&x->tree, child)->missed = kind == CHILD_MISSED;
  if (label == LABEL_FALSE) tree_kill(&x->tree, child, &x->uncovered);
  x->statistics.nodes++;
  wait(x, child);
  return child;
}

// A waiting node at the target of the move into whose label the domain can join this label; NO_ID: there is none.
static NodeId find_waiting(Explorer *x, const Move *move, ChildKind kind, LabelId label, LabelId *joined) {
  if (move->to >= x->tree.newest.count) return NO_ID;
  for (NodeId w = x->tree.newest.data[move->to]; w != NO_ID; w = tree_node(&x->tree, w)->same_control) {
    const TreeNode *n = tree_node(&x->tree, w);
    if (!n->waiting || n->visited || n->goal != (kind != CHILD_PLAIN) || n->missed != (kind == CHILD_MISSED)) continue;
    if (n->goal && n->edge != move->edge) continue;
    *joined = x->domain->operations->merging->join(x->domain, n->label, label);
    if (*joined != LABEL_FALSE) return w;
  }
  return NO_ID;
}

// For domains that merge: joins the label into a waiting node at the target of the move, or adds a new node.
static void arrive(Explorer *x, NodeId node, const Move *move, LabelId label, ChildKind kind) {
  const DomainOperations *operations = x->domain->operations;
  assert(operations->merging && label != LABEL_FALSE);
  if (kind == CHILD_PLAIN && operations->merging->remainder)
    label = operations->merging->remainder(x->domain, move->to, label);
  if (label == LABEL_FALSE) return;
  LabelId joined = label;
  NodeId at = find_waiting(x, move, kind, label, &joined);
  if (at == NO_ID) {
    at = add_child(x, node, move, label, kind);
  } else {
    tree_node(&x->tree, at)->label = joined;
    x->statistics.merges++;
  }
  links_add(&x->links, at, node, move->edge, label);
}

// Takes the edge: adds a child for each label of `post`, or a child with the label false if there is none. Returns the
// first child. If the domain merges, returns NO_ID.
static NodeId follow(Explorer *x, NodeId node, EdgeId edge, ControlId to, ChildKind kind) {
  Move move = {.before = tree_node(&x->tree, node)->label, .edge = edge, .to = to, .missed = kind == CHILD_MISSED};
  U32Vector *labels = &x->labels;
  U32Vector_clear(labels);
  x->domain->operations->post(x->domain, &move, labels);
  if (x->domain->operations->merging) {
    for (size_t i = 0; i < labels->count; i++) arrive(x, node, &move, labels->data[i], kind);
    return NO_ID;
  }
  if (labels->count == 0) U32Vector_push(labels, LABEL_FALSE);
  NodeId first = NO_ID;
  for (size_t i = labels->count; i-- > 0;) {
    note_label(x, labels->data[i]);
    first = add_child(x, node, &move, labels->data[i], kind);
  }
  return first;
}

// If the guard of an edge that reads what other threads write is false on this path, the edge is not followed: the
// child gets the label false at once, and the path gets labels that give the reason. How threads wait for each other is
// needed in nearly every proof. A guard over a thread's own data (the number of iterations of a loop) is left to
// refinement.
static void exclude_impossible(Explorer *x, NodeId child) {
  const TreeNode *n = tree_node(&x->tree, child);
  walk_to(&x->feasibility.walk, n->parent);
  Term guard = walk_value(&x->feasibility.walk, x->transitions.edges.data[n->edge].guard);
  if (term_is_false(x->terms, guard)) x->domain->operations->refine(x->domain, child);
}

static void expand_thread(Explorer *x, NodeId node, ThreadId thread) {
  const Program *p = x->program;
  ControlId control = tree_node(&x->tree, node)->control;
  LocationId at = control_at(&x->controls, control, thread);
  assert(at != NO_ID && !(tree_node(&x->tree, node)->expanded >> thread & 1));
  const Location *location = &p->locations.data[at];
  tree_node(&x->tree, node)->expanded |= (ThreadMask)1 << thread;
  for (uint32_t i = 0; i < location->out_count; i++) {
    EdgeId edge = location_out_edge(p, location, i);
    const Transition *transition = &x->transitions.edges.data[edge];
    if (transition->missed != TERM_NONE) follow(x, node, edge, control, CHILD_MISSED);
    if (transition->end == ENDS_THE_PROCESS || term_is_false(x->terms, transition->guard)) continue;
    if (reduction_excludes(&x->reduction, control, edge)) continue;
    ControlId after = control_along(&x->controls, control, edge, transitions_births(&x->transitions, edge));
    bool plain = transition->end == ENDS_NOT;
    NodeId child = follow(x, node, edge, after, plain ? CHILD_PLAIN : CHILD_GOAL);
    if (transition->others_may_enable && plain && x->domain->operations->lazy) exclude_impossible(x, child);
  }
}

// Asks about several threads at once at this node. Races and deadlocks are asked for at every node that is visited,
// whatever the reduction chooses.
static void expand_joint(Explorer *x, NodeId node) {
  if (tree_node(&x->tree, node)->asked || x->program->joints.count == 0) return;
  tree_node(&x->tree, node)->asked = true;
  ControlId control = tree_node(&x->tree, node)->control;
  U32Vector edges;
  U32Vector_init(&edges, x->account);
  joint_index_list(&x->joints, control_locations(&x->controls, control), &edges);
  for (size_t i = 0; i < edges.count; i++) {
    const Transition *transition = &x->transitions.edges.data[edges.data[i]];
    if (term_is_false(x->terms, transition->guard)) continue;
    ControlId after = control_along(&x->controls, control, edges.data[i], 0);
    follow(x, node, edges.data[i], after, transition->end == ENDS_NOT ? CHILD_PLAIN : CHILD_GOAL);
  }
  U32Vector_free(&edges);
}

static void expand_owed(Explorer *x, NodeId node, bool by_cover) {
  TreeNode *n = tree_node(&x->tree, node);
  ThreadMask missing = n->owed & ~n->expanded;
  uint64_t nodes = x->statistics.nodes;
  for (ThreadId t = x->controls.thread_count; t-- > 0;)
    if (missing >> t & 1) expand_thread(x, node, t);
  if (by_cover) x->statistics.cover_expansions += x->statistics.nodes - nodes;
}

static void owe(Explorer *x, NodeId node, ThreadMask threads) { tree_node(&x->tree, node)->owed |= threads; }

// The threads that the reduction chooses at the node. If steps are independent only in some states, labels are
// strengthened first so that they exclude the conflict.
static ThreadMask choose(Explorer *x, NodeId node) {
  if (x->reduction.excludes) {
    TermVector conflicts;
    TermVector_init(&conflicts, x->account);
    reduction_open_conflicts(&x->reduction, &x->tree, node, &conflicts);
    NodeId parent = tree_node(&x->tree, node)->parent;
    for (size_t i = 0; i < conflicts.count; i++)
      x->statistics.separations += x->domain->operations->lazy->exclude(x->domain, parent, conflicts.data[i]);
    TermVector_free(&conflicts);
  }
  ThreadMask chosen = reduction_choice(&x->reduction, &x->tree, node);
  if (joint_edges_only(x->program, control_locations(&x->controls, tree_node(&x->tree, node)->control)))
    return chosen; // none: what is asked there is no choice
  if (x->statistics.choices_checked < x->options.checked && !x->flaw) {
    x->statistics.choices_checked++;
    x->flaw = reduction_check_choice(x->check, node, chosen);
    x->broken = x->flaw != NULL;
  }
  return chosen;
}

// --- covering ---

static bool try_cover(Explorer *x, NodeId node, NodeId coverer, bool force) {
  Tree *tree = &x->tree;
  // A node that was not visited yet may be covered when it is visited. If it were expanded now, because it owes threads
  // as a coverer, the search could continue for ever.
  if (tree_is_covered(tree, coverer) || !tree_node(tree, coverer)->visited) return false;
  bool implied = x->domain->operations->covers(x->domain, node, coverer);
  if (!implied && force) {
    x->statistics.forced_tries++;
    implied = x->domain->operations->lazy->force(x->domain, node, coverer);
    x->statistics.forced_covers += implied;
    if (tree_is_covered(tree, node)) return true; // a label became false
  }
  if (!implied || tree_is_covered(tree, coverer)) return false;
  bool owes = !x->reduction.kind->by_control && !x->options.no_cover_expansions;
  if (!x->reduction.kind->by_control) {
    owe(x, node, choose(x, node)); // may strengthen labels above the node
    if (tree_is_covered(tree, node)) return true;
    if (tree_is_covered(tree, coverer) || !x->domain->operations->covers(x->domain, node, coverer)) return false;
  }
  tree_cover(tree, node, coverer, &x->uncovered);
  x->statistics.covers++;
  wait_for_uncovered(x);
  if (owes) {
    owe(x, coverer, tree_node(tree, node)->owed);
    expand_owed(x, coverer, true);
  }
  return true;
}

// The parts of a node's label; NULL: it has no parts.
static const LabelPartVector *parts_of(Explorer *x, NodeId node) {
  LabelPartVector_clear(&x->parts);
  return x->domain->operations->parts(x->domain, tree_node(&x->tree, node)->label, &x->parts) ? &x->parts : NULL;
}

// Tries to cover a node whose label has parts.
static bool close_by_parts(Explorer *x, NodeId node, const LabelPartVector *parts) {
  CandidateWalk walk = candidates_of(&x->candidates, &x->tree, node, parts);
  for (NodeId w; (w = candidates_next(&walk)) != NO_ID;)
    if (w < node && try_cover(x, node, w, false)) return true;
  return false;
}

// Tries to cover the node by an earlier one of the same control vector, the newest first.
static bool close_node(Explorer *x, NodeId node, bool force) {
  // MOST_FORCED: the number of candidates that are tried. MOST_LOST: a node that lost its cover so often is not forced
  // any more, because its label and those of its coverers would strengthen each other without end.
  enum { MOST_FORCED = 16, MOST_LOST = 20 };
  Tree *tree = &x->tree;
  if (tree_is_covered(tree, node) || tree_node(tree, node)->goal) return tree_is_covered(tree, node);
  if (!x->domain->operations->covers) return false;
  const LabelPartVector *parts = x->domain->operations->parts ? parts_of(x, node) : NULL;
  if (parts) return close_by_parts(x, node, parts);
  for (NodeId w = tree_node(tree, node)->same_control; w != NO_ID; w = tree_node(tree, w)->same_control)
    if (try_cover(x, node, w, false)) return true;
  if (!force || tree_node(tree, node)->lost_covers >= MOST_LOST) return false;
  unsigned tries = 0;
  for (NodeId w = tree_node(tree, node)->same_control; w != NO_ID && tries < MOST_FORCED;
       w = tree_node(tree, w)->same_control) {
    if (tree_is_covered(tree, w) || !tree_node(tree, w)->visited) continue;
    tries++;
    if (try_cover(x, node, w, true)) return true;
  }
  return false;
}

void explorer_strengthen(Explorer *x, NodeId node, LabelId label) {
  TreeNode *n = tree_node(&x->tree, node);
  if (label == n->label) return;
  assert(n->label != LABEL_FALSE);
  n->label = label;
  note_label(x, label);
  tree_uncover_all(&x->tree, node, &x->uncovered);
  if (label == LABEL_FALSE) tree_kill(&x->tree, node, &x->uncovered);
  wait_for_uncovered(x);
}

// After a refinement, nodes on the path may be covered (paper: line 41).
static void close_path(Explorer *x, NodeId node) {
  U32Vector path;
  U32Vector_init(&path, x->account);
  for (NodeId n = node; n != NO_ID; n = tree_node(&x->tree, n)->parent) U32Vector_push(&path, n);
  for (size_t i = path.count; i-- > 0;)
    if (close_node(x, path.data[i], false)) break;
  U32Vector_free(&path);
}

// --- precisions that grow ---

// Builds the pivot and its subtree again. If the reduction depends on the precision, the nodes that are kept may owe
// more threads now: see wait_for_precision. If the domain merges, there are no subtrees to prune, and the whole graph
// is built again.
static void grow_again(Explorer *x) {
  bool all = x->options.prune == PRUNE_FULL || x->domain->operations->merging;
  NodeId pivot = all ? 0 : x->domain->pivot;
  assert(pivot < x->tree.nodes.count);
  x->statistics.regrown++;
  if (pivot == 0) {
    walk_reset(&x->feasibility.walk);
    tree_clear(&x->tree);
    links_clear(&x->links);
    candidates_clear(&x->candidates);
    waitlist_clear(&x->waitlist);
    add_root(x);
    return;
  }
  TreeNode n = *tree_node(&x->tree, pivot);
  tree_drop_children(&x->tree, n.parent, n.edge, n.missed, &x->uncovered);
  follow(x, n.parent, n.edge, n.control, n.missed ? CHILD_MISSED : n.goal ? CHILD_GOAL : CHILD_PLAIN);
  wait_for_uncovered(x);
}

// --- paths in domains that merge ---

void explorer_choose_link(Explorer *x, LinkId link) {
  const Link *l = link_at(&x->links, link);
  assert(l->node != 0 && l->parent != l->node);
  tree_node(&x->tree, l->node)->parent = l->parent;
  tree_node(&x->tree, l->node)->edge = l->edge;
}

void explorer_finish_path(Explorer *x, NodeId goal) {
  walk_reset(&x->feasibility.walk);
  uint32_t depth = 0;
  for (NodeId n = tree_node(&x->tree, goal)->parent; n != NO_ID; n = tree_node(&x->tree, n)->parent) depth++;
  for (NodeId n = goal; n != NO_ID; n = tree_node(&x->tree, n)->parent) tree_node(&x->tree, n)->depth = depth--;
  assert(tree_node(&x->tree, 0)->depth == 0);
}

// --- the loop ---

// Ends the path at a node that cannot be reached. Such a node may be covered, which costs little. If it lost its cover
// before, its label is made false.
static bool end_impossible(Explorer *x, NodeId node) {
  walk_to(&x->feasibility.walk, node);
  if (!walk_is_excluded(&x->feasibility.walk) || tree_node(&x->tree, node)->lost_covers == 0) return false;
  if (close_node(x, node, false)) return true;
  if (x->domain->operations->refine(x->domain, node) != PATH_INFEASIBLE) return false;
  close_path(x, node);
  return true;
}

static ExploreAnswer visit_goal(Explorer *x, NodeId node) {
  assert(tree_node(&x->tree, node)->goal && !tree_node(&x->tree, node)->visited);
  x->domain->reached = node;
  switch (x->domain->operations->refine(x->domain, node)) {
  case PATH_UNDECIDED:
    x->flaw = x->domain->undecided;
    x->broken = x->domain->broken;
    return x->flaw ? EXPLORE_UNDECIDED : EXPLORE_STOPPED;
  case PATH_INFEASIBLE: close_path(x, node); return EXPLORE_SAFE;
  case PATH_REGROW: grow_again(x); return EXPLORE_SAFE;
  case PATH_FEASIBLE: break;
  }
  NodeId reached = x->domain->reached;
  if (reached != node) wait(x, node);
  TreeNode *n = tree_node(&x->tree, reached);
  n->visited = true;
  const Transition *transition = &x->transitions.edges.data[n->edge];
  if (!n->missed && transition->end == ENDS_IN_ERROR) {
    x->error = reached;
    return EXPLORE_UNSAFE;
  }
  U32Vector_push(&x->met_cuts, n->missed ? NO_ID : transition->cut);
  return EXPLORE_SAFE;
}

static void visit(Explorer *x, NodeId node) {
  if (x->domain->operations->lazy && end_impossible(x, node)) return;
  if (close_node(x, node, x->options.force_cover && x->domain->operations->lazy)) return;
  owe(x, node, choose(x, node));
  if (tree_is_covered(&x->tree, node)) return; // the label of an ancestor became false
  if (x->domain->operations->parts && !tree_node(&x->tree, node)->visited)
    candidates_add(&x->candidates, &x->tree, node, parts_of(x, node));
  tree_node(&x->tree, node)->visited = true;
  uint64_t refinements = x->statistics.refinements;
  expand_joint(x, node);
  expand_owed(x, node, false);
  if (x->statistics.refinements > refinements) close_path(x, node);
}

static bool label_excludes(void *context, NodeId node, Term condition) {
  Explorer *x = context;
  return x->domain->operations->lazy->excludes(x->domain, node, condition);
}

// If labels mention more cells than before, the nodes that need more threads now wait again. A covered node waits again
// when it loses its cover.
static void wait_for_precision(Explorer *x) {
  if (x->precision_seen == x->precision.tracks.stamp) return;
  x->precision_seen = x->precision.tracks.stamp;
  for (NodeId node = 0; node < x->tree.nodes.count; node++) {
    const TreeNode *n = tree_node(&x->tree, node);
    if (!n->visited || n->goal || n->pruned || tree_is_covered(&x->tree, node)) continue;
    if (reduction_choice(&x->reduction, &x->tree, node) & ~n->expanded) wait(x, node);
  }
}

static NodeId next_node(Explorer *x) {
  NodeId node = waitlist_take(&x->waitlist, &x->tree);
  if (node != NO_ID || !x->reduction.kind->looks_at_precision) return node;
  wait_for_precision(x);
  return waitlist_take(&x->waitlist, &x->tree);
}

// Did the domain fail, or did a check find a flaw?
static bool has_failed(Explorer *x) {
  if (x->domain->failed && !x->flaw) x->flaw = x->domain->failed;
  return x->flaw != NULL;
}

static ExploreAnswer explore(Explorer *x) {
  Tree *tree = &x->tree;
  if (x->options.conditional && x->domain->operations->lazy) {
    x->reduction.excludes = label_excludes;
    x->reduction.context = x;
  }
  add_root(x);
  for (NodeId node; (node = next_node(x)) != NO_ID;) {
    if (budget_exhausted(x->budget, "reach")) return EXPLORE_STOPPED;
    if (has_failed(x)) return EXPLORE_UNDECIDED;
    if (tree_is_covered(tree, node)) continue;
    if (tree_node(tree, node)->goal) {
      if (tree_node(tree, node)->visited) continue;
      ExploreAnswer answer = visit_goal(x, node);
      if (answer != EXPLORE_SAFE) return answer;
      continue;
    }
    visit(x, node);
    if (x->statistics.nodes % 512 == 0)
      log_progress(x->log, "reach: %zu nodes, %zu control vectors", tree->nodes.count, control_count(&x->controls));
  }
  return has_failed(x) ? EXPLORE_UNDECIDED : EXPLORE_SAFE;
}

ExploreAnswer explorer_run(Explorer *x, Domain *domain) {
  assert(domain != NULL && x->tree.nodes.count == 0);
  x->domain = domain;
  if (domain_counts_iterations(domain)) control_table_count_iterations(&x->controls);
  if (domain->operations->merging)
    waitlist_order_by_progress(&x->waitlist, &x->controls, domain->operations->merging->goals_last);
  ReductionCheck check;
  if (x->options.checked == 0) return explore(x);
  reduction_check_init(&check, x);
  x->check = &check;
  ExploreAnswer answer = explore(x);
  x->check = NULL;
  reduction_check_free(&check);
  return answer;
}
