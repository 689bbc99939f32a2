// Pairs of links that exclude each other in every execution, found before the first solving.
//
// The paper finds all its kernel reasons in counterexamples. Reasons of length two follow from the must-order and can
// be found in advance. Without them, the abstraction allows values without an origin (a reads from b, b reads from a),
// which costs a SAT solver much more than these few clauses. So they are part of the abstraction here. Two kinds of
// pairs are found: pairs that cross (each read comes before the other link's write), and pairs of read-modify-writes of
// one cell (locks). Other pairs of one cell may exclude each other, too, but their clauses cost more than they save.
#ifndef HEDDLE_ORDER_PAIRS_H
#define HEDDLE_ORDER_PAIRS_H

#include "order/read_links.h"
#include "order/unroll/events.h"
#include "solver/solver.h"

// Adds a clause for each pair and returns their number. If there are more than `most` pairs of links, it adds none.
size_t encode_impossible_pairs(const Events *events, const MustOrder *order, Solver *solver, size_t most);

#endif
