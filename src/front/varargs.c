// Variable arguments of functions with a body: a stack object that va_arg walks through.
//
// ILP32: a va_list is a pointer to the next argument. LP64: it is a record of register and memory areas; its offsets
// are set so that all registers count as used up, and everything is taken from the memory area.
#include "front/lower.h"

enum { USED_GENERAL = 48, USED_FLOATING = 176, RECORD_BYTES = 24 };

static uint64_t slot_bytes(const Lowering *l, Term value) {
  uint64_t word = l->unit->pointer_width / 8, bytes = (term_width(l->terms, value) + 7) / 8;
  return (bytes + word - 1) / word * word;
}

void varargs_pass(Lowering *l, Activation *callee, const Term *const *arguments, const uint32_t *counts, size_t first,
                  size_t count) {
  uint64_t bytes = 0;
  for (size_t i = first; i < count; i++)
    for (uint32_t leaf = 0; arguments[i] && leaf < counts[i]; leaf++) bytes += slot_bytes(l, arguments[i][leaf]);
  ObjectId object = memory_stack_object(l, bytes, 16, "variable arguments");
  callee->varargs = object_address(l, object);
  uint64_t at = 0;
  for (size_t i = first; i < count; i++) {
    for (uint32_t leaf = 0; arguments[i] && leaf < counts[i]; leaf++) {
      builder_store(l, term_add_constant(l->terms, callee->varargs, at), arguments[i][leaf], false);
      at += slot_bytes(l, arguments[i][leaf]);
    }
  }
}

void varargs_start(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term list = value_term(l, LLVMGetOperand(call, 0)), first = l->top->varargs;
  if (list == TERM_NONE || l->current == NO_ID) return;
  if (first == TERM_NONE) {
    builder_cut(l, CUT_CONSTRUCT, "va_start without variable arguments");
    return;
  }
  if (l->unit->pointer_width == 32) {
    builder_store(l, list, first, false);
    return;
  }
  builder_store(l, list, term_constant(l->terms, 32, USED_GENERAL), false);
  builder_store(l, term_add_constant(l->terms, list, 4), term_constant(l->terms, 32, USED_FLOATING), false);
  builder_store(l, term_add_constant(l->terms, list, 8), first, false);
  builder_store(l, term_add_constant(l->terms, list, 16), constant_address(l, 0), false);
}

void varargs_copy(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term to = value_term(l, LLVMGetOperand(call, 0)), from = value_term(l, LLVMGetOperand(call, 1));
  if (to == TERM_NONE || from == TERM_NONE) return;
  lower_block_operation(l, STEP_COPY, to, from, l->unit->pointer_width == 32 ? 4 : RECORD_BYTES);
}
