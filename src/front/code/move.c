// Address arithmetic: how far a getelementptr moves an address.
//
// Direction of the fact: may-add. Indices of an array that the type bounds are inside it (an assumption that the
// analyses list), or one behind it where the address is not accessed at once: code may go back from the end. All
// others may be anything.
#include "front/code/reader.h"

// An array without a length, or one that old code uses as if it had none, reaches to the end of its object,
// wherever that is.
enum { LONGEST_FLEXIBLE = 1 };

static uint64_t greatest_common(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

typedef struct Walk {
  AddressMove move;
  bool unbounded;
  uint64_t reach; // the largest k * stride, if it is bounded
  LLVMValueRef index;
  unsigned variable_indices;
} Walk;

// A variable index in steps of `step` bytes; `count` of them, 0 if not known.
static void vary(Walk *w, uint64_t step, uint64_t count) {
  if (step == 0) return;
  w->move.stride = greatest_common(w->move.stride, step);
  if (count == 0 || count > INT64_MAX / step)
    w->unbounded = true;
  else
    w->reach += (count - 1) * step;
  if (w->reach > INT64_MAX / 4) w->unbounded = true;
}

static void advance(Walk *w, LLVMValueRef index, uint64_t step, uint64_t count) {
  if (LLVMIsAConstantInt(index))
    w->move.offset = (int64_t)((uint64_t)w->move.offset + (uint64_t)LLVMConstIntGetSExtValue(index) * step);
  else
    vary(w, step, count), w->index = index, w->variable_indices++;
}

static bool may_go_back(LLVMValueRef address);

// What a function without a body gets as its first argument, it accesses; another argument it may keep, or give to a
// function of the program.
static bool only_accesses(LLVMValueRef call, LLVMValueRef address) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return false;
  if (LLVMGetIntrinsicID(callee) != 0) return true;
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 1; i < count; i++)
    if (LLVMGetOperand(call, i) == address) return false;
  return true;
}

// Is the address, used so, only that of something accessed?
static bool is_plain_use(LLVMValueRef user, LLVMValueRef address) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMICmp: return true;
  case LLVMStore: return LLVMGetOperand(user, 0) != address;
  case LLVMCall: return only_accesses(user, address);
  case LLVMGetElementPtr: {
    if (LLVMGetNumOperands(user) < 2 || LLVMGetOperand(user, 0) != address) return false;
    LLVMValueRef first = LLVMGetOperand(user, 1);
    bool inside = LLVMIsAConstantInt(first) && LLVMConstIntGetSExtValue(first) == 0;
    return inside && !may_go_back(user);
  }
  default: return false;
  }
}

static bool may_go_back(LLVMValueRef address) {
  if (!LLVMIsAInstruction(address)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || !is_plain_use(user, address)) return true;
  }
  return false;
}

static LLVMTypeRef enter_array(Reader *r, Walk *w, LLVMTypeRef type, LLVMValueRef index, bool end) {
  bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
  LLVMTypeRef element = LLVMGetElementType(type);
  uint64_t count = array ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
  uint64_t step = array ? LLVMABISizeOfType(r->layout, element) : LLVMStoreSizeOfType(r->layout, element);
  advance(w, index, step, count > LONGEST_FLEXIBLE ? count + end : 0);
  return element;
}

static LLVMTypeRef enter_struct(Reader *r, Walk *w, LLVMTypeRef type, LLVMValueRef index) {
  assert(LLVMIsAConstantInt(index));
  unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
  w->move.offset += (int64_t)LLVMOffsetOfElement(r->layout, type, member);
  return LLVMStructGetTypeAtIndex(type, member);
}

static Walk walk_indices(Reader *r, LLVMValueRef gep) {
  Walk w = {0};
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned count = (unsigned)LLVMGetNumOperands(gep);
  advance(&w, LLVMGetOperand(gep, 1), LLVMABISizeOfType(r->layout, type), 0);
  for (unsigned i = 2; i < count; i++)
    type = LLVMGetTypeKind(type) == LLVMStructTypeKind
               ? enter_struct(r, &w, type, LLVMGetOperand(gep, i))
               : enter_array(r, &w, type, LLVMGetOperand(gep, i), i + 1 == count && may_go_back(gep));
  if (w.move.stride && !w.unbounded) w.move.extent = w.reach + w.move.stride;
  return w;
}

AddressMove read_move(Reader *r, LLVMValueRef gep) { return walk_indices(r, gep).move; }

// The register of the only index that is not a constant.
static uint32_t only_index(Reader *r, const Walk *w) {
  if (w->variable_indices != 1 || w->move.stride == 0) return NO_CODE_ID;
  CodeOperand operand = LLVMIsAConstant(w->index) ? nothing_operand() : read_operand(r, w->index);
  return operand.kind == CODE_REGISTER ? operand.id : NO_CODE_ID;
}

void read_move_instruction(Reader *r, LLVMValueRef gep) {
  size_t mark = r->pending.count;
  if (LLVMGetTypeKind(LLVMTypeOf(gep)) == LLVMVectorTypeKind) {
    reader_push(r, LLVMGetOperand(gep, 0));
    reader_emit(r, CODE_COMPUTE, gep, mark);
    return;
  }
  Walk w = walk_indices(r, gep);
  AddressMove move = w.move;
  LLVMTypeRef source = LLVMGetGEPSourceElementType(gep);
  uint32_t type = LLVMGetTypeKind(source) == LLVMStructTypeKind ? types_of_struct(&r->types, source) : NO_CODE_ID;
  reader_push(r, LLVMGetOperand(gep, 0));
  CodeStatement *statement = reader_emit(r, CODE_MOVE, gep, mark);
  statement->offset = move.offset;
  statement->stride = move.stride;
  statement->extent = move.extent;
  statement->index = only_index(r, &w);
  statement->bounded = w.variable_indices == 1 && index_limit(w.index, &statement->most);
  statement->type = type;
}
