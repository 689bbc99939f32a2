// Interpolants of an infeasible path: a formula for each node on it, true initially, each implied by the one before and
// the edge between, the last one excluding what was to happen.
//
// They are weakest preconditions along the guards of an unsatisfiable core, made smaller by the values on the path
// (concretise.h). First small ones, in which inputs are dropped; if those do not hold initially, with all guards, and at
// last with parameters for inputs (precondition.h), which always works.
#ifndef HEDDLE_REACH_REFINE_INTERPOLATE_H
#define HEDDLE_REACH_REFINE_INTERPOLATE_H

#include "reach/refine/feasibility.h"
#include "reach/refine/precondition.h"

typedef struct Interpolation {
  Feasibility *feasibility;
  TermStore *terms;
  Preconditions preconditions;
  // After PATH_INFEASIBLE: the last node that has a formula (what follows it is excluded), its own formula first, the
  // root's last.
  NodeId node;
  TermVector formulas;
  Account *account;
} Interpolation;

void interpolation_init(Interpolation *i, Feasibility *feasibility, Account *account);
void interpolation_free(Interpolation *i);
// Is the path to the goal feasible? PATH_UNDECIDED: a solver was stopped.
PathAnswer interpolate_goal(Interpolation *i, NodeId goal);
// Is the condition possible at the node, on the path to it?
PathAnswer interpolate_condition(Interpolation *i, NodeId node, Term condition);

#endif
