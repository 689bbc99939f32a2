// The entry of the lowering: main, then every thread slot that is created, until none is left.
#include "front/calls/calls.h"
#include "front/lower/process_start.h"
#include "front/objects/objects.h"
#include "front/sites/sites.h"
#include "front/threads/threads.h"

#include "base/printable.h"

#include <string.h>

static void lowering_init(Lowering *l, FrontUnit *unit, const FrontLimits *limits, FrontView view, Account *account) {
  *l = (Lowering){.unit = unit, .limits = limits, .view = view, .current = NO_ID, .account = account};
  assert(unit->user && unit->models && unit->layout);
  l->program = program_new(unit->pointer_width, account);
  assert(unit->pointer_width == 32 || unit->pointer_width == 64);
  l->program->assumptions = 1u << ASSUME_SEQUENTIAL_CONSISTENCY;
  if (!view.overflows) l->program->assumptions |= 1u << ASSUME_WRAPPING;
  l->program->waiting_counts = view.exact_conditions;
  if (!view.lifetimes) l->program->assumptions |= 1u << ASSUME_NO_UNDEFINED;
  l->terms = l->program->terms;
  arena_init(&l->scratch, account);
  AssignmentVector_init(&l->pending, account);
  BindingVector_init(&l->bindings, account);
  ThreadWorkVector_init(&l->work, account);
  map_init(&l->objects, account);
  ByteVector_init(&l->changes, account);
  map_init(&l->thread_locals, account);
  map_init(&l->functions, account);
  map_init(&l->unmodelled, account);
  map_init(&l->variables, account);
  map_init(&l->never_written, account);
  map_init(&l->block_numbers, account);
  SizeQueryVector_init(&l->size_queries, account);
  KeptSizeVector_init(&l->kept_sizes, account);
  BlockSiteVector_init(&l->block_sites, account);
  BlockCountVector_init(&l->block_counts, account);
  ProcessEndVector_init(&l->process_ends, account);
  AcceptQueryVector_init(&l->accept_queries, account);
  ReusedThreadVector_init(&l->reused_threads, account);
  U64Vector_init(&l->signals_done, account);
  JumpSiteVector_init(&l->jump_sites, account);
  extents_init(&l->extents, unit, view.slice, limits->recursion, limits->small_call_edges, account);
  map_init(&l->ordinals, account);
}

static void lowering_free(Lowering *l) {
  arena_free(&l->scratch);
  AssignmentVector_free(&l->pending);
  BindingVector_free(&l->bindings);
  ThreadWorkVector_free(&l->work);
  map_free(&l->objects);
  ByteVector_free(&l->changes);
  map_free(&l->thread_locals);
  map_free(&l->functions);
  map_free(&l->unmodelled);
  map_free(&l->variables);
  map_free(&l->never_written);
  map_free(&l->block_numbers);
  SizeQueryVector_free(&l->size_queries);
  KeptSizeVector_free(&l->kept_sizes);
  BlockSiteVector_free(&l->block_sites);
  BlockCountVector_free(&l->block_counts);
  ProcessEndVector_free(&l->process_ends);
  AcceptQueryVector_free(&l->accept_queries);
  ReusedThreadVector_free(&l->reused_threads);
  U64Vector_free(&l->signals_done);
  JumpSiteVector_free(&l->jump_sites);
  extents_free(&l->extents);
  map_free(&l->ordinals);
}

void lower_thread_resume(Lowering *l, ThreadId thread) {
  assert(thread < l->program->threads.count);
  const Thread *t = &l->program->threads.data[thread];
  l->thread = thread;
  l->top = NULL;
  l->twin_born = NO_ID;
  l->instruction = NULL;
  l->current = NO_ID;
  reuse_resume(l);
  l->created = 0;
  for (size_t i = 0; i < l->program->threads.count; i++) l->created += l->program->threads.data[i].parent == thread;
  l->atomic_depth = 0;
  l->position = (Position){.function = t->routine, .file = t->created_at.file, .line = t->created_at.line};
  AssignmentVector_clear(&l->pending);
  BindingVector_clear(&l->bindings);
  JumpSiteVector_clear(&l->jump_sites);
}

void lower_thread_begin(Lowering *l, ThreadId thread) {
  lower_thread_resume(l, thread);
  LocationId entry = builder_location(l), final = builder_location(l);
  l->program->locations.data[final].final = true;
  Thread *t = &l->program->threads.data[thread];
  t->entry = entry;
  t->final = final;
  l->current = entry;
}

static Term null_pointer(Lowering *l) { return constant_address(l, 0); }

// Ends a thread whose routine has returned. If destructors or handlers may have to run, a model does it.
static void end_thread(Lowering *l, Term result) {
  bool hooks = unit_uses(l->unit, "pthread_key_create") || unit_uses(l->unit, "tss_create") || l->unit->counts_threads;
  LLVMValueRef end = hooks ? unit_model(l->unit, "__heddle_thread_end") : NULL;
  uint32_t count;
  if (end && l->current != NO_ID)
    call_function(l, end, &result, 1, &count);
  else
    lower_thread_end(l, result);
}

static void lower_routine(Lowering *l, ThreadId thread, LLVMValueRef function, bool used_again) {
  lower_thread_begin(l, thread);
  assert(l->current != NO_ID && !l->top);
  LLVMValueRef definition = unit_definition(l->unit, function);
  if (definition) l->position = lower_function_position(l, definition);
  uint64_t control = l->program->objects.data[l->program->threads.data[thread].control].address;
  Step start = builder_step(l);
  start.kind = STEP_START;
  start.access.address = constant_address(l, control + CONTROL_STATUS);
  start.access.bytes = 4;
  start.access.reads = start.access.synchronises = true;
  start.access.into = builder_temporary(l, 32, "status");
  start.guard =
      term_eq(l->terms, variable_term(l->program, start.access.into), term_constant(l->terms, 32, THREAD_RUNNING));
  builder_emit(l, &start);
  if (lower_error_function(l, function)) return;
  if (!definition) {
    const char *name = value_name(function);
    builder_cut(l, CUT_CONSTRUCT, intern_format(&l->program->strings, "thread routine %s without a body", name));
    return;
  }
  if (used_again) reuse_begin(l);
  uint32_t count = 0;
  size_t parameters = LLVMCountParams(definition);
  const Term *result = NULL;
  if (parameters == 0) {
    result = call_function(l, definition, NULL, 0, &count);
  } else {
    Term argument =
        builder_load(l, constant_address(l, control + CONTROL_ARGUMENT), l->unit->pointer_width, true, "argument");
    result = call_function(l, definition, &argument, 1, &count);
  }
  l->position = lower_return_position(l, definition);
  unsigned width = l->unit->pointer_width;
  end_thread(l, result && count == 1 ? term_resize_unsigned(l->terms, result[0], width) : null_pointer(l));
}

// --- main ---

// The functions of a table of constructors or destructors, by priority; equal ones in the order of the table.
void lower_table(Lowering *l, const char *table_name, bool backwards) {
  LLVMValueRef table = LLVMGetNamedGlobal(l->unit->user, table_name);
  LLVMValueRef rows = table ? LLVMGetInitializer(table) : NULL;
  uint64_t count = rows ? LLVMGetArrayLength2(LLVMTypeOf(rows)) : 0;
  bool *done = arena_allocate_zeroed(&l->scratch, count + 1);
  for (uint64_t round = 0; round < count && l->current != NO_ID; round++) {
    uint64_t best = count, best_priority = 0;
    for (uint64_t k = 0; k < count; k++) {
      uint64_t i = backwards ? count - 1 - k : k;
      LLVMValueRef row = LLVMGetAggregateElement(rows, (unsigned)i);
      uint64_t priority = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(row, 0));
      bool better = best == count || (backwards ? priority > best_priority : priority < best_priority);
      if (done[i] || !better) continue;
      best = i;
      best_priority = priority;
    }
    assert(best < count);
    done[best] = true;
    LLVMValueRef function = LLVMGetAggregateElement(LLVMGetAggregateElement(rows, (unsigned)best), 1);
    uint32_t results;
    if (LLVMIsAFunction(function) && unit_definition(l->unit, function))
      call_function(l, unit_definition(l->unit, function), NULL, 0, &results);
  }
}

static void lower_main(Lowering *l, LLVMValueRef main_function) {
  Program *p = l->program;
  ThreadId thread = site_new_thread(l, "main", NO_ID, 0, (Position){.function = "main"});
  assert(thread == 0 && "main is the first thread");
  object_set_initial(l, p->threads.data[thread].control, CONTROL_STATUS, THREAD_RUNNING, 4);
  object_set_initial(l, p->threads.data[thread].control, CONTROL_ACCEPTED, UINT64_MAX, 8);
  lower_thread_begin(l, thread);
  lower_table(l, "llvm.global_ctors", false);
  Term arguments[8];
  l->position = lower_function_position(l, main_function);
  size_t count = launch_arguments(l, main_function, arguments);
  assert(count <= LAUNCH_MOST_ARGUMENTS);
  uint32_t results;
  const Term *result = call_function(l, main_function, arguments, count, &results);
  if (l->current == NO_ID) return;
  l->position = lower_return_position(l, main_function);
  // Returning from main is exit(): handlers and destructor functions run, then everything stops.
  LLVMValueRef leave = l->unit->exit_handlers ? unit_model(l->unit, "exit") : NULL;
  Term status = result && results == 1 ? result[0] : term_constant(l->terms, 32, 0);
  if (leave) call_function(l, leave, &status, 1, &results);
  leaks_check(l);
  Step halt = builder_step(l);
  halt.kind = STEP_HALT;
  builder_end(l, &halt);
}

static void rely_on_asserts(const FrontUnit *unit, Program *program) {
  for (size_t i = 0; i < unit->without_asserts.count; i++)
    program_rely(program, ASSUME_ASSERTIONS,
                 intern_format(&program->strings, "those of %s", unit->without_asserts.data[i]), (Position){0});
}

// Can memory hold pointers that the model does not know?
static bool has_untracked(const Program *p) {
  if (p->assumptions & (1u << ASSUME_UNDEFINED_FUNCTION | 1u << ASSUME_ASSEMBLY)) return true;
  for (size_t s = 0; s < p->steps.count; s++)
    if (p->steps.data[s].kind == STEP_COPY || p->steps.data[s].kind == STEP_HAVOC) return true;
  return false;
}

Program *front_lower(FrontUnit *unit, const FrontLimits *limits, FrontView view, Text *error, Account *account) {
  LLVMValueRef main_function = LLVMGetNamedFunction(unit->user, "main");
  if (!main_function || LLVMCountBasicBlocks(main_function) == 0) {
    size_t length;
    const char *first = LLVMGetSourceFileName(unit->user, &length),
               *more = unit->file_count > 1 ? " and the others" : "";
    text_line(error,
              "heddle: %s%s: no main function; name the file that has it, too, or one that calls what is to be checked",
              first, more);
    return NULL;
  }
  Lowering lowering;
  lowering_init(&lowering, unit, limits, view, account);
  functions_lay_out(&lowering);
  inlining_share(&lowering, 1); // how many threads there are is not known yet
  lower_main(&lowering, main_function);
  size_t next = 0;
  do {
    for (; next < lowering.work.count; next++) {
      ThreadWork work = lowering.work.data[next];
      inlining_share(&lowering, lowering.work.count - next - 1);
      lower_routine(&lowering, work.thread, work.function, work.used_again);
    }
    inlining_share(&lowering, 0);
  } while (lower_interrupts(&lowering));
  reuse_finish(&lowering);
  lower_accept_answers(&lowering);
  lower_observers(&lowering);
  size_queries_answer(&lowering);
  leaks_finish(&lowering);
  assert(!lowering.top);
  Program *program = lowering.program;
  program->untracked = has_untracked(program);
  lowering_free(&lowering);
  rely_on_asserts(unit, program);
  program_index(program);
  return program;
}
