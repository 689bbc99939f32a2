// Inline assembly.
#include "front/lower.h"

#include <string.h>

// In an assembly without text an output holds what is tied to it ("+r"), or anything.
static void bind_assembly_outputs(Lowering *l, LLVMValueRef call, LLVMValueRef assembly) {
  size_t length;
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &length);
  unsigned outputs = 0, inputs = 0, tied = UINT32_MAX;
  for (const char *at = constraints; *at; at += strcspn(at, ","), at += *at == ',') {
    if (*at == '=')
      outputs++;
    else if (*at != '~') {
      if (*at == '0' && tied == UINT32_MAX) tied = inputs;
      inputs++;
    }
  }
  if (outputs == 1 && tied != UINT32_MAX && tied < LLVMGetNumArgOperands(call)) {
    Term kept = call_argument(l, call, tied);
    if (kept != TERM_NONE) value_bind_one(l, call, kept);
  } else if (outputs == 1) {
    call_bind_fresh(l, call, "assembly");
  } else {
    builder_cut(l, CUT_CONSTRUCT, "inline assembly with several outputs");
  }
}

void lower_assembly(Lowering *l, LLVMValueRef call, LLVMValueRef assembly) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  size_t blank = strspn(text, " \t\n");
  if (blank < length)
    builder_cut(l, CUT_CONSTRUCT, "inline assembly");
  else if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    bind_assembly_outputs(l, call, assembly);
}
