#include "front/objects/atomic_filling.h"

// No variable of the source has a name with a hyphen.
bool atomic_filling_in(LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  return starts_with(value_name(alloca), "atomic-temp") && LLVMGetTypeKind(type) == LLVMStructTypeKind &&
         LLVMCountStructElementTypes(type) == 2;
}

bool atomic_filling_loses(LLVMValueRef exchange) {
  LLVMValueRef expected = LLVMGetOperand(exchange, 1);
  if (!LLVMIsALoadInst(expected)) return false;
  LLVMValueRef from = LLVMGetOperand(expected, 0);
  return LLVMIsAAllocaInst(from) && atomic_filling_in(from);
}
