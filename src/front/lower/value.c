// Types, constants and operands.
#include "front/objects/objects.h"

#include <stdlib.h>
#include <string.h>

unsigned type_width(const FrontUnit *unit, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 128 ? LLVMGetIntTypeWidth(type) : 0;
  case LLVMPointerTypeKind: return unit->pointer_width;
  case LLVMFloatTypeKind: return 32;
  case LLVMDoubleTypeKind: return 64;
  default: return 0;
  }
}

uint64_t type_bytes(const FrontUnit *unit, LLVMTypeRef type) {
  assert(LLVMTypeIsSized(type));
  return LLVMABISizeOfType(unit->layout, type);
}

bool type_is_packed(LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return false;
  LLVMTypeRef element = LLVMGetElementType(type);
  return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) % 8 != 0;
}

static bool struct_leaves(const FrontUnit *unit, LLVMTypeRef type, uint64_t offset, LeafVector *leaves) {
  unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count; i++)
    if (!type_leaves(unit, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(unit->layout, type, i),
                     leaves))
      return false;
  return true;
}

bool type_leaves(const FrontUnit *unit, LLVMTypeRef type, uint64_t offset, LeafVector *leaves) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind: return true;
  case LLVMStructTypeKind: return struct_leaves(unit, type, offset, leaves);
  case LLVMVectorTypeKind:
  case LLVMArrayTypeKind: {
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = LLVMGetElementType(type);
    uint64_t count = vector ? LLVMGetVectorSize(type) : LLVMGetArrayLength2(type), bytes = type_bytes(unit, element);
    for (uint64_t i = 0; i < count && leaves->count < 4096; i++)
      if (!type_leaves(unit, element, offset + i * bytes, leaves)) return false;
    return leaves->count < 4096;
  }
  default:
    if (type_width(unit, type) == 0) return false;
    LeafVector_push(leaves, (Leaf){type, offset});
    return true;
  }
}

Term constant_address(Lowering *l, uint64_t address) {
  return term_constant(l->terms, l->unit->pointer_width, address);
}

Term object_address(Lowering *l, ObjectId object) {
  assert(object == NO_ID || object < l->program->objects.count);
  return constant_address(l, object == NO_ID ? 0 : l->program->objects.data[object].address);
}

// --- constants ---

static Bits constant_int_bits(LLVMValueRef value) {
  assert(LLVMIsAConstantInt(value));
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (width <= 64) return LLVMConstIntGetZExtValue(value);
  // The C interface gives no access to the high words; so the printed form is parsed.
  char *text = LLVMPrintValueToString(value); // "i128 -12"
  const char *digit = strchr(text, ' ');
  bool negative = digit && digit[1] == '-';
  Bits bits = 0;
  for (digit = digit ? digit + 1 + negative : ""; *digit >= '0' && *digit <= '9'; digit++)
    bits = bits * 10 + (unsigned)(*digit - '0');
  LLVMDisposeMessage(text);
  return (negative ? -bits : bits) & bits_mask(width);
}

static Bits constant_real_bits(LLVMValueRef value) {
  assert(LLVMIsAConstantFP(value));
  LLVMBool loses;
  double real = LLVMConstRealGetDouble(value, &loses);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMFloatTypeKind) {
    float narrow = (float)real;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  return bits;
}

static Term constant_expression(Lowering *l, LLVMValueRef value) {
  assert(LLVMIsAConstantExpr(value));
  LLVMValueRef operand = LLVMGetOperand(value, 0);
  unsigned width = type_width(l->unit, LLVMTypeOf(value));
  switch (LLVMGetConstOpcode(value)) {
  case LLVMGetElementPtr: return gep_term(l, value);
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMTrunc:
  case LLVMAddrSpaceCast:
  case LLVMBitCast: {
    Term inner = value_term(l, operand);
    return inner == TERM_NONE || width == 0 ? TERM_NONE : term_resize_unsigned(l->terms, inner, width);
  }
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMXor: {
    Term a = value_term(l, operand), b = value_term(l, LLVMGetOperand(value, 1));
    if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
    LLVMOpcode op = LLVMGetConstOpcode(value);
    TermOperator term_op = op == LLVMAdd ? TERM_ADD : op == LLVMSub ? TERM_SUB : op == LLVMMul ? TERM_MUL : TERM_XOR;
    return term_binary(l->terms, term_op, a, b);
  }
  default: return TERM_NONE;
  }
}

// A weak symbol without a definition has the address 0.
static bool is_missing_weak(const Lowering *l, LLVMValueRef value) {
  if (!LLVMIsAGlobalValue(value) || LLVMGetLinkage(value) != LLVMExternalWeakLinkage) return false;
  if (LLVMIsAFunction(value)) return unit_definition(l->unit, value) == NULL;
  return LLVMIsDeclaration(unit_global_definition(l->unit, value));
}

static Term scalar_constant(Lowering *l, LLVMValueRef value) {
  unsigned width = type_width(l->unit, LLVMTypeOf(value));
  if (width == 0) return TERM_NONE;
  if (LLVMIsAConstantInt(value)) return term_constant(l->terms, width, constant_int_bits(value));
  if (LLVMIsAConstantFP(value)) return term_constant(l->terms, width, constant_real_bits(value));
  if (LLVMIsNull(value)) return term_constant(l->terms, width, 0);
  // Undefined values come from code whose behaviour is undefined in C: any value is right.
  if (LLVMIsUndef(value) || LLVMIsPoison(value)) return builder_fresh(l, width, VALUE_INPUT, "undefined");
  if (is_missing_weak(l, value)) return term_constant(l->terms, width, 0);
  if (LLVMIsAFunction(value)) return object_address(l, function_object(l, value));
  if (LLVMIsAGlobalVariable(value)) return object_address(l, global_object(l, value));
  if (LLVMIsABlockAddress(value)) return object_address(l, label_object(l, LLVMGetBlockAddressBasicBlock(value)));
  if (LLVMIsAGlobalAlias(value)) return scalar_constant(l, LLVMAliasGetAliasee(value));
  if (LLVMIsAConstantExpr(value)) return constant_expression(l, value);
  return TERM_NONE;
}

// Appends the leaves of an aggregate constant.
static bool constant_leaves(Lowering *l, LLVMValueRef value, TermVector *out) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) {
    Term term = scalar_constant(l, value);
    if (term != TERM_NONE) TermVector_push(out, term);
    return term != TERM_NONE;
  }
  uint64_t count = kind == LLVMStructTypeKind   ? LLVMCountStructElementTypes(type)
                   : kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                : LLVMGetArrayLength2(type);
  for (uint64_t i = 0; i < count; i++)
    if (!constant_leaves(l, LLVMGetAggregateElement(value, (unsigned)i), out)) return false;
  return true;
}

// --- bindings ---

Binding *value_binding(Lowering *l, LLVMValueRef value) {
  uint64_t index;
  return l->top && map_get(&l->top->bindings, pointer_key(value), &index) ? &l->bindings.data[index] : NULL;
}

void value_bind(Lowering *l, LLVMValueRef value, const Term *terms, uint32_t count) {
  if (l->current == NO_ID || !terms) return;
  uint64_t uses = map_get_or(&l->top->info->uses, pointer_key(value), 0);
  if (uses == 0) return;
  Binding binding = {.value = value, .term_count = count, .uses_left = (uint32_t)uses, .variable = NO_ID};
  binding.terms = arena_copy(&l->scratch, terms, count * sizeof *terms);
  map_put(&l->top->bindings, pointer_key(value), l->bindings.count);
  BindingVector_push(&l->bindings, binding);
}

void value_forget(Lowering *l, LLVMValueRef value) {
  Binding *binding = value_binding(l, value);
  if (!binding) return;
  binding->terms = NULL;
  binding->uses_left = 0;
}

void value_bind_one(Lowering *l, LLVMValueRef value, Term term) {
  if (term != TERM_NONE) value_bind(l, value, &term, 1);
}

const Term *value_terms(Lowering *l, LLVMValueRef value, uint32_t *count) {
  *count = 0;
  if (l->current == NO_ID) return NULL;
  if (LLVMIsAInstruction(value) || LLVMIsAArgument(value)) {
    Binding *binding = value_binding(l, value);
    if (!binding || !binding->terms) {
      // The instruction that computes the value is not modelled. The cut makes sure that no way is lost.
      builder_cut(l, CUT_CONSTRUCT, "value that is not modelled");
      return NULL;
    }
    if (binding->uses_left > 0) binding->uses_left--;
    *count = binding->term_count;
    return binding->terms;
  }
  TermVector leaves;
  TermVector_init(&leaves, l->account);
  bool modelled = constant_leaves(l, value, &leaves);
  const Term *terms = modelled ? arena_copy(&l->scratch, leaves.data, leaves.count * sizeof(Term)) : NULL;
  *count = (uint32_t)leaves.count;
  TermVector_free(&leaves);
  if (!modelled) builder_cut(l, CUT_CONSTRUCT, "constant of a type that is not modelled");
  return terms;
}

Term value_term(Lowering *l, LLVMValueRef value) {
  uint32_t count;
  const Term *terms = value_terms(l, value, &count);
  return terms && count == 1 ? terms[0] : TERM_NONE;
}

// --- addresses ---

Term gep_term(Lowering *l, LLVMValueRef gep) {
  assert(LLVMIsAGetElementPtrInst(gep) || LLVMIsAConstantExpr(gep));
  const FrontUnit *unit = l->unit;
  Term address = value_term(l, LLVMGetOperand(gep, 0));
  if (address == TERM_NONE) return TERM_NONE;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned operands = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < operands; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      address = term_add_constant(l->terms, address, LLVMOffsetOfElement(unit->layout, type, field));
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    Term number = value_term(l, index);
    if (number == TERM_NONE) return TERM_NONE;
    number = term_resize_signed(l->terms, number, unit->pointer_width);
    Term scale = constant_address(l, type_bytes(unit, type));
    address = term_add(l->terms, address, term_binary(l->terms, TERM_MUL, number, scale));
  }
  return address;
}
