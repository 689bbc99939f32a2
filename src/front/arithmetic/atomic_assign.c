#include "front/arithmetic/atomic_assign.h"

static const char wrong[] = "a compound assignment to an _Atomic object that clang may compile wrongly for this value";

static LLVMValueRef only_user(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

// Is it the compare-exchange of clang's block? The block ends with a jump to itself, and the exchange expects the
// value of a phi at its beginning.
static bool is_assignment(LLVMValueRef exchange) {
  if (!LLVMIsAAtomicCmpXchgInst(exchange)) return false;
  LLVMValueRef old = LLVMGetOperand(exchange, 1);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(exchange);
  if (!LLVMIsAPHINode(old) || LLVMGetInstructionParent(old) != block) return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == block) return true;
  return false;
}

// A _Bool in memory has eight bits, of which clang makes one and eight again before the block.
static bool is_boolean(LLVMValueRef exchange) {
  assert(LLVMIsAPHINode(LLVMGetOperand(exchange, 1)));
  LLVMValueRef before = LLVMGetIncomingValue(LLVMGetOperand(exchange, 1), 0);
  return LLVMIsAZExtInst(before) && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(before, 0))) == 1;
}

static bool begins_assignment(LLVMValueRef value) {
  if (!LLVMIsAPHINode(value)) return false;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_assignment(user) && LLVMGetOperand(user, 1) == value) return true;
  }
  return false;
}

// The compare-exchange that stores the value; NULL if there is none. (The value may have other users: it is the value
// of the expression.)
static LLVMValueRef assignment_of(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_assignment(user) && LLVMGetOperand(user, 2) == value) return user;
  }
  return NULL;
}

// Do the lower bits of the result depend on the lower bits of the operands only? The upper ones are truncated later.
static bool ignores_upper_bits(LLVMValueRef operation) {
  switch (LLVMGetInstructionOpcode(operation)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor: return true;
  default: return false;
  }
}

static bool is_extended_wrongly(LLVMValueRef extension) {
  LLVMValueRef user = only_user(extension);
  if (!begins_assignment(LLVMGetOperand(extension, 0))) return false;
  if (user && LLVMGetInstructionOpcode(user) == LLVMShl) return LLVMGetOperand(user, 0) != extension;
  return !user || !ignores_upper_bits(user);
}

static bool is_sum(LLVMValueRef instruction) {
  if (!instruction || !LLVMIsAAtomicRMWInst(instruction)) return false;
  LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(instruction);
  return op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpSub;
}

static bool is_added(LLVMValueRef cast) {
  for (LLVMUseRef use = LLVMGetFirstUse(cast); use; use = LLVMGetNextUse(use))
    if (is_sum(LLVMGetUser(use)) && LLVMGetOperand(LLVMGetUser(use), 1) == cast) return true;
  return false;
}

bool atomic_assign_casts(LLVMValueRef cast) {
  LLVMValueRef exchange;
  switch (LLVMGetInstructionOpcode(cast)) {
  case LLVMZExt: return is_extended_wrongly(cast);
  case LLVMUIToFP: return begins_assignment(LLVMGetOperand(cast, 0));
  case LLVMFPToUI: return assignment_of(cast) || is_added(cast);
  case LLVMTrunc: exchange = assignment_of(cast); return exchange && is_boolean(exchange);
  default: return false;
  }
}

static Term is_above_one(TermStore *t, Term value) {
  return term_binary(t, TERM_ULT, term_constant(t, term_width(t, value), 1), value);
}

static Term is_negative(TermStore *t, Term value) {
  return term_binary(t, TERM_SLT, value, term_constant(t, term_width(t, value), 0));
}

// Does a floating-point number change when it is converted to an unsigned number of that width and back?
static Term is_changed(TermStore *t, Term number, unsigned width) {
  assert(width > 0);
  Term back =
      term_convert(t, TERM_FP_FROM_UINT, term_convert(t, TERM_FP_TO_UINT, number, width), term_width(t, number));
  return term_not(t, term_binary(t, TERM_FP_EQ, number, back));
}

static Term equals(TermStore *t, Term number, Bits integer) {
  Term other = term_convert(t, TERM_FP_FROM_UINT, term_constant(t, 8, integer), term_width(t, number));
  return term_binary(t, TERM_FP_EQ, number, other);
}

static Term is_number_wrong(Lowering *l, LLVMValueRef cast, Term number) {
  TermStore *t = l->terms;
  LLVMValueRef exchange = assignment_of(cast);
  if (!exchange) return is_changed(t, number, type_width(l->unit, LLVMTypeOf(cast)));
  if (is_boolean(exchange)) return term_not(t, term_or(t, equals(t, number, 0), equals(t, number, 1)));
  return term_binary(t, TERM_FP_LT, number, term_constant(t, term_width(t, number), 0));
}

void atomic_assign_check_cast(Lowering *l, LLVMValueRef cast, Term operand) {
  assert(operand != TERM_NONE && atomic_assign_casts(cast));
  Term condition;
  switch (LLVMGetInstructionOpcode(cast)) {
  case LLVMTrunc: condition = is_above_one(l->terms, operand); break;
  case LLVMFPToUI: condition = is_number_wrong(l, cast, operand); break;
  default: condition = is_negative(l->terms, operand); break;
  }
  builder_cut_if(l, condition, CUT_CONSTRUCT, wrong);
}

void atomic_assign_check_exchange(Lowering *l, LLVMValueRef exchange, Term desired) {
  if (is_assignment(exchange) && is_boolean(exchange))
    builder_cut_if(l, is_above_one(l->terms, desired), CUT_CONSTRUCT, wrong);
}
