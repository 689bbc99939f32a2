// Pairs of links that exclude each other whatever else happens, found before the first solving.
//
// The paper finds all its kernel reasons in counterexamples. Those of length two can be read off the must-order in
// advance, and without them the abstraction lets values run in circles (a reads from b, b from a), which costs a SAT
// solver much more than the few clauses: so they are part of the abstraction here. Looked for are pairs that cross (each
// read comes before the other's write) and pairs of read-modify-writes of one cell (locks). Other pairs of one cell
// exclude each other, too, but their clauses cost more than they save.
#ifndef HEDDLE_ORDER_PAIRS_H
#define HEDDLE_ORDER_PAIRS_H

#include "order/events.h"
#include "order/read_links.h"
#include "solver/solver.h"

// Adds a clause for each pair, and returns their number. Looks at no more than `most` pairs.
size_t encode_impossible_pairs(const Events *events, const MustOrder *order, Solver *solver, size_t most);

#endif
