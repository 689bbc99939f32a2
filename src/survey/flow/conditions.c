#include "survey/flow/conditions.h"

// A change of width: of a number that is 0 exactly if the result is.
static CodeOperand through_width(const Code *code, CodeOperand operand) {
  while (operand.kind == CODE_REGISTER) {
    uint32_t made = code->register_statements[operand.id];
    if (made == NO_CODE_ID || code->statements[made].operand_count != 1) return operand;
    bool same = code->statements[made].kind == CODE_CHOICE && code->statements[made].selects;
    if (code->statements[made].kind != CODE_COMPUTE && !same) return operand;
    operand = code_operand(code, &code->statements[made], 0);
  }
  return operand;
}

// The register that is `zero` (or not) if the condition is `is_zero`. Follows comparisons with numbers and changes of
// width.
static uint32_t settled(const Code *code, CodeOperand condition, bool is_zero, bool zero) {
  for (condition = through_width(code, condition); condition.kind == CODE_REGISTER;) {
    uint32_t made = code->register_statements[condition.id];
    const CodeStatement *s = made == NO_CODE_ID ? NULL : &code->statements[made];
    bool compares = s && s->kind == CODE_COMPARE && s->operand_count == 2 &&
                    (s->comparison == CODE_EQUAL || s->comparison == CODE_UNEQUAL);
    if (!compares) return is_zero == zero ? condition.id : NO_CODE_ID;
    CodeOperand left = through_width(code, code_operand(code, s, 0)), right = code_operand(code, s, 1);
    if (right.kind != CODE_NUMBER) return NO_CODE_ID;
    bool equal = (s->comparison == CODE_EQUAL) != is_zero;
    if (right.number != 0) return equal && !zero && left.kind == CODE_REGISTER ? left.id : NO_CODE_ID;
    is_zero = equal;
    condition = left;
  }
  return NO_CODE_ID;
}

static bool edge_says(const CodeEdge *edge, bool *is_zero) {
  *is_zero = edge->kind == CODE_IF_ZERO || (edge->kind == CODE_IF_EQUAL && edge->number == 0);
  return *is_zero || edge->kind == CODE_IF_NONZERO || (edge->kind == CODE_IF_EQUAL && edge->number != 0);
}

uint32_t condition_zero(const Code *code, const CodeBlock *block, const CodeEdge *edge) {
  bool is_zero;
  return edge_says(edge, &is_zero) ? settled(code, block->condition, is_zero, true) : NO_CODE_ID;
}

uint32_t condition_nonzero(const Code *code, const CodeBlock *block, const CodeEdge *edge) {
  bool is_zero;
  return edge_says(edge, &is_zero) ? settled(code, block->condition, is_zero, false) : NO_CODE_ID;
}
