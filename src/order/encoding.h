// The encoding of the abstraction (paper: definition 3.1): initial values, each thread by itself, and each read equal
// to one of the writes that it may see. The order of the events is not part of it.
#ifndef HEDDLE_ORDER_ENCODING_H
#define HEDDLE_ORDER_ENCODING_H

#include "order/read_links.h"
#include "order/unroll/events.h"
#include "solver/solver.h"

void encode_abstraction(const Events *events, Solver *solver);

// The monolithic encoding: all order constraints for all executions. Returns false if the budget ended.
bool encode_order(const Events *events, const MustOrder *order, Solver *solver, Budget *budget);

// If `assumption` (a new variable of width 1) is true, no attempt to lock is supposed to fail (Program.supposed).
void encode_no_suppositions(const Events *events, Solver *solver, Term assumption);

// If `activation` (a new variable of width 1, to be assumed) is true, one of the goals of these kinds is reached.
// Returns false if there is no such goal.
bool encode_goals(const Events *events, Solver *solver, unsigned kinds, Term activation);

#endif
