// Checks of signed arithmetic, as module/overflow_checks.cpp leaves them.
#include "front/arithmetic/arithmetic.h"
#include "front/calls/calls.h"
#include "program/check.h"

// What clang describes an operation with: where it is, then the type of its left operand and, of a shift only, that of
// its right one. A type is 16 bits that say of what kind it is, 16 bits of which the lowest is set if it is signed, and
// its name in quotes.
static LLVMValueRef described_type(LLVMValueRef description, unsigned index) {
  LLVMValueRef fields = LLVMIsAGlobalVariable(description) ? LLVMGetInitializer(description) : NULL;
  if (!fields || LLVMGetNumOperands(fields) <= (int)index) return NULL;
  LLVMValueRef type = LLVMGetOperand(fields, index);
  return LLVMIsAGlobalVariable(type) ? LLVMGetInitializer(type) : NULL;
}

static bool is_signed(LLVMValueRef type) {
  LLVMValueRef info = type ? LLVMGetAggregateElement(type, 1) : NULL;
  return !info || !LLVMIsAConstantInt(info) || (LLVMConstIntGetZExtValue(info) & 1);
}

static const char *type_name(Lowering *l, LLVMValueRef type) {
  LLVMValueRef name = type ? LLVMGetAggregateElement(type, 2) : NULL;
  if (!name || !LLVMIsConstantString(name)) return "its type";
  size_t length;
  const char *text = LLVMGetAsString(name, &length);
  while (length > 0 && text[length - 1] == '\0') length--;
  bool quoted = length > 2 && text[0] == '\'' && text[length - 1] == '\'';
  return intern_format(&l->program->strings, "%.*s", (int)(quoted ? length - 2 : length), quoted ? text + 1 : text);
}

static const PropertyCheck *describe(Lowering *l, LLVMValueRef call, OverflowOperation operation) {
  assert(operation < OVERFLOW_OPERATION_COUNT);
  LLVMValueRef description = LLVMGetOperand(call, 1);
  bool shift = operation == OVERFLOW_SHIFT_LEFT || operation == OVERFLOW_SHIFT_RIGHT;
  LLVMValueRef left = described_type(description, 1), right = shift ? described_type(description, 2) : left;
  PropertyCheck check = {.subject = CHECK_OVERFLOW,
                         .operation = operation,
                         .type = type_name(l, left),
                         .left_signed = is_signed(left),
                         .right_signed = is_signed(right)};
  return arena_copy(&l->program->arena, &check, sizeof check);
}

void lower_overflow_check(Lowering *l, LLVMValueRef call) {
  enum { FIRST_OPERAND = 3, MOST_OPERANDS = 2 };
  if (!l->view.overflows || l->current == NO_ID) return;
  builder_flush(l);
  Term good = call_argument(l, call, 0);
  if (good == TERM_NONE || term_is_true(l->terms, good)) return;
  OverflowOperation operation = (OverflowOperation)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2));
  unsigned count = LLVMGetNumArgOperands(call) - FIRST_OPERAND;
  assert(count <= MOST_OPERANDS);
  Assignment kept[MOST_OPERANDS];
  for (unsigned i = 0; i < count; i++) {
    Term operand = call_argument(l, call, FIRST_OPERAND + i);
    if (operand == TERM_NONE) return;
    kept[i] = (Assignment){builder_temporary(l, term_width(l->terms, operand), i ? "right" : "left"), operand};
  }
  Step step = builder_step(l);
  step.kind = STEP_CHECK;
  step.operand = term_not(l->terms, good);
  step.check = describe(l, call, operation);
  step.assignments = kept;
  step.assignment_count = count;
  builder_emit(l, &step);
}
