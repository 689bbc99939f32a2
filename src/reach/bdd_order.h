// The order of the variables of decision diagrams: words that are compared, added or copied to each other form a cluster,
// whose bits of the same place are neighbours, the highest first; clusters follow in the order in which the edges mention
// them. Each open bit of a state variable has two variables: its current one, and behind it the next one, for what it
// becomes. Bits of fresh variables have one; edges share them.
#ifndef HEDDLE_REACH_BDD_ORDER_H
#define HEDDLE_REACH_BDD_ORDER_H

#include "transition/words.h"

void bdd_order_assign(Words *w); // gives the open bits their numbers

#endif
