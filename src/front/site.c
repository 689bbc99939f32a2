// Sites that hand out slots: thread creation and allocation.
//
// Each site of each thread has slots of its own, so that handing one out touches nothing shared. A site outside any
// loop has one slot; one inside a loop has as many as the limits allow, counted by a variable of the thread, and a cut
// behind the last.
#include "front/lower.h"

// What to do with the k-th slot of a site; ends with the site's result assigned by the caller.
typedef struct Site {
  unsigned slots;
  CutKind limit;
  const char *what;
  Term (*hand_out)(Lowering *l, struct Site *site, unsigned k); // emits steps, returns the result's term
  LLVMValueRef function;                                        // thread creation
  Term argument, handle_place, size;
  bool zeroed;
  bool used_again;   // slots of threads that were joined are handed out again
  ThreadId *threads; // then: the threads of the slots
} Site;

// One case: counter == k, hand out the k-th slot, count, go to the join.
static void site_case(Lowering *l, Site *site, unsigned k, VariableId counter, VariableId result, LocationId *join) {
  Term number = variable_term(l->program, counter);
  Step enter = builder_step(l);
  enter.guard = term_eq(l->terms, number, term_constant(l->terms, 8, k));
  builder_emit(l, &enter);
  Term value = site->hand_out(l, site, k);
  if (l->current == NO_ID) return;
  builder_assign(l, counter, term_constant(l->terms, 8, k + 1));
  builder_assign(l, result, value);
  if (*join == NO_ID) *join = builder_location(l);
  Step leave = builder_step(l);
  builder_emit_to(l, &leave, *join, true);
}

// Before new slots, from `start` on: those whose thread was joined, one after the other.
static void site_reuse(Lowering *l, const Site *site, VariableId result, LocationId join) {
  for (unsigned k = 0; k < site->slots; k++) {
    uint64_t control = l->program->objects.data[l->program->threads.data[site->threads[k]].control].address;
    Term joined = builder_load(l, constant_address(l, control + CONTROL_JOINED), 32, true, "joined");
    LocationId start = l->current;
    Step take = builder_step(l);
    take.guard = term_is_nonzero(l->terms, joined);
    builder_emit(l, &take);
    reuse_start(l, site->argument, site->handle_place, control);
    builder_assign(l, result, constant_address(l, control));
    Step leave = builder_step(l);
    builder_emit_to(l, &leave, join, true);
    l->current = start;
    Step pass = builder_step(l);
    pass.guard = term_not(l->terms, term_is_nonzero(l->terms, joined));
    builder_emit(l, &pass);
  }
}

static Term site_run(Lowering *l, Site *site) {
  if (l->current == NO_ID) return TERM_NONE;
  builder_settle_here(l);
  if (site->slots == 1 && !lower_in_loop(l)) return site->hand_out(l, site, 0);
  VariableId counter = builder_temporary(l, 8, "handed_out");
  VariableId result = builder_temporary(l, l->unit->pointer_width, "slot");
  LocationId entry = l->current, start = site->used_again ? builder_location(l) : entry, join = NO_ID;
  unsigned depth = l->atomic_depth;
  for (unsigned k = 0; k < site->slots; k++) {
    l->current = start;
    l->atomic_depth = depth;
    site_case(l, site, k, counter, result, &join);
  }
  l->current = start;
  l->atomic_depth = depth;
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard =
      term_binary(l->terms, TERM_ULE, term_constant(l->terms, 8, site->slots), variable_term(l->program, counter));
  cut.target = program_add_cut(l->program, site->limit, site->what, l->position);
  builder_end(l, &cut);
  if (site->used_again && join != NO_ID) {
    l->current = entry;
    l->atomic_depth = depth;
    site_reuse(l, site, result, join);
    Step none = builder_step(l);
    builder_emit_to(l, &none, start, true);
  }
  l->current = join;
  return join == NO_ID ? TERM_NONE : variable_term(l->program, result);
}

// --- threads ---

ThreadId site_new_thread(Lowering *l, const char *routine, ThreadId parent, unsigned ordinal, Position created_at) {
  Program *p = l->program;
  ThreadId thread = program_add_thread(p, routine, parent, ordinal, created_at);
  const char *name = intern_format(&p->strings, "thread %s", p->threads.data[thread].path);
  ObjectId control = program_add_object(p, CONTROL_SIZE, STORAGE_CONTROL, thread, name);
  static const NamedPart fields[] = {{CONTROL_STATUS, ".status"},
                                     {CONTROL_ARGUMENT, ".argument"},
                                     {CONTROL_RESULT, ".result"},
                                     {CONTROL_DETACHED, ".detached"},
                                     {CONTROL_JOINED, ".joined"},
                                     {CONTROL_ENDED, ".ended"},
                                     {CONTROL_ACCEPTED, ".accepted signals"},
                                     {CONTROL_PENDING, ".pending signals"},
                                     {CONTROL_CANCEL, ".cancelled"}};
  Object *object = &p->objects.data[control];
  object->parts = arena_copy(&p->arena, fields, sizeof fields);
  object->part_count = sizeof fields / sizeof *fields;
  p->threads.data[thread].control = control;
  return thread;
}

static Term hand_out_thread(Lowering *l, Site *site, unsigned k) {
  Program *p = l->program;
  size_t length;
  const char *name = LLVMGetValueName2(site->function, &length);
  ThreadId thread = site_new_thread(l, name, l->thread, l->created++, l->position);
  ThreadWorkVector_push(&l->work, (ThreadWork){thread, site->function, site->used_again});
  if (site->used_again) site->threads[k] = thread;
  uint64_t control = p->objects.data[p->threads.data[thread].control].address;
  bool null = term_is_constant(l->terms, site->argument) && term_constant_value(l->terms, site->argument) == 0;
  if (!null) builder_store(l, constant_address(l, control + CONTROL_ARGUMENT), site->argument, true);
  // The handle is the user's data, and is there before the new thread can look at it.
  bool nowhere =
      term_is_constant(l->terms, site->handle_place) && term_constant_value(l->terms, site->handle_place) == 0;
  if (!nowhere) builder_store(l, site->handle_place, constant_address(l, control), false);
  interrupt_inherit(l, control);
  Step create = builder_step(l);
  create.kind = STEP_CREATE;
  create.target = thread;
  create.access.address = constant_address(l, control + CONTROL_STATUS);
  create.access.bytes = 4;
  create.access.writes = create.access.synchronises = true;
  create.access.stored = term_constant(l->terms, 32, THREAD_RUNNING);
  builder_emit(l, &create);
  return constant_address(l, control);
}

Term site_create(Lowering *l, LLVMValueRef function, Term argument, Term handle_place) {
  unsigned wanted = lower_in_loop(l) ? l->limits->threads_per_site : 1;
  size_t used = l->program->threads.count, most = l->limits->threads_total;
  unsigned left = used < most ? (unsigned)(most - used) : 0;
  Site site = {
      .slots = wanted < left ? wanted : left,
      .limit = CUT_THREADS,
      .what = intern_format(&l->program->strings, "more than %u threads created here", wanted < left ? wanted : left),
      .hand_out = hand_out_thread,
      .function = function,
      .argument = argument,
      .handle_place = handle_place,
      .used_again = l->unit->joins_in_loops && lower_in_loop(l)};
  if (site.used_again) site.threads = arena_allocate(&l->scratch, site.slots * sizeof *site.threads + 1);
  if (site.slots == 0) {
    builder_cut(l, CUT_THREADS, intern_format(&l->program->strings, "more than %zu threads", most));
    return TERM_NONE;
  }
  return site_run(l, &site);
}

void cut_where(Lowering *l, Term condition, CutKind kind, const char *what) {
  if (l->current == NO_ID || term_is_false(l->terms, condition)) return;
  builder_settle_here(l);
  LocationId start = l->current;
  Step on = builder_step(l);
  on.guard = term_not(l->terms, condition);
  builder_emit(l, &on);
  LocationId inside = l->current;
  l->current = start;
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = condition;
  cut.target = program_add_cut(l->program, kind, what, l->position);
  builder_end(l, &cut);
  l->current = inside;
}

void site_doubt(Lowering *l, CutKind kind, const char *what) {
  if (l->current == NO_ID) return;
  builder_settle_here(l);
  LocationId here = l->current;
  builder_cut(l, kind, what);
  l->current = here;
}

// --- heap ---

static Term hand_out_object(Lowering *l, Site *site, unsigned k) {
  (void)k;
  bool fixed = term_is_constant(l->terms, site->size);
  uint64_t bytes = fixed ? (uint64_t)term_constant_value(l->terms, site->size) : l->limits->object_bytes;
  const char *name = intern_format(&l->program->strings, "heap:%u", l->position.line);
  ObjectId object = program_add_object(l->program, bytes, STORAGE_HEAP, l->thread, name);
  l->program->objects.data[object].indeterminate = !site->zeroed;
  l->program->objects.data[object].dynamic = true;
  Step step = builder_step(l);
  step.kind = STEP_ALLOCATE;
  step.target = object;
  builder_emit(l, &step);
  return constant_address(l, l->program->objects.data[object].address);
}

// Leaves with a cut on the path where the wanted size does not fit the model's largest block.
static void check_size(Lowering *l, Term size) {
  uint64_t most = l->limits->object_bytes;
  Term fits = term_binary(l->terms, TERM_ULE, size, term_constant(l->terms, term_width(l->terms, size), most));
  LocationId start = l->current;
  Step enough = builder_step(l);
  enough.guard = fits;
  builder_emit(l, &enough);
  LocationId inside = l->current;
  l->current = start;
  Step cut = builder_step(l);
  cut.kind = STEP_CUT;
  cut.guard = term_not(l->terms, fits);
  cut.target = program_add_cut(l->program, CUT_SIZE, "allocation larger than the model's limit", l->position);
  builder_end(l, &cut);
  l->current = inside;
}

Term site_allocate(Lowering *l, Term size, bool zeroed) {
  if (l->current == NO_ID) return TERM_NONE;
  bool fixed = term_is_constant(l->terms, size);
  if (fixed && term_constant_value(l->terms, size) > (Bits)1 << 30) {
    builder_cut(l, CUT_SIZE, "allocation of more than 1 GiB");
    return TERM_NONE;
  }
  if (!fixed) check_size(l, size);
  if (!fixed && l->view.lifetimes) site_doubt(l, CUT_SIZE, "bounds of a block whose size is not constant");
  l->program->assumptions |= 1u << ASSUME_MALLOC_SUCCEEDS;
  Site site = {.slots = lower_in_loop(l) ? l->limits->heap_per_site : 1,
               .limit = CUT_HEAP,
               .what =
                   intern_format(&l->program->strings, "more than %u blocks allocated here", l->limits->heap_per_site),
               .hand_out = hand_out_object,
               .size = size,
               .zeroed = zeroed};
  return site_run(l, &site);
}
