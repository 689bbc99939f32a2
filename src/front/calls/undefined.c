// Functions without a body, a model or a fixed meaning.
//
// An undefined function returns any value and may write through its pointer arguments, up to the end of each object.
// That it does nothing else is an assumption of the answer, which names the function. It may also call a function that
// it gets, now or later from another thread: if its arguments lead to a function's address, the call is a cut.
//
// A function of C or POSIX that has no model has one correct result, which the model does not know. So its result is
// guessed (a violation that depends on it does not count), and a call with pointers as arguments or result is a cut.
//
// In a slice (front_slice.h) calls of replaced functions, of undefined ones and of those without a model are all
// lowered as undefined, but without the cut for callbacks.
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

static void guess(Lowering *l, Term fresh) {
  assert(fresh != TERM_NONE);
  VariableId variable = program_variable_of_term(l->program, fresh);
  if (variable != NO_ID) l->program->variables.data[variable].guessed = true;
}

static void bind_fresh(Lowering *l, LLVMValueRef call, const char *name, bool guessed) {
  assert(LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind);
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  if (!type_leaves(l->unit, LLVMTypeOf(call), 0, &leaves)) {
    builder_cut(l, CUT_CONSTRUCT, "result of a type that is not modelled");
  } else {
    TermVector terms;
    TermVector_init(&terms, l->account);
    for (size_t i = 0; i < leaves.count; i++) {
      Term fresh = builder_fresh(l, type_width(l->unit, leaves.data[i].type), VALUE_INPUT, name);
      if (guessed) guess(l, fresh);
      TermVector_push(&terms, fresh);
    }
    value_bind(l, call, terms.data, (uint32_t)terms.count);
    TermVector_free(&terms);
  }
  LeafVector_free(&leaves);
}

// Marks pointers among the results: they may point to objects that the model does not have.
static void note_pointers(Lowering *l, LLVMValueRef call) {
  const Binding *binding = value_binding(l, call);
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  type_leaves(l->unit, LLVMTypeOf(call), 0, &leaves);
  for (uint32_t i = 0; binding && i < binding->term_count && i < leaves.count; i++) {
    if (LLVMGetTypeKind(leaves.data[i].type) != LLVMPointerTypeKind) continue;
    VariableId variable = program_variable_of_term(l->program, binding->terms[i]);
    if (variable != NO_ID) l->program->variables.data[variable].handed = true;
  }
  LeafVector_free(&leaves);
}

void call_bind_fresh(Lowering *l, LLVMValueRef call, const char *name) { bind_fresh(l, call, name, false); }
void call_bind_guess(Lowering *l, LLVMValueRef call, const char *name) { bind_fresh(l, call, name, true); }

static bool has_pointers(Lowering *l, LLVMTypeRef type) {
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  bool found = !type_leaves(l->unit, type, 0, &leaves);
  for (size_t i = 0; i < leaves.count && !found; i++)
    found = LLVMGetTypeKind(leaves.data[i].type) == LLVMPointerTypeKind;
  LeafVector_free(&leaves);
  return found;
}

static bool passes_pointers(Lowering *l, LLVMValueRef call) {
  LLVMTypeRef result = LLVMTypeOf(call);
  if (LLVMGetTypeKind(result) != LLVMVoidTypeKind && has_pointers(l, result)) return true;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (has_pointers(l, LLVMTypeOf(LLVMGetOperand(call, i)))) return true;
  return false;
}

static void call_reserved(Lowering *l, LLVMValueRef call, const char *name) {
  builder_flush(l);
  if (strcmp(name, "fesetround") == 0 || passes_pointers(l, call)) {
    builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "library function %s", name));
    return;
  }
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) bind_fresh(l, call, name, true);
}

static bool is_null(const Lowering *l, Term term) {
  return term_is_constant(l->terms, term) && term_constant_value(l->terms, term) == 0;
}

// What `pointer` points to becomes indeterminate; `callback` is the cut for a function in its reach.
static void havoc(Lowering *l, Term pointer, CutId callback) {
  if (!is_null(l, pointer)) lower_doubtful_writes(l, pointer, callback);
}

// A struct passed by value is the callee's own copy.
static Term copy_of_struct(Lowering *l, Term source, LLVMAttributeRef by_value) {
  assert(LLVMIsTypeAttribute(by_value));
  uint64_t bytes = type_bytes(l->unit, LLVMGetTypeAttributeValue(by_value));
  Term copy = object_address(l, stack_hidden_object(l, bytes, "by value"));
  lower_block_operation(l, STEP_COPY, copy, source, bytes);
  return copy;
}

// Is the argument an address that is converted to an integer right here, as in (long)&x?
static bool is_address_as_number(LLVMValueRef argument) {
  if (LLVMIsAPtrToIntInst(argument)) return true;
  return LLVMIsAConstantExpr(argument) && LLVMGetConstOpcode(argument) == LLVMPtrToInt;
}

static void havoc_argument(Lowering *l, LLVMValueRef call, unsigned i, const Term *terms, uint32_t count,
                           CutId callback) {
  assert(i < LLVMGetNumArgOperands(call) && (callback == NO_ID || callback < l->program->cuts.count));
  LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(call, i + 1, attribute_kind("byval"));
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  type_leaves(l->unit, LLVMTypeOf(LLVMGetOperand(call, i)), 0, &leaves);
  bool address = is_address_as_number(LLVMGetOperand(call, i));
  for (uint32_t leaf = 0; leaf < count && leaf < leaves.count; leaf++) {
    if (!address && LLVMGetTypeKind(leaves.data[leaf].type) != LLVMPointerTypeKind) continue;
    havoc(l, by_value ? copy_of_struct(l, terms[leaf], by_value) : terms[leaf], callback);
  }
  LeafVector_free(&leaves);
}

// The cut for a function in the reach of the arguments; NO_ID in a slice.
static CutId callback_cut(Lowering *l, const char *name) {
  if (l->view.slice) return NO_ID;
  const char *what =
      intern_format(&l->program->strings, "undefined function %s, which may call what it is handed", name);
  return program_add_cut(l->program, CUT_CONSTRUCT, what, l->position);
}

static void write_through_arguments(Lowering *l, LLVMValueRef call, const CallArguments *a, const char *name) {
  CutId callback = callback_cut(l, name);
  for (unsigned i = 0; i < a->count; i++)
    if (a->lists[i]) havoc_argument(l, call, i, a->lists[i], a->counts[i], callback);
  declared_only_havoc(l, callback);
}

// The call returns any value and writes through its arguments, unless it is pure.
static void call_unknown(Lowering *l, LLVMValueRef call, const char *name, bool pure) {
  CallArguments a = call_arguments(l, call);
  if (!a.complete || l->current == NO_ID) return;
  program_rely(l->program, ASSUME_UNDEFINED_FUNCTION, name, l->position);
  if (!pure) write_through_arguments(l, call, &a, name);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind || l->current == NO_ID) return;
  call_bind_fresh(l, call, name);
  note_pointers(l, call);
}

// fork and its like return in the parent only: in the child there are no other threads.
static void return_in_parent(Lowering *l, LLVMValueRef call, const char *name) {
  const Binding *result = value_binding(l, call);
  bool forks = strcmp(name, "fork") == 0 || strcmp(name, "vfork") == 0 || strcmp(name, "_Fork") == 0;
  if (!forks || l->current == NO_ID || !result || !result->terms || result->term_count != 1) return;
  Term zero = term_constant(l->terms, term_width(l->terms, result->terms[0]), 0);
  builder_wait(l, STEP_ASSUME, term_not(l->terms, term_eq(l->terms, result->terms[0], zero)));
}

// The step at which the call begins stays in the program, so that traces show which replaced functions were called.
void call_replaced(Lowering *l, LLVMValueRef call, const char *name, bool pure) {
  assert(l->view.slice);
  builder_flush(l);
  bool own = !l->position.library;
  if (own) l->position.model = intern(&l->program->strings, name);
  Step mark = builder_step(l);
  mark.replaced = true;
  mark.position.model = intern(&l->program->strings, name);
  if (l->current != NO_ID) builder_emit(l, &mark);
  call_unknown(l, call, name, pure);
  return_in_parent(l, call, name);
  if (own) l->position.model = NULL;
}

void call_undefined(Lowering *l, LLVMValueRef call, const char *name) {
  if (l->view.slice) {
    call_replaced(l, call, name, false);
    return;
  }
  if (starts_with(name, "__builtin_")) { // a builtin that gcc has and clang does not
    builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "library function %s", name));
    return;
  }
  if (is_reserved_name(name)) {
    call_reserved(l, call, name);
    return;
  }
  builder_flush(l);
  bool own = !l->position.library; // inside a model, `model` already names the function that the user called
  if (own) l->position.model = intern(&l->program->strings, name);
  call_unknown(l, call, name, false);
  if (own) l->position.model = NULL;
}
