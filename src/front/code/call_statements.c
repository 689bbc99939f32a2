// Calls. What is passed by value in memory (byval) is copied by the caller, into an automatic object of its own.
#include "front/code/reader.h"

static LLVMValueRef called(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  while (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  return callee;
}

static bool is_call(LLVMValueRef i) { return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i); }

// --- how many arguments calls pass ---

static void count_arguments(Reader *r, LLVMValueRef call) {
  LLVMValueRef callee = called(call);
  unsigned count = LLVMGetNumArgOperands(call);
  if (!LLVMIsAFunction(callee)) {
    if (count > r->most_arguments) r->most_arguments = count;
  } else if (count > map_get_or(&r->call_arguments, pointer_key(callee), 0)) {
    map_put(&r->call_arguments, pointer_key(callee), count);
  }
}

void read_count_arguments(Reader *r) {
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (is_call(i)) count_arguments(r, i);
}

// --- arguments ---

static LLVMTypeRef type_by_value(LLVMValueRef call, unsigned argument) {
  LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, attribute_kind("byval"));
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static CodeOperand copied_argument(Reader *r, CodeOperand place, uint64_t size) {
  size_t mark = r->pending.count;
  CodeOperand copy = reader_emit_new(r, CODE_LOCAL, mark);
  uint32_t object = reader_local(r, NULL, size);
  CodeStatementVector_last(&r->statements)->object = object;
  r->objects.data[object].lasting = true; // it is used by the call, and nowhere else
  reader_push_operand(r, copy);
  reader_push_operand(r, place);
  reader_emit(r, CODE_COPY_BLOCK, NULL, mark)->size = size;
  return copy;
}

// Among variable arguments, or of a function without a prototype: the callee reads the value itself as an argument,
// with all addresses in it, or is given the address of the copy.
static CodeOperand variable_argument(Reader *r, CodeOperand copy, uint64_t size) {
  size_t mark = r->pending.count;
  reader_push_operand(r, copy);
  CodeOperand value = reader_emit_new(r, CODE_LOAD, mark);
  CodeStatementVector_last(&r->statements)->size = size;
  reader_push_operand(r, copy);
  reader_push_operand(r, value);
  return reader_emit_new(r, CODE_CHOICE, mark);
}

static void push_argument(Reader *r, LLVMValueRef call, unsigned i) {
  CodeOperand value = read_operand(r, LLVMGetOperand(call, i));
  LLVMTypeRef type = type_by_value(call, i);
  uint64_t size = type ? LLVMABISizeOfType(r->layout, type) : 0;
  bool variable = i >= LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
  if (size > 0) value = copied_argument(r, value, size);
  if (size > 0 && variable) value = variable_argument(r, value, size);
  reader_push_operand(r, value);
}

// --- calls ---

// Functions of this kind return again later: what is known of the thread before is not known then.
static bool returns_again(LLVMValueRef callee) {
  static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (LLVMIsAFunction(callee) && strcmp(value_name(callee), names[i]) == 0) return LLVMCountBasicBlocks(callee) == 0;
  return false;
}

void read_call(Reader *r, LLVMValueRef call) {
  LLVMValueRef callee = called(call);
  if (LLVMIsAInlineAsm(callee)) {
    read_assembly(r, call);
    return;
  }
  if (LLVMIsAFunction(callee) && starts_with(value_name(callee), "llvm.")) {
    read_intrinsic(r, call, value_name(callee));
    return;
  }
  size_t mark = r->pending.count;
  bool again = returns_again(callee);
  if (!again) reader_push(r, callee);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) push_argument(r, call, i);
  CodeStatement *statement =
      reader_emit(r, again ? CODE_OPAQUE : CODE_CALL, reader_has_value(call) ? call : NULL, mark);
  if (again) {
    statement->note = "setjmp";
    statement->jump_buffer = true;
  }
}

void read_indirect_function(Reader *r, LLVMValueRef function) {
  const CodeFunction *f = &r->functions.data[r->function];
  size_t mark = r->pending.count;
  reader_push(r, LLVMGetGlobalIFuncResolver(function));
  CodeOperand chosen = reader_emit_new(r, CODE_CALL, mark);
  reader_push_operand(r, chosen);
  for (uint32_t i = 0; i < f->parameter_count; i++)
    reader_push_operand(r, (CodeOperand){.kind = CODE_REGISTER, .id = f->first_parameter + i});
  CodeOperand result = reader_emit_new(r, CODE_CALL, mark);
  reader_push_operand(r, result);
  reader_emit(r, CODE_RETURN, NULL, mark);
}
