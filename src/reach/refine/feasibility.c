#include "reach/refine/feasibility.h"

void feasibility_init(Feasibility *feasibility, const Transitions *transitions, const Tree *tree, Budget *budget,
                      Account *account) {
  *feasibility = (Feasibility){.account = account};
  walk_init(&feasibility->walk, transitions, tree, account);
  feasibility->solver = solver_new(SOLVER_AUTOMATIC, transitions->program->terms, account, budget);
}

void feasibility_free(Feasibility *feasibility) {
  solver_free(feasibility->solver);
  walk_free(&feasibility->walk);
}

// Marks the earliest condition that is the constant false. False: there is none.
static bool find_constant(const Feasibility *feasibility, const TermVector *conditions, bool *used) {
  for (size_t i = 0; i < conditions->count; i++) {
    used[i] = term_is_false(feasibility->walk.terms, conditions->data[i]);
    if (used[i]) return true;
  }
  return false;
}

static PathAnswer ask_solver(Feasibility *feasibility, const TermVector *conditions, bool *used) {
  enum { MOST_TRIES = 40 };
  SolverAnswer answer = solver_check(feasibility->solver, conditions->data, conditions->count);
  if (answer == SOLVER_UNKNOWN) return PATH_UNDECIDED;
  if (answer == SOLVER_SAT) return PATH_FEASIBLE;
  TermVector core;
  TermVector_init(&core, feasibility->account);
  const TermVector *found = solver_core(feasibility->solver);
  for (size_t i = 0; i < found->count; i++) TermVector_push(&core, found->data[i]);
  solver_shrink_core(feasibility->solver, &core, MOST_TRIES);
  for (size_t i = 0; i < conditions->count; i++)
    for (size_t k = 0; k < core.count; k++) used[i] |= core.data[k] == conditions->data[i];
  TermVector_free(&core);
  return PATH_INFEASIBLE;
}

PathAnswer path_check(Feasibility *feasibility, NodeId node, Term condition, bool *used) {
  assert(used != NULL);
  walk_to(&feasibility->walk, node);
  TermVector conditions;
  TermVector_init(&conditions, feasibility->account);
  for (size_t i = 0; i < feasibility->walk.steps.count; i++)
    TermVector_push(&conditions, feasibility->walk.steps.data[i].condition);
  TermVector_push(&conditions, walk_value(&feasibility->walk, condition));
  memset(used, 0, conditions.count * sizeof *used);
  PathAnswer answer =
      find_constant(feasibility, &conditions, used) ? PATH_INFEASIBLE : ask_solver(feasibility, &conditions, used);
  TermVector_free(&conditions);
  return answer;
}

PathAnswer goal_check(Feasibility *feasibility, NodeId goal, bool *used) {
  const TreeNode *n = tree_node(feasibility->walk.tree, goal);
  assert(n->parent != NO_ID);
  size_t bytes = (n->depth + 1) * sizeof(bool);
  bool *all = used ? used : memory_allocate_zeroed(feasibility->account, bytes);
  Term missed = feasibility->walk.transitions->edges.data[n->edge].missed;
  PathAnswer answer = n->missed ? path_check(feasibility, n->parent, missed, all)
                                : path_check(feasibility, goal, term_true(feasibility->walk.terms), all);
  if (!used) memory_free(feasibility->account, all, bytes);
  return answer;
}
