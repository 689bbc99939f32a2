// The checker of the proof of a SAFE answer: is the finished tree well-labelled, safe and complete?
//
// The checker trusts nothing that the search computed except the tree itself. It has a solver of its own and checks
// edge by edge, while the search works along paths. It computes by itself which threads must have been expanded at
// which node. For domains that merge, it checks that no step of a node escapes the labels at its target (`escape` in
// domain.h).
#ifndef HEDDLE_REACH_TREE_CERTIFICATE_H
#define HEDDLE_REACH_TREE_CERTIFICATE_H

#include "reach/tree/explore.h"

// Returns NULL if the tree is a proof. Otherwise returns one line: what is wrong, or that the time was not enough.
const char *certificate_check(Explorer *explorer, SolverKind kind, Budget *budget, Account *account);

#endif
