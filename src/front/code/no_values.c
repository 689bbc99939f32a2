// Variables without a value, before they become registers.
//
// mem2reg takes a variable that was not written on some way for one that was: `int *p; if (c) p = &x; *p` would become
// `x`. So each variable that it may put into a register is written where it is born and where its life begins: with the
// address of a global of which nothing else knows, and which is read as CODE_NOTHING.
#include "front/code/reader.h"

static bool starts_life(LLVMValueRef user) {
  if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user))) return false;
  return starts_with(value_name(LLVMGetCalledValue(user)), "llvm.lifetime.start");
}

static bool is_marker(LLVMValueRef user) {
  if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user))) return false;
  return starts_with(value_name(LLVMGetCalledValue(user)), "llvm.lifetime.");
}

// Its address may go to a variable that becomes a register first.
static bool may_become_register(LLVMValueRef alloca) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(alloca));
  if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind) return false;
  if (kind == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(LLVMGetAllocatedType(alloca)) != 0) return false;
  if (!LLVMIsAConstantInt(LLVMGetOperand(alloca, 0))) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool access = LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == alloca) ||
                  (LLVMIsAStoreInst(user) && LLVMIsAAllocaInst(LLVMGetOperand(user, 1)));
    if ((access && LLVMGetVolatile(user)) || (!access && !is_marker(user))) return false;
  }
  return true;
}

static void write_no_value(LLVMBuilderRef builder, LLVMValueRef alloca, LLVMValueRef marker) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  LLVMValueRef value = pointer ? marker : LLVMConstPtrToInt(marker, type);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(alloca));
  LLVMBuildStore(builder, value, alloca);
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    if (!starts_life(LLVMGetUser(use))) continue;
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(LLVMGetUser(use)));
    LLVMBuildStore(builder, value, alloca);
  }
}

LLVMValueRef mark_indeterminate_variables(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMValueRef marker = LLVMAddGlobal(module, LLVMInt8TypeInContext(context), "llvm.heddle.indeterminate");
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMCountBasicBlocks(f) == 0) continue;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsAAllocaInst(i) && may_become_register(i)) write_no_value(builder, i, marker);
  }
  LLVMDisposeBuilder(builder);
  return marker;
}
