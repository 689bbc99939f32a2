// What holds of the global variables in every state, as a C expression: bits that never change.
//
// The expression is valid for every execution, and not exact. It comes from a fixpoint over the steps of all threads in
// any order (state_words.h). So it needs no engine and no proof, and it does not depend on a reduction of
// interleavings. A variable that may hold an address is left out, unless it is always null.
#ifndef HEDDLE_SYMBOLIC_CONSTANT_BITS_H
#define HEDDLE_SYMBOLIC_CONSTANT_BITS_H

#include "base/budget.h"
#include "base/text.h"
#include "verdict/property.h"

// Appends a conjunction. Appends nothing if no such fact is found or the budget is exhausted.
void constant_bits_print(Program *program, Property property, Budget *budget, Text *out, Account *account);

#endif
