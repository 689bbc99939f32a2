// The primitives of lib/heddle.h and the functions with a fixed meaning (`__VERIFIER_*`, reach_error).
#include "front/lower.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST_ALIGNMENT ((Bits)1 << 30)
enum { PAGE_ALIGNMENT = 4096 };

static Term own_number(Lowering *l) { return term_constant(l->terms, 32, l->thread + 1); }

static Term own_control(Lowering *l, unsigned field) {
  const Program *p = l->program;
  return constant_address(l, p->objects.data[p->threads.data[l->thread].control].address + field);
}

static void end_with(Lowering *l, StepKind kind) {
  Step step = builder_step(l);
  step.kind = kind;
  builder_end(l, &step);
}

static void lower_error(Lowering *l, LLVMValueRef call) {
  (void)call;
  end_with(l, STEP_ERROR);
}

static void lower_halt(Lowering *l, LLVMValueRef call) {
  (void)call;
  end_with(l, STEP_HALT);
}

static void lower_block_forever(Lowering *l, LLVMValueRef call) {
  (void)call;
  Step step = builder_step(l);
  step.kind = STEP_WAIT;
  step.guard = term_false(l->terms);
  builder_end(l, &step);
}

// The string argument, where clang can see it.
static void lower_unmodelled(Lowering *l, LLVMValueRef call) {
  LLVMValueRef text = LLVMGetOperand(call, 0);
  const char *what = "library function";
  if (LLVMIsAGlobalVariable(text) && LLVMGetInitializer(text) && LLVMIsConstantString(LLVMGetInitializer(text))) {
    size_t length;
    what = LLVMGetAsString(LLVMGetInitializer(text), &length);
  }
  builder_cut(l, CUT_CONSTRUCT, what);
}

static void lower_atomic_begin(Lowering *l, LLVMValueRef call) {
  (void)call;
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = STEP_ATOMIC_BEGIN;
  if (l->current != NO_ID && l->atomic_depth++ == 0) builder_emit(l, &step);
}

static void lower_atomic_end(Lowering *l, LLVMValueRef call) {
  (void)call;
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = STEP_ATOMIC_END;
  if (l->current == NO_ID || l->atomic_depth == 0) return;
  if (--l->atomic_depth == 0) builder_emit(l, &step);
}

static void lower_await(Lowering *l, LLVMValueRef call) {
  Term condition = call_argument(l, call, 0);
  if (condition != TERM_NONE) builder_wait(l, STEP_WAIT, term_is_nonzero(l->terms, condition));
}

static void lower_assume(Lowering *l, LLVMValueRef call) {
  Term condition = call_argument(l, call, 0);
  if (condition != TERM_NONE) builder_wait(l, STEP_ASSUME, term_is_nonzero(l->terms, condition));
}

static Step lock_step(Lowering *l, LLVMValueRef call, StepKind kind) {
  Step step = builder_step(l);
  step.kind = kind;
  step.access.address = call_argument(l, call, 0);
  step.access.bytes = 4;
  step.access.writes = step.access.synchronises = true;
  step.access.stored = term_constant(l->terms, 32, 0);
  if (kind == STEP_UNLOCK) return step;
  step.access.reads = true;
  step.access.into = builder_temporary(l, 32, "owner");
  return step;
}

static void lower_lock(Lowering *l, LLVMValueRef call) {
  Step step = lock_step(l, call, STEP_LOCK);
  if (step.access.address == TERM_NONE) return;
  Term owner = variable_term(l->program, step.access.into);
  step.guard = term_eq(l->terms, owner, term_constant(l->terms, 32, 0));
  step.access.stored = own_number(l);
  builder_emit(l, &step);
}

static void lower_unlock(Lowering *l, LLVMValueRef call) {
  Step step = lock_step(l, call, STEP_UNLOCK);
  if (step.access.address != TERM_NONE) builder_emit(l, &step);
}

static void lower_trylock(Lowering *l, LLVMValueRef call) {
  Step step = lock_step(l, call, STEP_TRYLOCK);
  if (step.access.address == TERM_NONE) return;
  Term owner = variable_term(l->program, step.access.into);
  Term taken = term_eq(l->terms, owner, term_constant(l->terms, 32, 0));
  step.access.stored = term_ite(l->terms, taken, own_number(l), owner);
  builder_emit(l, &step);
  value_bind_one(l, call, term_resize_unsigned(l->terms, taken, 32));
}

static void lower_self(Lowering *l, LLVMValueRef call) { value_bind_one(l, call, own_control(l, 0)); }

static void lower_self_number(Lowering *l, LLVMValueRef call) { value_bind_one(l, call, own_number(l)); }

void lower_thread_end(Lowering *l, Term result) {
  if (l->current == NO_ID) return;
  bool null = term_is_constant(l->terms, result) && term_constant_value(l->terms, result) == 0;
  if (!null) builder_store(l, own_control(l, CONTROL_RESULT), result, true);
  Step step = builder_step(l);
  step.kind = STEP_EXIT;
  step.access.address = own_control(l, CONTROL_STATUS);
  step.access.bytes = 4;
  step.access.writes = step.access.synchronises = true;
  step.access.stored = term_constant(l->terms, 32, THREAD_FINISHED);
  builder_emit_to(l, &step, l->program->threads.data[l->thread].final, true);
}

static void lower_thread_exit(Lowering *l, LLVMValueRef call) {
  Term result = call_argument(l, call, 0);
  if (result != TERM_NONE) lower_thread_end(l, result);
}

static bool is_routine(LLVMValueRef function) { return LLVMCountParamTypes(LLVMGlobalGetValueType(function)) <= 1; }

// The routine is not known at this point: a case split over the functions whose address is taken.
static Term create_any(Lowering *l, Term routine, Term passed, Term handle_place) {
  LocationId start = l->current, join = NO_ID;
  unsigned depth = l->atomic_depth;
  VariableId handle = builder_temporary(l, l->unit->pointer_width, "handle");
  Term rest = term_true(l->terms);
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    LLVMValueRef function = (LLVMValueRef)(uintptr_t)l->unit->taken.data[i];
    if (!is_routine(function)) continue;
    Term chosen = points_to_function(l, routine, function);
    rest = term_and(l->terms, rest, term_not(l->terms, chosen));
    l->current = start;
    l->atomic_depth = depth;
    Step enter = builder_step(l);
    enter.guard = chosen;
    builder_emit(l, &enter);
    Term created = site_create(l, function, passed, handle_place);
    if (l->current == NO_ID) continue;
    builder_assign(l, handle, created);
    if (join == NO_ID) join = builder_location(l);
    Step leave = builder_step(l);
    builder_emit_to(l, &leave, join, true);
  }
  l->current = start;
  l->atomic_depth = depth;
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = rest;
  cut.target =
      program_add_cut(l->program, CUT_CONSTRUCT, "thread routine that is no function of a fitting type", l->position);
  builder_end(l, &cut);
  l->current = join;
  l->atomic_depth = depth;
  return variable_term(l->program, handle);
}

static void lower_create(Lowering *l, LLVMValueRef call) {
  builder_settle_here(l);
  Term routine = call_argument(l, call, 0), passed = call_argument(l, call, 1), place = call_argument(l, call, 2);
  if (routine == TERM_NONE || passed == TERM_NONE || place == TERM_NONE || l->current == NO_ID) return;
  if (l->observes) {
    builder_cut(l, CUT_CONSTRUCT, "it creates a thread"); // an atom: only what it says of itself is asked for
    return;
  }
  l->program->assumptions |= 1u << ASSUME_MALLOC_SUCCEEDS;
  LLVMValueRef function = function_at(l, routine);
  value_bind_one(l, call, function ? site_create(l, function, passed, place) : create_any(l, routine, passed, place));
}

// The alignment asked for. One that is not known here gets room for a page's, and a cut if it is larger.
static uint64_t wanted_alignment(Lowering *l, Term alignment) {
  if (term_is_constant(l->terms, alignment)) {
    Bits wanted = term_constant_value(l->terms, alignment);
    if (wanted && wanted <= LARGEST_ALIGNMENT && (wanted & (wanted - 1)) == 0) return (uint64_t)wanted;
    builder_cut(l, CUT_SIZE, "alignment that is no power of two up to 1 GiB");
    return OBJECT_ALIGNMENT;
  }
  Term most = term_constant(l->terms, term_width(l->terms, alignment), PAGE_ALIGNMENT);
  builder_branch_cut(l, term_binary(l->terms, TERM_ULE, alignment, most), CUT_SIZE,
                     "alignment of more than a page that is not constant");
  return PAGE_ALIGNMENT;
}

static void allocate(Lowering *l, LLVMValueRef call, bool zeroed) {
  builder_settle_here(l);
  Term size = call_argument(l, call, 0);
  if (size != TERM_NONE) value_bind_one(l, call, site_allocate(l, size, OBJECT_ALIGNMENT, zeroed));
}

static void lower_allocate_aligned(Lowering *l, LLVMValueRef call) {
  builder_settle_here(l);
  Term size = call_argument(l, call, 0), alignment = call_argument(l, call, 1);
  if (size == TERM_NONE || alignment == TERM_NONE || l->current == NO_ID) return;
  uint64_t wanted = wanted_alignment(l, alignment);
  value_bind_one(l, call, site_allocate(l, size, wanted, false));
}

static void lower_allocate(Lowering *l, LLVMValueRef call) { allocate(l, call, false); }
static void lower_allocate_zeroed(Lowering *l, LLVMValueRef call) { allocate(l, call, true); }

static void lower_free(Lowering *l, LLVMValueRef call) {
  Term pointer = call_argument(l, call, 0);
  if (pointer == TERM_NONE) return;
  l->program->assumptions |= 1u << ASSUME_NO_REUSE;
  Step step = builder_step(l);
  step.kind = STEP_FREE;
  step.operand = pointer;
  builder_emit(l, &step);
}

static void lower_fresh(Lowering *l, LLVMValueRef call, const char *function) {
  unsigned width = type_width(l->unit, LLVMTypeOf(call)), bits = width;
  size_t length;
  if (width == 0) {
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) builder_cut(l, CUT_CONSTRUCT, "input of this type");
    return;
  }
  const char *narrow = "__heddle_fresh_bits_", *name = LLVMGetValueName2(call, &length);
  if (starts_with(function, narrow)) bits = (unsigned)strtoul(function + strlen(narrow), NULL, 10);
  Term value = builder_fresh(l, bits, VALUE_INPUT, *name ? name : "input");
  value_bind_one(l, call, term_resize_unsigned(l->terms, value, width));
}

// X(name, handler, even with a body)
#define PRIMITIVES(X)                                                                                                  \
  X("reach_error", lower_error, true)                                                                                  \
  X("__VERIFIER_error", lower_error, true)                                                                             \
  X("__VERIFIER_assume", lower_assume, false)                                                                          \
  X("__VERIFIER_atomic_begin", lower_atomic_begin, true)                                                               \
  X("__VERIFIER_atomic_end", lower_atomic_end, true)                                                                   \
  X("__heddle_create", lower_create, false)                                                                            \
  X("__heddle_self", lower_self, false)                                                                                \
  X("__heddle_self_number", lower_self_number, false)                                                                  \
  X("__heddle_thread_exit", lower_thread_exit, false)                                                                  \
  X("__heddle_atomic_begin", lower_atomic_begin, false)                                                                \
  X("__heddle_atomic_end", lower_atomic_end, false)                                                                    \
  X("__heddle_await", lower_await, false)                                                                              \
  X("__heddle_assume", lower_assume, false)                                                                            \
  X("__heddle_block", lower_block_forever, false)                                                                      \
  X("__heddle_lock", lower_lock, false)                                                                                \
  X("__heddle_unlock", lower_unlock, false)                                                                            \
  X("__heddle_trylock", lower_trylock, false)                                                                          \
  X("__heddle_allocate", lower_allocate, false)                                                                        \
  X("__heddle_allocate_zeroed", lower_allocate_zeroed, false)                                                          \
  X("__heddle_allocate_aligned", lower_allocate_aligned, false)                                                        \
  X("__heddle_allocated_size", lower_allocated_size, false)                                                            \
  X("__heddle_setjmp", lower_setjmp, false)                                                                            \
  X("__heddle_longjmp", lower_longjmp, false)                                                                          \
  X("__heddle_free", lower_free, false)                                                                                \
  X("__heddle_error", lower_error, false)                                                                              \
  X("__heddle_halt", lower_halt, false)                                                                                \
  X("__heddle_unmodelled", lower_unmodelled, false)

bool lower_primitive(Lowering *l, LLVMValueRef call, LLVMValueRef callee, const char *name) {
  static const struct {
    const char *name;
    void (*lower)(Lowering *, LLVMValueRef);
    bool even_with_body;
  } rows[] = {
#define X(text, handler, always) {text, handler, always},
      PRIMITIVES(X)
#undef X
  };
  bool verifier = starts_with(name, "__VERIFIER_"), own = starts_with(name, "__heddle_");
  if (!verifier && !own && strcmp(name, "reach_error") != 0) return false;
  bool defined = unit_definition(l->unit, callee) != NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) != 0 || (defined && !rows[i].even_with_body)) continue;
    rows[i].lower(l, call);
    return true;
  }
  if (defined || (!starts_with(name, "__VERIFIER_nondet_") && !starts_with(name, "__heddle_fresh_"))) return false;
  lower_fresh(l, call, name);
  return true;
}
