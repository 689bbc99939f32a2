// What may hold an indeterminate value, and which variables only carry one.
//
// A carrier is a variable that is only copied: loaded from a cell, stored to a cell or assigned to another carrier,
// each time as it is. To copy a value does not depend on the value, so an indeterminate value need not be chosen for
// it. The copy becomes indeterminate like the original. Examples are realloc of a block that was not filled, and a
// struct with fields that were not set.
//
// This forgets that original and copy are equal. It adds executions and loses none. So a proof over these executions
// holds of the program. A violation counts only if the judge confirms it; if the judge does not, the search is repeated
// without carriers.
#ifndef HEDDLE_EXPLICIT_MACHINE_INDETERMINATE_H
#define HEDDLE_EXPLICIT_MACHINE_INDETERMINATE_H

#include "base/bitset.h"
#include "program/program.h"

typedef struct Indeterminate {
  Bitset variables, cells; // direction: may-add
  Bitset carriers;         // of at most 64 bits
} Indeterminate;

// Without `carry` there are no carriers.
void indeterminate_find(Indeterminate *indeterminate, const Program *program, bool carry, Account *account);
void indeterminate_free(Indeterminate *indeterminate);

// Is the term a carrier that may be indeterminate? Its number, or NO_ID.
VariableId indeterminate_carrier(const Indeterminate *indeterminate, const Program *program, Term term);
// Does the step load into such a carrier, one cell at a time?
bool indeterminate_carries(const Indeterminate *indeterminate, const Program *program, const Step *step);

#endif
