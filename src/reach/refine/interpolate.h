// Interpolants of an infeasible path: a formula for each node on the path. The first one holds initially, each one
// implies the next after the edge between them, and the last one excludes the step that the path ends with.
//
// They are weakest preconditions along the guards of an unsatisfiable core, made smaller by the values on the path
// (concretise.h). There are three attempts: with the guards of the core, where inputs are dropped; if the first formula
// does not hold initially, with all guards; if that fails, with parameters for inputs (precondition.h), which always
// succeeds unless a solver is stopped.
#ifndef HEDDLE_REACH_REFINE_INTERPOLATE_H
#define HEDDLE_REACH_REFINE_INTERPOLATE_H

#include "reach/refine/feasibility.h"
#include "reach/refine/precondition.h"

typedef struct Interpolation {
  Feasibility *feasibility;
  TermStore *terms;
  Preconditions preconditions;
  // After PATH_INFEASIBLE: the last node of the path that has a formula, because its formula excludes the rest of the
  // path; and the formulas from that node up to the root.
  NodeId node;
  TermVector formulas;
  Account *account;
} Interpolation;

void interpolation_init(Interpolation *i, Feasibility *feasibility, Account *account);
void interpolation_free(Interpolation *i);
// Is the path to the goal feasible? PATH_UNDECIDED: a solver was stopped, or no attempt succeeded.
PathAnswer interpolate_goal(Interpolation *i, NodeId goal);
// Can the condition hold at the end of the path to the node?
PathAnswer interpolate_condition(Interpolation *i, NodeId node, Term condition);

#endif
