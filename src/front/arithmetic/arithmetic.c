// Arithmetic, comparisons, casts, select, aggregates.
#include "front/arithmetic/arithmetic.h"
#include "front/arithmetic/atomic_assign.h"
#include "front/objects/objects.h"

static bool is_floating(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

// Of a type without a width in the model: is it an integer? Clang computes overflows of 128 bits in 129 bits, and some
// _BitInt are wider.
static bool is_wide_integer(LLVMValueRef value) { return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind; }

static void cut_wide(Lowering *l, LLVMValueRef value, const char *otherwise) {
  builder_cut(l, CUT_CONSTRUCT, is_wide_integer(value) ? "an integer of more than 128 bits" : otherwise);
}

TermOperator arithmetic_operator(LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMAdd: return TERM_ADD;
  case LLVMSub: return TERM_SUB;
  case LLVMMul: return TERM_MUL;
  case LLVMUDiv: return TERM_UDIV;
  case LLVMSDiv: return TERM_SDIV;
  case LLVMURem: return TERM_UREM;
  case LLVMSRem: return TERM_SREM;
  case LLVMShl: return TERM_SHL;
  case LLVMLShr: return TERM_LSHR;
  case LLVMAShr: return TERM_ASHR;
  case LLVMAnd: return TERM_AND;
  case LLVMOr: return TERM_OR;
  case LLVMXor: return TERM_XOR;
  case LLVMFAdd: return TERM_FP_ADD;
  case LLVMFSub: return TERM_FP_SUB;
  case LLVMFMul: return TERM_FP_MUL;
  case LLVMFDiv: return TERM_FP_DIV;
  case LLVMFRem: return TERM_FP_REM;
  default: return TERM_OPERATOR_COUNT;
  }
}

bool arithmetic_divides(TermOperator op) {
  return op == TERM_UDIV || op == TERM_SDIV || op == TERM_UREM || op == TERM_SREM;
}

void arithmetic_check_divisor(Lowering *l, Term divisor) {
  assert(divisor != TERM_NONE);
  if (term_is_constant(l->terms, divisor) && term_constant_value(l->terms, divisor) != 0) return;
  Step step = builder_step(l);
  step.kind = STEP_DIVIDE;
  step.operand = divisor;
  builder_emit(l, &step);
}

static void lower_binary(Lowering *l, LLVMValueRef instruction, TermOperator op) {
  LLVMValueRef second = LLVMGetOperand(instruction, 1);
  if (arithmetic_divides(op) && !LLVMIsAConstantInt(second)) builder_flush(l);
  Term a = value_term(l, LLVMGetOperand(instruction, 0)), b = value_term(l, second);
  if (a == TERM_NONE || b == TERM_NONE) return;
  assert(term_width(l->terms, a) == term_width(l->terms, b));
  if (arithmetic_divides(op)) arithmetic_check_divisor(l, b);
  value_bind_one(l, instruction, term_binary(l->terms, op, a, b));
}

static Term compare_integers(TermStore *t, LLVMIntPredicate predicate, Term a, Term b) {
  switch (predicate) {
  case LLVMIntEQ: return term_eq(t, a, b);
  case LLVMIntNE: return term_ne(t, a, b);
  case LLVMIntUGT: return term_binary(t, TERM_ULT, b, a);
  case LLVMIntUGE: return term_binary(t, TERM_ULE, b, a);
  case LLVMIntULT: return term_binary(t, TERM_ULT, a, b);
  case LLVMIntULE: return term_binary(t, TERM_ULE, a, b);
  case LLVMIntSGT: return term_binary(t, TERM_SLT, b, a);
  case LLVMIntSGE: return term_binary(t, TERM_SLE, b, a);
  case LLVMIntSLT: return term_binary(t, TERM_SLT, a, b);
  case LLVMIntSLE: return term_binary(t, TERM_SLE, a, b);
  }
  return TERM_NONE;
}

static Term compare_floats(TermStore *t, LLVMRealPredicate predicate, Term a, Term b) {
  Term unordered = term_or(t, term_unary(t, TERM_FP_IS_NAN, a), term_unary(t, TERM_FP_IS_NAN, b));
  switch (predicate) {
  case LLVMRealPredicateFalse: return term_false(t);
  case LLVMRealPredicateTrue: return term_true(t);
  case LLVMRealORD: return term_not(t, unordered);
  case LLVMRealUNO: return unordered;
  case LLVMRealOEQ: return term_binary(t, TERM_FP_EQ, a, b);
  case LLVMRealOGT: return term_binary(t, TERM_FP_LT, b, a);
  case LLVMRealOGE: return term_binary(t, TERM_FP_LE, b, a);
  case LLVMRealOLT: return term_binary(t, TERM_FP_LT, a, b);
  case LLVMRealOLE: return term_binary(t, TERM_FP_LE, a, b);
  case LLVMRealONE: return term_and(t, term_not(t, unordered), term_not(t, term_binary(t, TERM_FP_EQ, a, b)));
  case LLVMRealUEQ: return term_or(t, unordered, term_binary(t, TERM_FP_EQ, a, b));
  case LLVMRealUGT: return term_not(t, term_binary(t, TERM_FP_LE, a, b));
  case LLVMRealUGE: return term_not(t, term_binary(t, TERM_FP_LT, a, b));
  case LLVMRealULT: return term_not(t, term_binary(t, TERM_FP_LE, b, a));
  case LLVMRealULE: return term_not(t, term_binary(t, TERM_FP_LT, b, a));
  case LLVMRealUNE: return term_not(t, term_binary(t, TERM_FP_EQ, a, b));
  }
  return TERM_NONE;
}

Term arithmetic_compare(TermStore *t, LLVMValueRef instruction, Term a, Term b) {
  assert(a != TERM_NONE && b != TERM_NONE);
  return LLVMGetInstructionOpcode(instruction) == LLVMFCmp
             ? compare_floats(t, LLVMGetFCmpPredicate(instruction), a, b)
             : compare_integers(t, LLVMGetICmpPredicate(instruction), a, b);
}

static void lower_compare(Lowering *l, LLVMValueRef instruction) {
  Term a = value_term(l, LLVMGetOperand(instruction, 0)), b = value_term(l, LLVMGetOperand(instruction, 1));
  if (a != TERM_NONE && b != TERM_NONE) value_bind_one(l, instruction, arithmetic_compare(l->terms, instruction, a, b));
}

Term arithmetic_cast(TermStore *t, LLVMOpcode opcode, Term a, unsigned width) {
  assert(a != TERM_NONE && width > 0);
  switch (opcode) {
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAddrSpaceCast:
  case LLVMBitCast: return term_resize_unsigned(t, a, width);
  case LLVMSExt: return term_resize_signed(t, a, width);
  case LLVMFPTrunc:
  case LLVMFPExt: return term_convert(t, TERM_FP_TO_FP, a, width);
  case LLVMFPToSI: return term_convert(t, TERM_FP_TO_SINT, a, width);
  case LLVMFPToUI: return term_convert(t, TERM_FP_TO_UINT, a, width);
  case LLVMSIToFP: return term_convert(t, TERM_FP_FROM_SINT, a, width);
  case LLVMUIToFP: return term_convert(t, TERM_FP_FROM_UINT, a, width);
  default: return TERM_NONE;
  }
}

static void lower_cast(Lowering *l, LLVMValueRef instruction) {
  unsigned width = type_width(l->unit, LLVMTypeOf(instruction));
  unsigned from = type_width(l->unit, LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  if (width == 0 || from == 0) {
    cut_wide(l, width == 0 ? instruction : LLVMGetOperand(instruction, 0), "long double");
    return;
  }
  bool doubtful = atomic_assign_casts(instruction);
  if (doubtful) builder_save_values_here(l);
  Term a = value_term(l, LLVMGetOperand(instruction, 0));
  if (doubtful && a != TERM_NONE) atomic_assign_check_cast(l, instruction, a);
  if (a != TERM_NONE)
    value_bind_one(l, instruction, arithmetic_cast(l->terms, LLVMGetInstructionOpcode(instruction), a, width));
}

static void lower_select(Lowering *l, LLVMValueRef instruction) {
  uint32_t then_count, else_count;
  Term condition = value_term(l, LLVMGetOperand(instruction, 0));
  const Term *then_terms = value_terms(l, LLVMGetOperand(instruction, 1), &then_count);
  const Term *else_terms = value_terms(l, LLVMGetOperand(instruction, 2), &else_count);
  if (condition == TERM_NONE || !then_terms || !else_terms || then_count != else_count) return;
  Term *chosen = arena_allocate(&l->scratch, then_count * sizeof *chosen + 1);
  for (uint32_t i = 0; i < then_count; i++) chosen[i] = term_ite(l->terms, condition, then_terms[i], else_terms[i]);
  value_bind(l, instruction, chosen, then_count);
}

// The number of leaves before the element that an extractvalue or insertvalue selects; the number of its leaves in
// `*count`.
static uint32_t element_leaves(const FrontUnit *unit, LLVMTypeRef type, LLVMValueRef instruction, uint32_t *count) {
  const unsigned *indices = LLVMGetIndices(instruction);
  unsigned depth = LLVMGetNumIndices(instruction);
  assert(indices && depth > 0);
  LeafVector leaves = {0};
  for (unsigned d = 0; d < depth; d++) {
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    for (unsigned i = 0; i < indices[d]; i++)
      type_leaves(unit, is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type), 0, &leaves);
    type = is_struct ? LLVMStructGetTypeAtIndex(type, indices[d]) : LLVMGetElementType(type);
  }
  uint32_t before = (uint32_t)leaves.count;
  type_leaves(unit, type, 0, &leaves);
  *count = (uint32_t)leaves.count - before;
  LeafVector_free(&leaves);
  return before;
}

static void lower_extract_value(Lowering *l, LLVMValueRef instruction) {
  LLVMValueRef aggregate = LLVMGetOperand(instruction, 0);
  uint32_t count, part, first = element_leaves(l->unit, LLVMTypeOf(aggregate), instruction, &part);
  const Term *terms = value_terms(l, aggregate, &count);
  if (terms && first + part <= count) value_bind(l, instruction, terms + first, part);
}

static void lower_insert_value(Lowering *l, LLVMValueRef instruction) {
  LLVMValueRef aggregate = LLVMGetOperand(instruction, 0);
  uint32_t count, part, inserted_count, first = element_leaves(l->unit, LLVMTypeOf(aggregate), instruction, &part);
  bool undefined = LLVMIsUndef(aggregate) || LLVMIsPoison(aggregate);
  // An undefined aggregate whose elements are set next: zeros are one of its possible values and need no choice.
  const Term *terms = value_terms(l, undefined ? LLVMConstNull(LLVMTypeOf(aggregate)) : aggregate, &count);
  const Term *inserted = value_terms(l, LLVMGetOperand(instruction, 1), &inserted_count);
  if (!terms || !inserted || first + inserted_count > count) return;
  Term *whole = arena_copy(&l->scratch, terms, count * sizeof *terms);
  for (uint32_t i = 0; i < inserted_count; i++) whole[first + i] = inserted[i];
  value_bind(l, instruction, whole, count);
}

Term arithmetic_negate_float(TermStore *t, Term a) {
  unsigned width = term_width(t, a);
  assert(width == 32 || width == 64);
  return term_binary(t, TERM_XOR, a, term_constant(t, width, (Bits)1 << (width - 1)));
}

static void lower_negate_float(Lowering *l, LLVMValueRef instruction) {
  Term a = value_term(l, LLVMGetOperand(instruction, 0));
  if (a != TERM_NONE) value_bind_one(l, instruction, arithmetic_negate_float(l->terms, a));
}

static void lower_freeze(Lowering *l, LLVMValueRef instruction) {
  uint32_t count;
  const Term *terms = value_terms(l, LLVMGetOperand(instruction, 0), &count);
  if (terms) value_bind(l, instruction, terms, count);
}

bool lower_arithmetic(Lowering *l, LLVMValueRef instruction) {
  if (lower_vector(l, instruction)) return true;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  TermOperator op = arithmetic_operator(opcode);
  if (op != TERM_OPERATOR_COUNT) {
    if (type_width(l->unit, LLVMTypeOf(instruction)) == 0 || (op >= TERM_FP_ADD && !is_floating(instruction)))
      cut_wide(l, instruction, "arithmetic on long double");
    else
      lower_binary(l, instruction, op);
    return true;
  }
  switch (opcode) {
  case LLVMICmp:
  case LLVMFCmp:
    if (type_width(l->unit, LLVMTypeOf(LLVMGetOperand(instruction, 0))) == 0)
      cut_wide(l, LLVMGetOperand(instruction, 0), "comparison of long double");
    else
      lower_compare(l, instruction);
    return true;
  case LLVMPtrToInt: address_as_number(l, instruction); // fall through
  case LLVMTrunc:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMFPTrunc:
  case LLVMFPExt:
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMSIToFP:
  case LLVMUIToFP:
  case LLVMAddrSpaceCast: lower_cast(l, instruction); return true;
  case LLVMSelect: lower_select(l, instruction); return true;
  case LLVMExtractValue: lower_extract_value(l, instruction); return true;
  case LLVMInsertValue: lower_insert_value(l, instruction); return true;
  case LLVMGetElementPtr: value_bind_one(l, instruction, gep_term(l, instruction)); return true;
  case LLVMFNeg: lower_negate_float(l, instruction); return true;
  case LLVMFreeze: lower_freeze(l, instruction); return true;
  default: return false;
  }
}
