// Whether an address may be in use after the end of its object, and whether an object may be born again. Both are
// may-add; the search gives up (answers yes) after MOST_LOOKS uses or MOST_CALLS nested calls.
#include "front/objects/scope.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// Is it a variable of the outermost block of its function, of a fixed length? Its lifetime is that of the call,
// wherever the loops of the function jump.
static bool lives_as_the_call(const FunctionInfo *info, LLVMValueRef value) {
  if (!LLVMIsAAllocaInst(value) || !LLVMIsAConstantInt(LLVMGetOperand(value, 0))) return false;
  LLVMValueRef variable = (LLVMValueRef)(uintptr_t)map_get_or(&info->declarations, pointer_key(value), 0);
  if (!variable) return false;
  LLVMMetadataRef scope = LLVMDIVariableGetScope(LLVMValueAsMetadata(variable));
  return scope && LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind;
}

bool scope_born_again(Lowering *l, LLVMValueRef value) {
  const FunctionInfo *info = l->top->info;
  if (lower_in_loop(l)) return true;
  if (lives_as_the_call(info, value)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint64_t block;
    if (!LLVMIsAInstruction(user)) continue;
    if (map_get(&info->block_index, pointer_key(LLVMGetInstructionParent(user)), &block) && info->in_cycle[block])
      return true;
  }
  return false;
}

enum { MOST_LOOKS = 200, MOST_CALLS = 4 };

typedef struct Search {
  const FrontUnit *unit;
  unsigned looks; // so far
} Search;

static bool value_is_kept(Search *search, LLVMValueRef value, unsigned calls);

// Does the model keep an address that it gets as an argument? All models do that return a pointer, and those listed.
static bool model_keeps(LLVMValueRef function) {
  static const char *const names[] = {"pthread_create",
                                      "thrd_create",
                                      "pthread_setspecific",
                                      "tss_set",
                                      "_pthread_cleanup_push",
                                      "on_exit",
                                      "__cxa_atexit",
                                      "setvbuf",
                                      "setbuf",
                                      "setbuffer",
                                      "putenv",
                                      "sigaltstack"};
  if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) == LLVMPointerTypeKind) return true;
  const char *name = value_name(function);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return starts_with(name, "__pthread") || starts_with(name, "_pthread_cleanup_push");
}

static bool call_keeps(Search *search, LLVMValueRef call, LLVMValueRef value, unsigned calls) {
  assert(calls <= MOST_CALLS);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee)) return true;
  if (starts_with(value_name(callee), "llvm.")) return false;
  LLVMValueRef definition = unit_definition(search->unit, callee);
  assert(LLVMIsACallInst(call));
  if (!definition || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(definition)))
    return !definition || calls >= MOST_CALLS;
  if (LLVMGetGlobalParent(definition) == search->unit->models) return model_keeps(definition);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < LLVMCountParams(definition); i++)
    if (LLVMGetOperand(call, i) == value &&
        (calls >= MOST_CALLS || value_is_kept(search, LLVMGetParam(definition, i), calls + 1)))
      return true;
  return false;
}

// The value is stored to a slot. The slot of a parameter ends before the argument's object; so only what is read from
// it matters.
static bool slot_keeps(Search *search, LLVMValueRef value, LLVMValueRef slot, unsigned calls) {
  if (!LLVMIsAArgument(value) || !LLVMIsAAllocaInst(slot)) return true;
  for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool marker = LLVMIsACallInst(user) && LLVMIsAFunction(LLVMGetCalledValue(user)) &&
                  starts_with(value_name(LLVMGetCalledValue(user)), "llvm.");
    if (LLVMIsALoadInst(user) ? value_is_kept(search, user, calls)
                              : !marker && !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == slot))
      return true;
  }
  return false;
}

static bool use_keeps(Search *search, LLVMValueRef user, LLVMValueRef value, unsigned calls) {
  if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user)) return false;
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 0) == value && slot_keeps(search, value, LLVMGetOperand(user, 1), calls);
  if (LLVMIsAAtomicRMWInst(user)) return LLVMGetOperand(user, 1) == value;
  if (LLVMIsAAtomicCmpXchgInst(user)) return LLVMGetOperand(user, 0) != value || LLVMGetOperand(user, 2) == value;
  if (LLVMIsAGetElementPtrInst(user)) return value_is_kept(search, user, calls);
  return !LLVMIsACallInst(user) || call_keeps(search, user, value, calls);
}

static bool value_is_kept(Search *search, LLVMValueRef value, unsigned calls) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (++search->looks > MOST_LOOKS || use_keeps(search, LLVMGetUser(use), value, calls)) return true;
  return false;
}

bool scope_address_is_kept(const FrontUnit *unit, LLVMValueRef value) {
  Search search = {.unit = unit};
  return value_is_kept(&search, value, 0);
}
