// What a formula that holds for all values of its parameters says of the inputs of an edge.
//
// A parameter is a term variable beyond the state variables (reach/domains/domain.h). An instance of a formula has
// inputs of the same sort in place of its parameters, in any combination: of a formula of two parameters, the instance
// with both replaced may be needed. Each conjunct has instances of its own, at most MOST_INSTANCES. To leave some out
// is sound.
#ifndef HEDDLE_TRANSITION_INSTANCES_H
#define HEDDLE_TRANSITION_INSTANCES_H

#include "term/term.h"

enum { MOST_INSTANCES = 128 };

// Variables from `state_limit` on are parameters. Appends the instances to `out`, without the formula itself.
void instances_add(TermStore *terms, Term formula, uint32_t state_limit, const Term *inputs, size_t input_count,
                   TermVector *out, Account *account);

#endif
