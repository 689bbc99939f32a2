// Force cover (paper: section III): strengthens the label of a node to that of an earlier node, if the label of the
// nearest common ancestor allows it.
#include "reach/domains/impact_label.h"

// The edges from `above` down to `node`, the last one first.
static void edges_between(const LabelDomain *d, NodeId above, NodeId node, U32Vector *edges) {
  assert(tree_is_ancestor(explorer_tree(d->explorer), above, node));
  U32Vector_clear(edges);
  for (NodeId n = node; n != above; n = tree_node(explorer_tree(d->explorer), n)->parent)
    U32Vector_push(edges, tree_node(explorer_tree(d->explorer), n)->edge);
}

// It is a guess that a forced label will be needed. Large forced labels cost more than they save.
enum { LARGEST_FORCED = 100 };

// Strengthens the nodes from `node` up to the child of `above` by the preconditions of `formula`, if the label of
// `above` implies the last precondition. `used` says for each edge whether its guard is used.
static bool force_along(LabelDomain *d, NodeId node, NodeId above, Term formula, const U32Vector *edges,
                        const bool *used) {
  TermVector formulas;
  TermVector_init(&formulas, d->account);
  TermVector_push(&formulas, formula);
  bool small = true;
  for (size_t i = 0; i < edges->count && small; i++) {
    formula = precondition(&d->interpolation.preconditions, edges->data[i], formula, used[i]);
    TermVector_push(&formulas, formula);
    small = term_dag_size(d->terms, formula) <= LARGEST_FORCED;
  }
  bool holds = small && label_implies_term(&d->implications, explorer_label(d->explorer, above), formula);
  NodeId at = node;
  for (size_t i = 0; holds && i < edges->count; i++) {
    label_strengthen(d, at, formulas.data[i]);
    at = tree_node(explorer_tree(d->explorer), at)->parent;
  }
  TermVector_free(&formulas);
  return holds;
}

// Finds the guards that are needed: all guards and the negated formula are carried back to `above`, and an
// unsatisfiable core contains the needed ones. False: the guards do not suffice, or the path has inputs, for which this
// query is not the right one.
static bool find_guards(LabelDomain *d, NodeId above, Term formula, const U32Vector *edges, bool *used) {
  TermVector carried;
  TermVector_init(&carried, d->account);
  bool inputs = false;
  Term goal = term_not(d->terms, formula);
  for (size_t i = 0; i < edges->count && !inputs; i++) {
    const Transition *transition = &explorer_transitions(d->explorer)->edges.data[edges->data[i]];
    inputs = transition->fresh_count > 0;
    for (size_t k = 0; k < carried.count; k++)
      carried.data[k] = precondition(&d->interpolation.preconditions, edges->data[i], carried.data[k], false);
    goal = precondition(&d->interpolation.preconditions, edges->data[i], goal, false);
    TermVector_push(&carried, transition->guard);
  }
  uint32_t count;
  const Term *label = conjunction_literals(&d->labels, explorer_label(d->explorer, above), &count);
  for (uint32_t i = 0; i < count; i++) TermVector_push(&carried, label[i]);
  TermVector_push(&carried, goal);
  bool found = !inputs && solver_check(d->implications.solver, carried.data, carried.count) == SOLVER_UNSAT;
  if (found) {
    const TermVector *core = solver_core(d->implications.solver);
    for (size_t i = 0; i < edges->count; i++) {
      used[i] = false;
      for (size_t k = 0; k < core->count; k++) used[i] |= core->data[k] == carried.data[i];
    }
  }
  TermVector_free(&carried);
  return found;
}

// Makes `formula` a conjunct of the label of `node`, if the label of its ancestor `above` implies a precondition of it.
static bool force_formula(LabelDomain *d, NodeId node, NodeId above, Term formula) {
  U32Vector edges;
  U32Vector_init(&edges, d->account);
  edges_between(d, above, node, &edges);
  size_t bytes = edges.count * sizeof(bool);
  bool *used = memory_allocate_zeroed(d->account, bytes);
  bool forced = force_along(d, node, above, formula, &edges, used);
  if (!forced && find_guards(d, above, formula, &edges, used))
    forced = force_along(d, node, above, formula, &edges, used);
  memory_free(d->account, used, bytes);
  U32Vector_free(&edges);
  return forced;
}

bool label_force(Domain *domain, NodeId node, NodeId coverer) {
  LabelDomain *d = (LabelDomain *)domain;
  const Tree *tree = explorer_tree(d->explorer);
  NodeId above = tree_common_ancestor(tree, node, coverer);
  assert(tree_node(tree, node)->control == tree_node(tree, coverer)->control);
  walk_to(explorer_walk(d->explorer), node);
  ConjunctionId wanted = tree_node(tree, coverer)->label;
  uint32_t count;
  conjunction_literals(&d->labels, wanted, &count);
  for (uint32_t i = 0; i < count; i++) { // a literal that is false on the path to the node cannot be forced
    Term literal = conjunction_literals(&d->labels, wanted, &count)[i];
    if (term_is_false(d->terms, walk_value(explorer_walk(d->explorer), literal))) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    Term literal = conjunction_literals(&d->labels, wanted, &count)[i];
    if (label_implies_term(&d->implications, tree_node(tree, node)->label, literal)) continue;
    if (!force_formula(d, node, above, literal)) return false;
  }
  // If the coverer lies on the path, its label may have been strengthened, too.
  return label_implies(&d->implications, tree_node(tree, node)->label, tree_node(tree, coverer)->label);
}
