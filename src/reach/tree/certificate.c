#include "reach/tree/certificate.h"

typedef struct Certificate {
  Explorer *explorer;
  const Tree *tree;
  TermStore *terms;
  Solver *solver;
  Reduction reduction; // of the same kind as the search's, with tables of its own
  Precision precision; // the cells that labels mention, if the reduction depends on them
  Map checked;         // hashes of conjunctions that are known to be unsatisfiable
  Budget *budget;
  Account *account;
} Certificate;

static Term label_of(const Certificate *c, NodeId node) {
  return c->explorer->domain->operations->formula(c->explorer->domain, tree_node(c->tree, node)->label);
}

static bool impossible(Certificate *c, const Term *conjuncts, size_t count) {
  uint64_t key = hash_bytes(conjuncts, count * sizeof *conjuncts);
  if (map_contains(&c->checked, key)) return true;
  bool answer = solver_check(c->solver, conjuncts, count) == SOLVER_UNSAT;
  if (answer) map_put(&c->checked, key, 1);
  return answer;
}

// --- implications between labels ---

// Do `before` and the guard imply the formula? Conjuncts of the formula that are conjuncts of `before` do not need the
// solver. Mostly few others are left.
static bool implies(Certificate *c, Term before, Term guard, Term formula) {
  TermVector have, want;
  TermVector_init(&have, c->account);
  TermVector_init(&want, c->account);
  term_list_conjuncts(c->terms, before, &have);
  term_list_conjuncts(c->terms, formula, &want);
  Map given;
  map_init(&given, c->account);
  for (size_t i = 0; i < have.count; i++) map_put(&given, have.data[i], 1);
  Term open = term_true(c->terms);
  for (size_t i = 0; i < want.count; i++)
    if (!map_contains(&given, want.data[i])) open = term_and(c->terms, open, want.data[i]);
  TermVector_push(&have, guard);
  TermVector_push(&have, term_not(c->terms, open));
  bool holds = term_is_true(c->terms, open) || impossible(c, have.data, have.count);
  map_free(&given);
  TermVector_free(&want);
  TermVector_free(&have);
  return holds;
}

// --- edges: label and transition imply the next label ---

// The disjunction of the labels of all children that the node's edge leads to from its parent. TERM_NONE: the node is
// not the first of these children in the list of siblings, and the check of the first one covers them all.
static Term labels_of_edge(const Certificate *c, NodeId node) {
  const TreeNode *n = tree_node(c->tree, node);
  Term labels = term_false(c->terms);
  bool first = true;
  for (NodeId s = tree_node(c->tree, n->parent)->first_child; s != NO_ID; s = tree_node(c->tree, s)->next_sibling) {
    const TreeNode *sibling = tree_node(c->tree, s);
    if (sibling->edge != n->edge || sibling->missed != n->missed) continue;
    if (first && s != node) return TERM_NONE;
    first = false;
    labels = term_or(c->terms, labels, label_of(c, s));
  }
  return labels;
}

static bool edge_holds(Certificate *c, NodeId node) {
  const TreeNode *n = tree_node(c->tree, node);
  const Transitions *t = &c->explorer->transitions;
  const Transition *transition = &t->edges.data[n->edge];
  Term label = labels_of_edge(c, node);
  if (label == TERM_NONE || term_is_true(c->terms, label)) return true;
  Map after, cache; // state variable -> its value after the edge
  map_init(&after, c->account);
  map_init(&cache, c->account);
  for (uint32_t i = 0; !n->missed && i < transition->update_count; i++) {
    const Update *update = &t->updates.data[transition->first_update + i];
    map_put(&after, update->variable, update->value);
  }
  Term wanted = term_substitute(c->terms, label, &after, &cache);
  map_free(&cache);
  map_free(&after);
  Term before = transitions_instances(t, n->edge, label_of(c, n->parent));
  return implies(c, before, n->missed ? transition->missed : transition->guard, wanted);
}

// The initial values imply the label of the root.
typedef struct InitialCheck {
  Certificate *certificate;
  TermVector conjuncts;
} InitialCheck;

static void add_initial(void *context, Term variable) {
  InitialCheck *check = context;
  Term initial = transitions_initial(&check->certificate->explorer->transitions, variable);
  TermStore *terms = check->certificate->terms;
  if (initial != TERM_NONE) TermVector_push(&check->conjuncts, term_eq(terms, variable, initial));
}

static bool root_holds(Certificate *c) {
  Term label = label_of(c, 0);
  InitialCheck check = {.certificate = c};
  TermVector_init(&check.conjuncts, c->account);
  TermVector_push(&check.conjuncts, term_not(c->terms, label));
  term_each_variable(c->terms, label, add_initial, &check);
  bool holds = impossible(c, check.conjuncts.data, check.conjuncts.count);
  TermVector_free(&check.conjuncts);
  return holds;
}

// --- completeness ---

// Does the node have a child for every edge of the thread that may be enabled?
static bool has_all_edges(const Certificate *c, NodeId node, ThreadId thread) {
  const Program *p = c->explorer->program;
  const TreeNode *n = tree_node(c->tree, node);
  const Location *location = &p->locations.data[control_at(&c->explorer->controls, n->control, thread)];
  for (uint32_t i = 0; i < location->out_count; i++) {
    EdgeId edge = location_out_edge(p, location, i);
    const Transition *transition = &c->explorer->transitions.edges.data[edge];
    bool taken = transition->end == ENDS_THE_PROCESS || term_is_false(c->terms, transition->guard);
    taken |= reduction_excludes(&c->reduction, n->control, edge);
    bool missed = transition->missed == TERM_NONE;
    for (NodeId child = n->first_child; child != NO_ID; child = tree_node(c->tree, child)->next_sibling) {
      if (tree_node(c->tree, child)->edge != edge) continue;
      taken |= !tree_node(c->tree, child)->missed;
      missed |= tree_node(c->tree, child)->missed;
    }
    if (!taken || !missed) return false;
  }
  return true;
}

// Does the node have a child for every joint edge that is asked for there?
static bool has_joint_edges(const Certificate *c, NodeId node) {
  const Explorer *x = c->explorer;
  const TreeNode *n = tree_node(c->tree, node);
  bool complete = true;
  U32Vector edges;
  U32Vector_init(&edges, c->account);
  joint_index_list(&x->joints, control_locations(&x->controls, n->control), &edges);
  for (size_t i = 0; i < edges.count && complete; i++) {
    complete = term_is_false(c->terms, x->transitions.edges.data[edges.data[i]].guard);
    for (NodeId child = n->first_child; child != NO_ID && !complete; child = tree_node(c->tree, child)->next_sibling)
      complete = tree_node(c->tree, child)->edge == edges.data[i];
  }
  U32Vector_free(&edges);
  return complete;
}

// Are all edges of the owed threads there? A node that covers others owes what each covered node owes, including what
// that node took over from nodes that it covered before: the executions through a covered node continue along the edges
// of its coverer.
static bool is_complete(const Certificate *c, NodeId node, ThreadMask owed) {
  for (ThreadId t = 0; t < c->explorer->controls.thread_count; t++)
    if (owed >> t & 1 && !has_all_edges(c, node, t)) return false;
  return true;
}

// Alive: neither the node nor an ancestor is covered or has the label false.
static bool is_alive(const Certificate *c, NodeId node) {
  for (NodeId n = node; n != NO_ID; n = tree_node(c->tree, n)->parent)
    if (tree_node(c->tree, n)->covered_by != NO_ID || tree_node(c->tree, n)->label == LABEL_FALSE) return false;
  return true;
}

static bool covers_hold(Certificate *c, NodeId node) {
  const TreeNode *n = tree_node(c->tree, node);
  if (n->covered_by == NO_ID) return true;
  const TreeNode *w = tree_node(c->tree, n->covered_by);
  if (w->control != n->control || w->goal || !is_alive(c, n->covered_by)) return false;
  if (!implies(c, label_of(c, node), term_true(c->terms), label_of(c, n->covered_by))) return false;
  return c->reduction.kind->by_control || is_complete(c, n->covered_by, reduction_choice(&c->reduction, c->tree, node));
}

// Is the node's control vector the one that its edge leads to, and is it a goal exactly if the edge leads to a goal?
static bool stands_right(const Certificate *c, NodeId node) {
  const Program *p = c->explorer->program;
  const ControlTable *controls = &c->explorer->controls;
  const TreeNode *n = tree_node(c->tree, node);
  if (n->parent == NO_ID) { // main is at its entry, no other thread is started
    for (ThreadId t = 0; t < controls->thread_count; t++)
      if (control_at(controls, n->control, t) != (t == 0 ? p->threads.data[0].entry : NO_ID)) return false;
    return true;
  }
  ControlId before = tree_node(c->tree, n->parent)->control;
  const Edge *edge = &p->edges.data[n->edge];
  const Transition *transition = &c->explorer->transitions.edges.data[n->edge];
  ThreadId thread = p->locations.data[edge->from].thread;
  if (control_at(controls, before, thread) != edge->from) return false;
  if (n->missed) return n->goal && n->control == before;
  if (n->goal != (transition->end != ENDS_NOT)) return false;
  ThreadMask started = transitions_births(&c->explorer->transitions, n->edge);
  return control_follows(controls, before, thread, edge->to, started, n->control);
}

static const char *check_node(Certificate *c, NodeId node) {
  const TreeNode *n = tree_node(c->tree, node);
  if (n->pruned) return NULL; // not part of the tree
  bool parent_alive = n->parent == NO_ID || is_alive(c, n->parent);
  if (!parent_alive) return NULL;
  if (!stands_right(c, node)) return "internal error: a node of the proof is in the wrong place";
  if (n->parent != NO_ID && !edge_holds(c, node)) return "internal error: a label of the proof does not follow";
  if (n->goal && n->label != LABEL_FALSE) return "internal error: the proof has an error that is not excluded";
  if (!covers_hold(c, node)) return "internal error: a cover of the proof does not hold";
  if (n->goal || !is_alive(c, node)) return NULL;
  ThreadMask owed = reduction_choice(&c->reduction, c->tree, node);
  return is_complete(c, node, owed) && has_joint_edges(c, node) ? NULL : "internal error: the proof is not complete";
}

// --- graphs of domains that merge ---

static bool has_no_escape(Certificate *c, NodeId node, const Move *move, bool goal) {
  Domain *domain = c->explorer->domain;
  Term escape = domain->operations->merging->escape(domain, node, move, goal);
  return term_is_false(c->terms, escape) || impossible(c, &escape, 1);
}

// Do the node's states take a joint edge to an error, or to states that the labels there do not contain?
static const char *check_joint_of_merged(Certificate *c, NodeId node) {
  Explorer *x = c->explorer;
  TreeNode n = *tree_node(c->tree, node);
  const char *flaw = NULL;
  U32Vector edges;
  U32Vector_init(&edges, c->account);
  joint_index_list(&x->joints, control_locations(&x->controls, n.control), &edges);
  for (size_t i = 0; i < edges.count && !flaw; i++) {
    const Transition *transition = &x->transitions.edges.data[edges.data[i]];
    if (term_is_false(c->terms, transition->guard)) continue;
    Move move = {
        .before = n.label, .edge = edges.data[i], .to = control_along(&x->controls, n.control, edges.data[i], 0)};
    if (!has_no_escape(c, node, &move, transition->end != ENDS_NOT))
      flaw = "internal error: the proof has a race or a deadlock that is not excluded";
  }
  U32Vector_free(&edges);
  return flaw;
}

// Does every step of the thread from the node's states lead to states that the labels there contain?
static const char *check_thread_of_merged(Certificate *c, NodeId node, ThreadId thread) {
  Explorer *x = c->explorer;
  const Program *p = x->program;
  TreeNode n = *tree_node(c->tree, node);
  const Location *location = &p->locations.data[control_at(&x->controls, n.control, thread)];
  for (uint32_t i = 0; i < location->out_count; i++) {
    EdgeId edge = location_out_edge(p, location, i);
    const Transition *transition = &x->transitions.edges.data[edge];
    Move move = {.before = n.label, .edge = edge, .to = n.control, .missed = true};
    if (transition->missed != TERM_NONE && !has_no_escape(c, node, &move, true))
      return "internal error: the proof has a pointer that was not foreseen and is not excluded";
    if (transition->end == ENDS_THE_PROCESS || term_is_false(c->terms, transition->guard)) continue;
    if (reduction_excludes(&c->reduction, n.control, edge)) continue;
    move.to = control_along(&x->controls, n.control, edge, transitions_births(&x->transitions, edge));
    move.missed = false;
    bool goal = transition->end != ENDS_NOT;
    if (!has_no_escape(c, node, &move, goal))
      return goal ? "internal error: the proof has an error that is not excluded"
                  : "internal error: a label of the proof does not follow";
  }
  return NULL;
}

static const char *check_merged_node(Certificate *c, NodeId node) {
  const TreeNode *n = tree_node(c->tree, node);
  if (n->goal || n->label == LABEL_FALSE) return NULL; // edges to goals are checked at their source
  if (n->covered_by != NO_ID) {
    const TreeNode *w = tree_node(c->tree, n->covered_by);
    bool good = w->control == n->control && !w->goal && w->label != LABEL_FALSE && w->covered_by == NO_ID &&
                implies(c, label_of(c, node), term_true(c->terms), label_of(c, n->covered_by));
    return good ? NULL : "internal error: a cover of the proof does not hold";
  }
  ThreadMask owed = reduction_choice(&c->reduction, c->tree, node);
  const char *flaw = check_joint_of_merged(c, node);
  for (ThreadId t = 0; t < c->explorer->controls.thread_count && !flaw; t++)
    if (owed >> t & 1) flaw = check_thread_of_merged(c, node, t);
  return flaw;
}

// --- the check ---

// For conditional dependence: does the label exclude the condition?
static bool label_excludes(void *context, NodeId node, Term condition) {
  Certificate *c = context;
  Term conjuncts[2] = {label_of(c, node), condition};
  return impossible(c, conjuncts, 2);
}

static Solver *new_solver(const Certificate *c, SolverKind kind) {
  return solver_new(kind, c->terms, c->account, c->budget);
}

// The reduction says which threads a node must have expanded. For `aware`, this is a persistent set in the system in
// which only the cells that labels mention are tracked.
static void open_reduction(Certificate *c) {
  const Explorer *x = c->explorer;
  reduction_init(&c->reduction, x->options.reduction, &x->transitions, &x->controls, c->account);
  if (x->options.symmetry) reduction_order_begins(&c->reduction, c->account);
  c->reduction.excludes = x->reduction.excludes ? label_excludes : NULL;
  c->reduction.context = c;
  if (!c->reduction.kind->looks_at_precision) return;
  precision_init(&c->precision, &x->transitions, c->account);
  for (NodeId node = 0; node < c->tree->nodes.count; node++)
    if (!tree_node(c->tree, node)->pruned) precision_add(&c->precision, label_of(c, node));
  c->reduction.tracks = &c->precision.tracks;
}

static void close_reduction(Certificate *c) {
  if (c->reduction.kind->looks_at_precision) precision_free(&c->precision);
  reduction_free(&c->reduction);
}

const char *certificate_check(Explorer *explorer, SolverKind kind, Budget *budget, Account *account) {
  assert(explorer->domain != NULL && explorer->tree.nodes.count > 0);
  enum { NODES_PER_SOLVER = 2048 };                                     // a solver gets slower with every query
  static const char late[] = "out of time while the proof was checked"; // so the solver may have given up, too
  Certificate c = {.explorer = explorer, .tree = &explorer->tree, .terms = explorer->terms, .budget = budget};
  c.account = account;
  c.solver = new_solver(&c, kind);
  open_reduction(&c);
  map_init(&c.checked, account);
  const char *flaw = root_holds(&c) ? NULL : "internal error: the proof does not hold initially";
  if (budget_exhausted(budget, "reach-certificate")) flaw = late;
  for (NodeId node = 0; node < explorer->tree.nodes.count && !flaw; node++) {
    if (node % NODES_PER_SOLVER == NODES_PER_SOLVER - 1) {
      solver_free(c.solver);
      c.solver = new_solver(&c, kind);
    }
    flaw = explorer->domain->operations->merging ? check_merged_node(&c, node) : check_node(&c, node);
    if (budget_exhausted(budget, "reach-certificate")) flaw = late;
  }
  map_free(&c.checked);
  close_reduction(&c);
  solver_free(c.solver);
  return flaw;
}
