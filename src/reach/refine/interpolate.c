#include "reach/refine/interpolate.h"

#include "reach/refine/concretise.h"

void interpolation_init(Interpolation *i, Feasibility *feasibility, Account *account) {
  *i = (Interpolation){.feasibility = feasibility, .terms = feasibility->walk.terms, .account = account};
  preconditions_init(&i->preconditions, feasibility->walk.transitions, feasibility->solver, account);
  TermVector_init(&i->formulas, account);
}

void interpolation_free(Interpolation *i) {
  TermVector_free(&i->formulas);
  preconditions_free(&i->preconditions);
}

static bool is_valid(const Interpolation *i, Term formula) {
  if (term_is_constant(i->terms, formula)) return !term_is_false(i->terms, formula);
  Term negation = term_not(i->terms, formula);
  return solver_check(i->feasibility->solver, &negation, 1) == SOLVER_UNSAT;
}

static bool holds_initially(Interpolation *i, Term formula) {
  walk_to(&i->feasibility->walk, 0);
  return is_valid(i, walk_value(&i->feasibility->walk, formula)) || is_valid(i, formula);
}

// Computes the formulas of the nodes on the path to `node`, whose own formula is `formula`, with the guards that are
// `used`. False: the root's formula does not hold initially, because some precondition is stronger than the weakest
// one.
static bool go_back(Interpolation *i, NodeId node, Term formula, const bool *used) {
  const Tree *tree = i->feasibility->walk.tree;
  i->node = node;
  TermVector_clear(&i->formulas);
  formula = concretise(&i->feasibility->walk, node, formula);
  TermVector_push(&i->formulas, formula);
  size_t position = tree_node(tree, node)->depth;
  for (NodeId n = node; n != 0; n = tree_node(tree, n)->parent) {
    formula = precondition(&i->preconditions, tree_node(tree, n)->edge, formula, used[--position]);
    formula = concretise(&i->feasibility->walk, tree_node(tree, n)->parent, formula);
    TermVector_push(&i->formulas, formula);
  }
  assert(position == 0);
  return holds_initially(i, formula);
}

// Computes the formulas if the path to `node`, followed by the condition `excluded`, is infeasible for the reason
// `used`. The condition is over the state at the node and, unless `edge` is NO_ID, over the fresh variables of `edge`.
static bool explain(Interpolation *i, NodeId node, EdgeId edge, Term excluded, bool *used) {
  size_t length = tree_node(i->feasibility->walk.tree, node)->depth;
  bool done = false;
  for (unsigned attempt = 0; attempt < 3 && !done; attempt++) {
    i->preconditions.exact = attempt == 2;
    if (attempt == 1)
      for (size_t k = 0; k <= length; k++) used[k] = true;
    Term formula = term_false(i->terms);
    if (used[length])
      formula = edge == NO_ID ? term_not(i->terms, excluded) : precondition_excludes(&i->preconditions, edge, excluded);
    done = go_back(i, node, formula, used);
  }
  i->preconditions.exact = false;
  return done;
}

// The first node on the path after which all steps are excluded: no later guard is part of the reason.
static NodeId last_reason(const Interpolation *i, NodeId node, const bool *used) {
  const Tree *tree = i->feasibility->walk.tree;
  for (size_t k = tree_node(tree, node)->depth; !used[k] && k > 0 && !used[k - 1]; k--)
    node = tree_node(tree, node)->parent;
  return node;
}

static PathAnswer explain_at(Interpolation *i, NodeId node, EdgeId edge, Term condition, bool *used) {
  NodeId at = last_reason(i, node, used);
  bool done = at == node ? explain(i, node, edge, condition, used) : explain(i, at, NO_ID, term_true(i->terms), used);
  return done ? PATH_INFEASIBLE : PATH_UNDECIDED;
}

PathAnswer interpolate_goal(Interpolation *i, NodeId goal) {
  const TreeNode *n = tree_node(i->feasibility->walk.tree, goal);
  assert(n->parent != NO_ID);
  const Transition *transition = &i->feasibility->walk.transitions->edges.data[n->edge];
  size_t bytes = (n->depth + 1) * sizeof(bool);
  bool *used = memory_allocate_zeroed(i->account, bytes);
  PathAnswer answer = goal_check(i->feasibility, goal, used);
  if (answer == PATH_INFEASIBLE)
    answer = explain_at(i, n->parent, n->edge, n->missed ? transition->missed : transition->guard, used);
  memory_free(i->account, used, bytes);
  return answer;
}

PathAnswer interpolate_condition(Interpolation *i, NodeId node, Term condition) {
  size_t bytes = (tree_node(i->feasibility->walk.tree, node)->depth + 1) * sizeof(bool);
  bool *used = memory_allocate_zeroed(i->account, bytes);
  PathAnswer answer = path_check(i->feasibility, node, condition, used);
  if (answer == PATH_INFEASIBLE) answer = explain_at(i, node, NO_ID, condition, used);
  memory_free(i->account, used, bytes);
  return answer;
}
