// setjmp and longjmp, for jumps back into a function that is still active.
//
// All calls are inlined, so a jump is an edge. setjmp stores the number of its JumpSite in the buffer; longjmp
// compares the buffer with the numbers of the sites whose activations are on the stack. Any other number is a cut.
// Both accesses are ordinary ones: threads that share a buffer race.
#include "front/calls/calls.h"
#include "front/objects/objects.h"

// The user's function that called setjmp: the site is valid as long as that function is active.
static Activation *calling_function(const Lowering *l) {
  assert(l->top);
  Activation *a = l->top;
  while (a->info->library && a->caller) a = a->caller;
  return a;
}

void lower_setjmp(Lowering *l, LLVMValueRef call) {
  builder_save_values_here(l);
  Term buffer = call_argument(l, call, 0);
  if (buffer == TERM_NONE || l->current == NO_ID) return;
  uint32_t number = ++l->jump_numbers;
  // The code that follows may run again after a jump, as in a loop.
  for (Activation *a = l->top; a; a = a == calling_function(l) ? NULL : a->caller) a->in_loop = true;
  builder_store(l, buffer, term_constant(l->terms, 32, number), false);
  VariableId result = builder_temporary(l, 32, "jumped");
  builder_assign(l, result, term_constant(l->terms, 32, 0));
  builder_flush(l);
  JumpSite site = {.activation = calling_function(l),
                   .after = l->current,
                   .result = result,
                   .depth = l->atomic_depth,
                   .number = number};
  JumpSiteVector_push(&l->jump_sites, site);
  value_bind_one(l, call, variable_term(l->program, result));
}

// The index of the first binding of the activations that a jump into `activation` ends.
static size_t first_left(const Lowering *l, const Activation *activation) {
  assert(l->top && activation);
  const Activation *a = l->top;
  while (a != activation && a->caller != activation) a = a->caller;
  return a == activation ? l->bindings.count : a->first_binding;
}

static void jump_to(Lowering *l, const JumpSite *site, Term here, Term arriving) {
  assert(site->number > 0 && site->number <= l->jump_numbers && site->depth == l->atomic_depth);
  LocationId from = l->current;
  Step choose = builder_step(l), arrive = builder_step(l);
  Assignment back = {site->result, arriving};
  arrive.assignments = &back;
  arrive.assignment_count = 1;
  if (l->view.lifetimes) {
    choose.guard = here;
    builder_emit(l, &choose);
    stack_abandon(l, first_left(l, site->activation));
  } else {
    arrive.guard = here;
  }
  builder_emit_to(l, &arrive, site->after, true);
  l->current = from;
}

void lower_longjmp(Lowering *l, LLVMValueRef call) {
  builder_save_values_here(l);
  Term buffer = call_argument(l, call, 0), value = call_argument(l, call, 1);
  if (buffer == TERM_NONE || value == TERM_NONE || l->current == NO_ID) return;
  // A jump with the value 0 arrives as 1.
  Term zero = term_constant(l->terms, 32, 0), one = term_constant(l->terms, 32, 1);
  Term arriving = term_ite(l->terms, term_eq(l->terms, value, zero), one, value);
  Term number = builder_load(l, buffer, 32, false, "place");
  Term none = term_true(l->terms);
  for (size_t i = 0; i < l->jump_sites.count; i++) {
    const JumpSite *site = &l->jump_sites.data[i];
    if (site->depth != l->atomic_depth) continue;
    Term here = term_eq(l->terms, number, term_constant(l->terms, 32, site->number));
    none = term_and(l->terms, none, term_not(l->terms, here));
    jump_to(l, site, here, arriving);
  }
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = none;
  cut.target = program_add_cut(l->program, CUT_CONSTRUCT, "longjmp to a place that is not active", l->position);
  builder_end(l, &cut);
}
