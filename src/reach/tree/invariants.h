// The proof of a SAFE answer for readers: for each control vector, what holds whenever the threads are at its
// locations.
//
// One line each, `THREAD at FILE:LINE, ...: FORMULA` in C over source names. A control vector is left out if its
// formula is true or if it is never reached. The formula is the disjunction of the labels of the nodes that are neither
// covered nor false. For a label with a parameter (domain.h) the line says `for all NAME:`.
//
// With the reduction `local`, the formulas describe the states of the explored paths. In other reachable states, some
// thread has not taken a local action yet; such a state differs from an explored one by that action.
#ifndef HEDDLE_REACH_TREE_INVARIANTS_H
#define HEDDLE_REACH_TREE_INVARIANTS_H

#include "reach/tree/explore.h"

void invariants_print(const Explorer *x, Text *out);

#endif
