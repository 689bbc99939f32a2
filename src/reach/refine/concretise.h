// Concretisation: weakest preconditions through tables and pointers get larger with every step. Where most values on
// the path are known, they can replace the variables: `top == 2 && arr[1] < 5`. The result implies the formula. If the
// formula holds on the path, the result holds on it, too.
//
// A variable that holds the address of an object is always replaced: the object that a pointer points to is worth
// knowing, and a case split over all possible objects is not. Other variables are replaced only if the formula is large
// and becomes much smaller.
#ifndef HEDDLE_REACH_REFINE_CONCRETISE_H
#define HEDDLE_REACH_REFINE_CONCRETISE_H

#include "reach/tree/walk.h"

Term concretise(Walk *walk, NodeId node, Term formula);
// If the formula compares sums of several variables whose values on the path to the node are known, returns the
// equations of these values: solvers are slow with many such comparisons at once. Otherwise returns the formula.
Term concretise_sum(Walk *walk, NodeId node, Term formula);

#endif
