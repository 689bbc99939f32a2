// Calls through a pointer: one case for each function that the pointer may hold, lowered as a direct call.
//
// The cases are the functions whose address is taken, whose type fits, and which the pointer may hold according to
// module/callees.h. One cut stands for every other function. So the choice of cases decides how much is modelled, but
// cannot make an answer wrong.
#include "front/calls/calls.h"
#include "front/module/callees.h"
#include "front/objects/objects.h"

// Calling a function through a pointer to another type is undefined in C and not modelled.
static bool fits(LLVMValueRef function, LLVMTypeRef called) {
  LLVMTypeRef own = LLVMGlobalGetValueType(function);
  if (own == called) return true;
  if (LLVMGetReturnType(own) != LLVMGetReturnType(called)) return false;
  if (LLVMIsFunctionVarArg(called)) return true; // declared without parameters
  unsigned count = LLVMCountParamTypes(own);
  LLVMTypeRef left[32], right[32];
  if (count != LLVMCountParamTypes(called) || count > 32) return false;
  LLVMGetParamTypes(own, left);
  LLVMGetParamTypes(called, right);
  for (unsigned i = 0; i < count; i++)
    if (left[i] != right[i]) return false;
  return true;
}

// The case split: one edge per candidate, results meeting in variables.
typedef struct Split {
  LLVMValueRef call;
  Term pointer;
  Term rest; // none of the cases so far
  LocationId start, join;
  unsigned depth, join_depth; // of atomic sections
  Term *results;
  uint32_t result_count;
  size_t cases;
} Split;

static void restart_case(Lowering *l, const Split *split) {
  assert(split->start != NO_ID);
  l->current = split->start;
  l->atomic_depth = split->depth;
}

static void join_case(Lowering *l, Split *split) {
  const Binding *bound = value_binding(l, split->call);
  if (l->current == NO_ID) return;
  uint32_t count = bound && bound->terms ? bound->term_count : 0;
  Term *result = count ? arena_copy(&l->scratch, bound->terms, count * sizeof *result) : NULL;
  if (split->join != NO_ID && split->join_depth != l->atomic_depth) {
    builder_cut(l, CUT_CONSTRUCT, "atomic section that begins or ends on one branch only");
    return;
  }
  builder_save_values(l);
  if (split->join == NO_ID) {
    split->join = builder_location(l);
    split->join_depth = l->atomic_depth;
    split->results = arena_allocate(&l->scratch, count * sizeof(Term) + 1);
    split->result_count = count;
    assert(count == 0 || result);
    for (uint32_t i = 0; i < count; i++)
      split->results[i] = variable_term(l->program, builder_temporary(l, term_width(l->terms, result[i]), "called"));
  }
  for (uint32_t i = 0; i < count && i < split->result_count; i++)
    builder_assign(l, program_variable_of_term(l->program, split->results[i]), result[i]);
  Step step = builder_step(l);
  builder_emit_to(l, &step, split->join, true);
}

// Every case reads the arguments; the instruction counts as one use only.
static void count_another_use(Lowering *l, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++) {
    Binding *binding = value_binding(l, LLVMGetOperand(call, i));
    if (binding) binding->uses_left++;
  }
}

static void call_candidate(Lowering *l, Split *split, LLVMValueRef function, Term chosen) {
  assert(!term_is_false(l->terms, chosen));
  split->rest = term_and(l->terms, split->rest, term_not(l->terms, chosen));
  restart_case(l, split);
  Step enter = builder_step(l);
  enter.guard = chosen;
  builder_emit(l, &enter);
  if (split->cases++ > 0) count_another_use(l, split->call);
  call_callee(l, split->call, function);
  join_case(l, split);
  value_forget(l, split->call);
}

static void cut_others(Lowering *l, Split *split, Term others) {
  if (term_is_false(l->terms, others)) return;
  restart_case(l, split);
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = others;
  cut.target = program_add_cut(l->program, CUT_CONSTRUCT,
                               "call through a pointer to a function of another type, or one that was not foreseen",
                               l->position);
  builder_end(l, &cut);
}

// A pointer that holds no function: reading what it points to shows an invalid pointer; otherwise the call is a cut.
static void end_rest(Lowering *l, Split *split, Term others) {
  restart_case(l, split);
  Step odd = builder_step(l);
  odd.guard = term_and(l->terms, split->rest, term_not(l->terms, others));
  builder_emit(l, &odd);
  builder_load(l, split->pointer, 8, true, "callee");
  builder_cut(l, CUT_CONSTRUCT, "call of something that is no function");
}

static bool may_hold(Lowering *l, LLVMValueRef pointer, size_t index) {
  assert(index < l->unit->taken.count);
  return l->top->info->library || callees_may_call(l->unit->callees, pointer, index);
}

void call_through_pointer(Lowering *l, LLVMValueRef call) {
  builder_save_values_here(l);
  Split split = {.call = call, .join = NO_ID, .depth = l->atomic_depth};
  LLVMValueRef pointer = LLVMGetCalledValue(call);
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  split.rest = term_true(l->terms);
  split.pointer = value_term(l, pointer);
  split.start = l->current;
  if (l->current == NO_ID || split.pointer == TERM_NONE) return;
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    LLVMValueRef function = (LLVMValueRef)(uintptr_t)l->unit->taken.data[i];
    if (!fits(function, type) || !may_hold(l, pointer, i)) continue;
    Term chosen = points_to_function(l, split.pointer, function);
    if (!term_is_false(l->terms, chosen)) call_candidate(l, &split, function, chosen);
  }
  Term others = term_and(l->terms, split.rest, is_taken_function(l, split.pointer));
  cut_others(l, &split, others);
  end_rest(l, &split, others);
  l->current = split.join;
  l->atomic_depth = split.join == NO_ID ? split.depth : split.join_depth;
  if (split.result_count) value_bind(l, call, split.results, split.result_count);
}
