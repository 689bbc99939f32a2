// Source names from debug information: of local variables, and of the parts of an object ("queue.head", "a[2].x").
#ifndef HEDDLE_FRONT_MODULE_NAMES_H
#define HEDDLE_FRONT_MODULE_NAMES_H

#include "front/lower/lower.h"

#include <llvm-c/DebugInfo.h>

// The source name of a local, or NULL; `declaration` is the metadata that the declaration of an alloca carries.
const char *names_local(Lowering *l, LLVMValueRef declaration);
Appearance names_local_appearance(Lowering *l, LLVMValueRef declaration);
// Names the parts of an object after its type.
void names_parts_of_global(Lowering *l, ObjectId object, LLVMValueRef global);
void names_parts_of_local(Lowering *l, ObjectId object, LLVMValueRef declaration);
// The metadata of a global's declaration, or NULL.
LLVMValueRef names_global_declaration(Lowering *l, LLVMValueRef global);
// The parts of a block of so many bytes that holds one or several values of the type; in the program's arena.
NamedPart *names_parts_of_block(Lowering *l, LLVMValueRef type, uint64_t bytes, uint32_t *count);

// --- block_names.c: what a heap block is called ---
// A name for the blocks that the present call of the user allocates, and the type of what they hold (may be NULL).
const char *names_block(Lowering *l, LLVMValueRef *type);
// The name of one of them: with its number among those of the thread.
const char *names_number_block(Lowering *l, const char *name);

// --- debug metadata ---
// It is read through its operands; these are their places, as LLVM 19 lays them out.
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
uint64_t debug_bytes(LLVMValueRef type);
LLVMValueRef debug_strip(LLVMValueRef type); // without typedef, const, volatile, _Atomic
bool debug_is_array(LLVMValueRef type);
bool debug_is_record(LLVMValueRef type); // struct or union
Appearance debug_appearance(Lowering *l, LLVMValueRef type);

#endif
