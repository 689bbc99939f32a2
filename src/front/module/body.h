// Reads the body of a library model when it is first needed.
//
// Most programs use a few of the models only. LLVM's C interface can open a module without reading the bodies of its
// functions, but cannot read one body later; so body.cpp is the only file in C++.
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
