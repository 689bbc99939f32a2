// Frozen bits. A bit that has had its initial value in all states so far is *frozen*: it counts as known, until an edge
// from a set of reached states gives it another value. Then it *thaws*: it gets its variable back, and what was built
// for edges that read or write it is built again. Most bits of most programs never thaw, because most words hold small
// numbers.
//
// While a bit is frozen, Words knows its value, and sets of states do not mention it. A caller that keeps sets must add
// the old value to them when the bit thaws (`BddStates.thawed`). Dead words do not count, because no thread reads them.
//
// An image is complete only if no edge changes a frozen bit in a state of the set. So the caller calls `bdd_thaw`
// before `bdd_states_after`.
#ifndef HEDDLE_SYMBOLIC_BDD_THAW_H
#define HEDDLE_SYMBOLIC_BDD_THAW_H

#include "symbolic/bdd_states.h"

void bdd_freeze(BddStates *s); // freezes all open bits with an initial value
// Thaws the frozen bits to which the edge, taken in one of the states, gives another value. True: there were some.
bool bdd_thaw(BddStates *s, Bdd states, EdgeId edge);
void bdd_unfreeze(BddStates *s); // all frozen bits are open again, as before bdd_freeze

#endif
