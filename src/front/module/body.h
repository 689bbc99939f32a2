// Bodies of functions that are read when they are needed.
//
// Most programs use a few of the library models. LLVM's C interface can open a module without the bodies of its
// functions, but not ask for one: this is the only thing in C++ (body.cpp).
#ifndef HEDDLE_FRONT_MODULE_BODY_H
#define HEDDLE_FRONT_MODULE_BODY_H

#include <llvm-c/Types.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads the body if that has not been done. False: the function has none.
bool body_read(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
