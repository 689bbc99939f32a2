// Bits that were never anything else than what they are at the start are *frozen*: known, until a step from a set of states that
// was reached makes them something else. Then they *thaw*: they get their variable back, and what was built for edges that have
// to do with them is built again. Most bits of most programs never thaw, for most words hold small numbers.
//
// While a bit is frozen, Words knows its value, and sets of states do not mention it. Whoever keeps sets adds what they leave
// out when bits thaw (`BddStates.thawed`). Dead words do not count: nobody looks at what they are.
//
// So for an image to be complete, nothing that the set's states escape by may be frozen: `bdd_thaw` before `bdd_states_after`.
#ifndef HEDDLE_SYMBOLIC_BDD_THAW_H
#define HEDDLE_SYMBOLIC_BDD_THAW_H

#include "symbolic/bdd_states.h"

void bdd_freeze(BddStates *s); // all bits with an initial value
// Thaws the bits that the edge, taken in one of the states, makes something else. True: there were some.
bool bdd_thaw(BddStates *s, Bdd states, EdgeId edge);
void bdd_unfreeze(BddStates *s); // Words knows what it knew before

#endif
