// What may hold an indeterminate value, and which variables only carry one.
//
// A carrier is a variable that is copied and not otherwise used: loaded from a cell, stored to a cell, assigned to
// another carrier, each time as it is. Copying says nothing about a value, so it need not be chosen for it: the copy
// becomes indeterminate as the original is. (realloc of a block that was not filled, a struct with fields not set.)
//
// That forgets that original and copy are equal. Executions are added and none is lost: what holds of all of them,
// holds of the program; a violation counts only if the judge confirms it, and if it does not, nothing is to be carried.
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
