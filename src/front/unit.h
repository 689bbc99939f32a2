// A unit of translation as the lowering sees it: the user's linked module, the library models, and what is known of
// each function.
//
// Functions and globals are looked up by name: the user's definition first, then the models'. Everything LLVM stays
// inside this room.
#ifndef HEDDLE_FRONT_UNIT_H
#define HEDDLE_FRONT_UNIT_H

#include "front/front.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// LLVM's handles as keys of maps.
static inline uint64_t pointer_key(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

// The name in the source: without the file that link.h puts before a name which several files have.
static inline const char *value_name(LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length), *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

static inline bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// What the lowering needs to know of an alloca.
typedef enum AllocaKind {
  ALLOCA_MEMORY,   // its address is used as a value: an object
  ALLOCA_VARIABLE, // only loaded and stored as a whole: a thread variable
  ALLOCA_ONCE      // the same, and stored just once, in the entry block, before any load: as good as an SSA value
} AllocaKind;

typedef struct FunctionInfo {
  LLVMValueRef function;
  LLVMTypeRef type;
  const char *name;
  bool library; // defined by the models
  bool plain;   // library function whose accesses count as the user's (__heddle_plain_*)
  size_t block_count;
  LLVMBasicBlockRef *blocks; // reverse post-order, reachable ones only
  bool *in_cycle;            // per block of `blocks`
  size_t return_count;       // reachable return instructions
  Map block_index;           // LLVMBasicBlockRef -> index
  Map uses;                  // instruction or argument -> number of uses in reachable blocks
  Map allocas;               // alloca -> AllocaKind
  Map lifetimes;             // allocas that have a lifetime marker
  Map declarations;          // alloca -> metadata of its declaration in the source
  U64Vector repeated;        // calls of alloca() in a cycle: each execution makes another object
} FunctionInfo;

VECTOR(FunctionVector, FunctionInfo *);

struct FrontUnit {
  LLVMContextRef context;
  LLVMModuleRef user, models;
  LLVMTargetDataRef layout; // of the user's module
  unsigned pointer_width;
  size_t file_count, atom_count;
  FunctionVector functions;
  Map function_infos; // LLVMValueRef -> index in functions
  U64Vector taken;    // LLVMValueRefs of functions whose address is taken in the user's module
  Account *account;
};

// The definition to use for `function` (perhaps a declaration): itself, the user's, the models', or NULL.
LLVMValueRef unit_definition(const FrontUnit *unit, LLVMValueRef function);
LLVMValueRef unit_global_definition(const FrontUnit *unit, LLVMValueRef global);
// Facts of a function with a body; computed once.
FunctionInfo *unit_function(FrontUnit *unit, LLVMValueRef function);
// True if the user's module mentions a function of this name.
bool unit_uses(const FrontUnit *unit, const char *name);

#endif
