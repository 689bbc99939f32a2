// Vectors: every operation is computed lane by lane, on the leaves of the value.
//
// Loads and stores of vectors are accesses of their elements, one by one. Operations that are not listed here,
// intrinsics of a processor among them, are cuts.
#include "front/arithmetic/arithmetic.h"

static bool is_vector(LLVMValueRef value) { return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind; }

static LLVMTypeRef element_type(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

// Copies of an operand's terms: they stay valid when steps are emitted and when the operand is bound again.
static const Term *lanes(Lowering *l, LLVMValueRef instruction, unsigned operand, uint32_t *count) {
  const Term *terms = value_terms(l, LLVMGetOperand(instruction, operand), count);
  return terms ? arena_copy(&l->scratch, terms, *count * sizeof *terms) : NULL;
}

static void lower_lanes(Lowering *l, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  TermOperator op = arithmetic_operator(opcode);
  bool divides = arithmetic_divides(op);
  if (divides) builder_flush(l);
  uint32_t count, other_count;
  const Term *a = lanes(l, instruction, 0, &count), *b = lanes(l, instruction, 1, &other_count);
  if (!a || !b || count != other_count) return;
  Term *results = arena_allocate(&l->scratch, count * sizeof *results);
  for (uint32_t i = 0; i < count; i++) {
    if (divides) arithmetic_check_divisor(l, b[i]);
    results[i] = op != TERM_OPERATOR_COUNT ? term_binary(l->terms, op, a[i], b[i])
                                           : arithmetic_compare(l->terms, instruction, a[i], b[i]);
  }
  value_bind(l, instruction, results, count);
}

static void lower_negated_lanes(Lowering *l, LLVMValueRef instruction) {
  uint32_t count;
  const Term *a = lanes(l, instruction, 0, &count);
  if (!a) return;
  Term *results = arena_allocate(&l->scratch, count * sizeof *results);
  for (uint32_t i = 0; i < count; i++) results[i] = arithmetic_negate_float(l->terms, a[i]);
  value_bind(l, instruction, results, count);
}

static void lower_selected_lanes(Lowering *l, LLVMValueRef instruction) {
  uint32_t conditions, count, other_count;
  const Term *condition = lanes(l, instruction, 0, &conditions);
  const Term *a = lanes(l, instruction, 1, &count), *b = lanes(l, instruction, 2, &other_count);
  if (!condition || !a || !b || count != other_count) return;
  assert(conditions == count || conditions == 1);
  Term *results = arena_allocate(&l->scratch, count * sizeof *results);
  for (uint32_t i = 0; i < count; i++)
    results[i] = term_ite(l->terms, condition[conditions == count ? i : 0], a[i], b[i]);
  value_bind(l, instruction, results, count);
}

// --- casts ---

// The same bits in lanes of another width, the first lane lowest. False: one width does not divide the other.
static bool regroup(TermStore *t, const Term *from, uint32_t count, unsigned width, TermVector *out) {
  unsigned own = term_width(t, from[0]);
  assert(own > 0 && width > 0);
  for (uint32_t i = 0; own >= width && own % width == 0 && i < count; i++)
    for (unsigned at = 0; at < own; at += width) TermVector_push(out, term_extract(t, from[i], at + width - 1, at));
  uint32_t together = width / own;
  for (uint32_t i = 0; own < width && width % own == 0 && i + together <= count; i += together) {
    Term whole = from[i];
    for (uint32_t k = 1; k < together; k++) whole = term_binary(t, TERM_CONCAT, from[i + k], whole);
    TermVector_push(out, whole);
  }
  return out->count > 0;
}

static void lower_cast_lanes(Lowering *l, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  unsigned width = type_width(l->unit, element_type(LLVMTypeOf(instruction)));
  unsigned from = type_width(l->unit, element_type(LLVMTypeOf(LLVMGetOperand(instruction, 0))));
  if (width == 0 || from == 0) {
    builder_cut(l, CUT_CONSTRUCT, "long double");
    return;
  }
  uint32_t count;
  const Term *a = lanes(l, instruction, 0, &count);
  if (!a || count == 0) return;
  TermVector results;
  TermVector_init(&results, l->account);
  bool done = opcode != LLVMBitCast || regroup(l->terms, a, count, width, &results);
  for (uint32_t i = 0; opcode != LLVMBitCast && i < count; i++)
    TermVector_push(&results, arithmetic_cast(l->terms, opcode, a[i], width));
  if (done)
    value_bind(l, instruction, results.data, (uint32_t)results.count);
  else
    builder_cut(l, CUT_CONSTRUCT, "vector with elements of an odd width");
  TermVector_free(&results);
}

// --- elements ---

static Term is_index(Lowering *l, Term index, uint32_t i) {
  return term_eq(l->terms, index, term_constant(l->terms, term_width(l->terms, index), i));
}

static void lower_extract_element(Lowering *l, LLVMValueRef instruction) {
  uint32_t count;
  const Term *a = lanes(l, instruction, 0, &count);
  Term index = value_term(l, LLVMGetOperand(instruction, 1));
  if (!a || index == TERM_NONE || count == 0) return;
  Term found = a[0]; // an index beyond the last is undefined
  for (uint32_t i = 1; i < count; i++) found = term_ite(l->terms, is_index(l, index, i), a[i], found);
  value_bind_one(l, instruction, found);
}

// Of an undefined vector, whose lanes are set next: zeros are one of its possible values and need no choice.
static const Term *filled_lanes(Lowering *l, LLVMValueRef value, uint32_t *count) {
  bool undefined = LLVMIsUndef(value) || LLVMIsPoison(value);
  const Term *terms = value_terms(l, undefined ? LLVMConstNull(LLVMTypeOf(value)) : value, count);
  return terms ? arena_copy(&l->scratch, terms, *count * sizeof *terms) : NULL;
}

static void lower_insert_element(Lowering *l, LLVMValueRef instruction) {
  uint32_t count;
  const Term *a = filled_lanes(l, LLVMGetOperand(instruction, 0), &count);
  Term inserted = value_term(l, LLVMGetOperand(instruction, 1)), index = value_term(l, LLVMGetOperand(instruction, 2));
  if (!a || inserted == TERM_NONE || index == TERM_NONE) return;
  Term *whole = arena_allocate(&l->scratch, count * sizeof *whole + 1);
  for (uint32_t i = 0; i < count; i++) whole[i] = term_ite(l->terms, is_index(l, index, i), inserted, a[i]);
  value_bind(l, instruction, whole, count);
}

static void lower_shuffle(Lowering *l, LLVMValueRef instruction) {
  uint32_t count, other_count;
  const Term *a = filled_lanes(l, LLVMGetOperand(instruction, 0), &count);
  const Term *b = filled_lanes(l, LLVMGetOperand(instruction, 1), &other_count);
  unsigned wanted = LLVMGetNumMaskElements(instruction);
  if (!a || !b || count == 0) return;
  Term *whole = arena_allocate(&l->scratch, wanted * sizeof *whole + 1);
  for (unsigned i = 0; i < wanted; i++) {
    int chosen = LLVMGetMaskValue(instruction, i); // negative: any lane does
    uint32_t lane = chosen < 0 ? 0 : (uint32_t)chosen;
    assert(lane < count + other_count);
    whole[i] = lane < count ? a[lane] : b[lane - count];
  }
  value_bind(l, instruction, whole, wanted);
}

bool lower_vector(Lowering *l, LLVMValueRef instruction) {
  bool any = is_vector(instruction);
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) any |= is_vector(LLVMGetOperand(instruction, (unsigned)i));
  if (!any) return false;
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  switch (opcode) {
  case LLVMICmp:
  case LLVMFCmp: lower_lanes(l, instruction); return true;
  case LLVMSelect: lower_selected_lanes(l, instruction); return true;
  case LLVMFNeg: lower_negated_lanes(l, instruction); return true;
  case LLVMExtractElement: lower_extract_element(l, instruction); return true;
  case LLVMInsertElement: lower_insert_element(l, instruction); return true;
  case LLVMShuffleVector: lower_shuffle(l, instruction); return true;
  case LLVMGetElementPtr: builder_cut(l, CUT_CONSTRUCT, "vector of pointers"); return true;
  default: break;
  }
  if (arithmetic_operator(opcode) != TERM_OPERATOR_COUNT)
    lower_lanes(l, instruction);
  else if (LLVMIsACastInst(instruction))
    lower_cast_lanes(l, instruction);
  else
    return false;
  return true;
}
