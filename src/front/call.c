// Calls: direct, through pointers, of undefined functions.
#include "front/lower.h"

#include <string.h>

typedef struct Arguments {
  const Term **lists;
  uint32_t *counts;
  size_t count;
  bool complete; // false: one of them cannot be modelled
} Arguments;

// The lists are copies: bindings may be rebound while the callee is lowered.
static Arguments fetch_arguments(Lowering *l, LLVMValueRef call) {
  Arguments a = {.count = LLVMGetNumArgOperands(call), .complete = true};
  unsigned by_value = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
  for (unsigned i = fixed; i < a.count; i++)
    if (LLVMGetCallSiteEnumAttribute(call, i + 1, by_value))
      builder_cut(l, CUT_CONSTRUCT, "struct as a variable argument");
  a.lists = arena_allocate_zeroed(&l->scratch, a.count * sizeof *a.lists + 1);
  a.counts = arena_allocate_zeroed(&l->scratch, a.count * sizeof *a.counts + 1);
  for (size_t i = 0; i < a.count; i++) {
    const Term *terms = value_terms(l, LLVMGetOperand(call, (unsigned)i), &a.counts[i]);
    if (terms) a.lists[i] = arena_copy(&l->scratch, terms, a.counts[i] * sizeof *terms);
    if (!terms && l->current != NO_ID) a.complete = false;
  }
  return a;
}

// Any value of the call's type.
static void bind_fresh(Lowering *l, LLVMValueRef call, const char *name) {
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  if (!type_leaves(l->unit, LLVMTypeOf(call), 0, &leaves)) {
    builder_cut(l, CUT_CONSTRUCT, "result of a type that is not modelled");
  } else {
    TermVector terms;
    TermVector_init(&terms, l->account);
    for (size_t i = 0; i < leaves.count; i++)
      TermVector_push(&terms, builder_fresh(l, type_width(l->unit, leaves.data[i].type), VALUE_INPUT, name));
    value_bind(l, call, terms.data, (uint32_t)terms.count);
    TermVector_free(&terms);
  }
  LeafVector_free(&leaves);
}

// An undefined function returns any value and may write through its pointer arguments.
static void call_undefined(Lowering *l, LLVMValueRef call, const char *name) {
  l->program->assumptions |= 1u << ASSUME_UNDEFINED_FUNCTION;
  builder_flush(l);
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    uint32_t leaf_count;
    const Term *terms = value_terms(l, argument, &leaf_count);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind;
    if (!terms || !pointer || leaf_count != 1 || function_at(l, terms[0])) continue;
    if (term_is_constant(l->terms, terms[0]) && term_constant_value(l->terms, terms[0]) == 0) continue;
    lower_block_operation(l, STEP_HAVOC, terms[0], TERM_NONE, 0);
  }
  elsewhere_forget(l);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && l->current != NO_ID) bind_fresh(l, call, name);
}

static void step_of_kind(Lowering *l, StepKind kind) {
  if (l->current == NO_ID) return;
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = kind;
  if (kind == STEP_ATOMIC_BEGIN) l->atomic_depth++;
  if (kind == STEP_ATOMIC_END && l->atomic_depth > 0) l->atomic_depth--;
  builder_emit(l, &step);
}

// Arguments that are put into memory take steps of their own: nothing may be pending when they are read.
static bool passes_through_memory(LLVMValueRef function) {
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function))) return true;
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetEnumAttributeAtIndex(function, i + 1, kind)) return true;
  return false;
}

// Functions with a body: inlined. `__VERIFIER_atomic_*` run as one atomic section.
static void call_defined(Lowering *l, LLVMValueRef call, LLVMValueRef definition, const char *name) {
  bool atomic = starts_with(name, "__VERIFIER_atomic_");
  if (atomic) step_of_kind(l, STEP_ATOMIC_BEGIN);
  if (passes_through_memory(definition)) builder_flush(l);
  Arguments a = fetch_arguments(l, call);
  if (!a.complete) return;
  uint32_t count;
  const Term *result = lower_inline(l, definition, a.lists, a.counts, a.count, &count);
  bool wanted = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  if (result && count && wanted) result = lower_fit(l, LLVMTypeOf(call), result, count);
  if (result && count && wanted) value_bind(l, call, result, count);
  if (atomic) step_of_kind(l, STEP_ATOMIC_END);
}

// --- calls through a pointer ---

static bool same_shape(LLVMTypeRef a, LLVMTypeRef b) {
  if (a == b) return true;
  if (LLVMIsFunctionVarArg(b)) return LLVMGetReturnType(a) == LLVMGetReturnType(b);
  unsigned count = LLVMCountParamTypes(a);
  if (count != LLVMCountParamTypes(b) || LLVMGetReturnType(a) != LLVMGetReturnType(b)) return false;
  LLVMTypeRef left[32], right[32];
  if (count > 32) return false;
  LLVMGetParamTypes(a, left);
  LLVMGetParamTypes(b, right);
  for (unsigned i = 0; i < count; i++)
    if (left[i] != right[i]) return false;
  return true;
}

// The case split: one edge per candidate, results meeting in variables.
typedef struct Split {
  LLVMValueRef call;
  Term pointer, rest; // rest: none of the candidates so far
  LocationId start, join;
  unsigned depth;
  Arguments arguments;
  Term *results;
  uint32_t result_count;
} Split;

static void join_case(Lowering *l, Split *split, const Term *result, uint32_t count) {
  if (l->current == NO_ID) return;
  if (result) result = arena_copy(&l->scratch, result, count * sizeof *result);
  builder_settle(l);
  if (split->join == NO_ID) {
    split->join = builder_location(l);
    split->results = arena_allocate(&l->scratch, count * sizeof(Term) + 1);
    split->result_count = count;
    for (uint32_t i = 0; i < count; i++)
      split->results[i] = variable_term(l->program, builder_temporary(l, term_width(l->terms, result[i]), "called"));
  }
  for (uint32_t i = 0; i < count && i < split->result_count; i++)
    builder_assign(l, program_variable_of_term(l->program, split->results[i]), result[i]);
  Step step = builder_step(l);
  builder_emit_to(l, &step, split->join, true);
}

static void call_candidate(Lowering *l, Split *split, LLVMValueRef function) {
  Term chosen = points_to_function(l, split->pointer, function);
  split->rest = term_and(l->terms, split->rest, term_not(l->terms, chosen));
  if (term_is_false(l->terms, chosen)) return;
  l->current = split->start;
  l->atomic_depth = split->depth;
  Step enter = builder_step(l);
  enter.guard = chosen;
  builder_emit(l, &enter);
  LLVMValueRef definition = unit_definition(l->unit, function);
  uint32_t count = 0;
  const Term *result = NULL;
  const char *name = value_name(function);
  if (strcmp(name, "reach_error") == 0 || strcmp(name, "__VERIFIER_error") == 0)
    lower_primitive(l, split->call, function, name);
  else if (definition)
    result =
        lower_inline(l, definition, split->arguments.lists, split->arguments.counts, split->arguments.count, &count);
  else
    builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "call of %s through a pointer", name));
  join_case(l, split, result, count);
}

// Calling a function of another type is undefined in C; what a compiler makes of it is not modelled.
static void cut_candidate(Lowering *l, Split *split, LLVMValueRef function) {
  Term chosen = points_to_function(l, split->pointer, function);
  if (term_is_false(l->terms, chosen)) return;
  split->rest = term_and(l->terms, split->rest, term_not(l->terms, chosen));
  l->current = split->start;
  l->atomic_depth = split->depth;
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = chosen;
  cut.target =
      program_add_cut(l->program, CUT_CONSTRUCT, "call through a pointer to a function of another type", l->position);
  builder_end(l, &cut);
}

static void call_through_pointer(Lowering *l, LLVMValueRef call) {
  builder_settle_here(l);
  Split split = {.call = call, .join = NO_ID, .depth = l->atomic_depth, .rest = term_true(l->terms)};
  split.pointer = value_term(l, LLVMGetCalledValue(call));
  split.arguments = fetch_arguments(l, call);
  split.start = l->current;
  if (l->current == NO_ID || split.pointer == TERM_NONE || !split.arguments.complete) return;
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    LLVMValueRef function = (LLVMValueRef)(uintptr_t)l->unit->taken.data[i];
    if (same_shape(LLVMGlobalGetValueType(function), type))
      call_candidate(l, &split, function);
    else
      cut_candidate(l, &split, function);
  }
  // Anything else is no function: dereferencing the pointer ends the execution.
  l->current = split.start;
  l->atomic_depth = split.depth;
  Step odd = builder_step(l);
  odd.guard = split.rest;
  builder_emit(l, &odd);
  builder_load(l, split.pointer, 8, true, "callee");
  builder_cut(l, CUT_CONSTRUCT, "call of something that is no function");
  l->current = split.join;
  l->atomic_depth = split.depth;
  if (split.result_count) value_bind(l, call, split.results, split.result_count);
}

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
    bind_fresh(l, call, "assembly");
  } else {
    builder_cut(l, CUT_CONSTRUCT, "inline assembly with several outputs");
  }
}

static void call_inline_assembly(Lowering *l, LLVMValueRef call, LLVMValueRef assembly) {
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
  size_t blank = strspn(text, " \t\n");
  if (blank < length)
    builder_cut(l, CUT_CONSTRUCT, "inline assembly");
  else if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    bind_assembly_outputs(l, call, assembly);
}

// Functions of the C library that have no model: what they compute is known, so that any value would be too much.
static bool is_known_library(const char *name) {
  static const char *const names[] = {"sin",   "cos",    "tan",     "asin",      "acos",     "atan",  "atan2", "sinh",
                                      "cosh",  "tanh",   "exp",     "exp2",      "expm1",    "log",   "log2",  "log10",
                                      "log1p", "pow",    "fmod",    "remainder", "cbrt",     "hypot", "ldexp", "frexp",
                                      "modf",  "lround", "llround", "lrint",     "llrint",   "fma",   "ffs",   "ffsl",
                                      "ffsll", "logb",   "ilogb",   "scalbn",    "nextafter"};
  size_t length = strlen(name);
  bool narrow = length > 1 && name[length - 1] == 'f';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t own = strlen(names[i]);
    if (strncmp(names[i], name, own) == 0 && (length == own || (narrow && length == own + 1))) return true;
  }
  return false;
}

void lower_call(Lowering *l, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) {
    call_inline_assembly(l, call, callee);
    return;
  }
  if (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  if (!LLVMIsAFunction(callee)) {
    uint64_t constant = 0;
    Binding *binding = value_binding(l, callee);
    if (binding && binding->terms && function_at(l, binding->terms[0]))
      constant = (uint64_t)(uintptr_t)function_at(l, binding->terms[0]);
    callee = (LLVMValueRef)(uintptr_t)constant;
    if (!callee) {
      call_through_pointer(l, call);
      return;
    }
  }
  const char *name = value_name(callee);
  if (starts_with(name, "llvm.")) {
    if (!lower_intrinsic(l, call, name))
      builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "intrinsic %s", name));
    return;
  }
  if (lower_primitive(l, call, callee, name)) return;
  LLVMValueRef definition = unit_definition(l->unit, callee);
  if (strcmp(name, "exit") == 0 && LLVMGetNamedGlobal(l->unit->user, "llvm.global_dtors"))
    builder_cut(l, CUT_CONSTRUCT, "exit in a program with destructor functions");
  else if (definition)
    call_defined(l, call, definition, name);
  else if (is_known_library(name))
    builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "library function %s", name));
  else
    call_undefined(l, call, name);
}
