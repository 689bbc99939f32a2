// Values as operands: instructions are registers, constants are folded.
#include "front/code/reader.h"

static LLVMValueRef behind_alias(LLVMValueRef value) {
  while (LLVMIsAGlobalAlias(value)) value = LLVMAliasGetAliasee(value);
  return value;
}

// --- sections ---

// The section whose beginning or end the linker gives this name to; NULL: it is no such name.
static const char *bounded_section(LLVMValueRef value) {
  if (!LLVMIsAGlobalVariable(value) || !LLVMIsDeclaration(value)) return NULL;
  const char *name = value_name(value);
  if (starts_with(name, "__start_")) return name + strlen("__start_");
  return starts_with(name, "__stop_") ? name + strlen("__stop_") : NULL;
}

static bool is_in(LLVMValueRef global, const char *section) {
  const char *own = LLVMGetSection(global);
  return own && strcmp(own, section) == 0;
}

// From its bounds all objects of the section can be reached.
static void push_section(Reader *r, const char *section) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g))
    if (is_in(g, section)) reader_push_operand(r, (CodeOperand){.kind = CODE_ADDRESS, .id = reader_object(r, g)});
}

// --- constants ---

static bool read_integer(LLVMValueRef value, CodeOperand *operand) {
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (width > 64)
    *operand = nothing_operand();
  else if (width == 1)
    *operand = number_operand((int64_t)LLVMConstIntGetZExtValue(value));
  else
    *operand = number_operand(LLVMConstIntGetSExtValue(value));
  return true;
}

// Adds a number of bytes to an address or a number.
static bool shift(CodeOperand *operand, int64_t bytes) {
  bool good = operand->kind == CODE_ADDRESS || operand->kind == CODE_NUMBER || bytes == 0;
  operand->number = (int64_t)((uint64_t)operand->number + (uint64_t)bytes);
  return good;
}

static bool read_sum(Reader *r, LLVMValueRef value, bool minus, CodeOperand *operand) {
  CodeOperand left, right;
  if (!read_constant(r, LLVMGetOperand(value, 0), &left) || !read_constant(r, LLVMGetOperand(value, 1), &right))
    return false;
  bool numbers = left.kind == CODE_NUMBER && right.kind == CODE_NUMBER;
  if (numbers && LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 64) return false; // it may wrap
  *operand = left;
  if (right.kind == CODE_NUMBER) return shift(operand, minus ? (int64_t)-(uint64_t)right.number : right.number);
  *operand = right;
  return !minus && left.kind == CODE_NUMBER && shift(operand, left.number);
}

static bool keeps_pointer(const Reader *r, LLVMTypeRef type) {
  return LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= LLVMPointerSize(r->layout) * 8;
}

static bool read_expression(Reader *r, LLVMValueRef value, CodeOperand *operand) {
  LLVMValueRef first = LLVMGetOperand(value, 0);
  switch (LLVMGetConstOpcode(value)) {
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
    return LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind && keeps_pointer(r, LLVMTypeOf(value)) &&
           keeps_pointer(r, LLVMTypeOf(first)) && read_constant(r, first, operand);
  case LLVMGetElementPtr: {
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind || !read_constant(r, first, operand)) return false;
    AddressMove move = read_move(r, value);
    return move.stride == 0 && shift(operand, move.offset);
  }
  case LLVMAdd: return read_sum(r, value, false, operand);
  case LLVMSub: return read_sum(r, value, true, operand);
  default: return false;
  }
}

static bool is_aggregate(LLVMValueRef value) {
  return LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) || LLVMIsAConstantVector(value);
}

bool read_constant(Reader *r, LLVMValueRef value, CodeOperand *operand) {
  value = behind_alias(value);
  if (LLVMIsAConstantExpr(value)) return read_expression(r, value, operand);
  if (is_aggregate(value) || bounded_section(value)) return false;
  if (LLVMIsAConstantInt(value)) return read_integer(value, operand);
  if (value == r->indeterminate) {
    *operand = nothing_operand();
    return true;
  }
  if (LLVMIsAFunction(value) || LLVMIsAGlobalIFunc(value))
    *operand = (CodeOperand){.kind = CODE_FUNCTION, .id = reader_function(r, value)};
  else if (LLVMIsAGlobalVariable(value))
    *operand = (CodeOperand){.kind = CODE_ADDRESS, .id = reader_object(r, value)};
  else if (LLVMIsAConstantPointerNull(value))
    *operand = number_operand(0);
  else
    *operand = nothing_operand();
  return true;
}

void read_addresses(Reader *r, LLVMValueRef constant) {
  CodeOperand operand;
  constant = behind_alias(constant);
  bool folded = read_constant(r, constant, &operand);
  if (folded && (operand.kind == CODE_ADDRESS || operand.kind == CODE_FUNCTION)) reader_push_operand(r, operand);
  if (folded) return;
  const char *section = bounded_section(constant);
  if (section) {
    push_section(r, section);
    reader_push_operand(r, (CodeOperand){.kind = CODE_ADDRESS, .id = reader_object(r, constant)});
    return;
  }
  unsigned count = (unsigned)LLVMGetNumOperands(constant);
  for (unsigned i = 0; i < count; i++) read_addresses(r, LLVMGetOperand(constant, i));
}

// --- all values ---

CodeOperand read_operand(Reader *r, LLVMValueRef value) {
  CodeOperand operand;
  if (LLVMIsAInstruction(value) || LLVMIsAArgument(value)) {
    uint64_t number;
    bool known = map_get(&r->registers, pointer_key(value), &number);
    assert(known && "a value of code that is not reachable");
    return known ? (CodeOperand){.kind = CODE_REGISTER, .id = (uint32_t)number} : nothing_operand();
  }
  if (!LLVMIsAConstant(value)) return nothing_operand(); // a label, metadata, assembly
  if (read_constant(r, value, &operand)) return operand;
  size_t mark = r->pending.count;
  read_addresses(r, value);
  if (r->pending.count == mark) return nothing_operand();
  return reader_emit_new(r, is_aggregate(value) ? CODE_CHOICE : CODE_COMPUTE, mark);
}
