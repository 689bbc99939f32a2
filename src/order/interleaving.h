// From a counterexample in order to a schedule of the unreduced program.
#ifndef HEDDLE_ORDER_INTERLEAVING_H
#define HEDDLE_ORDER_INTERLEAVING_H

#include "order/counterexample.h"
#include "verdict/property.h"
#include "verdict/schedule.h"

// `order`: the nodes of the graph, in the order in which they happen; the model is that of the solver. `whole` is the
// unreduced program, of which the events' program is a reduced view with the same edges.
Schedule *interleaving_schedule(const Counterexample *c, const U32Vector *order, const Program *whole, Solver *solver,
                                Property property, Account *account);

#endif
