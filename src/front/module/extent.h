// How large calls are when they are inlined, told from the code alone.
//
// The extent of a function is the number of edges that one call of it comes to, with all that it calls, roughly: an
// instruction that touches memory, calls or branches counts as one. Calls through a pointer count all functions that
// fit.
#ifndef HEDDLE_FRONT_MODULE_EXTENT_H
#define HEDDLE_FRONT_MODULE_EXTENT_H

#include "front/module/unit.h"

typedef struct FunctionExtent {
  LLVMValueRef function;
  uint64_t own;      // without what it calls
  U64Vector callees; // LLVMValueRefs of definitions, one for each call
  uint64_t extent;   // 0: not computed yet
  unsigned nesting;  // while computing: activations on the way
} FunctionExtent;
VECTOR(FunctionExtentVector, FunctionExtent);

typedef struct Extents {
  FrontUnit *unit;
  unsigned recursion; // nested activations of one function
  uint64_t most;      // extents are not counted beyond it
  FunctionExtentVector functions;
  Map index; // LLVMValueRef -> in `functions`
  Account *account;
} Extents;

void extents_init(Extents *extents, FrontUnit *unit, unsigned recursion, uint64_t most, Account *account);
void extents_free(Extents *extents);
// Of a function with a body; `most` + 1 if it is more than `most`.
uint64_t extent_of(Extents *extents, LLVMValueRef definition);
// How many edges the program would have with all calls inlined, and in which functions most of them are:
// "about 5200000 edges, most in parse (a.c:12), next (a.c:80)".
void extents_describe(Extents *extents, Text *out);

#endif
