// Threads, activations and blocks: the walk over the code.
#include "front/arithmetic/arithmetic.h"
#include "front/calls/calls.h"
#include "front/objects/objects.h"
#include "front/objects/scope.h"
#include "front/sites/sites.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

bool lower_in_loop(const Lowering *l) {
  return l->restart != NO_ID || (l->top && (l->top->in_loop || l->top->block_in_cycle));
}

// --- positions ---

// The name that the user gave to the file. A file that is included by the one with the atoms of a formula has "./"
// before its name; it is removed.
static const char *file_name(Lowering *l, const char *name, unsigned length) {
  bool included = l->unit->atom_count > 0 && length > 2 && name[0] == '.' && name[1] == '/';
  return intern_format(&l->program->strings, "%.*s", (int)length - 2 * included, name + 2 * included);
}

static void set_place(Lowering *l, LLVMValueRef instruction, Position *position) {
  unsigned length;
  const char *file = LLVMGetDebugLocFilename(instruction, &length);
  position->file = file ? file_name(l, file, length) : NULL;
  position->line = LLVMGetDebugLocLine(instruction);
  position->column = LLVMGetDebugLocColumn(instruction);
}

static Position instruction_position(Lowering *l, LLVMValueRef instruction) {
  const Activation *top = l->top;
  assert(top);
  if (top->info->library) return top->call_site;
  Position position = l->position;
  position.library = false;
  position.model = NULL;
  position.function = intern(&l->program->strings, top->info->name);
  position.calls = top->calls;
  if (LLVMGetDebugLocLine(instruction) != 0) set_place(l, instruction, &position);
  return position;
}

Position lower_function_position(Lowering *l, LLVMValueRef function) {
  Position position = l->position;
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
  if (!file) return position;
  unsigned length;
  const char *name = LLVMDIFileGetFilename(file, &length);
  position.file = file_name(l, name, length);
  position.line = LLVMDISubprogramGetLine(subprogram);
  position.column = 0;
  return position;
}

Position lower_return_position(Lowering *l, LLVMValueRef function) {
  Position position = l->position;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    bool returns = last && LLVMGetInstructionOpcode(last) == LLVMRet;
    if (returns && LLVMGetDebugLocLine(last) != 0) set_place(l, last, &position);
  }
  return position;
}

// A new source line is a new step, so that traces can show what each line did.
static void enter_position(Lowering *l, LLVMValueRef instruction) {
  if (LLVMIsAPHINode(instruction) || LLVMIsAAllocaInst(instruction)) return;
  Position position = instruction_position(l, instruction);
  bool moved = position.line != l->pending_position.line || position.file != l->pending_position.file;
  if (l->pending.count && moved) builder_flush(l);
  l->position = position;
}

// --- blocks ---

// The variable of a phi: assigned on every edge into its block.
static void bind_phis(Lowering *l, Activation *activation, LLVMBasicBlockRef block) {
  assert(activation == l->top);
  LLVMValueRef phi = LLVMGetFirstInstruction(block);
  for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    LeafVector leaves;
    LeafVector_init(&leaves, l->account);
    type_leaves(l->unit, LLVMTypeOf(phi), 0, &leaves);
    Binding binding = {.value = phi, .term_count = (uint32_t)leaves.count, .variable = NO_ID};
    binding.terms = arena_allocate(&l->scratch, leaves.count * sizeof(Term) + 1);
    binding.uses_left = (uint32_t)map_get_or(&activation->info->uses, pointer_key(phi), 0);
    for (size_t i = 0; i < leaves.count; i++) {
      size_t length;
      VariableId v = builder_temporary(l, type_width(l->unit, leaves.data[i].type), LLVMGetValueName2(phi, &length));
      binding.terms[i] = variable_term(l->program, v);
    }
    map_put(&activation->bindings, pointer_key(phi), l->bindings.count);
    BindingVector_push(&l->bindings, binding);
    LeafVector_free(&leaves);
  }
}

static LocationId block_location(Lowering *l, LLVMBasicBlockRef block) {
  Activation *activation = l->top;
  uint64_t known;
  if (map_get(&activation->locations, pointer_key(block), &known)) {
    if (map_get_or(&activation->depths, pointer_key(block), 0) != l->atomic_depth) {
      builder_cut(l, CUT_CONSTRUCT, "atomic section that begins or ends on one branch only");
      return NO_ID;
    }
    return (LocationId)known;
  }
  LocationId location = builder_location(l);
  map_put(&activation->locations, pointer_key(block), location);
  map_put(&activation->depths, pointer_key(block), l->atomic_depth);
  bind_phis(l, activation, block);
  return location;
}

// The phi assignments of the edge from `from` to `to`, appended to `assignments`.
static void phi_assignments(Lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to, AssignmentVector *assignments) {
  LLVMValueRef phi = LLVMGetFirstInstruction(to);
  for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    unsigned incoming = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < incoming; i++) {
      if (LLVMGetIncomingBlock(phi, i) != from) continue;
      uint32_t count;
      const Term *terms = value_terms(l, LLVMGetIncomingValue(phi, i), &count);
      Binding *target = value_binding(l, phi);
      assert(target && target->terms);
      for (uint32_t leaf = 0; terms && leaf < count && leaf < target->term_count; leaf++) {
        VariableId v = program_variable_of_term(l->program, target->terms[leaf]);
        AssignmentVector_push(assignments, (Assignment){v, terms[leaf]});
      }
      break;
    }
  }
}

// An edge from the present point to a block of the same activation, taken under `guard`.
static void go_to_block(Lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to, Term guard) {
  if (l->current == NO_ID || term_is_false(l->terms, guard)) return;
  LocationId location = block_location(l, to);
  if (location == NO_ID) return;
  AssignmentVector assignments;
  AssignmentVector_init(&assignments, l->account);
  phi_assignments(l, from, to, &assignments);
  Step step = builder_step(l);
  step.guard = guard;
  step.assignments = assignments.data;
  step.assignment_count = (uint32_t)assignments.count;
  builder_emit_to(l, &step, location, false);
  AssignmentVector_free(&assignments);
}

// Before a branch to blocks with phis: saves values, so that nothing is pending when the values for the phis are read.
static void save_values_for_phis(Lowering *l, LLVMValueRef terminator) {
  unsigned successors = LLVMGetNumSuccessors(terminator);
  for (unsigned i = 0; i < successors; i++) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetSuccessor(terminator, i));
    if (!LLVMIsAPHINode(first)) continue;
    builder_save_values_here(l);
    return;
  }
}

static void lower_branch(Lowering *l, LLVMValueRef branch) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(branch);
  save_values_for_phis(l, branch);
  if (!LLVMIsConditional(branch)) {
    builder_save_values(l);
    go_to_block(l, from, LLVMGetSuccessor(branch, 0), term_true(l->terms));
    return;
  }
  Term condition = value_term(l, LLVMGetCondition(branch));
  if (condition == TERM_NONE) return;
  builder_save_values(l);
  go_to_block(l, from, LLVMGetSuccessor(branch, 0), condition);
  go_to_block(l, from, LLVMGetSuccessor(branch, 1), term_not(l->terms, condition));
}

static void lower_switch(Lowering *l, LLVMValueRef instruction) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(instruction);
  save_values_for_phis(l, instruction);
  Term subject = value_term(l, LLVMGetOperand(instruction, 0));
  if (subject == TERM_NONE) return;
  builder_save_values(l);
  Term none = term_true(l->terms);
  unsigned successors = LLVMGetNumSuccessors(instruction);
  for (unsigned i = 1; i < successors; i++) {
    Term label = value_term(l, LLVMGetOperand(instruction, 2 * i));
    if (label == TERM_NONE) return;
    Term match = term_eq(l->terms, subject, label);
    go_to_block(l, from, LLVMGetSuccessor(instruction, i), match);
    none = term_and(l->terms, none, term_not(l->terms, match));
  }
  go_to_block(l, from, LLVMGetSwitchDefaultDest(instruction), none);
}

// goto *p: the successors are the labels whose address is taken.
static void lower_computed_goto(Lowering *l, LLVMValueRef instruction) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(instruction);
  save_values_for_phis(l, instruction);
  Term target = value_term(l, LLVMGetOperand(instruction, 0));
  if (target == TERM_NONE) return;
  builder_save_values(l);
  unsigned successors = LLVMGetNumSuccessors(instruction);
  for (unsigned i = 0; i < successors; i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(instruction, i);
    ObjectId label = label_object(l, to);
    if (label != NO_ID) go_to_block(l, from, to, term_eq(l->terms, target, object_address(l, label)));
  }
}

// The leaves of the returned value become a binding, so that they are kept valid until the caller reads them.
static void lower_return(Lowering *l, LLVMValueRef instruction) {
  assert(l->top->exit == NO_ID);
  Activation *activation = l->top;
  uint32_t count = 0;
  const Term *terms = NULL;
  if (LLVMGetNumOperands(instruction) == 1) {
    terms = value_terms(l, LLVMGetOperand(instruction, 0), &count);
    if (!terms) return;
  }
  if (l->current == NO_ID) return;
  Binding kept = {.value = instruction, .term_count = count, .uses_left = 1, .variable = NO_ID};
  kept.terms = arena_copy(&l->scratch, terms ? terms : &(Term){0}, count * sizeof(Term));
  BindingVector_push(&l->bindings, kept);
  if (activation->info->block_count > 1) {
    // Later blocks are lowered before the caller goes on: nothing may stay pending.
    builder_save_values_here(l);
  }
  activation->exit = l->current;
  activation->exit_depth = l->atomic_depth;
  activation->result = BindingVector_last(&l->bindings)->terms;
  activation->result_count = count;
  if (activation->info->block_count > 1) l->current = NO_ID;
}

// Several returns (clang makes one without optimisation): each assigns its value to the same variables.
static void lower_return_to_join(Lowering *l, LLVMValueRef instruction) {
  Activation *activation = l->top;
  uint32_t count = 0;
  const Term *terms =
      LLVMGetNumOperands(instruction) == 1 ? value_terms(l, LLVMGetOperand(instruction, 0), &count) : NULL;
  if (l->current == NO_ID) return;
  if (terms) terms = arena_copy(&l->scratch, terms, count * sizeof *terms); // saving changes the originals
  builder_save_values(l);
  if (activation->exit == NO_ID) {
    activation->exit = builder_location(l);
    activation->exit_depth = l->atomic_depth;
    Term *variables = arena_allocate(&l->scratch, count * sizeof *variables + 1);
    for (uint32_t i = 0; i < count; i++)
      variables[i] = variable_term(l->program, builder_temporary(l, term_width(l->terms, terms[i]), "result"));
    activation->result = variables;
    activation->result_count = count;
  }
  for (uint32_t i = 0; i < count; i++)
    builder_assign(l, program_variable_of_term(l->program, activation->result[i]), terms[i]);
  Step step = builder_step(l);
  builder_emit_to(l, &step, activation->exit, true);
}

static void lower_terminator(Lowering *l, LLVMValueRef terminator) {
  switch (LLVMGetInstructionOpcode(terminator)) {
  case LLVMBr: lower_branch(l, terminator); break;
  case LLVMSwitch: lower_switch(l, terminator); break;
  case LLVMRet:
    if (l->top->info->return_count == 1)
      lower_return(l, terminator);
    else
      lower_return_to_join(l, terminator);
    return; // `current` is where the caller continues
  case LLVMUnreachable: {
    // After a call that does not return, `current` is NO_ID. Reached otherwise, behaviour is undefined: the execution
    // ends.
    Step halt = builder_step(l);
    halt.kind = STEP_HALT;
    builder_end(l, &halt);
    break;
  }
  case LLVMIndirectBr: lower_computed_goto(l, terminator); break;
  case LLVMCallBr: builder_cut(l, CUT_CONSTRUCT, "asm goto"); break;
  default: builder_cut(l, CUT_CONSTRUCT, "exception handling"); break;
  }
  AssignmentVector_clear(&l->pending);
  l->current = NO_ID;
}

static void lower_instruction(Lowering *l, LLVMValueRef instruction) {
  if (lower_arithmetic(l, instruction)) return;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMPHI: return; // assigned on the edges
  case LLVMAlloca: lower_alloca(l, instruction); return;
  case LLVMLoad: lower_load(l, instruction); return;
  case LLVMStore: lower_store(l, instruction); return;
  case LLVMCall:
    l->calling = instruction;
    lower_call(l, instruction);
    l->calling = NULL;
    return;
  case LLVMFence: return; // memory is sequentially consistent
  case LLVMAtomicCmpXchg: lower_cmpxchg(l, instruction); return;
  case LLVMAtomicRMW: lower_atomicrmw(l, instruction); return;
  case LLVMVAArg: builder_cut(l, CUT_CONSTRUCT, "va_arg"); return;
  default: builder_cut(l, CUT_CONSTRUCT, "instruction that is not modelled"); return;
  }
}

static void lower_block(Lowering *l, size_t index) {
  assert(index < l->top->info->block_count);
  const FunctionInfo *info = l->top->info;
  l->top->block_in_cycle = info->in_cycle[index];
  scope_enter_block(l, index);
  LLVMValueRef i = LLVMGetFirstInstruction(info->blocks[index]);
  for (; i && l->current != NO_ID; i = LLVMGetNextInstruction(i)) {
    if (l->program->edges.count >= l->most_edges) {
      inlining_stop(l);
      return;
    }
    enter_position(l, i);
    scope_enter(l, i);
    l->instruction = i;
    if (LLVMIsATerminatorInst(i))
      lower_terminator(l, i);
    else
      lower_instruction(l, i);
  }
}

// --- activations ---

static unsigned nesting(const Lowering *l, const FunctionInfo *info) {
  unsigned depth = 0;
  for (const Activation *a = l->top; a; a = a->caller) depth += a->info == info;
  return depth;
}

static bool is_called_by_user(const Activation *activation) {
  const Activation *caller = activation->caller;
  while (caller && caller->info->library) caller = caller->caller;
  return caller != NULL;
}

// The call at the present position.
static const CallSite *make_call_site(Lowering *l) {
  const Position *at = &l->position;
  const CallSite site = {.function = at->function, .file = at->file, .line = at->line, .from = at->calls};
  return arena_copy(&l->program->arena, &site, sizeof site);
}

static void enter_activation(Lowering *l, Activation *activation) {
  const FunctionInfo *info = activation->info;
  assert(info && info->block_count > 0);
  Activation *caller = l->top;
  activation->caller = caller;
  activation->first_binding = l->bindings.count;
  activation->exit = NO_ID;
  activation->call_site = l->position;
  bool entered = info->library && !l->position.library;
  if (entered) activation->call_site.model = intern(&l->program->strings, info->name);
  activation->call_site.library = info->library;
  activation->in_loop = caller ? caller->in_loop || caller->block_in_cycle : l->in_interruption;
  activation->library = info->library;
  activation->calls = !info->library && is_called_by_user(activation) ? make_call_site(l) : NULL;
  activation->call = l->calling;
  l->calling = NULL;
  map_init(&activation->bindings, l->account);
  map_init(&activation->locations, l->account);
  map_init(&activation->depths, l->account);
  map_init(&activation->slot_counters, l->account);
  l->top = activation;
}

static uint64_t parameter_alignment(LLVMValueRef function, unsigned parameter) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, attribute_kind("align"));
  return attribute ? LLVMGetEnumAttributeValue(attribute) : OBJECT_ALIGNMENT;
}

// Structs passed by value in memory: the callee gets its own copy.
static void copy_by_value_arguments(Lowering *l, LLVMValueRef function) {
  unsigned kind = attribute_kind("byval");
  unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count; i++) {
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);
    if (!attribute) continue;
    Binding *binding = value_binding(l, LLVMGetParam(function, i));
    if (!binding || !binding->terms) continue;
    uint64_t bytes = type_bytes(l->unit, LLVMGetTypeAttributeValue(attribute));
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetParam(function, i), &length);
    Term copy = stack_parameter(l, LLVMGetParam(function, i), bytes, parameter_alignment(function, i),
                                *name ? name : "by value");
    lower_block_operation(l, STEP_COPY, copy, binding->terms[0], bytes);
    binding = value_binding(l, LLVMGetParam(function, i));
    binding->terms[0] = copy;
    binding->uses_left--;
  }
}

static void leave_activation(Lowering *l, Activation *activation) {
  assert(l->top == activation && activation->first_binding <= l->bindings.count);
  map_free(&activation->bindings);
  map_free(&activation->locations);
  map_free(&activation->depths);
  map_free(&activation->slot_counters);
  l->bindings.count = activation->first_binding;
  while (l->jump_sites.count && JumpSiteVector_last(&l->jump_sites)->activation == activation)
    JumpSiteVector_pop(&l->jump_sites);
  l->top = activation->caller;
}

// Lowers the blocks that have a location and are still to be lowered; false if there are none.
static bool lower_reached_blocks(Lowering *l, Activation *activation, bool *lowered) {
  const FunctionInfo *info = activation->info;
  bool any = false;
  for (size_t b = 1; b < info->block_count; b++) {
    uint64_t location;
    if (lowered[b] || !map_get(&activation->locations, pointer_key(info->blocks[b]), &location)) continue;
    lowered[b] = any = true;
    l->current = (LocationId)location;
    l->atomic_depth = (unsigned)map_get_or(&activation->depths, pointer_key(info->blocks[b]), 0);
    lower_block(l, b);
    AssignmentVector_clear(&l->pending);
  }
  return any;
}

// In reverse post-order a block comes after those that lead to it, except where a loop has several entries: then a
// block may be reached first by an edge back, and takes another sweep.
static void lower_body(Lowering *l, Activation *activation) {
  FunctionInfo *info = activation->info;
  lower_block(l, 0);
  if (info->block_count == 1) return;
  bool *lowered = arena_allocate_zeroed(&l->scratch, info->block_count * sizeof *lowered);
  while (lower_reached_blocks(l, activation, lowered)) continue;
  l->current = activation->exit;
  l->atomic_depth = activation->exit_depth;
}

// The type of an argument or result may differ from the callee's (a cast of a function pointer, no prototype).
// Integers are truncated or extended, as registers do; anything else is not modelled.
const Term *lower_convert(Lowering *l, LLVMTypeRef type, const Term *terms, uint32_t count) {
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  bool fits = type_leaves(l->unit, type, 0, &leaves) && leaves.count == count;
  Term *fitted = arena_copy(&l->scratch, terms, count * sizeof *terms);
  for (uint32_t i = 0; fits && i < count; i++) {
    unsigned width = type_width(l->unit, leaves.data[i].type);
    LLVMTypeKind kind = LLVMGetTypeKind(leaves.data[i].type);
    if (term_width(l->terms, terms[i]) == width) continue;
    fits = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
    if (fits) fitted[i] = term_resize_unsigned(l->terms, terms[i], width);
  }
  LeafVector_free(&leaves);
  if (fits) return fitted;
  builder_cut(l, CUT_CONSTRUCT, "call with arguments or a result of another type");
  return NULL;
}

// A model of a variadic function may name as many parameters as there can be: those that are not passed are 0.
static void bind_missing(Lowering *l, LLVMValueRef function, size_t passed) {
  for (size_t i = passed; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, (unsigned)i);
    unsigned width = type_width(l->unit, LLVMTypeOf(parameter));
    if (width) value_bind_one(l, parameter, term_constant(l->terms, width, 0));
  }
}

// False if an argument does not fit (a cut was emitted).
static bool bind_parameters(Lowering *l, LLVMValueRef function, const CallArguments *a) {
  unsigned parameters = LLVMCountParams(function);
  for (size_t i = 0; i < a->count && i < parameters; i++) {
    LLVMValueRef parameter = LLVMGetParam(function, (unsigned)i);
    if (!a->lists[i]) continue;
    const Term *fitted = lower_convert(l, LLVMTypeOf(parameter), a->lists[i], a->counts[i]);
    if (!fitted) return false;
    value_bind(l, parameter, fitted, a->counts[i]);
  }
  if (unit_function(l->unit, function)->library) bind_missing(l, function, a->count);
  return true;
}

// Executes the body of an activation whose parameters are bound, up to the ends of its automatic objects.
static void run_activation(Lowering *l, Activation *activation, const CallArguments *arguments) {
  assert(l->top == activation);
  FunctionInfo *info = activation->info;
  if (info->section) lower_section_begin(l);
  copy_by_value_arguments(l, info->function);
  stack_slot_counters(l);
  if (LLVMIsFunctionVarArg(info->type)) (info->library ? varargs_keep : varargs_pass)(l, activation, arguments);
  lower_body(l, activation);
  leaks_return(l);
  stack_return(l);
  if (info->section) lower_section_end(l);
}

const Term *lower_inline(Lowering *l, LLVMValueRef function, const CallArguments *arguments, uint32_t *result_count) {
  *result_count = 0;
  if (l->current == NO_ID) return NULL;
  FunctionInfo *info = unit_function(l->unit, function);
  if (nesting(l, info) >= l->limits->recursion) {
    builder_cut(l, CUT_RECURSION, intern_format(&l->program->strings, "recursion of %s", info->name));
    return NULL;
  }
  Activation activation = {.info = info};
  if (!inlining_allows(l, function, &activation)) return NULL;
  Position call_position = l->position;
  LLVMValueRef call = l->instruction;
  enter_activation(l, &activation);
  if (bind_parameters(l, function, arguments)) run_activation(l, &activation, arguments);
  const Term *result = l->current == NO_ID ? NULL : activation.result;
  *result_count = activation.result_count;
  leave_activation(l, &activation);
  l->position = call_position;
  l->instruction = call;
  return result;
}
