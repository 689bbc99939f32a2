// Source names from debug information: of local variables, and of the parts of an object ("queue.head", "a[2].x").
//
// All strings are interned in the program, NamedParts are in its arena. A name that debug information does not give is
// NULL. Limits: an object has at most 2048 named parts; deeper nesting than 16 levels gets no names.
#ifndef HEDDLE_FRONT_OBJECTS_SOURCE_NAMES_H
#define HEDDLE_FRONT_OBJECTS_SOURCE_NAMES_H

#include "front/lower/lower.h"

#include <llvm-c/DebugInfo.h>

// `declaration`: the metadata that the declaration of an alloca carries, or NULL.
const char *names_local(Lowering *l, LLVMValueRef declaration);
Appearance names_local_appearance(Lowering *l, LLVMValueRef declaration);
// Names the parts of an object after its type.
void names_parts_of_global(Lowering *l, ObjectId object, LLVMValueRef global);
void names_parts_of_local(Lowering *l, ObjectId object, LLVMValueRef declaration);
// The metadata of a global's declaration, or NULL.
LLVMValueRef names_global_declaration(Lowering *l, LLVMValueRef global);
// The parts of a block of `bytes` bytes that holds one or several values of the type.
NamedPart *names_parts_of_block(Lowering *l, LLVMValueRef type, uint64_t bytes, uint32_t *count);

// --- debug metadata ---
// The C interface gives a metadata node as a list of operands. These are the indices of operands in LLVM 19.
enum {
  DEBUG_VARIABLE_NAME = 1,
  DEBUG_VARIABLE_TYPE = 3,
  DEBUG_TYPE_NAME = 2,
  DEBUG_TYPE_BASE = 3,
  DEBUG_TYPE_ELEMENTS = 4,
  DEBUG_SUBRANGE_COUNT = 0,
  DEBUG_EXPRESSION_VARIABLE = 0
};
LLVMValueRef debug_operand(LLVMValueRef node, unsigned index); // NULL if it has none
const char *debug_string(Lowering *l, LLVMValueRef node, unsigned index);
LLVMValueRef debug_strip(LLVMValueRef type); // without typedef, const, volatile, _Atomic
LLVMValueRef debug_global_variable(LLVMContextRef context, LLVMValueRef global); // its variable, or NULL
bool debug_is_array(LLVMValueRef type);
bool debug_is_record(LLVMValueRef type); // struct or union

#endif
