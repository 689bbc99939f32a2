// Formulas that grow: weakest preconditions through tables and pointers get larger with every step. Where the path is mostly
// concrete, the values on it can stand for the variables: `top == 2 && arr[1] < 5`. The result implies the formula, and
// holds on the path if the formula does.
//
// Variables that hold the address of an object are always replaced: which object a pointer means is worth knowing, and a
// case split over all that it might mean is not. Others only where the formula is large and becomes much smaller.
#ifndef HEDDLE_REACH_REFINE_CONCRETISE_H
#define HEDDLE_REACH_REFINE_CONCRETISE_H

#include "reach/tree/walk.h"

Term concretise(Walk *walk, NodeId node, Term formula);
// For a comparison of sums of several variables: their values on the path to the node, if they are known; solvers are slow
// with many such comparisons at once. Else, and for all other formulas, the formula itself.
Term concretise_sum(Walk *walk, NodeId node, Term formula);

#endif
