// The primitives of lib/heddle.h and the functions with a fixed meaning (`__VERIFIER_*`, reach_error).
#include "front/arithmetic/arithmetic.h"
#include "front/calls/calls.h"
#include "front/format/format.h"
#include "front/lower/process_start.h"
#include "front/module/callees.h"
#include "front/module/overflow_checks.h"
#include "front/objects/objects.h"
#include "front/sites/sites.h"
#include "front/threads/threads.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST_ALIGNMENT ((Bits)1 << 30)
enum { PAGE_ALIGNMENT = 4096 };

static Term own_number(Lowering *l) {
  assert(l->thread < l->program->threads.count);
  return term_constant(l->terms, 32, l->thread + 1);
}

static Term own_control(Lowering *l, unsigned field) {
  assert(field < CONTROL_SIZE);
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

// A call of assert() as a function that the program declares at most. False if the argument cannot be tested.
static bool lower_assert(Lowering *l, LLVMValueRef call) {
  LLVMValueRef operand = LLVMGetOperand(call, 0);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(operand));
  unsigned width = type_width(l->unit, LLVMTypeOf(operand));
  if (width == 0) return false;
  builder_save_values_here(l);
  Term value = value_term(l, operand);
  if (value == TERM_NONE || l->current == NO_ID) return true;
  bool floating = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
  if (floating) value = term_and(l->terms, value, term_constant(l->terms, width, bits_mask(width - 1))); // -0.0 is zero
  Term holds = term_is_nonzero(l->terms, value);
  LocationId from = l->current;
  Step pass = builder_step(l), fail = builder_step(l);
  pass.guard = holds;
  builder_emit(l, &pass);
  LocationId behind = l->current;
  l->current = from;
  fail.kind = STEP_ERROR;
  fail.guard = term_not(l->terms, holds);
  builder_end(l, &fail);
  l->current = behind;
  return true;
}

// Is it a call of an assertion function, with one argument, that the program does not define?
static bool is_assertion(const Lowering *l, LLVMValueRef call, LLVMValueRef callee, const char *name) {
  static const char *const names[] = {"assert", "_assert", "__assert", "__VERIFIER_assert"};
  bool named = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) named |= strcmp(name, names[i]) == 0;
  LLVMValueRef definition = named ? unit_definition(l->unit, callee) : NULL;
  bool own = definition && LLVMGetGlobalParent(definition) == l->unit->user;
  return named && !own && LLVMGetNumArgOperands(call) == 1;
}

bool lower_error_function(Lowering *l, LLVMValueRef function) {
  const char *name = value_name(function);
  if (strcmp(name, "reach_error") != 0 && strcmp(name, "__VERIFIER_error") != 0) return false;
  end_with(l, STEP_ERROR);
  return true;
}

static void lower_halt(Lowering *l, LLVMValueRef call) {
  (void)call;
  end_with(l, STEP_HALT);
}

static void bind_number(Lowering *l, LLVMValueRef call, uint64_t number) {
  value_bind_one(l, call, term_constant(l->terms, type_width(l->unit, LLVMTypeOf(call)), number));
}

static void lower_has_exit_handlers(Lowering *l, LLVMValueRef call) { bind_number(l, call, l->unit->exit_handlers); }

static void lower_was_last_thread(Lowering *l, LLVMValueRef call) {
  uint32_t count;
  LLVMValueRef model = unit_model(l->unit, "__heddle_count_thread_out");
  if (!l->unit->counts_threads) {
    bind_number(l, call, 0);
    return;
  }
  const Term *last = call_function(l, model, NULL, 0, &count);
  if (last) value_bind(l, call, last, count);
}

static void lower_destructors(Lowering *l, LLVMValueRef call) {
  (void)call;
  lower_table(l, "llvm.global_dtors", true);
}

static void lower_block_forever(Lowering *l, LLVMValueRef call) {
  (void)call;
  Step step = builder_step(l);
  step.kind = STEP_WAIT;
  step.guard = term_false(l->terms);
  builder_end(l, &step);
}

// The argument as a string, if it is a string literal.
static const char *string_argument(LLVMValueRef call, unsigned index) {
  LLVMValueRef text = LLVMGetOperand(call, index);
  size_t length;
  if (LLVMIsAGlobalVariable(text) && LLVMGetInitializer(text) && is_text(LLVMGetInitializer(text)))
    return LLVMGetAsString(LLVMGetInitializer(text), &length);
  return "library function";
}

static void lower_unmodelled(Lowering *l, LLVMValueRef call) {
  builder_cut(l, CUT_CONSTRUCT, string_argument(call, 0));
}

static void lower_unmodelled_environment(Lowering *l, LLVMValueRef call) {
  builder_cut(l, CUT_ENVIRONMENT, string_argument(call, 0));
}

void lower_section_begin(Lowering *l) {
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = STEP_ATOMIC_BEGIN;
  if (l->current != NO_ID && l->atomic_depth++ == 0) builder_emit(l, &step);
}

void lower_section_end(Lowering *l) {
  builder_flush(l);
  Step step = builder_step(l);
  step.kind = STEP_ATOMIC_END;
  if (l->current == NO_ID || l->atomic_depth == 0) return;
  if (--l->atomic_depth == 0) builder_emit(l, &step);
}

static void lower_leaves_out(Lowering *l, LLVMValueRef call) {
  if (l->current != NO_ID) program_rely(l->program, ASSUME_LEFT_OUT, string_argument(call, 0), l->position);
}

static void lower_atomic_begin(Lowering *l, LLVMValueRef call) {
  (void)call;
  lower_section_begin(l);
}

static void lower_atomic_end(Lowering *l, LLVMValueRef call) {
  (void)call;
  lower_section_end(l);
}

static void lower_await(Lowering *l, LLVMValueRef call) {
  Term condition = call_argument(l, call, 0);
  if (condition != TERM_NONE) builder_wait(l, STEP_WAIT, term_is_nonzero(l->terms, condition));
}

static void lower_only_if(Lowering *l, LLVMValueRef call) {
  Term condition = call_argument(l, call, 0);
  if (condition != TERM_NONE) builder_wait(l, STEP_PLAIN, term_is_nonzero(l->terms, condition));
}

static void lower_assume(Lowering *l, LLVMValueRef call) {
  Term condition = call_argument(l, call, 0);
  if (condition != TERM_NONE) builder_wait(l, STEP_ASSUME, term_is_nonzero(l->terms, condition));
}

// "use of an uninitialised mutex" and the name of the object, where the address is known.
static const char *uninitialised_text(Lowering *l, LLVMValueRef call, Term address) {
  const char *text = string_argument(call, 1);
  ObjectId object = NO_ID;
  if (term_is_constant(l->terms, address))
    object = program_object_at(l->program, (uint64_t)term_constant_value(l->terms, address));
  const char *name = object == NO_ID ? "" : l->program->objects.data[object].name;
  return intern_format(&l->program->strings, "%s%s%s", text, *name ? " " : "", name);
}

// Reads a cell that must have been written. Where all reads of a cell are of this kind, it holds UNINITIALISED_MARK
// until it is written, instead of any value.
static Term read_initialised(Lowering *l, Term address) {
  assert(address != TERM_NONE && l->current != NO_ID);
  VariableId into = builder_temporary(l, 32, "state");
  Step step = builder_step(l);
  step.access.address = address;
  step.access.bytes = 4;
  step.access.reads = step.access.synchronises = step.access.wants_initialised = true;
  step.access.unordered = true; // taking the lock orders threads, reading its state does not
  step.access.into = into;
  builder_emit(l, &step);
  return variable_term(l->program, into);
}

static void lower_read_initialised(Lowering *l, LLVMValueRef call) {
  Term address = call_argument(l, call, 0);
  if (address == TERM_NONE || l->current == NO_ID) return;
  const char *what = uninitialised_text(l, call, address);
  Term value = read_initialised(l, address);
  value_bind_one(l, call, value);
  builder_cut_if(l, term_eq(l->terms, value, term_constant(l->terms, 32, UNINITIALISED_MARK)), CUT_UNDEFINED, what);
}

static void lower_read_known(Lowering *l, LLVMValueRef call) {
  Term address = call_argument(l, call, 0);
  if (address != TERM_NONE && l->current != NO_ID) value_bind_one(l, call, read_initialised(l, address));
}

static Step lock_step(Lowering *l, LLVMValueRef call, StepKind kind) {
  assert(kind == STEP_LOCK || kind == STEP_TRYLOCK || kind == STEP_UNLOCK);
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

static void emit_lock(Lowering *l, LLVMValueRef call, bool initialised) {
  Step step = lock_step(l, call, STEP_LOCK);
  if (step.access.address == TERM_NONE) return;
  Term owner = variable_term(l->program, step.access.into);
  step.access.wants_initialised = initialised;
  step.guard = term_eq(l->terms, owner, term_constant(l->terms, 32, 0));
  step.access.stored = own_number(l);
  builder_emit(l, &step);
}

static void lower_lock(Lowering *l, LLVMValueRef call) { emit_lock(l, call, false); }
static void lower_lock_mutex(Lowering *l, LLVMValueRef call) { emit_lock(l, call, true); }

static void lower_unlock(Lowering *l, LLVMValueRef call) {
  Step step = lock_step(l, call, STEP_UNLOCK);
  if (step.access.address != TERM_NONE) builder_emit(l, &step);
}

static void emit_trylock(Lowering *l, LLVMValueRef call, bool initialised) {
  Step step = lock_step(l, call, STEP_TRYLOCK);
  if (step.access.address == TERM_NONE) return;
  step.access.wants_initialised = initialised;
  Term owner = variable_term(l->program, step.access.into);
  Term taken = term_eq(l->terms, owner, term_constant(l->terms, 32, 0));
  step.access.stored = term_ite(l->terms, taken, own_number(l), owner);
  builder_emit(l, &step);
  value_bind_one(l, call, term_resize_unsigned(l->terms, taken, 32));
}

// The object that records that an attempt of this thread failed without need.
static ObjectId supposed_object(Lowering *l) {
  Program *p = l->program;
  for (size_t i = 0; i < p->supposed.count; i++)
    if (p->objects.data[p->supposed.data[i]].owner == l->thread) return p->supposed.data[i];
  ObjectId object = program_add_object(p, 4, STORAGE_TLS, l->thread, "supposed failure");
  if (object != NO_ID) U32Vector_push(&p->supposed, object);
  return object;
}

// Lowering continues in two ways: the attempt happens as it is, or it fails without need.
static void lower_suppose_failure(Lowering *l, LLVMValueRef call) {
  ObjectId object = l->view.failures && l->current != NO_ID ? supposed_object(l) : NO_ID;
  if (object == NO_ID) {
    bind_number(l, call, 0);
    return;
  }
  builder_save_values_here(l);
  VariableId fails = builder_temporary(l, 1, "supposed");
  CutId doubt =
      program_add_cut(l->program, CUT_CONSTRUCT, "a race, if a failed attempt to lock orders no threads", l->position);
  LocationId join = builder_location(l);
  for (unsigned way = 0; way < 2; way++) {
    Assignment outcome = {fails, term_constant(l->terms, 1, way)};
    Step step = builder_step(l);
    step.assignments = &outcome;
    step.assignment_count = 1;
    if (way) {
      step.access.address = object_address(l, object);
      step.access.bytes = 4;
      step.access.writes = step.access.synchronises = step.access.unordered = true;
      step.access.stored = term_constant(l->terms, 32, doubt + 1);
    }
    builder_emit_to(l, &step, join, false);
  }
  l->current = join;
  value_bind_one(l, call, term_resize_unsigned(l->terms, variable_term(l->program, fails), 32));
}

static void lower_trylock(Lowering *l, LLVMValueRef call) { emit_trylock(l, call, false); }
static void lower_trylock_mutex(Lowering *l, LLVMValueRef call) { emit_trylock(l, call, true); }

static void lower_self(Lowering *l, LLVMValueRef call) { value_bind_one(l, call, own_control(l, 0)); }

static void lower_self_number(Lowering *l, LLVMValueRef call) { value_bind_one(l, call, own_number(l)); }

void lower_thread_end(Lowering *l, Term result) {
  assert(l->thread < l->program->threads.count && (l->current == NO_ID || result != TERM_NONE));
  if (l->current == NO_ID) return;
  if (l->restart != NO_ID) {
    reuse_end(l, result, l->program->objects.data[l->program->threads.data[l->thread].control].address);
    return;
  }
  bool null = term_is_constant(l->terms, result) && term_constant_value(l->terms, result) == 0;
  if (!null) builder_store(l, own_control(l, CONTROL_RESULT), result, true);
  interrupt_end(l);
  stack_abandon(l, 0);
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
  assert(routine != TERM_NONE && l->current != NO_ID);
  LocationId start = l->current, join = NO_ID;
  unsigned depth = l->atomic_depth;
  VariableId handle = builder_temporary(l, l->unit->pointer_width, "handle");
  Term rest = term_true(l->terms);
  for (size_t i = 0; i < l->unit->taken.count; i++) {
    LLVMValueRef function = (LLVMValueRef)(uintptr_t)l->unit->taken.data[i];
    if (!is_routine(function) || !callees_may_start(l->unit->callees, i)) continue;
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
  builder_save_values_here(l);
  Term routine = call_argument(l, call, 0), passed = call_argument(l, call, 1), place = call_argument(l, call, 2);
  if (routine == TERM_NONE || passed == TERM_NONE || place == TERM_NONE || l->current == NO_ID) return;
  if (l->is_observer) {
    builder_cut(l, CUT_CONSTRUCT, "it creates a thread"); // an atom must only compute a value
    return;
  }
  l->program->assumptions |= 1u << ASSUME_MALLOC_SUCCEEDS;
  LLVMValueRef function = function_at(l, routine), count_in = unit_model(l->unit, "__heddle_count_thread_in");
  uint32_t nothing;
  if (l->unit->counts_threads) call_function(l, count_in, NULL, 0, &nothing);
  value_bind_one(l, call, function ? site_create(l, function, passed, place) : create_any(l, routine, passed, place));
}

// The alignment that the call asks for. If it is not constant, the block is aligned to a page, and a larger alignment
// is a cut.
static uint64_t wanted_alignment(Lowering *l, Term alignment) {
  if (term_is_constant(l->terms, alignment)) {
    Bits wanted = term_constant_value(l->terms, alignment);
    if (wanted && wanted <= LARGEST_ALIGNMENT && (wanted & (wanted - 1)) == 0) return (uint64_t)wanted;
    builder_cut(l, CUT_SIZE, "alignment that is no power of two up to 1 GiB");
    return OBJECT_ALIGNMENT;
  }
  Term most = term_constant(l->terms, term_width(l->terms, alignment), PAGE_ALIGNMENT);
  builder_cut_if(l, term_not(l->terms, term_binary(l->terms, TERM_ULE, alignment, most)), CUT_SIZE,
                 "alignment of more than a page that is not constant");
  return PAGE_ALIGNMENT;
}

static void allocate(Lowering *l, LLVMValueRef call, bool zeroed) {
  builder_save_values_here(l);
  Term size = call_argument(l, call, 0);
  if (size == TERM_NONE) return;
  value_bind_one(l, call, site_allocate(l, size, OBJECT_ALIGNMENT, zeroed));
}

static void allocate_aligned(Lowering *l, LLVMValueRef call, bool zeroed) {
  builder_save_values_here(l);
  Term size = call_argument(l, call, 0), alignment = call_argument(l, call, 1);
  if (size == TERM_NONE || alignment == TERM_NONE || l->current == NO_ID) return;
  uint64_t wanted = wanted_alignment(l, alignment);
  value_bind_one(l, call, site_allocate(l, size, wanted, zeroed));
}

static void lower_allocate_aligned(Lowering *l, LLVMValueRef call) {
  allocate_aligned(l, call, false);
  leaks_allocated(l, call);
}

static void lower_allocate(Lowering *l, LLVMValueRef call) {
  allocate(l, call, false);
  leaks_allocated(l, call);
}

static void lower_allocate_zeroed(Lowering *l, LLVMValueRef call) {
  allocate(l, call, true);
  leaks_allocated(l, call);
}

// The blocks that were added since there were `count` objects are the library's own.
static void own_blocks(Lowering *l, size_t count) {
  for (size_t o = count; o < l->program->objects.count; o++)
    l->program->objects.data[o].own = l->program->objects.data[o].storage == STORAGE_HEAP;
}

static void lower_allocate_map(Lowering *l, LLVMValueRef call) {
  size_t before = l->program->objects.count;
  allocate_aligned(l, call, true);
  own_blocks(l, before);
}

static void lower_allocate_own(Lowering *l, LLVMValueRef call) {
  size_t before = l->program->objects.count;
  allocate(l, call, false);
  own_blocks(l, before);
}

static void free_block(Lowering *l, LLVMValueRef call, bool own) {
  Term pointer = call_argument(l, call, 0);
  if (pointer == TERM_NONE) return;
  if (!own) leaks_freed(l, pointer);
  l->program->assumptions |= 1u << ASSUME_NO_REUSE;
  Step step = builder_step(l);
  step.kind = STEP_FREE;
  step.operand = pointer;
  builder_emit(l, &step);
}

static void lower_free(Lowering *l, LLVMValueRef call) { free_block(l, call, false); }
static void lower_free_own(Lowering *l, LLVMValueRef call) { free_block(l, call, true); }

static void lower_process_ends(Lowering *l, LLVMValueRef call) {
  (void)call;
  leaks_check(l);
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
  VariableId variable = program_variable_of_term(l->program, value);
  if (starts_with(function, "__heddle_guess_") && variable != NO_ID)
    l->program->variables.data[variable].guessed = true;
  if (starts_with(function, "__heddle_guess_course") && variable != NO_ID)
    l->program->variables.data[variable].course = true;
  value_bind_one(l, call, term_resize_unsigned(l->terms, value, width));
}

static void lower_select(Lowering *l, LLVMValueRef call) {
  Term condition = call_argument(l, call, 0), yes = call_argument(l, call, 1), no = call_argument(l, call, 2);
  if (condition == TERM_NONE || yes == TERM_NONE || no == TERM_NONE) return;
  value_bind_one(l, call, term_ite(l->terms, term_is_nonzero(l->terms, condition), yes, no));
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
  X("__heddle_read_initialised", lower_read_initialised, false)                                                        \
  X("__heddle_read_known", lower_read_known, false)                                                                    \
  X("__heddle_leaves_out", lower_leaves_out, false)                                                                    \
  X("__heddle_key_limit", lower_key_limit, false)                                                                      \
  X("__heddle_only_if", lower_only_if, false)                                                                          \
  X("__heddle_installs", lower_installs, false)                                                                        \
  X("__heddle_run_handler", lower_run_handler, false)                                                                  \
  X("__heddle_leave_handler", lower_leave_handler, false)                                                              \
  X("__heddle_others_accept", lower_others_accept, false)                                                              \
  X("__heddle_lock", lower_lock, false)                                                                                \
  X("__heddle_lock_mutex", lower_lock_mutex, false)                                                                    \
  X("__heddle_trylock_mutex", lower_trylock_mutex, false)                                                              \
  X("__heddle_unlock", lower_unlock, false)                                                                            \
  X("__heddle_trylock", lower_trylock, false)                                                                          \
  X("__heddle_suppose_failure", lower_suppose_failure, false)                                                          \
  X("__heddle_allocate", lower_allocate, false)                                                                        \
  X("__heddle_allocate_zeroed", lower_allocate_zeroed, false)                                                          \
  X("__heddle_allocate_aligned", lower_allocate_aligned, false)                                                        \
  X("__heddle_allocate_map", lower_allocate_map, false)                                                                \
  X("__heddle_allocated_size", lower_allocated_size, false)                                                            \
  X("__heddle_setjmp", lower_setjmp, false)                                                                            \
  X("__heddle_longjmp", lower_longjmp, false)                                                                          \
  X("__heddle_allocate_own", lower_allocate_own, false)                                                                \
  X("__heddle_free_own", lower_free_own, false)                                                                        \
  X("__heddle_process_ends", lower_process_ends, false)                                                                \
  X("__heddle_free", lower_free, false)                                                                                \
  X("__heddle_has_exit_handlers", lower_has_exit_handlers, false)                                                      \
  X("__heddle_was_last_thread", lower_was_last_thread, false)                                                          \
  X("__heddle_run_destructors", lower_destructors, false)                                                              \
  X("__heddle_variable", lower_variable, false)                                                                        \
  X("__heddle_variable_entry", lower_variable_entry, false)                                                            \
  X("__heddle_read_bytes", lower_read_bytes, false)                                                                    \
  X("__heddle_read_string", lower_read_string, false)                                                                  \
  X("__heddle_any_bytes", lower_any_bytes, false)                                                                      \
  X("__heddle_format", lower_format, false)                                                                            \
  X("__heddle_format_list", lower_format_list, false)                                                                  \
  X("__heddle_print", lower_print, false)                                                                              \
  X("__heddle_print_list", lower_print_list, false)                                                                    \
  X("__heddle_scan", lower_scan, false)                                                                                \
  X("__heddle_scan_list", lower_scan_list, false)                                                                      \
  X("__heddle_scan_input", lower_scan_input, false)                                                                    \
  X("__heddle_scan_input_list", lower_scan_input_list, false)                                                          \
  X("__heddle_scan_any", lower_scan_any, false)                                                                        \
  X("__heddle_scan_any_list", lower_scan_any_list, false)                                                              \
  X(OVERFLOW_CHECK_FUNCTION, lower_overflow_check, false)                                                              \
  X("__heddle_error", lower_error, false)                                                                              \
  X("__heddle_halt", lower_halt, false)                                                                                \
  X("__heddle_unmodelled", lower_unmodelled, false)                                                                    \
  X("__heddle_unmodelled_environment", lower_unmodelled_environment, false)

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
  if (is_assertion(l, call, callee, name)) return lower_assert(l, call);
  bool verifier = starts_with(name, "__VERIFIER_"), own = starts_with(name, "__heddle_");
  if (!verifier && !own && strcmp(name, "reach_error") != 0) return false;
  if (lower_uses(l, call, name)) return true;
  bool defined = unit_definition(l->unit, callee) != NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].name, name) != 0 || (defined && !rows[i].even_with_body)) continue;
    rows[i].lower(l, call);
    return true;
  }
  bool selects = starts_with(name, "__heddle_select_");
  if (!defined && (selects || starts_with(name, "__heddle_argument_"))) {
    (selects ? lower_select : lower_argument)(l, call);
    return true;
  }
  if (defined || (!starts_with(name, "__VERIFIER_nondet_") && !starts_with(name, "__heddle_fresh_") &&
                  !starts_with(name, "__heddle_guess_")))
    return false;
  lower_fresh(l, call, name);
  return true;
}
