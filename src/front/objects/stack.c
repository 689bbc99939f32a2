// Objects of automatic variables: the begins (births) and ends of their lifetimes. Only `valid-memsafety` sees these.
//
// An object has one address for all its births (in the iterations of a loop, in repeated calls). A pointer to an
// earlier lifetime would therefore look valid. So an object whose address may outlive it has a twin with another
// address. In each execution of the thread at most one birth, any one, gives the twin instead of the object, and the
// twin is not born again. A pointer that is used after its lifetime is invalid in the execution that gives the twin
// for that lifetime.
#include "front/objects/atomic_filling.h"
#include "front/objects/objects.h"
#include "front/objects/scope.h"
#include "front/objects/source_names.h"
#include "front/sites/sites.h"

// `size`: the size of an object of variable length, whose birth is always a step; TERM_NONE: the length is fixed.
static void birth_of_object(Lowering *l, ObjectId object, Term size) {
  if ((!l->view.lifetimes && size == TERM_NONE) || object == NO_ID) return;
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = STEP_ALLOCATE;
  step.target = object;
  step.operand = size;
  builder_emit(l, &step);
}

static void step_on_object(Lowering *l, StepKind kind, ObjectId object) {
  assert(kind == STEP_END);
  if (!l->view.lifetimes || object == NO_ID) return;
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = kind;
  step.target = object;
  builder_emit(l, &step);
}

// What a new automatic object has to be like.
typedef struct ObjectRequest {
  uint64_t bytes, alignment;
  Term size; // of an object of variable length: as many of its bytes are there; else TERM_NONE
  const char *name;
  bool zeroed; // holds zeros at first, not any value
} ObjectRequest;

static ObjectId new_object(Lowering *l, const ObjectRequest *request) {
  uint64_t alignment = request->alignment > OBJECT_ALIGNMENT ? request->alignment : OBJECT_ALIGNMENT;
  ObjectId id =
      program_add_aligned_object(l->program, request->bytes, alignment, STORAGE_STACK, l->thread, request->name);
  if (id == NO_ID) return id;
  Object *object = &l->program->objects.data[id];
  object->indeterminate = !request->zeroed;
  object->sized = request->size != TERM_NONE;
  object->dynamic = l->view.lifetimes || object->sized;
  return id;
}

static LLVMValueRef declaration_of(const Lowering *l, LLVMValueRef alloca) {
  return (LLVMValueRef)(uintptr_t)map_get_or(&l->top->info->declarations, pointer_key(alloca), 0);
}

// --- births ---

// Emits the step that begins the lifetime of `object` and selects it as the object that the address refers to.
static void emit_birth(Lowering *l, const Binding *local, ObjectId object, Term size, bool twin, LocationId to) {
  assert(local->chosen != NO_ID && l->twin_born != NO_ID);
  Assignment assignments[2] = {{local->chosen, term_constant(l->terms, 1, twin)}, {l->twin_born, term_true(l->terms)}};
  Step step = builder_step(l);
  step.kind = STEP_ALLOCATE;
  step.target = object;
  step.operand = size;
  step.assignments = assignments;
  step.assignment_count = twin ? 2 : 1;
  if (twin) step.guard = term_not(l->terms, variable_term(l->program, l->twin_born));
  builder_emit_to(l, &step, to, false);
}

// `size` as above. Nothing is pending afterwards if the object has a twin or its birth is a step.
static void birth(Lowering *l, const Binding *local, Term size) {
  if (local->twin == NO_ID) {
    birth_of_object(l, local->object, size);
    return;
  }
  builder_save_values_here(l);
  if (l->current == NO_ID) return;
  LocationId to = builder_location(l);
  emit_birth(l, local, local->object, size, false, to);
  emit_birth(l, local, local->twin, size, true, to);
  l->current = to;
}

static void end(Lowering *l, const Binding *local) {
  assert(local->address);
  step_on_object(l, STEP_END, local->object);
  step_on_object(l, STEP_END, local->twin);
}

// A binding, not yet pushed, with a new object and perhaps its twin. Without room the object is NO_ID and the address
// TERM_NONE.
static Binding new_local(Lowering *l, const ObjectRequest *request, bool with_twin) {
  Binding local = {.variable = NO_ID, .address = true, .twin = NO_ID, .chosen = NO_ID, .term_count = 1};
  Term address = TERM_NONE;
  local.object = new_object(l, request);
  if (local.object != NO_ID) address = object_address(l, local.object);
  if (local.object != NO_ID && with_twin) local.twin = new_object(l, request);
  if (local.twin != NO_ID) {
    if (l->twin_born == NO_ID) l->twin_born = builder_temporary(l, 1, "watched");
    local.chosen = builder_temporary(l, 1, "chosen");
    address = term_ite(l->terms, variable_term(l->program, local.chosen), object_address(l, local.twin), address);
  }
  local.terms = arena_copy(&l->scratch, &address, sizeof address);
  assert(local.twin == NO_ID || local.chosen != NO_ID);
  if (local.object == NO_ID) builder_cut(l, CUT_SIZE, "an object that does not fit into the address space");
  return local;
}

static bool needs_twin(Lowering *l, LLVMValueRef value) {
  return l->view.lifetimes && !l->top->info->library && scope_born_again(l, value) &&
         scope_address_is_kept(l->unit, value);
}

Term stack_parameter(Lowering *l, LLVMValueRef parameter, uint64_t bytes, uint64_t alignment, const char *name) {
  ObjectRequest request = {.bytes = bytes, .alignment = alignment, .size = TERM_NONE, .name = name};
  Binding local = new_local(l, &request, needs_twin(l, parameter));
  local.value = l->top->info->function;
  birth(l, &local, TERM_NONE);
  BindingVector_push(&l->bindings, local);
  return local.terms[0];
}

ObjectId stack_hidden_object(Lowering *l, uint64_t bytes, const char *name) {
  ObjectRequest request = {.bytes = bytes, .alignment = OBJECT_ALIGNMENT, .size = TERM_NONE, .name = name};
  Binding local = new_local(l, &request, false);
  local.value = l->top->info->function;
  birth(l, &local, TERM_NONE);
  BindingVector_push(&l->bindings, local);
  return local.object;
}

static ObjectRequest request_of(const Lowering *l, LLVMValueRef alloca, Term size, const char *name) {
  assert(size != TERM_NONE);
  ObjectRequest request = {.alignment = LLVMGetAlignment(alloca), .size = TERM_NONE, .name = name};
  request.zeroed = atomic_filling_in(alloca);
  bool fixed = term_is_constant(l->terms, size);
  request.bytes = fixed ? (uint64_t)term_constant_value(l->terms, size) : l->limits->object_bytes;
  if (!fixed) request.size = size;
  return request;
}

void stack_bind(Lowering *l, LLVMValueRef alloca, Term size, const char *name) {
  ObjectRequest request = request_of(l, alloca, size, name);
  Binding local = new_local(l, &request, needs_twin(l, alloca));
  if (local.object == NO_ID) return;
  names_parts_of_local(l, local.object, declaration_of(l, alloca));
  if (local.twin != NO_ID) names_parts_of_local(l, local.twin, declaration_of(l, alloca));
  bool marked = map_contains(&l->top->info->lifetimes, pointer_key(alloca));
  bool now = !marked && !scope_has(l->top->info, alloca);
  if (now) birth(l, &local, request.size);
  // A variable that is born again in each iteration is indeterminate then. (Allocas at the entry are stored to first.)
  bool again = now && !scope_is_fixed(l->top->info, alloca) && lower_in_loop(l);
  if (again) lower_block_operation(l, STEP_HAVOC, local.terms[0], TERM_NONE, 0);
  value_bind_one(l, alloca, local.terms[0]);
  Binding *binding = value_binding(l, alloca);
  if (!binding || l->current == NO_ID) return;
  local.value = alloca;
  local.uses_left = binding->uses_left;
  *binding = local;
}

Term stack_slot(Lowering *l, LLVMValueRef alloca, Term size, const char *name) {
  ObjectRequest request = request_of(l, alloca, size, name);
  Binding local = new_local(l, &request, false);
  if (local.object == NO_ID) return TERM_NONE;
  local.value = alloca;
  birth(l, &local, request.size);
  if (l->top->in_loop) lower_block_operation(l, STEP_HAVOC, local.terms[0], TERM_NONE, 0);
  BindingVector_push(&l->bindings, local);
  return local.terms[0];
}

void stack_slot_counters(Lowering *l) {
  const FunctionInfo *info = l->top->info;
  for (size_t i = 0; i < info->repeated.count; i++) {
    VariableId counter = builder_temporary(l, SLOT_COUNTER_BITS, "handed_out");
    assert(LLVMIsAAllocaInst((LLVMValueRef)(uintptr_t)info->repeated.data[i]));
    map_put(&l->top->slot_counters, info->repeated.data[i], counter);
    if (l->top->in_loop) builder_assign(l, counter, term_constant(l->terms, SLOT_COUNTER_BITS, 0));
  }
}

// --- markers ---

static bool is_variable(const Binding *binding) { return binding->variable != NO_ID; }

void stack_birth(Lowering *l, LLVMValueRef alloca, bool forget) {
  const Binding *binding = value_binding(l, alloca);
  if (!binding || l->current == NO_ID) return;
  if (is_variable(binding)) {
    bool once = map_get_or(&l->top->info->allocas, pointer_key(alloca), ALLOCA_MEMORY) == ALLOCA_ONCE;
    if (!once && forget) lower_make_indeterminate(l, binding->variable);
    return;
  }
  if (!binding->address) return;
  assert(binding->terms && binding->object != NO_ID);
  Term address = binding->terms[0];
  birth(l, binding, TERM_NONE);
  builder_flush(l);
  if (forget && lower_in_loop(l)) lower_block_operation(l, STEP_HAVOC, address, TERM_NONE, 0);
}

void stack_end(Lowering *l, LLVMValueRef alloca) {
  const Binding *binding = value_binding(l, alloca);
  if (l->current != NO_ID && binding && binding->address) end(l, binding);
}

// --- ends without a marker ---

void stack_return(Lowering *l) {
  if (!l->view.lifetimes) return;
  const FunctionInfo *info = l->top->info;
  for (size_t i = l->top->first_binding; i < l->bindings.count && l->current != NO_ID; i++) {
    const Binding *binding = &l->bindings.data[i];
    if (binding->address && !map_contains(&info->lifetimes, pointer_key(binding->value))) end(l, binding);
  }
}

void stack_abandon(Lowering *l, size_t first) {
  if (!l->view.lifetimes) return;
  for (size_t i = first; i < l->bindings.count && l->current != NO_ID; i++)
    if (l->bindings.data[i].address) end(l, &l->bindings.data[i]);
}

// The llvm.stacksave whose result `restored` is, read back from the slot that clang keeps it in; NULL: not found.
static LLVMValueRef saved_by(LLVMValueRef restored) {
  if (!LLVMIsALoadInst(restored)) return LLVMIsACallInst(restored) ? restored : NULL;
  LLVMValueRef slot = LLVMGetOperand(restored, 0);
  for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMIsACallInst(LLVMGetOperand(user, 0))) return LLVMGetOperand(user, 0);
  }
  return NULL;
}

// Is `later` lowered after `instruction`? The order of lowering has dominators first.
static bool comes_before(const FunctionInfo *info, LLVMValueRef instruction, LLVMValueRef later) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction), other = LLVMGetInstructionParent(later);
  if (block != other)
    return map_get_or(&info->block_index, pointer_key(block), 0) <
           map_get_or(&info->block_index, pointer_key(other), 0);
  for (LLVMValueRef i = instruction; i; i = LLVMGetNextInstruction(i))
    if (i == later) return true;
  return false;
}

// Ends the objects that were allocated since the stack was saved: arrays of variable length and memory from alloca().
void stack_restore(Lowering *l, LLVMValueRef call) {
  const FunctionInfo *info = l->top->info;
  LLVMValueRef save = l->view.lifetimes ? saved_by(LLVMGetOperand(call, 0)) : NULL;
  for (size_t i = l->top->first_binding; save && i < l->bindings.count && l->current != NO_ID; i++) {
    const Binding *binding = &l->bindings.data[i];
    if (!binding->address || !LLVMIsAAllocaInst(binding->value) || scope_is_fixed(info, binding->value)) continue;
    if (comes_before(info, save, binding->value)) end(l, binding);
  }
}
