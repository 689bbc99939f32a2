// A FrontUnit: the user's linked module, the library models, and facts about each function.
//
// Functions and globals are looked up by name: first the user's definition, then the models'. All LLVM types stay
// inside this room.
//
// Ownership: the unit owns its context, both modules, the FunctionInfos and the points-to sets of `callees`. Names of
// LLVM values live as long as the modules. Facts are computed on first use and never change.
#ifndef HEDDLE_FRONT_MODULE_UNIT_H
#define HEDDLE_FRONT_MODULE_UNIT_H

#include "front/front.h"
#include "front/module/body.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <string.h>

// LLVM's handles as keys of maps.
static inline uint64_t pointer_key(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

// The name in the source. Link.h puts the file before a name that several files have ("queue.c:count"); it is cut off.
static inline const char *value_name(LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length), *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

static inline unsigned attribute_kind(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

bool is_reserved_name(const char *name); // of a function of C or POSIX that has no model (reserved_names.c)

// A constant whose characters LLVMGetAsString gives; the empty string is one. (LLVMIsConstantString may be called for
// data arrays only.)
static inline bool is_text(LLVMValueRef value) {
  return LLVMIsAConstantDataArray(value) && LLVMIsConstantString(value);
}

// A function with a fixed meaning that comes neither from a definition nor from a model.
static inline bool has_fixed_meaning(const char *name) {
  return starts_with(name, "llvm.") || starts_with(name, "__VERIFIER_") || strcmp(name, "reach_error") == 0;
}

// How the lowering represents an alloca.
typedef enum AllocaKind {
  ALLOCA_MEMORY,   // its address is used as a value: an object
  ALLOCA_VARIABLE, // only loaded and stored as a whole: a thread variable
  ALLOCA_ONCE      // the same, and stored just once, in the entry block, before any load: as good as an SSA value
} AllocaKind;

// An automatic object whose lifetime is a block of the source that clang does not mark (objects/scope.h).
typedef struct Scoped {
  LLVMValueRef alloca;
  LLVMMetadataRef scope; // the block, as debug information
  bool forgets;          // a variable of the source: it holds any value when control enters its scope
} Scoped;
VECTOR(ScopedVector, Scoped);

// At one point of the code: a bit for each scoped object whose block control may be inside of, or outside of.
typedef struct ScopeState {
  uint64_t inside, outside;
} ScopeState;

typedef struct FunctionInfo {
  LLVMValueRef function;
  LLVMTypeRef type;
  const char *name;
  bool library; // defined by the models
  bool plain;   // its accesses count as the user's (library functions __heddle_plain_*)
  bool peek;    // its accesses order nothing (library functions __heddle_peek_*)
  bool section; // it runs as one atomic section (__VERIFIER_atomic_*)
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
  ScopedVector scoped;
  Map scopes;               // alloca -> index in `scoped`
  Map place_masks;          // debug location -> bits of the scoped objects whose block it is in
  ScopeState *scope_states; // per block, at its beginning; NULL if `scoped` is empty
} FunctionInfo;

VECTOR(FunctionVector, FunctionInfo *);

struct FrontUnit {
  LLVMContextRef context;
  LLVMModuleRef user, models;
  LLVMTargetDataRef layout; // of the user's module
  unsigned pointer_width;
  size_t file_count, atom_count;
  bool joins_in_loops; // some loop creates threads and joins them
  FunctionVector functions;
  StringVector added; // files that complete.h added; the caller's strings
  Text notes;         // lines about added files
  StringVector
      without_asserts;     // files whose assert() is compiled out, if the options ask for them; the caller's strings
  Map function_infos;      // LLVMValueRef -> index in functions
  U64Vector taken;         // LLVMValueRefs of functions whose address is taken in the user's module
  struct Callees *callees; // which of `taken` a call through a pointer may reach (callees.h)
  bool exit_handlers;      // handlers or destructor functions may have to run when the process ends
  bool counts_threads;     // and the process may end with a thread that ends after main's
  Account *account;
};

// The definition that a call of `function` (perhaps a declaration) executes: its own body, the user's, the models', or
// NULL.
LLVMValueRef unit_definition(const FrontUnit *unit, LLVMValueRef function);
// The library model of that name, with its body; NULL if there is none.
LLVMValueRef unit_model(const FrontUnit *unit, const char *name);
LLVMValueRef unit_global_definition(const FrontUnit *unit, LLVMValueRef global);
// Facts of a function with a body; computed once.
FunctionInfo *unit_function(FrontUnit *unit, LLVMValueRef function);
bool unit_joins_in_loops(FrontUnit *unit); // sites/reuse.c; called by front_open
// The row of the slice for this function; NULL: it is not replaced.
const FrontReplaced *unit_replaced(const FrontSlice *slice, LLVMValueRef function);
// True if the user's module mentions a function of this name.
bool unit_uses(const FrontUnit *unit, const char *name);

#endif
