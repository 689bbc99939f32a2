// _Atomic structs whose size no processor can exchange, of three or twelve bytes for example.
//
// Clang 19 pads such a struct to the next size that can be exchanged, and copies operands to a temporary of that size
// first. Two deviations from C follow:
//   - Clang does not set the padding of the temporary, so that equal structs might compare different; gcc has no
//     padding. Here the padding holds zeros.
//   - After a failed compare-exchange clang stores the value found into the temporary only, not into the object that
//     the program named. So a compare-exchange that finds another value is a cut.
#ifndef HEDDLE_FRONT_OBJECTS_ATOMIC_FILLING_H
#define HEDDLE_FRONT_OBJECTS_ATOMIC_FILLING_H

#include "front/lower/lower.h"

bool atomic_filling_in(LLVMValueRef alloca);      // is it such a temporary?
bool atomic_filling_loses(LLVMValueRef exchange); // does this cmpxchg read what it expects from one?

#endif
