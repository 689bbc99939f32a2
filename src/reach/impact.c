#include "reach/impact.h"

void impact_init(Impact *impact, Program *program, const ImpactOptions *options, Budget *budget, Log *log,
                 Account *account) {
  *impact = (Impact){.program = program, .terms = program->terms, .options = *options, .budget = budget, .log = log};
  impact->account = account;
  impact->error = NO_ID;
  transitions_init(&impact->transitions, program, account);
  control_table_init(&impact->controls, program, account);
  conjunction_table_init(&impact->labels, program->terms, account);
  tree_init(&impact->tree, account);
  impact->reduction =
      (Reduction){.kind = options->reduction, .transitions = &impact->transitions, .controls = &impact->controls};
  implications_init(&impact->implications, &impact->labels, budget, account);
  walk_init(&impact->walk, &impact->transitions, &impact->tree, account);
  impact->solver = solver_new(SOLVER_AUTOMATIC, program->terms, account, budget);
  preconditions_init(&impact->preconditions, &impact->transitions, impact->solver, account);
  U32Vector_init(&impact->waitlist, account);
  U32Vector_init(&impact->goals, account);
  U32Vector_init(&impact->uncovered, account);
  U32Vector_init(&impact->met_cuts, account);
}

void impact_free(Impact *impact) {
  U32Vector_free(&impact->met_cuts);
  U32Vector_free(&impact->uncovered);
  U32Vector_free(&impact->goals);
  U32Vector_free(&impact->waitlist);
  preconditions_free(&impact->preconditions);
  solver_free(impact->solver);
  walk_free(&impact->walk);
  implications_free(&impact->implications);
  tree_free(&impact->tree);
  conjunction_table_free(&impact->labels);
  control_table_free(&impact->controls);
  transitions_free(&impact->transitions);
}

// --- the waitlist ---

static void wait(Impact *impact, NodeId node) {
  TreeNode *n = tree_node(&impact->tree, node);
  if (n->waiting) return;
  n->waiting = true;
  U32Vector_push(n->goal ? &impact->goals : &impact->waitlist, node);
}

static NodeId take_waiting(Impact *impact) {
  NodeId node = NO_ID;
  if (impact->goals.count > 0) {
    node = U32Vector_pop(&impact->goals);
  } else if (!impact->options.breadth_first) {
    if (impact->waitlist.count > 0) node = U32Vector_pop(&impact->waitlist);
  } else if (impact->next < impact->waitlist.count) {
    node = impact->waitlist.data[impact->next++];
    if (impact->next > 4096 && impact->next * 2 > impact->waitlist.count) {
      size_t left = impact->waitlist.count - impact->next;
      memmove(impact->waitlist.data, impact->waitlist.data + impact->next, left * sizeof(uint32_t));
      impact->waitlist.count = left;
      impact->next = 0;
    }
  }
  if (node != NO_ID) tree_node(&impact->tree, node)->waiting = false;
  return node;
}

// What lost its cover waits again, with all leaves below it that are not complete.
static void wait_for_uncovered(Impact *impact) {
  U32Vector nodes;
  U32Vector_init(&nodes, impact->account);
  for (size_t i = 0; i < impact->uncovered.count; i++) {
    U32Vector_clear(&nodes);
    tree_subtree(&impact->tree, impact->uncovered.data[i], &nodes);
    for (size_t k = 0; k < nodes.count; k++) wait(impact, nodes.data[k]);
  }
  impact->statistics.uncovers += impact->uncovered.count;
  U32Vector_clear(&impact->uncovered);
  U32Vector_free(&nodes);
}

// --- expanding ---

static NodeId add_child(Impact *impact, NodeId node, EdgeId edge, ControlId control, bool by_cover, bool goal) {
  NodeId child = tree_add(&impact->tree, node, edge, control, CONJUNCTION_TRUE);
  tree_node(&impact->tree, child)->by_cover = by_cover;
  tree_node(&impact->tree, child)->goal = goal;
  impact->statistics.nodes++;
  impact->statistics.cover_expansions += by_cover;
  wait(impact, child);
  return child;
}

// A thread that waits in vain on this very path is not followed: its step gets the label false at once, with the reason
// on the path. (Data is left to refinement; where threads wait is a matter of control that nearly every proof needs.)
static void exclude_blocked(Impact *impact, NodeId child) {
  const TreeNode *n = tree_node(&impact->tree, child);
  walk_to(&impact->walk, n->parent);
  Term guard = walk_value(&impact->walk, impact->transitions.edges.data[n->edge].guard);
  if (term_is_false(impact->terms, guard)) impact_refine(impact, child);
}

static void expand_thread(Impact *impact, NodeId node, ThreadId thread, bool by_cover) {
  const Program *p = impact->program;
  ControlId control = tree_node(&impact->tree, node)->control;
  LocationId at = control_at(&impact->controls, control, thread);
  const Location *location = &p->locations.data[at];
  tree_node(&impact->tree, node)->expanded |= (ThreadMask)1 << thread;
  for (uint32_t i = 0; i < location->out_count; i++) {
    EdgeId edge = p->out_edges.data[location->first_out + i];
    const Transition *transition = &impact->transitions.edges.data[edge];
    if (transition->missed != TERM_NONE) {
      NodeId missed = add_child(impact, node, edge, control, by_cover, true);
      tree_node(&impact->tree, missed)->missed = true;
    }
    if (transition->end == ENDS_THE_PROCESS || term_is_false(impact->terms, transition->guard)) continue;
    if (reduction_excludes(&impact->reduction, control, edge)) continue;
    ControlId after = control_after(&impact->controls, control, thread, p->edges.data[edge].to, transition->creates);
    NodeId child = add_child(impact, node, edge, after, by_cover, transition->end != ENDS_NOT);
    if (transition->waits) exclude_blocked(impact, child);
  }
}

static void expand_owed(Impact *impact, NodeId node, bool by_cover) {
  TreeNode *n = tree_node(&impact->tree, node);
  ThreadMask missing = n->owed & ~n->expanded;
  for (ThreadId t = impact->controls.thread_count; t-- > 0;)
    if (missing >> t & 1) expand_thread(impact, node, t, by_cover);
}

static void owe(Impact *impact, NodeId node, ThreadMask threads) { tree_node(&impact->tree, node)->owed |= threads; }

// --- covering ---

static bool try_cover(Impact *impact, NodeId node, NodeId coverer, bool force) {
  Tree *tree = &impact->tree;
  // A node whose turn has not come may itself be covered then; to expand it now, for what it would owe, can go on for
  // ever.
  if (tree_is_covered(tree, coverer) || !tree_node(tree, coverer)->visited) return false;
  bool implied = label_implies(&impact->implications, tree_node(tree, node)->label, tree_node(tree, coverer)->label);
  if (!implied && force) {
    impact->statistics.forced_tries++;
    implied = impact_force(impact, node, coverer);
    impact->statistics.forced_covers += implied;
    if (tree_is_covered(tree, node)) return true; // by false
  }
  if (!implied || tree_is_covered(tree, coverer)) return false;
  owe(impact, node, reduction_choice(&impact->reduction, tree, node));
  tree_cover(tree, node, coverer, &impact->uncovered);
  impact->statistics.covers++;
  wait_for_uncovered(impact);
  owe(impact, coverer, tree_node(tree, node)->owed);
  expand_owed(impact, coverer, true);
  return true;
}

// Tries to cover the node by an earlier one of the same control vector, the newest first.
static bool close_node(Impact *impact, NodeId node, bool force) {
  enum { MOST_FORCED = 4 };
  Tree *tree = &impact->tree;
  if (tree_is_covered(tree, node) || tree_node(tree, node)->goal) return tree_is_covered(tree, node);
  for (NodeId w = tree_node(tree, node)->same_control; w != NO_ID; w = tree_node(tree, w)->same_control)
    if (try_cover(impact, node, w, false)) return true;
  if (!force) return false;
  unsigned tries = 0;
  for (NodeId w = tree_node(tree, node)->same_control; w != NO_ID && tries < MOST_FORCED;
       w = tree_node(tree, w)->same_control) {
    if (tree_is_covered(tree, w) || !tree_node(tree, w)->visited) continue;
    tries++;
    if (try_cover(impact, node, w, true)) return true;
  }
  return false;
}

bool impact_strengthen(Impact *impact, NodeId node, Term formula) {
  TreeNode *n = tree_node(&impact->tree, node);
  ConjunctionId label = conjunction_and(&impact->labels, n->label, formula);
  if (label == n->label) return false;
  n->label = label;
  tree_uncover_all(&impact->tree, node, &impact->uncovered);
  if (label == CONJUNCTION_FALSE) tree_kill(&impact->tree, node, &impact->uncovered);
  wait_for_uncovered(impact);
  return true;
}

// After a refinement the nodes on the path may be covered now (paper: line 41).
static void close_path(Impact *impact, NodeId node) {
  U32Vector path;
  U32Vector_init(&path, impact->account);
  for (NodeId n = node; n != NO_ID; n = tree_node(&impact->tree, n)->parent) U32Vector_push(&path, n);
  for (size_t i = path.count; i-- > 0;)
    if (close_node(impact, path.data[i], false)) break;
  U32Vector_free(&path);
}

// --- the loop ---

static ImpactAnswer visit_goal(Impact *impact, NodeId node) {
  switch (impact_refine(impact, node)) {
  case PATH_UNDECIDED: return impact->diverged ? IMPACT_DIVERGED : IMPACT_STOPPED;
  case PATH_INFEASIBLE: close_path(impact, node); return IMPACT_SAFE;
  case PATH_FEASIBLE: break;
  }
  const TreeNode *n = tree_node(&impact->tree, node);
  const Transition *transition = &impact->transitions.edges.data[n->edge];
  if (!n->missed && transition->end == ENDS_IN_ERROR) {
    impact->error = node;
    return IMPACT_UNSAFE;
  }
  U32Vector_push(&impact->met_cuts, n->missed ? NO_ID : transition->cut);
  return IMPACT_SAFE;
}

ImpactAnswer impact_run(Impact *impact) {
  Tree *tree = &impact->tree;
  NodeId root = tree_add(tree, NO_ID, NO_ID, control_initial(&impact->controls), CONJUNCTION_TRUE);
  impact->statistics.nodes = 1;
  wait(impact, root);
  for (NodeId node; (node = take_waiting(impact)) != NO_ID;) {
    if (budget_exhausted(impact->budget, "reach")) return IMPACT_STOPPED;
    if (tree_is_covered(tree, node)) continue;
    if (tree_node(tree, node)->goal) {
      ImpactAnswer answer = visit_goal(impact, node);
      if (answer != IMPACT_SAFE) return answer;
      continue;
    }
    if (close_node(impact, node, impact->options.force_cover)) continue;
    owe(impact, node, reduction_choice(&impact->reduction, tree, node));
    tree_node(tree, node)->visited = true;
    expand_owed(impact, node, false);
    if (impact->statistics.nodes % 512 == 0)
      log_progress(impact->log, "reach: %zu nodes, %zu control vectors", tree->nodes.count,
                   control_count(&impact->controls));
  }
  return IMPACT_SAFE;
}
