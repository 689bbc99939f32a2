// What certainly holds of the global variables in every state, as a C expression: bits that never change.
//
// Exact for nobody, valid for everybody: a fixpoint over the steps of all threads in any order (words.h), so it needs no
// engine and no proof, and no reduction of interleavings weakens it. Variables that may hold addresses are left out,
// except where they are always null.
#ifndef HEDDLE_SYMBOLIC_CONSTANT_BITS_H
#define HEDDLE_SYMBOLIC_CONSTANT_BITS_H

#include "base/budget.h"
#include "base/text.h"
#include "verdict/property.h"

// Appends a conjunction, or nothing if there is nothing to say or no time to find out.
void constant_bits_print(Program *program, Property property, Budget *budget, Text *out, Account *account);

#endif
