// Refining: infeasible paths strengthen labels, by weakest preconditions along the guards that matter.
#include "reach/impact.h"

// --- error paths ---

// The condition under which the goal's own edge leads to it.
static Term goal_condition(Impact *impact, NodeId goal) {
  const TreeNode *n = tree_node(&impact->tree, goal);
  const Transition *transition = &impact->transitions.edges.data[n->edge];
  return n->missed ? transition->missed : transition->guard;
}

// --- formulas that grow ---

// Weakest preconditions through tables and pointers grow with every step. Where one has become large and the path itself
// mostly concrete, the values on this path stand for the variables: `top == 2 && arr[1] < 5`.
enum { LARGEST_LABEL = 80 };

static void add_variable(void *context, Term variable) { TermVector_push(context, variable); }

// The formula with the values of its variables but for the open ones.
static Term fill_in(Impact *impact, Term formula, const TermVector *variables, const bool *open) {
  Map map;
  map_init(&map, impact->account);
  for (size_t i = 0; i < variables->count; i++)
    if (!open[i]) map_put(&map, variables->data[i], walk_value(&impact->walk, variables->data[i]));
  Term filled = term_substitute(impact->terms, formula, &map, NULL);
  map_free(&map);
  return filled;
}

static Term values_instead(Impact *impact, NodeId node, Term formula) {
  size_t size = term_dag_size(impact->terms, formula);
  if (size <= LARGEST_LABEL) return formula;
  walk_to(&impact->walk, node);
  TermVector variables;
  TermVector_init(&variables, impact->account);
  term_each_variable(impact->terms, formula, add_variable, &variables);
  size_t bytes = variables.count * sizeof(bool);
  bool *open = memory_allocate_zeroed(impact->account, bytes);
  for (size_t i = 0; i < variables.count; i++)
    open[i] = !term_is_constant(impact->terms, walk_value(&impact->walk, variables.data[i]));
  Term filled = fill_in(impact, formula, &variables, open), result = formula;
  if (term_dag_size(impact->terms, filled) * 2 <= size && !term_is_false(impact->terms, filled)) {
    result = filled;
    for (size_t i = 0; i < variables.count; i++) {
      if (open[i]) continue;
      open[i] = true; // is it needed?
      if (fill_in(impact, formula, &variables, open) == filled) continue;
      open[i] = false;
      Term variable = variables.data[i];
      Term is_so = term_eq(impact->terms, variable, walk_value(&impact->walk, variable));
      result = term_and(impact->terms, result, is_so);
    }
  }
  memory_free(impact->account, open, bytes);
  TermVector_free(&variables);
  return result;
}

// Labels of the nodes on the walk, from the core's guards: false after the last one, weakest preconditions before.
// Positions count the edges of the path; `used` says which guards are in the core. The last one is the goal's.
static bool label_path(Impact *impact, NodeId goal, const bool *used, size_t length) {
  size_t last = length;
  while (last > 0 && !used[last - 1]) last--;
  U32Vector path; // nodes, the root first
  U32Vector_init(&path, impact->account);
  U32Vector_resize(&path, length + 1);
  NodeId node = goal;
  for (size_t i = length + 1; i-- > 0; node = tree_node(&impact->tree, node)->parent) path.data[i] = node;
  TermVector formulas;
  TermVector_init(&formulas, impact->account);
  TermVector_resize(&formulas, length + 1);
  Term formula = term_false(impact->terms);
  for (size_t i = length; i > last; i--) formulas.data[i] = formula;
  formulas.data[last] = formula;
  for (size_t i = last; i > 0; i--) {
    bool at_goal = i == length;
    EdgeId edge = tree_node(&impact->tree, path.data[i])->edge;
    if (at_goal && used[i - 1])
      formula = term_not(impact->terms, goal_condition(impact, goal)); // and nothing happens after it
    else
      formula = precondition(&impact->preconditions, edge, formula, used[i - 1]);
    formula = values_instead(impact, path.data[i - 1], formula);
    formulas.data[i - 1] = formula;
  }
  // A formula that had to be made stronger than the weakest precondition may be too strong.
  bool valid = label_implies_term(&impact->implications, CONJUNCTION_TRUE, formula);
  if (!valid) {
    walk_to(&impact->walk, path.data[0]);
    Term at_start = walk_value(&impact->walk, formula);
    valid = label_implies_term(&impact->implications, CONJUNCTION_TRUE, at_start);
  }
  if (valid)
    for (size_t i = 0; i <= length; i++) impact_strengthen(impact, path.data[i], formulas.data[i]);
  TermVector_free(&formulas);
  U32Vector_free(&path);
  return valid;
}

// The earliest condition on the walk that is the constant false.
static bool find_constant(Impact *impact, Term goal_value, bool *used, size_t length) {
  for (size_t i = 0; i + 1 < length; i++) {
    if (!term_is_false(impact->terms, impact->walk.steps.data[i].condition)) continue;
    used[i] = true;
    return true;
  }
  used[length - 1] = term_is_false(impact->terms, goal_value);
  return used[length - 1];
}

static PathAnswer ask_solver(Impact *impact, Term goal_value, bool *used, size_t length) {
  TermVector conditions, core;
  TermVector_init(&conditions, impact->account);
  TermVector_init(&core, impact->account);
  for (size_t i = 0; i < length; i++)
    TermVector_push(&conditions, i + 1 < length ? impact->walk.steps.data[i].condition : goal_value);
  SolverAnswer answer = solver_check(impact->solver, conditions.data, conditions.count);
  if (answer == SOLVER_UNSAT) {
    for (size_t i = 0; i < solver_core(impact->solver)->count; i++)
      TermVector_push(&core, solver_core(impact->solver)->data[i]);
    solver_shrink_core(impact->solver, &core, 40);
    for (size_t i = 0; i < length; i++)
      for (size_t k = 0; k < core.count; k++) used[i] |= core.data[k] == conditions.data[i];
  }
  TermVector_free(&core);
  TermVector_free(&conditions);
  if (answer == SOLVER_UNKNOWN) return PATH_UNDECIDED;
  return answer == SOLVER_SAT ? PATH_FEASIBLE : PATH_INFEASIBLE;
}

// The walk ends at the goal, with instances of its own inputs, which its schedule will tell.
static Term value_of_goal(Impact *impact, NodeId goal) {
  const TreeNode *n = tree_node(&impact->tree, goal);
  walk_to(&impact->walk, n->missed ? n->parent : goal);
  if (!n->missed) return WalkStepVector_last(&impact->walk.steps)->condition;
  return walk_value(&impact->walk, goal_condition(impact, goal));
}

PathAnswer impact_refine(Impact *impact, NodeId goal) {
  size_t length = tree_node(&impact->tree, goal)->depth;
  Term goal_value = value_of_goal(impact, goal);
  bool *used = memory_allocate_zeroed(impact->account, length * sizeof(bool));
  PathAnswer answer = PATH_INFEASIBLE;
  if (!find_constant(impact, goal_value, used, length)) answer = ask_solver(impact, goal_value, used, length);
  if (answer == PATH_INFEASIBLE) {
    impact->statistics.refinements++;
    if (!label_path(impact, goal, used, length)) {
      for (size_t i = 0; i < length; i++) used[i] = true;
      if (!label_path(impact, goal, used, length)) {
        impact->diverged = "no interpolant over an input";
        answer = PATH_UNDECIDED;
      }
    }
  }
  memory_free(impact->account, used, length * sizeof(bool));
  return answer;
}

// --- force cover ---

// The edges from `above` down to `node`, the last one first.
static void edges_between(const Impact *impact, NodeId above, NodeId node, U32Vector *edges) {
  U32Vector_clear(edges);
  for (NodeId n = node; n != above; n = tree_node(&impact->tree, n)->parent)
    U32Vector_push(edges, tree_node(&impact->tree, n)->edge);
}

// Labels that are forced are a guess at what will be needed; large ones cost more than they save.
enum { LARGEST_FORCED = 100 };

// Strengthens the nodes from `node` up to below `above` by the preconditions of `formula`, if the label of `above` implies
// the last one. `used`: which guards to use, edge by edge.
static bool force_along(Impact *impact, NodeId node, NodeId above, Term formula, const U32Vector *edges,
                        const bool *used) {
  TermVector formulas;
  TermVector_init(&formulas, impact->account);
  TermVector_push(&formulas, formula);
  bool small = true;
  for (size_t i = 0; i < edges->count && small; i++) {
    formula = precondition(&impact->preconditions, edges->data[i], formula, used[i]);
    TermVector_push(&formulas, formula);
    small = term_dag_size(impact->terms, formula) <= LARGEST_FORCED;
  }
  bool holds = small && label_implies_term(&impact->implications, tree_node(&impact->tree, above)->label, formula);
  NodeId at = node;
  for (size_t i = 0; holds && i < edges->count; i++) {
    impact_strengthen(impact, at, formulas.data[i]);
    at = tree_node(&impact->tree, at)->parent;
  }
  TermVector_free(&formulas);
  return holds;
}

// Which guards does it take? Guards and formula are carried back to `above`, and the solver's core says. False: they do
// not suffice, or inputs on the way make the question a different one.
static bool find_guards(Impact *impact, NodeId above, Term formula, const U32Vector *edges, bool *used) {
  TermVector carried;
  TermVector_init(&carried, impact->account);
  bool inputs = false;
  Term goal = term_not(impact->terms, formula);
  for (size_t i = 0; i < edges->count && !inputs; i++) {
    const Transition *transition = &impact->transitions.edges.data[edges->data[i]];
    inputs = transition->fresh_count > 0;
    for (size_t k = 0; k < carried.count; k++)
      carried.data[k] = precondition(&impact->preconditions, edges->data[i], carried.data[k], false);
    goal = precondition(&impact->preconditions, edges->data[i], goal, false);
    TermVector_push(&carried, transition->guard);
  }
  uint32_t count;
  const Term *label = conjunction_literals(&impact->labels, tree_node(&impact->tree, above)->label, &count);
  for (uint32_t i = 0; i < count; i++) TermVector_push(&carried, label[i]);
  TermVector_push(&carried, goal);
  bool found = !inputs && solver_check(impact->implications.solver, carried.data, carried.count) == SOLVER_UNSAT;
  if (found) {
    const TermVector *core = solver_core(impact->implications.solver);
    for (size_t i = 0; i < edges->count; i++) {
      used[i] = false;
      for (size_t k = 0; k < core->count; k++) used[i] |= core->data[k] == carried.data[i];
    }
  }
  TermVector_free(&carried);
  return found;
}

// Makes `formula` part of the label of `node`, if the label of its ancestor `above` implies what it takes.
static bool force_formula(Impact *impact, NodeId node, NodeId above, Term formula) {
  U32Vector edges;
  U32Vector_init(&edges, impact->account);
  edges_between(impact, above, node, &edges);
  size_t bytes = edges.count * sizeof(bool);
  bool *used = memory_allocate_zeroed(impact->account, bytes);
  bool forced = force_along(impact, node, above, formula, &edges, used);
  if (!forced && find_guards(impact, above, formula, &edges, used))
    forced = force_along(impact, node, above, formula, &edges, used);
  memory_free(impact->account, used, bytes);
  U32Vector_free(&edges);
  return forced;
}

bool impact_force(Impact *impact, NodeId node, NodeId coverer) {
  Tree *tree = &impact->tree;
  NodeId above = tree_common_ancestor(tree, node, coverer);
  walk_to(&impact->walk, node);
  ConjunctionId wanted = tree_node(tree, coverer)->label;
  uint32_t count;
  conjunction_literals(&impact->labels, wanted, &count);
  for (uint32_t i = 0; i < count; i++) { // what is false on this very path cannot be forced
    Term literal = conjunction_literals(&impact->labels, wanted, &count)[i];
    if (term_is_false(impact->terms, walk_value(&impact->walk, literal))) return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    Term literal = conjunction_literals(&impact->labels, wanted, &count)[i];
    if (label_implies_term(&impact->implications, tree_node(tree, node)->label, literal)) continue;
    if (!force_formula(impact, node, above, literal)) return false;
  }
  // Strengthening the path may have strengthened the coverer, if it lies on it.
  return label_implies(&impact->implications, tree_node(tree, node)->label, tree_node(tree, coverer)->label);
}
