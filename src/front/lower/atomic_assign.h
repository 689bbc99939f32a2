// Compound assignments to _Atomic objects: `x /= y`, `x++`.
//
// Clang 19 makes one atomicrmw of some, and of the others a block that computes the new value and tries to exchange it
// until that succeeds. Its conversions to and from the atomic type are those of an unsigned type that is not _Bool:
//
// - a signed value is extended with zeros: wrong if it is negative, and the operation looks at the upper bits;
// - a signed value becomes a floating-point number, or comes from one, as an unsigned one;
// - what is stored into a _Bool is cut to eight bits, not compared with zero; a later exchange never succeeds;
// - of a floating-point number that is added to an integer, only the integer part is added. Constants are converted by
//   clang itself and cannot be seen here.
//
// The type is not known any more. So a value for which the code may be wrong is a cut; all others go on.
#ifndef HEDDLE_FRONT_LOWER_ATOMIC_ASSIGN_H
#define HEDDLE_FRONT_LOWER_ATOMIC_ASSIGN_H

#include "front/lower/lower.h"

// Does the value of this cast need a look? If so, its operand is to be read after builder_settle_here.
bool atomic_assign_casts(LLVMValueRef cast);
void atomic_assign_check_cast(Lowering *l, LLVMValueRef cast, Term operand); // a cut where it may be wrong
// The same for what an exchange stores: a cut where a _Bool would get more than 0 and 1.
void atomic_assign_check_exchange(Lowering *l, LLVMValueRef exchange, Term desired);

#endif
