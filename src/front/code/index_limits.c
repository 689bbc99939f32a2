// How large an index can be by the way it is computed: masks, remainders, shifts, narrow types.
//
// Direction of the fact: must. Only values are looked at, not what the language forbids: an addition that may wrap has
// no limit but that of its type.
#include "front/code/reader.h"

#include <limits.h>

enum { DEEPEST = 8 };

static unsigned width_of(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : UINT_MAX;
}

static uint64_t largest(unsigned width) {
  assert(width >= 1 && width <= 64);
  return UINT64_MAX >> (64 - width);
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t limit_of(LLVMValueRef value, unsigned depth);

// Of divisions and shifts by a constant, where the left operand is at most `left`.
static uint64_t by_constant(LLVMOpcode opcode, uint64_t left, uint64_t number, unsigned width) {
  bool not_negative = left <= largest(width) / 2 && number <= largest(width) / 2;
  switch (opcode) {
  case LLVMSRem:
    if (!not_negative) break; // fall through
  case LLVMURem: return number > 0 ? smaller(left, number - 1) : largest(width);
  case LLVMSDiv:
    if (!not_negative) break; // fall through
  case LLVMUDiv: return number > 0 ? left / number : largest(width);
  case LLVMLShr: return number < width ? left >> number : largest(width);
  case LLVMShl: return number < width && left <= largest(width) >> number ? left << number : largest(width);
  default: break;
  }
  return largest(width);
}

static uint64_t limit_of_two(LLVMValueRef value, LLVMOpcode opcode, unsigned depth) {
  LLVMValueRef right = LLVMGetOperand(value, 1);
  uint64_t a = limit_of(LLVMGetOperand(value, 0), depth), b = limit_of(right, depth), all = largest(width_of(value)),
           sum;
  switch (opcode) {
  case LLVMAnd: return smaller(a, b);
  case LLVMAdd: return !__builtin_add_overflow(a, b, &sum) && sum <= all ? sum : all;
  case LLVMMul: return !__builtin_mul_overflow(a, b, &sum) && sum <= all ? sum : all;
  default:
    return LLVMIsAConstantInt(right) ? by_constant(opcode, a, LLVMConstIntGetZExtValue(right), width_of(value)) : all;
  }
}

static uint64_t limit_of_instruction(LLVMValueRef value, unsigned depth) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  uint64_t all = largest(width_of(value));
  LLVMValueRef first = LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : NULL;
  bool of_integer = first && width_of(first) <= 64;
  switch (opcode) {
  case LLVMZExt:
  case LLVMTrunc: return of_integer ? smaller(all, limit_of(first, depth)) : all;
  case LLVMSExt: {
    uint64_t limit = of_integer ? limit_of(first, depth) : all;
    return of_integer && limit <= largest(width_of(first)) / 2 ? limit : all;
  }
  case LLVMSelect: return larger(limit_of(LLVMGetOperand(value, 1), depth), limit_of(LLVMGetOperand(value, 2), depth));
  case LLVMAnd:
  case LLVMAdd:
  case LLVMMul:
  case LLVMURem:
  case LLVMSRem:
  case LLVMUDiv:
  case LLVMSDiv:
  case LLVMLShr:
  case LLVMShl: return limit_of_two(value, opcode, depth);
  default: return all;
  }
}

// The largest value without sign.
static uint64_t limit_of(LLVMValueRef value, unsigned depth) {
  if (LLVMIsAConstantInt(value)) return LLVMConstIntGetZExtValue(value);
  if (depth == DEEPEST || !LLVMIsAInstruction(value)) return largest(width_of(value));
  uint64_t limit = limit_of_instruction(value, depth + 1);
  assert(limit <= largest(width_of(value)));
  return limit;
}

bool index_limit(LLVMValueRef index, uint64_t *most) {
  unsigned width = width_of(index);
  if (width > 64) return false;
  *most = limit_of(index, 0);
  return *most <= largest(width) / 2;
}
