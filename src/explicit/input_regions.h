// Regions: the values of inputs and indeterminate values that have to be tried if the program only tests them.
//
// If a value is used in a few tests only (program/facts/value_tests.h), values on which all tests agree form a region,
// and one value of each region is enough. The representatives are exact: the search for further regions ends only when
// a solver has shown that there is none, or when it is plain (few bits, or only comparisons with constants). If there
// are more than MOST_REGIONS, or the solver does not answer in time, the choice gets no domain.
#ifndef HEDDLE_EXPLICIT_INPUT_REGIONS_H
#define HEDDLE_EXPLICIT_INPUT_REGIONS_H

#include "base/budget.h"
#include "explicit/choice_domains.h"
#include "explicit/machine/compile.h"

enum { MOST_REGIONS = 256 };

// Gives domains to what the compiled program may choose: its inputs, and what may be indeterminate. Terms are added to
// the program's store.
void regions_find(Domains *domains, Program *program, const MachineCode *code, const Budget *budget, Account *account);

// The representatives for tests over `hole`, a variable of at most 64 bits; false: not found. For tests.
bool regions_of_tests(TermStore *terms, Term hole, const Term *tests, size_t count, const Budget *budget,
                      U64Vector *values);

#endif
