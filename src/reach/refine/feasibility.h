// Feasibility of paths: is the way from the root to a node possible, and which guards on it say that it is not?
//
// The walk to the node mostly gives constants; then the first guard that is false is the reason, and no solver is asked.
// Else it is the unsatisfiable core of all guards.
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
// `condition` is a last one to be met, over the state at the node; true: none. After PATH_INFEASIBLE, `used` says which
// of the path's edges are the reason, and after them (at the node's depth) whether the condition is.
PathAnswer path_check(Feasibility *feasibility, NodeId node, Term condition, bool *used);

// The path to a goal, with its own step; the walk then ends there, with the instances of its inputs. `used`, of the
// goal's depth + 1, may be NULL; at the depth of the goal's parent it is about the goal's own condition.
PathAnswer goal_check(Feasibility *feasibility, NodeId goal, bool *used);

#endif
