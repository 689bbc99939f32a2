// The proof of a SAFE answer for people: for each control vector, what holds whenever the threads stand there.
//
// One line each, `THREAD at FILE:LINE, ...: FORMULA` in C over source names. Control vectors without a condition (true) and those
// that are never reached are left out. The formula is the disjunction of the labels of the nodes that are neither
// covered nor false. A label with a parameter (domain.h) says `for all NAME:` of it.
//
// Under the reduction `local` the states are those of the explored paths: others, in which a thread waits with a local
// action, differ from them by that action.
#ifndef HEDDLE_REACH_TREE_INVARIANTS_H
#define HEDDLE_REACH_TREE_INVARIANTS_H

#include "reach/tree/explore.h"

void invariants_print(const Explorer *x, Text *out);

#endif
