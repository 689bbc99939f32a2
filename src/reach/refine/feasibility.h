// Feasibility of paths: can the path from the root to a node be executed, and if not, which guards on it are the
// reason?
//
// The conditions of the walk to the node are mostly constants. Then the first guard that is false is the reason, and no
// solver is needed. Otherwise the reason is an unsatisfiable core of all guards.
#ifndef HEDDLE_REACH_REFINE_FEASIBILITY_H
#define HEDDLE_REACH_REFINE_FEASIBILITY_H

#include "reach/domains/domain.h"
#include "reach/tree/walk.h"
#include "solver/solver.h"

typedef struct Feasibility {
  Walk walk;
  Solver *solver; // after PATH_FEASIBLE: has the model
  Account *account;
} Feasibility;

void feasibility_init(Feasibility *feasibility, const Transitions *transitions, const Tree *tree, Budget *budget,
                      Account *account);
void feasibility_free(Feasibility *feasibility);
// Checks the path to the node followed by `condition`, which is over the state at the node; true: no further condition.
// After PATH_INFEASIBLE, `used` says for each edge of the path whether its guard is part of the reason, and at index
// depth(node) whether `condition` is. `used` has depth(node) + 1 entries.
PathAnswer path_check(Feasibility *feasibility, NodeId node, Term condition, bool *used);

// Checks the path to a goal with the goal's own step. Afterwards the walk ends at the goal, with the instances of its
// inputs (if the goal is `missed`, at its parent). `used` has depth(goal) + 1 entries and may be NULL. Its entry at the
// depth of the goal's parent is about the goal's own condition.
PathAnswer goal_check(Feasibility *feasibility, NodeId goal, bool *used);

#endif
