// Globals that keep their initial value: constants, and variables that the program only loads.
//
// The value of a load from them is known while lowering, so that sizes and bounds computed from it are constants. The
// load needs no step: it is valid, and it cannot race, because nothing writes there.
#include "front/objects/objects.h"

static bool is_offset(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) ||
         (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

// Is the address used for loading only? Volatile objects may change by themselves.
static bool is_only_loaded(LLVMValueRef address, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool loaded = LLVMIsALoadInst(user) && !LLVMGetVolatile(user);
    if (!loaded && !(depth < 4 && is_offset(user) && is_only_loaded(user, depth + 1))) return false;
  }
  return true;
}

bool global_is_never_written(const FrontUnit *unit, LLVMValueRef global) {
  if (LLVMIsDeclaration(global) || LLVMIsThreadLocal(global) || LLVMGetGlobalParent(global) != unit->user) return false;
  return LLVMIsGlobalConstant(global) || is_only_loaded(global, 0);
}

Term never_written_load(Lowering *l, Term address, unsigned width) {
  assert(width > 0);
  const Program *p = l->program;
  if (l->current == NO_ID || !term_is_constant(l->terms, address)) return TERM_NONE;
  uint64_t at = (uint64_t)term_constant_value(l->terms, address);
  ObjectId id = program_object_at(p, at);
  if (id == NO_ID || !map_contains(&l->never_written, id)) return TERM_NONE;
  const Object *object = &p->objects.data[id];
  uint64_t offset = at - object->address, bytes = (width + 7) / 8;
  assert(!object->dynamic);
  if (bytes > 16 || offset + bytes > object->size) return TERM_NONE;
  Bits value = 0;
  for (uint64_t i = 0; object->initial && i < bytes; i++) value |= (Bits)object->initial[offset + i] << 8 * i;
  return term_constant(l->terms, width, value & bits_mask(width));
}
