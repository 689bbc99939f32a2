// Where automatic objects live: the blocks of the source, and whether an address can outlive them.
//
// Clang marks where the lifetimes of most variables begin and end. It does not for compound literals and other objects
// that the source does not name, nor for variables whose declaration a jump passes by. These live as long as control is
// inside the block that all their uses are in, as the debug information tells (a full expression is not told from its
// block). Places without debug information change nothing.
#ifndef HEDDLE_FRONT_MODULE_SCOPE_H
#define HEDDLE_FRONT_MODULE_SCOPE_H

#include "front/lower/lower.h"

enum { MOST_SCOPED = 64 }; // in a function; more live until it returns

// Is the alloca made once per activation, at its beginning, with a constant size?
bool scope_is_fixed(const FunctionInfo *info, LLVMValueRef alloca);
// Does the life of this alloca follow the places that control comes to?
bool scope_has(const FunctionInfo *info, LLVMValueRef alloca);
// Looks for such allocas; called once for a function, with all else that is known of it.
void scope_find(FrontUnit *unit, FunctionInfo *info);

// Control comes to the beginning of a block (its index), or to an instruction: births and ends on the way.
void scope_enter_block(Lowering *l, size_t block);
void scope_enter(Lowering *l, LLVMValueRef instruction);

// May an object that belongs to this alloca or parameter be born more than once in its thread?
bool scope_born_again(Lowering *l, LLVMValueRef value);
// May the address in `value` (an alloca or a parameter) be in use after its object's end? May-add.
bool scope_address_is_kept(const FrontUnit *unit, LLVMValueRef value);

#endif
