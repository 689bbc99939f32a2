// The proof of a SAFE answer, checked again: is the finished tree well-labelled, safe and complete?
//
// The checker trusts nothing that the search computed but the tree itself: it asks a solver of its own, edge by edge
// (the search works along paths), and works out by itself which threads must have been expanded where. Of domains that
// merge it asks that nothing a node can do escapes the labels where that leads (`escape` in domain.h).
#ifndef HEDDLE_REACH_TREE_CERTIFICATE_H
#define HEDDLE_REACH_TREE_CERTIFICATE_H

#include "reach/tree/explore.h"

// NULL: the tree is a proof. Else what is wrong with it, or that there was no time: one line.
const char *certificate_check(Explorer *explorer, SolverKind kind, Budget *budget, Account *account);

#endif
