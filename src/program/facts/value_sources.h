// What may hold a value from outside: an input, something indeterminate, or what is made from such a value.
//
// Direction: may-add.
#ifndef HEDDLE_PROGRAM_FACTS_VALUE_SOURCES_H
#define HEDDLE_PROGRAM_FACTS_VALUE_SOURCES_H

#include "base/bitset.h"
#include "program/facts/flow.h"

// Adds to the sets, one over variables and one over cells.
void value_sources(const Program *p, const Flow *flow, Bitset *variables, Bitset *cells, Account *account);

#endif
