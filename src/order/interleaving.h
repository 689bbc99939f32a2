// Turns an ordered counterexample into a schedule of the unreduced program.
#ifndef HEDDLE_ORDER_INTERLEAVING_H
#define HEDDLE_ORDER_INTERLEAVING_H

#include "order/counterexample.h"
#include "verdict/property.h"
#include "verdict/schedule.h"

// `order` lists the nodes of the graph in the order in which they happen. Values are those of the solver's model.
// `whole` is the unreduced program. The program of the events is a reduced view of it with the same edges.
Schedule *interleaving_schedule(const Counterexample *c, const U32Vector *order, const Program *whole, Solver *solver,
                                Property property, Account *account);

#endif
