// The order of the variables of decision diagrams.
//
// Words that are compared, added or copied to each other form a cluster. In a cluster, bits of the same place are
// neighbours, and the highest place comes first. Clusters follow in the order in which the edges mention them. Each
// open bit of a state variable has two variables: the current one and behind it the next one, for its value after an
// edge. A bit of a fresh variable has one; edges share these variables.
#ifndef HEDDLE_SYMBOLIC_BDD_ORDER_H
#define HEDDLE_SYMBOLIC_BDD_ORDER_H

#include "symbolic/state_words.h"

// Gives numbers to the open bits, in place of numbers that they may have. The first `reserved` numbers are left to the
// caller.
void bdd_order_assign(Words *w, uint32_t reserved);

#endif
