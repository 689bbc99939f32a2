#include "front/calls/calls.h"
#include "front/objects/objects.h"
#include "front/objects/source_names.h"
#include "front/sites/sites.h"
#include "front/threads/threads.h"

enum { MOST_LOOP_BLOCKS = 1 << 14, LEAST_SLOTS = 2 };

// A site, and how it hands out its k-th slot.
typedef struct Site {
  unsigned slots;
  CutKind limit;
  const char *what;
  Term (*hand_out)(Lowering *l, struct Site *site, unsigned k); // emits steps, returns the result's term
  LLVMValueRef function;                                        // thread creation
  Term argument, handle_place, size;
  uint64_t alignment;
  bool zeroed;
  VariableId counter;  // alloca: given; else NO_ID, and made by site_run
  LLVMValueRef alloca; // alloca
  const char *name;    // of blocks: without their number
  NamedPart *parts;    // of blocks
  uint32_t part_count;
  bool used_again;   // slots of threads that were joined are handed out again
  ThreadId *threads; // then: the threads of the slots
} Site;

// One case: counter == k, hand out the k-th slot, count, go to the join.
static void site_case(Lowering *l, Site *site, unsigned k, VariableId counter, VariableId result, LocationId *join) {
  assert(k < site->slots && counter != NO_ID && result != NO_ID);
  Term number = variable_term(l->program, counter);
  Step enter = builder_step(l);
  enter.guard = term_eq(l->terms, number, term_constant(l->terms, SLOT_COUNTER_BITS, k));
  builder_emit(l, &enter);
  Term value = site->hand_out(l, site, k);
  if (l->current == NO_ID) return;
  builder_assign(l, counter, term_constant(l->terms, SLOT_COUNTER_BITS, k + 1));
  builder_assign(l, result, value);
  if (*join == NO_ID) *join = builder_location(l);
  Step leave = builder_step(l);
  builder_emit_to(l, &leave, *join, true);
}

// Tries the slots whose thread was joined, one after the other, before a new one is taken.
static void site_reuse(Lowering *l, const Site *site, VariableId result, LocationId join) {
  assert(site->used_again && site->threads && join != NO_ID);
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
  assert(site->slots < 1u << SLOT_COUNTER_BITS && site->hand_out);
  if (l->current == NO_ID) return TERM_NONE;
  builder_save_values_here(l);
  if (site->slots == 1 && !lower_in_loop(l)) return site->hand_out(l, site, 0);
  VariableId counter = site->counter != NO_ID ? site->counter : builder_temporary(l, SLOT_COUNTER_BITS, "handed_out");
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
  cut.guard = term_binary(l->terms, TERM_ULE, term_constant(l->terms, SLOT_COUNTER_BITS, site->slots),
                          variable_term(l->program, counter));
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
  ThreadId thread = (ThreadId)p->threads.count;
  ObjectId control = lower_object(l, CONTROL_SIZE, 8, STORAGE_CONTROL, thread, "a thread");
  if (control == NO_ID) return NO_ID;
  program_add_thread(p, routine, parent, ordinal, created_at);
  assert(p->threads.count == (size_t)thread + 1);
  static const NamedPart fields[] = {{CONTROL_STATUS, ".status", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_ARGUMENT, ".argument", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_RESULT, ".result", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_DETACHED, ".detached", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_JOINED, ".joined", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_ENDED, ".ended", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_ACCEPTED, ".accepted signals", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_PENDING, ".pending signals", 0, SHOWN_AS_NUMBER},
                                     {CONTROL_CANCEL, ".cancelled", 0, SHOWN_AS_NUMBER}};
  Object *object = &p->objects.data[control];
  object->name = intern_format(&p->strings, "thread %s", p->threads.data[thread].path);
  object->parts = arena_copy(&p->arena, fields, sizeof fields);
  object->part_count = sizeof fields / sizeof *fields;
  p->threads.data[thread].control = control;
  return thread;
}

static Term hand_out_thread(Lowering *l, Site *site, unsigned k) {
  assert(k < site->slots && l->current != NO_ID);
  Program *p = l->program;
  size_t length;
  const char *name = LLVMGetValueName2(site->function, &length);
  ThreadId thread = site_new_thread(l, name, l->thread, l->created, l->position);
  if (thread == NO_ID) return TERM_NONE;
  l->created++;
  ThreadWorkVector_push(&l->work, (ThreadWork){thread, site->function, site->used_again});
  if (site->used_again) site->threads[k] = thread;
  uint64_t control = p->objects.data[p->threads.data[thread].control].address;
  bool null = term_is_constant(l->terms, site->argument) && term_constant_value(l->terms, site->argument) == 0;
  if (!null) builder_store(l, constant_address(l, control + CONTROL_ARGUMENT), site->argument, true);
  // The handle is the user's data; it is stored before the new thread can read it.
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
      .counter = NO_ID,
      .used_again = l->unit->joins_in_loops && lower_in_loop(l)};
  if (site.used_again) site.threads = arena_allocate(&l->scratch, site.slots * sizeof *site.threads + 1);
  if (site.slots == 0) {
    builder_cut(l, CUT_THREADS, intern_format(&l->program->strings, "more than %zu threads", most));
    return TERM_NONE;
  }
  return site_run(l, &site);
}

// --- heap ---

// The number of slots of the present site. All sites in loops together get MOST_LOOP_BLOCKS, except that each gets at
// least LEAST_SLOTS.
static unsigned block_slots(Lowering *l) {
  if (!lower_in_loop(l)) return 1;
  unsigned left = l->loop_blocks < MOST_LOOP_BLOCKS ? MOST_LOOP_BLOCKS - l->loop_blocks : 0;
  unsigned slots = l->limits->heap_per_site < left ? l->limits->heap_per_site : left;
  if (slots < LEAST_SLOTS) slots = LEAST_SLOTS;
  assert(slots <= MOST_LOOP_BLOCKS);
  l->loop_blocks += slots;
  return slots;
}

// Stores the size of a block, for __heddle_allocated_size.
static void keep_size(Lowering *l, ObjectId object, Term size) {
  assert(l->program->objects.data[object].sized);
  const char *name = intern_format(&l->program->strings, "size of %s", l->program->objects.data[object].name);
  unsigned word = l->unit->pointer_width / 8;
  ObjectId place = lower_object(l, word, word, STORAGE_GLOBAL, NO_ID, name);
  if (place == NO_ID) return;
  KeptSizeVector_push(&l->kept_sizes, (KeptSize){object, place, (EdgeId)l->program->edges.count});
  builder_store(l, object_address(l, place), size, true);
}

static uint64_t block_room(const Lowering *l, Term size) {
  bool fixed = term_is_constant(l->terms, size);
  return fixed ? (uint64_t)term_constant_value(l->terms, size) : l->limits->object_bytes;
}

const char *site_origin(Lowering *l) {
  const char *file = l->position.file ? l->position.file : "?";
  return intern_format(&l->program->strings, "%s:%u", file, (unsigned)l->position.line);
}

static Term hand_out_object(Lowering *l, Site *site, unsigned k) {
  (void)k;
  bool fixed = term_is_constant(l->terms, site->size);
  uint64_t bytes = block_room(l, site->size);
  ObjectId id = lower_object(l, bytes, site->alignment, STORAGE_HEAP, l->thread, names_number_block(l, site->name));
  if (id == NO_ID) return TERM_NONE;
  Object *object = &l->program->objects.data[id];
  object->origin = site_origin(l);
  object->parts = site->parts;
  object->part_count = site->part_count;
  object->indeterminate = !site->zeroed;
  object->dynamic = true;
  object->sized = !fixed;
  Step step = builder_step(l);
  step.kind = STEP_ALLOCATE;
  step.target = id;
  if (!fixed) step.operand = site->size;
  builder_emit(l, &step);
  if (!fixed) keep_size(l, id, site->size);
  return object_address(l, id);
}

// A cut where the size is larger than the model's largest block.
static void check_size(Lowering *l, Term size) {
  Term most = term_constant(l->terms, term_width(l->terms, size), l->limits->object_bytes);
  builder_cut_if(l, term_not(l->terms, term_binary(l->terms, TERM_ULE, size, most)), CUT_BLOCK,
                 intern_format(&l->program->strings, "a block of more than %u bytes", l->limits->object_bytes));
}

static Term out_of_memory(Lowering *l) {
  LLVMValueRef model = unit_model(l->unit, "__heddle_out_of_memory");
  uint32_t count = 0;
  const Term *result = call_function(l, model, NULL, 0, &count);
  return result && count == 1 ? result[0] : TERM_NONE;
}

Term site_allocate(Lowering *l, Term size, uint64_t alignment, bool zeroed) {
  assert(alignment > 0 && (alignment & (alignment - 1)) == 0);
  if (l->current == NO_ID) return TERM_NONE;
  bool fixed = term_is_constant(l->terms, size);
  if (fixed && object_cannot_fit(l, term_constant_value(l->terms, size))) return out_of_memory(l);
  if (!fixed) check_size(l, size);
  l->program->assumptions |= 1u << ASSUME_MALLOC_SUCCEEDS;
  unsigned slots = block_slots(l);
  Site site = {.slots = slots,
               .limit = CUT_HEAP,
               .what = intern_format(&l->program->strings, "more than %u blocks allocated here", slots),
               .hand_out = hand_out_object,
               .size = size,
               .alignment = alignment,
               .zeroed = zeroed,
               .counter = NO_ID};
  LLVMValueRef type;
  site.name = names_block(l, &type);
  if (type) site.parts = names_parts_of_block(l, type, block_room(l, size), &site.part_count);
  return site_run(l, &site);
}

// --- alloca in a cycle ---

static Term hand_out_stack(Lowering *l, Site *site, unsigned k) {
  (void)k;
  return stack_slot(l, site->alloca, site->size, site->name);
}

Term site_alloca(Lowering *l, LLVMValueRef alloca, Term size, VariableId counter, const char *name) {
  if (l->current == NO_ID) return TERM_NONE;
  unsigned slots = block_slots(l);
  Site site = {.slots = slots,
               .limit = CUT_HEAP,
               .what = intern_format(&l->program->strings, "more than %u calls of alloca here", slots),
               .hand_out = hand_out_stack,
               .size = size,
               .alloca = alloca,
               .counter = counter,
               .name = name};
  return site_run(l, &site);
}
