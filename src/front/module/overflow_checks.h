// Makes clang's checks of signed arithmetic straight code.
//
// With -fsanitize=signed-integer-overflow,shift clang emits a branch before each operation that may overflow: to the
// operation, or first to a block that calls a handler of the sanitizer's runtime and then goes to the operation. Here
// each such branch becomes one call
//
//   void __heddle_overflow(i1 good, ptr description, i32 operation, left[, right])
//
// in front of the operation, and the blocks are joined again, so that the code is that of a program without checks but
// for these calls. (The many small blocks would cost the lowering an edge and saved values each.) The description is
// clang's: see overflow.c of front/arithmetic.
//
// Checks inside the loop of a compound assignment of an _Atomic object are dropped: atomic arithmetic wraps.
#ifndef HEDDLE_FRONT_MODULE_OVERFLOW_CHECKS_H
#define HEDDLE_FRONT_MODULE_OVERFLOW_CHECKS_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OVERFLOW_CHECK_FUNCTION "__heddle_overflow"

// To be called on a module whose bodies have all been read. Does nothing in one without such checks.
void overflow_checks_straighten(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
