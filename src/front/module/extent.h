// How many edges calls come to when they are inlined, estimated from the code.
//
// The extent of a function is about the number of edges that one call of it comes to, together with all that it calls:
// an instruction that accesses memory, calls or branches counts as one. A call through a pointer counts every function
// of the same type whose address is taken. A call of a replaced function counts as one instruction.
//
// Invariants: `index` maps each function to its row in `functions`, and rows are never removed. Outside extent_of every
// `nesting` is 0.
#ifndef HEDDLE_FRONT_MODULE_EXTENT_H
#define HEDDLE_FRONT_MODULE_EXTENT_H

#include "front/module/unit.h"

typedef struct FunctionExtent {
  LLVMValueRef function;
  uint64_t own;      // without what it calls
  U64Vector callees; // definitions (LLVMValueRef), one for each call
  uint64_t extent;   // 0: not computed yet
  unsigned nesting;  // during extent_of: activations of it on the path
} FunctionExtent;
VECTOR(FunctionExtentVector, FunctionExtent);

typedef struct Extents {
  FrontUnit *unit;
  unsigned recursion;      // nested activations of one function
  uint64_t most;           // extents are not counted beyond it
  const FrontSlice *slice; // replaced functions have no extent; or NULL
  FunctionExtentVector functions;
  Map index; // LLVMValueRef -> in `functions`
  Account *account;
} Extents;

void extents_init(Extents *extents, FrontUnit *unit, const FrontSlice *slice, unsigned recursion, uint64_t most,
                  Account *account);
void extents_free(Extents *extents);
// The extent of a function with a body; `most` + 1 if it is larger than `most`.
uint64_t extent_of(Extents *extents, LLVMValueRef definition);
// Appends how many edges the program has with all calls inlined, and in which functions most of them are:
// "about 5200000 edges, most in parse (a.c:12), next (a.c:80)".
void extents_describe(Extents *extents, Text *out);

#endif
