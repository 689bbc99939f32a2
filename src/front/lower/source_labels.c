// Labels of the source, and the lines that are executed after them, for formulas that mention labels.
#include "front/lower/lower.h"

#include <string.h>

static bool is_debug_intrinsic(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) && starts_with(value_name(LLVMGetCalledValue(instruction)), "llvm.dbg.");
}

// The target of an unconditional branch, else NULL. Such a branch often has the line of a statement before the label.
static LLVMBasicBlockRef plain_successor(LLVMValueRef instruction) {
  return LLVMIsABranchInst(instruction) && !LLVMIsConditional(instruction) ? LLVMGetSuccessor(instruction, 0) : NULL;
}

// May something else than the next instruction be executed next: after a branch, or a call of the user's function?
static bool leaves(const Lowering *l, LLVMValueRef instruction) {
  if (LLVMIsATerminatorInst(instruction)) return true;
  if (!LLVMIsACallInst(instruction)) return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  LLVMValueRef definition = LLVMIsAFunction(callee) ? unit_definition(l->unit, callee) : NULL;
  return !LLVMIsAFunction(callee) || (definition && LLVMGetGlobalParent(definition) == l->unit->user);
}

// False: there is no room for more.
static bool add_line(Label *label, uint32_t line) {
  for (size_t i = 0; i < MOST_LABEL_LINES; i++) {
    if (label->lines[i] == line || line == 0) return true;
    if (label->lines[i] == 0) {
      label->lines[i] = line;
      return true;
    }
  }
  return false;
}

// Adds the lines of the code after the label, as far as there is only one way.
static void add_lines(const Lowering *l, LLVMValueRef call, Label *label) {
  size_t jumps_left = LLVMCountBasicBlocks(l->top->info->function);
  LLVMValueRef i = LLVMGetNextInstruction(call);
  while (i) {
    LLVMBasicBlockRef next = plain_successor(i);
    bool endless = next && jumps_left-- == 0; // nothing but this is done for ever
    bool silent = (next && !endless) || is_debug_intrinsic(i) || LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i);
    if (!silent && (!add_line(label, LLVMGetDebugLocLine(i)) || endless || leaves(l, i))) return;
    i = next ? LLVMGetFirstInstruction(next) : LLVMGetNextInstruction(i);
  }
}

// Does other code on the label's line come before it? Its column is smaller, or both come from one macro.
static bool is_crowded(LLVMValueRef call) {
  assert(is_debug_intrinsic(call));
  unsigned line = LLVMGetDebugLocLine(call), column = LLVMGetDebugLocColumn(call);
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  bool before = true;
  for (; block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      if (i == call) before = false;
      if (LLVMGetDebugLocLine(i) != line || plain_successor(i) || is_debug_intrinsic(i)) continue;
      unsigned here = LLVMGetDebugLocColumn(i);
      if (here < column || (before && here == column)) return true;
    }
  return false;
}

static bool is_same(const Label *a, const Label *b) {
  return a->name == b->name && a->function == b->function && a->crowded == b->crowded &&
         memcmp(a->lines, b->lines, sizeof a->lines) == 0;
}

void lower_label(Lowering *l, LLVMValueRef call) {
  Program *p = l->program;
  LLVMValueRef operands[8], node = LLVMGetOperand(call, 0);
  if (l->top->info->library || !LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) > 8) return;
  LLVMGetMDNodeOperands(node, operands);
  unsigned length;
  const char *name = LLVMGetMDNodeNumOperands(node) > 1 && operands[1] ? LLVMGetMDString(operands[1], &length) : NULL;
  if (!name) return;
  Label label = {.name = intern_format(&p->strings, "%.*s", (int)length, name),
                 .function = intern(&p->strings, l->top->info->name),
                 .crowded = is_crowded(call) ? LLVMGetDebugLocLine(call) : 0};
  add_lines(l, call, &label);
  for (size_t i = 0; i < p->labels.count; i++)
    if (is_same(&p->labels.data[i], &label)) return;
  LabelVector_push(&p->labels, label);
}
