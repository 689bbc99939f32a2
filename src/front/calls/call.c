#include "front/arithmetic/arithmetic.h"
#include "front/assembly/assembly.h"
#include "front/calls/calls.h"
#include "front/objects/objects.h"
#include "front/threads/threads.h"

#include <string.h>

// The lists are copies: bindings may be rebound while the callee is lowered.
CallArguments call_arguments(Lowering *l, LLVMValueRef call) {
  CallArguments a = {.count = LLVMGetNumArgOperands(call), .call = call, .complete = true};
  a.lists = arena_allocate_zeroed(&l->scratch, a.count * sizeof *a.lists + 1);
  a.counts = arena_allocate_zeroed(&l->scratch, a.count * sizeof *a.counts + 1);
  for (size_t i = 0; i < a.count; i++) {
    const Term *terms = value_terms(l, LLVMGetOperand(call, (unsigned)i), &a.counts[i]);
    if (terms) a.lists[i] = arena_copy(&l->scratch, terms, a.counts[i] * sizeof *terms);
    if (!terms && l->current != NO_ID) a.complete = false;
  }
  return a;
}

// Does a call of the function store arguments in memory? That takes steps of its own, so that nothing may be pending
// when the arguments are read.
static bool passes_through_memory(LLVMValueRef function) {
  assert(LLVMIsAFunction(function));
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function))) return true;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetEnumAttributeAtIndex(function, i + 1, attribute_kind("byval"))) return true;
  return false;
}

static void call_defined(Lowering *l, LLVMValueRef call, LLVMValueRef definition) {
  if (passes_through_memory(definition)) builder_flush(l);
  CallArguments a = call_arguments(l, call);
  if (!a.complete) return;
  uint32_t count;
  const Term *result = lower_inline(l, definition, &a, &count);
  bool wanted = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  if (result && count && wanted) result = lower_convert(l, LLVMTypeOf(call), result, count);
  if (result && count && wanted) value_bind(l, call, result, count);
}

// Is it a model that does nothing but say that the function is not modelled?
static bool is_refusing_model(const FrontUnit *unit, LLVMValueRef definition) {
  if (LLVMGetGlobalParent(definition) != unit->models || LLVMCountBasicBlocks(definition) != 1) return false;
  LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(definition);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i) && strcmp(value_name(LLVMGetCalledValue(i)), "__heddle_unmodelled") == 0) return true;
  return false;
}

void call_callee(Lowering *l, LLVMValueRef call, LLVMValueRef callee) {
  assert(LLVMIsAFunction(callee));
  const char *name = value_name(callee);
  if (starts_with(name, "llvm.")) {
    if (!lower_intrinsic(l, call, name))
      builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "intrinsic %s", name));
    return;
  }
  if (lower_primitive(l, call, callee, name)) return;
  LLVMValueRef definition = unit_definition(l->unit, callee);
  bool seen = !l->top->info->library || (definition && LLVMGetGlobalParent(definition) == l->unit->user);
  const FrontReplaced *replaced = seen ? unit_replaced(l->view.slice, definition ? definition : callee) : NULL;
  if (replaced || (l->view.slice && definition && is_refusing_model(l->unit, definition))) {
    call_replaced(l, call, name, replaced && replaced->pure);
    return;
  }
  bool modelled = definition && LLVMGetGlobalParent(definition) == l->unit->models;
  if (modelled && lower_mathematics(l, call, name)) return;
  if (!definition || unit_function(l->unit, definition)->library) cancel_before_call(l, name);
  if (definition)
    call_defined(l, call, definition);
  else
    call_undefined(l, call, name);
}

// The function that is called, if that is known here; else NULL.
static LLVMValueRef known_callee(Lowering *l, LLVMValueRef callee) {
  while (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  if (LLVMIsAFunction(callee)) return callee;
  const Binding *binding = value_binding(l, callee);
  return binding && binding->terms ? function_at(l, binding->terms[0]) : NULL;
}

void lower_call(Lowering *l, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    lower_assembly(l, call, callee);
    return;
  }
  LLVMValueRef known = known_callee(l, callee);
  if (known)
    call_callee(l, call, known);
  else
    call_through_pointer(l, call);
}

const Term *call_function(Lowering *l, LLVMValueRef function, const Term *arguments, size_t count,
                          uint32_t *result_count) {
  const Term *lists[CALL_MOST_SCALARS];
  uint32_t counts[CALL_MOST_SCALARS];
  assert(count <= CALL_MOST_SCALARS);
  for (size_t i = 0; i < count; i++) {
    lists[i] = &arguments[i];
    counts[i] = 1;
  }
  CallArguments a = {.lists = lists, .counts = counts, .count = count, .complete = true};
  return lower_inline(l, function, &a, result_count);
}
