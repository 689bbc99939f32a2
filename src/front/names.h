// Source names from debug information: of local variables, and of the parts of an object ("queue.head", "a[2].x").
#ifndef HEDDLE_FRONT_NAMES_H
#define HEDDLE_FRONT_NAMES_H

#include "front/lower.h"

// The source name of a local, or NULL; `declaration` is the metadata that the declaration of an alloca carries.
const char *names_local(Lowering *l, LLVMValueRef declaration);
// Names the parts of an object after its type.
void names_parts_of_global(Lowering *l, ObjectId object, LLVMValueRef global);
void names_parts_of_local(Lowering *l, ObjectId object, LLVMValueRef declaration);

#endif
