// The order of the variables of decision diagrams: words that are compared, added or copied to each other form a cluster,
// whose bits of the same place are neighbours, the highest first; clusters follow in the order in which the edges mention
// them. Each open bit of a state variable has two variables: its current one, and behind it the next one, for what it
// becomes. Bits of fresh variables have one; edges share them.
#ifndef HEDDLE_SYMBOLIC_BDD_ORDER_H
#define HEDDLE_SYMBOLIC_BDD_ORDER_H

#include "symbolic/state_words.h"

// Gives the open bits their numbers, which they may have had before. The first `reserved` ones are left to the caller.
void bdd_order_assign(Words *w, uint32_t reserved);

#endif
