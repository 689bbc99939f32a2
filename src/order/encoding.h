// The abstraction (paper: definition 3.1) in a solver: initial values, each thread in isolation, each read equal to one
// of the writes it may see. The order of the events is not in it.
#ifndef HEDDLE_ORDER_ENCODING_H
#define HEDDLE_ORDER_ENCODING_H

#include "order/events.h"
#include "order/read_links.h"
#include "solver/solver.h"

void encode_abstraction(const Events *events, Solver *solver);

// The monolithic encoding: all order constraints, for every execution at once. False: the budget ended.
bool encode_order(const Events *events, const MustOrder *order, Solver *solver, Budget *budget);

// Under `activation` (a fresh variable of width 1, to be assumed), one of the goals of these kinds is reached. False:
// there is none.
bool encode_goals(const Events *events, Solver *solver, unsigned kinds, Term activation);

#endif
