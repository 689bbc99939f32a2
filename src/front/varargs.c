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
  ObjectId object = memory_stack_object(l, bytes, "variable arguments");
  callee->varargs = object_address(l, object);
  uint64_t at = 0;
  for (size_t i = first; i < count; i++) {
    for (uint32_t leaf = 0; arguments[i] && leaf < counts[i]; leaf++) {
      builder_store(l, term_add_constant(l->terms, callee->varargs, at), arguments[i][leaf], false);
      at += slot_bytes(l, arguments[i][leaf]);
    }
  }
}

void varargs_keep(Lowering *l, Activation *callee, const Term *const *arguments, const uint32_t *counts, size_t first,
                  size_t count) {
  callee->first_kept = l->bindings.count;
  for (size_t i = first; i < count; i++) {
    Binding kept = {.value = callee->info->function, .uses_left = 1, .variable = NO_ID};
    kept.term_count = arguments[i] ? counts[i] : 0;
    kept.terms = arena_copy(&l->scratch, arguments[i], kept.term_count * sizeof(Term));
    BindingVector_push(&l->bindings, kept);
  }
  callee->kept_count = l->bindings.count - callee->first_kept;
}

void lower_argument(Lowering *l, LLVMValueRef call) {
  Term number = call_argument(l, call, 0);
  if (number == TERM_NONE || l->current == NO_ID) return;
  assert(term_is_constant(l->terms, number));
  size_t index = (size_t)term_constant_value(l->terms, number);
  const Binding *kept = index < l->top->kept_count ? &l->bindings.data[l->top->first_kept + index] : NULL;
  if (!kept || kept->term_count != 1)
    builder_cut(l, CUT_CONSTRUCT, "a variable argument that is missing, or no number");
  else
    value_bind_one(l, call, term_resize_unsigned(l->terms, kept->terms[0], type_width(l->unit, LLVMTypeOf(call))));
}

// Puts arguments that were kept into memory.
static void pass_kept(Lowering *l) {
  Activation *top = l->top;
  if (top->varargs != TERM_NONE || !top->info->library || !LLVMIsFunctionVarArg(top->info->type)) return;
  const Term **lists = arena_allocate_zeroed(&l->scratch, top->kept_count * sizeof *lists + 1);
  uint32_t *counts = arena_allocate_zeroed(&l->scratch, top->kept_count * sizeof *counts + 1);
  builder_flush(l);
  for (size_t i = 0; i < top->kept_count; i++) {
    const Binding *kept = &l->bindings.data[top->first_kept + i];
    lists[i] = kept->terms;
    counts[i] = kept->term_count;
  }
  varargs_pass(l, top, lists, counts, 0, top->kept_count);
}

// Makes `list` a va_list that stands at the first variable argument.
static void begin_list(Lowering *l, Term list) {
  pass_kept(l);
  Term first = l->top->varargs;
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

Term varargs_list(Lowering *l) {
  builder_flush(l);
  if (l->unit->pointer_width == 32) { // the list itself is the pointer
    pass_kept(l);
    return l->top->varargs;
  }
  Term list = object_address(l, memory_stack_object(l, RECORD_BYTES, "argument list"));
  begin_list(l, list);
  return list;
}

void varargs_start(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term list = value_term(l, LLVMGetOperand(call, 0));
  if (list != TERM_NONE && l->current != NO_ID) begin_list(l, list);
}

void varargs_copy(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term to = value_term(l, LLVMGetOperand(call, 0)), from = value_term(l, LLVMGetOperand(call, 1));
  if (to == TERM_NONE || from == TERM_NONE) return;
  lower_block_operation(l, STEP_COPY, to, from, l->unit->pointer_width == 32 ? 4 : RECORD_BYTES);
}
