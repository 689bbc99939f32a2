// Loads, stores, allocas, atomic operations, block operations.
#include "front/arithmetic/atomic_assign.h"
#include "front/objects/atomic_filling.h"
#include "front/objects/objects.h"
#include "front/objects/source_names.h"
#include "front/sites/sites.h"

#include <string.h>

static bool access_synchronises(const Lowering *l) { return l->top && l->top->library && !l->top->info->plain; }

static bool is_atomic(LLVMValueRef instruction) { return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic; }

static LLVMValueRef declaration_of(const Lowering *l, LLVMValueRef alloca) {
  return (LLVMValueRef)(uintptr_t)map_get_or(&l->top->info->declarations, pointer_key(alloca), 0);
}

static const char *variable_name(Lowering *l, LLVMValueRef alloca) {
  const char *declared = names_local(l, declaration_of(l, alloca)), *name = value_name(alloca);
  return declared ? declared : *name ? name : "tmp";
}

// --- allocas ---

// In the block of `from`, is the first use of the alloca after `from` a store of a whole value?
static bool stored_first(LLVMValueRef alloca, LLVMValueRef from) {
  for (LLVMValueRef i = LLVMGetNextInstruction(from); i; i = LLVMGetNextInstruction(i)) {
    int operands = LLVMGetNumOperands(i);
    for (int o = 0; o < operands; o++) {
      if (LLVMGetOperand(i, (unsigned)o) != alloca) continue;
      if (LLVMIsAStoreInst(i) && o == 1) return true;
      if (!LLVMIsACallInst(i) || strncmp(value_name(LLVMGetCalledValue(i)), "llvm.", 5) != 0) return false;
    }
  }
  return false;
}

void lower_make_indeterminate(Lowering *l, VariableId variable) {
  assert(variable < l->program->variables.count);
  builder_flush(l);
  Assignment fresh = {variable, VALUE_INDETERMINATE};
  Step step = builder_step(l);
  step.assignments = &fresh;
  step.assignment_count = 1;
  builder_emit(l, &step);
}

static void bind_variable(Lowering *l, LLVMValueRef alloca, VariableId variable) {
  assert(variable < l->program->variables.count);
  Binding binding = {.value = alloca, .variable = variable};
  map_put(&l->top->bindings, pointer_key(alloca), l->bindings.count);
  BindingVector_push(&l->bindings, binding);
}

// Is it clang's slot for the result of the function? It is read before a store only if control reaches the end of the
// function without a return statement. The caller must not use that result then, so that zero may stand for any value.
// Clang makes this alloca first and calls it "retval"; a variable of that name in the source gets a number behind it.
static bool is_result_slot(const Lowering *l, LLVMValueRef alloca) {
  const FunctionInfo *info = l->top->info;
  bool first = LLVMGetFirstInstruction(info->blocks[0]) == alloca,
       returns = LLVMGetTypeKind(LLVMGetReturnType(info->type)) != LLVMVoidTypeKind;
  return first && returns && strcmp(value_name(alloca), "retval") == 0 && !declaration_of(l, alloca);
}

// The size in bytes, of pointer width, with a cut where it is not constant and more than the limit; TERM_NONE if the
// number of elements has no term.
static Term alloca_bytes(Lowering *l, LLVMValueRef alloca) {
  uint64_t bytes = type_bytes(l->unit, LLVMGetAllocatedType(alloca));
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count)) builder_save_values_here(l);
  Term number = value_term(l, count);
  if (number == TERM_NONE) return TERM_NONE;
  number = term_resize_unsigned(l->terms, number, 64);
  if (!term_is_constant(l->terms, number)) {
    Term most = term_constant(l->terms, 64, bytes ? l->limits->object_bytes / bytes : UINT32_MAX);
    const char *what = intern_format(&l->program->strings, "an array of more than %u bytes", l->limits->object_bytes);
    builder_cut_if(l, term_not(l->terms, term_binary(l->terms, TERM_ULE, number, most)), CUT_BLOCK, what);
  }
  Term all = term_binary(l->terms, TERM_MUL, number, term_constant(l->terms, 64, bytes));
  return term_resize_unsigned(l->terms, all, l->unit->pointer_width);
}

static void alloca_object(Lowering *l, LLVMValueRef alloca) {
  uint64_t counter;
  Term size = alloca_bytes(l, alloca);
  if (size == TERM_NONE || l->current == NO_ID) return;
  const char *name = variable_name(l, alloca);
  if (map_get(&l->top->slot_counters, pointer_key(alloca), &counter))
    value_bind_one(l, alloca, site_alloca(l, alloca, size, (VariableId)counter, name));
  else
    stack_bind(l, alloca, size, name);
}

void lower_alloca(Lowering *l, LLVMValueRef alloca) {
  if (l->current == NO_ID) return;
  FunctionInfo *info = l->top->info;
  if (map_get_or(&info->allocas, pointer_key(alloca), ALLOCA_MEMORY) == ALLOCA_MEMORY) {
    alloca_object(l, alloca);
    return;
  }
  unsigned width = type_width(l->unit, LLVMGetAllocatedType(alloca));
  assert(width > 0);
  VariableId variable = program_add_variable(l->program, l->thread, width, variable_name(l, alloca), info->library);
  bool pointer = LLVMGetTypeKind(LLVMGetAllocatedType(alloca)) == LLVMPointerTypeKind;
  l->program->variables.data[variable].pointer = pointer && l->view.leaks && !info->library;
  l->program->variables.data[variable].shown = names_local_appearance(l, declaration_of(l, alloca));
  ByteVector_resize(&l->changes, l->program->variables.count);
  l->changes.data[variable] = true;
  bind_variable(l, alloca, variable);
  if (!is_result_slot(l, alloca) && !map_contains(&info->lifetimes, pointer_key(alloca)) &&
      !stored_first(alloca, alloca))
    lower_make_indeterminate(l, variable);
}

// --- loads and stores ---

static bool is_variable(const Binding *binding) { return binding && binding->variable != NO_ID; }

// Stores to an alloca that is a variable. One that is stored once is bound to the value itself if that is constant, or
// in a library model.
static void store_variable(Lowering *l, LLVMValueRef alloca, Binding *binding, Term value) {
  assert(is_variable(binding) && value != TERM_NONE);
  bool once = map_get_or(&l->top->info->allocas, pointer_key(alloca), ALLOCA_MEMORY) == ALLOCA_ONCE;
  if (once && (l->top->info->library || term_is_constant(l->terms, value))) {
    binding->terms = arena_copy(&l->scratch, &value, sizeof value);
    binding->term_count = 1;
    binding->uses_left = 1; // never counted down: alive as long as its activation
  }
  if (!once || !l->top->info->library) builder_assign(l, binding->variable, value);
}

void lower_load(Lowering *l, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  Binding *binding = value_binding(l, pointer);
  if (is_variable(binding)) {
    value_bind_one(l, load, binding->terms ? binding->terms[0] : builder_read(l, binding->variable));
    return;
  }
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  bool sync = is_atomic(load) || access_synchronises(l);
  l->volatile_access = LLVMGetVolatile(load);
  if (type_is_packed(LLVMTypeOf(load)) || !type_leaves(l->unit, LLVMTypeOf(load), 0, &leaves)) {
    builder_cut(l, CUT_CONSTRUCT, "load of a type that is not modelled");
  } else {
    if (leaves.count > 1) builder_flush(l);
    Term address = value_term(l, pointer);
    TermVector terms;
    TermVector_init(&terms, l->account);
    for (size_t i = 0; address != TERM_NONE && i < leaves.count; i++) {
      Term place = term_add_constant(l->terms, address, leaves.data[i].offset);
      unsigned width = type_width(l->unit, leaves.data[i].type);
      Term known = never_written_load(l, place, width);
      TermVector_push(&terms, known != TERM_NONE ? known : builder_load(l, place, width, sync, value_name(load)));
    }
    value_bind(l, load, terms.data, (uint32_t)terms.count);
    TermVector_free(&terms);
  }
  l->volatile_access = false;
  LeafVector_free(&leaves);
}

void lower_store(Lowering *l, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  bool sync = is_atomic(store) || access_synchronises(l);
  l->volatile_access = LLVMGetVolatile(store);
  if (type_is_packed(LLVMTypeOf(value)) || !type_leaves(l->unit, LLVMTypeOf(value), 0, &leaves)) {
    builder_cut(l, CUT_CONSTRUCT, "store of a type that is not modelled");
  } else {
    if (leaves.count > 1) builder_flush(l);
    uint32_t count;
    const Term *terms = value_terms(l, value, &count);
    Binding *binding = value_binding(l, pointer);
    if (is_variable(binding)) {
      if (terms && count == 1) store_variable(l, pointer, binding, terms[0]);
    } else {
      Term address = value_term(l, pointer);
      for (uint32_t i = 0; terms && address != TERM_NONE && i < count; i++)
        builder_store(l, term_add_constant(l->terms, address, leaves.data[i].offset), terms[i], sync);
    }
  }
  l->volatile_access = false;
  LeafVector_free(&leaves);
}

// --- atomic operations ---

// One indivisible step that reads `width` bits into a temporary and stores a function of it.
static VariableId begin_exchange(Lowering *l, Step *step, Term address, unsigned width, const char *name) {
  assert(width % 8 == 0 && width <= 128);
  *step = builder_step(l);
  step->access.address = address;
  step->access.bytes = (uint8_t)(width / 8);
  step->access.reads = step->access.writes = step->access.synchronises = true;
  step->access.into = builder_temporary(l, width, name);
  return step->access.into;
}

// A weak exchange may fail for no reason.
static Term spurious_failure(Lowering *l, LLVMValueRef instruction) {
  return LLVMGetWeak(instruction) ? builder_fresh(l, 1, VALUE_INPUT, "spurious_failure") : term_false(l->terms);
}

void lower_cmpxchg(Lowering *l, LLVMValueRef instruction) {
  builder_flush(l);
  Term fails = spurious_failure(l, instruction);
  Term address = value_term(l, LLVMGetOperand(instruction, 0));
  Term expected = value_term(l, LLVMGetOperand(instruction, 1));
  Term desired = value_term(l, LLVMGetOperand(instruction, 2));
  if (l->current == NO_ID || address == TERM_NONE || expected == TERM_NONE || desired == TERM_NONE) return;
  atomic_assign_check_exchange(l, instruction, desired);
  Step step;
  VariableId into = begin_exchange(l, &step, address, term_width(l->terms, expected), "old");
  Term old = variable_term(l->program, into);
  Term success = term_and(l->terms, term_eq(l->terms, old, expected), term_not(l->terms, fails));
  step.access.stored = term_ite(l->terms, success, desired, old);
  // `expected` may change after this step: remember the outcome.
  bool loses = atomic_filling_loses(instruction);
  VariableId outcome = builder_temporary(l, 1, "exchanged");
  VariableId lost = loses ? builder_temporary(l, 1, "lost") : NO_ID;
  Assignment remember[] = {{outcome, success}, {lost, term_ne(l->terms, old, expected)}};
  step.assignments = remember;
  step.assignment_count = loses ? 2 : 1;
  builder_emit(l, &step);
  if (loses)
    builder_cut_if(l, variable_term(l->program, lost), CUT_CONSTRUCT,
                   "a failing compare-exchange of an _Atomic struct of odd size");
  Term leaves[] = {old, variable_term(l->program, outcome)};
  value_bind(l, instruction, leaves, 2);
}

static Term rmw_result(Lowering *l, LLVMAtomicRMWBinOp op, Term old, Term operand) {
  TermStore *t = l->terms;
  switch (op) {
  case LLVMAtomicRMWBinOpXchg: return operand;
  case LLVMAtomicRMWBinOpAdd: return term_add(t, old, operand);
  case LLVMAtomicRMWBinOpSub: return term_sub(t, old, operand);
  case LLVMAtomicRMWBinOpAnd: return term_and(t, old, operand);
  case LLVMAtomicRMWBinOpNand: return term_not(t, term_and(t, old, operand));
  case LLVMAtomicRMWBinOpOr: return term_or(t, old, operand);
  case LLVMAtomicRMWBinOpXor: return term_binary(t, TERM_XOR, old, operand);
  case LLVMAtomicRMWBinOpMax: return term_ite(t, term_binary(t, TERM_SLT, old, operand), operand, old);
  case LLVMAtomicRMWBinOpMin: return term_ite(t, term_binary(t, TERM_SLT, operand, old), operand, old);
  case LLVMAtomicRMWBinOpUMax: return term_ite(t, term_binary(t, TERM_ULT, old, operand), operand, old);
  case LLVMAtomicRMWBinOpUMin: return term_ite(t, term_binary(t, TERM_ULT, operand, old), operand, old);
  case LLVMAtomicRMWBinOpFAdd: return term_binary(t, TERM_FP_ADD, old, operand);
  case LLVMAtomicRMWBinOpFSub: return term_binary(t, TERM_FP_SUB, old, operand);
  default: return TERM_NONE;
  }
}

void lower_atomicrmw(Lowering *l, LLVMValueRef instruction) {
  Term address = value_term(l, LLVMGetOperand(instruction, 0));
  Term operand = value_term(l, LLVMGetOperand(instruction, 1));
  if (l->current == NO_ID || address == TERM_NONE || operand == TERM_NONE) return;
  Step step;
  VariableId into = begin_exchange(l, &step, address, term_width(l->terms, operand), "old");
  step.access.stored = rmw_result(l, LLVMGetAtomicRMWBinOp(instruction), variable_term(l->program, into), operand);
  if (step.access.stored == TERM_NONE) {
    builder_cut(l, CUT_CONSTRUCT, "atomic operation that is not modelled");
    return;
  }
  builder_emit(l, &step);
  value_bind_one(l, instruction, variable_term(l->program, into));
}

static void emit_block(Lowering *l, StepKind kind, BlockOperation operation) {
  assert(kind == STEP_COPY || kind == STEP_FILL || kind == STEP_HAVOC || kind == STEP_READ);
  if (l->current == NO_ID) return;
  Step step = builder_step(l);
  step.kind = kind;
  step.block = arena_copy(&l->program->arena, &operation, sizeof operation);
  builder_emit(l, &step);
}

void lower_block_operation(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length) {
  if (kind != STEP_HAVOC && length == 0) return;
  AccessReading reading = builder_reading(l, access_synchronises(l));
  emit_block(l, kind,
             (BlockOperation){destination, source, length, reading.synchronises, false, reading.is_volatile,
                              reading.innocent, NO_ID});
}

void lower_user_block(Lowering *l, StepKind kind, Term destination, Term source, uint64_t length) {
  assert(kind != STEP_HAVOC);
  if (length == 0) return;
  emit_block(l, kind,
             (BlockOperation){.destination = destination, .source = source, .length = length, .callback = NO_ID});
}

void lower_doubtful_writes(Lowering *l, Term destination, CutId callback) {
  assert(destination != TERM_NONE && (callback == NO_ID || callback < l->program->cuts.count));
  emit_block(l, STEP_HAVOC, (BlockOperation){.destination = destination, .doubtful = true, .callback = callback});
}
