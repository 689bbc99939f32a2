// _Atomic structs of a size that no processor can exchange, three or twelve bytes.
//
// Clang 19 fills them up to the next size that one can, and copies operands to a temporary of that size first. It does
// not set the filling of the temporary, so that equal structs might differ; gcc has no filling. Here it holds zeros.
// What the struct holds after a failed compare-exchange clang stores into the temporary only, not into the object that
// the program named. A compare-exchange that finds another value is a cut therefore.
#ifndef HEDDLE_FRONT_LOWER_ATOMIC_FILLING_H
#define HEDDLE_FRONT_LOWER_ATOMIC_FILLING_H

#include "front/lower/lower.h"

bool atomic_filling_in(LLVMValueRef alloca);      // is it such a temporary?
bool atomic_filling_loses(LLVMValueRef exchange); // does this cmpxchg read what it expects from one?

#endif
