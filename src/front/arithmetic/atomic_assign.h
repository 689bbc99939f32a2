// Compound assignments to _Atomic objects: `x /= y`, `x++`.
//
// Clang 19 compiles some of them to one atomicrmw. For the others it makes a block that computes the new value and
// repeats a compare-exchange until it succeeds. In that block it converts to and from the atomic type as if that were
// an unsigned type other than _Bool:
//   - A signed value is extended with zeros. That is wrong if it is negative and the operation depends on the upper
//     bits.
//   - A signed value is converted to and from floating point as an unsigned one.
//   - A value stored into a _Bool is truncated to eight bits, not compared with zero; a later exchange never succeeds.
//   - Of a floating-point number that is added to an integer only the integer part is added. (Clang converts constants
//     itself; that cannot be seen here.)
//
// The bitcode does not contain the type any more. So a value for which the code may be wrong is a cut; for all other
// values lowering continues.
#ifndef HEDDLE_FRONT_ARITHMETIC_ATOMIC_ASSIGN_H
#define HEDDLE_FRONT_ARITHMETIC_ATOMIC_ASSIGN_H

#include "front/lower/lower.h"

// May this cast be wrong for some operand? Then the operand must be read after builder_save_values_here.
bool atomic_assign_casts(LLVMValueRef cast);
void atomic_assign_check_cast(Lowering *l, LLVMValueRef cast, Term operand); // a cut where it may be wrong
// The same for what an exchange stores: a cut where a _Bool would get more than 0 and 1.
void atomic_assign_check_exchange(Lowering *l, LLVMValueRef exchange, Term desired);

#endif
