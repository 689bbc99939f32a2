// Lifetimes of automatic objects that clang does not mark, and whether an address can outlive its object.
//
// Clang marks where the lifetimes of most variables begin and end. It marks none for compound literals and other
// objects without a name in the source, nor for variables whose declaration a jump passes by. Such an object lives as
// long as control is inside the innermost source block that contains all its uses, according to debug information. (A
// full expression is not distinguished from the block around it.) Instructions without a debug location change
// nothing.
//
// Limit: MOST_SCOPED objects per function; further ones live until the function returns.
#ifndef HEDDLE_FRONT_OBJECTS_SCOPE_H
#define HEDDLE_FRONT_OBJECTS_SCOPE_H

#include "front/lower/lower.h"

enum { MOST_SCOPED = 64 }; // the bits of ScopeState

// Is the alloca executed once per activation, at its beginning, with a constant size?
bool scope_is_fixed(const FunctionInfo *info, LLVMValueRef alloca);
// Is this one of the objects described above?
bool scope_has(const FunctionInfo *info, LLVMValueRef alloca);
// Finds these objects; called once for a function, when the other facts of `info` are known.
void scope_find(FrontUnit *unit, FunctionInfo *info);

// Control reaches the beginning of a basic block (its index in `blocks`), or an instruction. The second emits the
// births and ends that lie on the way.
void scope_enter_block(Lowering *l, size_t block);
void scope_enter(Lowering *l, LLVMValueRef instruction);

// May an object that belongs to this alloca or parameter be born more than once in its thread?
bool scope_born_again(Lowering *l, LLVMValueRef value);
// May the address in `value` (an alloca or a parameter) be in use after its object's end? May-add.
bool scope_address_is_kept(const FrontUnit *unit, LLVMValueRef value);

#endif
