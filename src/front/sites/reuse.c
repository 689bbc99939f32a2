// Slots that are used again: a loop that creates threads and joins them needs no more slots than run at a time.
//
// The thread of such a slot starts once and runs its routine repeatedly. When the routine has ended, the thread sets
// `ended` in its control block and waits. pthread_join waits for `ended` and sets `joined`. A later creation at the
// same site takes a slot whose thread was joined: it clears both fields, and the thread continues. Before the new run
// the thread-locals get their initial values again. Automatic variables are indeterminate where their lifetime starts
// anyway, and each run takes further slots of heap blocks (lower_in_loop).
#include "front/objects/objects.h"
#include "front/sites/sites.h"
#include "front/threads/threads.h"

#include <string.h>

// --- which programs reuse slots ---

enum { CALLS_CREATE = 1, CALLS_JOIN = 2, CALLS_BOTH = 3, BEING_LOOKED_AT = 4, LOOKED_AT = 8 };

static unsigned thread_call_kind(const char *name) {
  if (strcmp(name, "pthread_create") == 0 || strcmp(name, "thrd_create") == 0) return CALLS_CREATE;
  if (strcmp(name, "pthread_join") == 0 || strcmp(name, "thrd_join") == 0) return CALLS_JOIN;
  return 0;
}

static unsigned calls_of_function(FrontUnit *unit, Map *known, LLVMValueRef function, bool *in_one_loop);

static unsigned calls_of_block(FrontUnit *unit, Map *known, LLVMBasicBlockRef block, bool *in_one_loop) {
  unsigned calls = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) continue;
    calls |= calls_of_function(unit, known, LLVMGetCalledValue(i), in_one_loop);
  }
  return calls;
}

// Which of the two kinds of calls the function contains, directly or not. Sets `*in_one_loop` if one of these
// functions has both inside its loops.
static unsigned calls_of_function(FrontUnit *unit, Map *known, LLVMValueRef function, bool *in_one_loop) {
  unsigned calls = thread_call_kind(value_name(function));
  if (calls) return calls;
  if (LLVMCountBasicBlocks(function) == 0) return 0;
  calls = (unsigned)map_get_or(known, pointer_key(function), 0);
  if (calls) return calls & CALLS_BOTH;
  map_put(known, pointer_key(function), BEING_LOOKED_AT);
  const FunctionInfo *info = unit_function(unit, function);
  unsigned looping = 0;
  for (size_t b = 0; b < info->block_count; b++) {
    unsigned here = calls_of_block(unit, known, info->blocks[b], in_one_loop);
    if (info->in_cycle[b]) looping |= here;
    calls |= here;
  }
  *in_one_loop |= looping == CALLS_BOTH;
  map_put(known, pointer_key(function), calls | LOOKED_AT);
  return calls;
}

bool unit_joins_in_loops(FrontUnit *unit) {
  if (!unit_uses(unit, "pthread_join") && !unit_uses(unit, "thrd_join")) return false;
  Map known;
  map_init(&known, unit->account);
  bool in_one_loop = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->user); f && !in_one_loop; f = LLVMGetNextFunction(f))
    calls_of_function(unit, &known, f, &in_one_loop);
  map_free(&known);
  return in_one_loop;
}

// --- the thread ---

void reuse_resume(Lowering *l) {
  l->restart = l->rest = NO_ID;
  for (size_t i = 0; i < l->reused_threads.count; i++) {
    if (l->reused_threads.data[i].thread != l->thread) continue;
    l->restart = l->reused_threads.data[i].restart;
    l->rest = l->reused_threads.data[i].rest;
  }
}

void reuse_begin(Lowering *l) {
  assert(l->current != NO_ID && l->restart == NO_ID);
  l->restart = l->current;
  l->rest = builder_location(l);
  ReusedThreadVector_push(&l->reused_threads, (ReusedThread){l->thread, l->restart, l->rest});
}

void reuse_end(Lowering *l, Term result, uint64_t control) {
  assert(l->restart != NO_ID && l->rest != NO_ID);
  interrupt_end(l);
  builder_store(l, constant_address(l, control + CONTROL_RESULT), result, true);
  builder_store(l, constant_address(l, control + CONTROL_ENDED), term_constant(l->terms, 32, 1), true);
  Step again = builder_step(l);
  again.kind = STEP_AGAIN;
  again.access.address = constant_address(l, control + CONTROL_ENDED);
  again.access.bytes = 4;
  again.access.reads = again.access.synchronises = true;
  again.access.into = builder_temporary(l, 32, "ended");
  again.guard = term_eq(l->terms, variable_term(l->program, again.access.into), term_constant(l->terms, 32, 0));
  builder_emit_to(l, &again, l->rest, true);
}

// A constant object with the initial bytes of the thread-local.
static ObjectId image_of(Lowering *l, ObjectId id) {
  const Object *object = &l->program->objects.data[id];
  uint64_t size = object->size;
  uint8_t *bytes = object->initial;
  assert(bytes && size > 0);
  ObjectId image = program_add_object(l->program, size, STORAGE_CONSTANT, NO_ID, "initial values");
  if (image != NO_ID) l->program->objects.data[image].initial = bytes;
  return image;
}

static void reset_thread_local(Lowering *l, ObjectId id) {
  const Object *object = &l->program->objects.data[id];
  Term address = object_address(l, id);
  if (!object->initial) {
    lower_block_operation(l, STEP_FILL, address, term_constant(l->terms, 8, 0), object->size);
    return;
  }
  uint64_t size = object->size;
  ObjectId image = image_of(l, id);
  if (image == NO_ID)
    builder_cut(l, CUT_SIZE, "the address space is full");
  else
    lower_block_operation(l, STEP_COPY, address, object_address(l, image), size);
}

static void finish_thread(Lowering *l, ThreadId thread) {
  lower_thread_resume(l, thread);
  assert(l->restart != NO_ID && l->rest != NO_ID);
  l->current = l->rest;
  size_t count = l->program->objects.count;
  for (size_t o = 0; o < count && l->current != NO_ID; o++) {
    const Object *object = &l->program->objects.data[o];
    if (object->storage == STORAGE_TLS && object->owner == l->thread && object->size > 0)
      reset_thread_local(l, (ObjectId)o);
  }
  Step step = builder_step(l);
  builder_emit_to(l, &step, l->restart, true);
}

// Signal handlers add thread-locals, too; so this comes after all interruptions are lowered.
void reuse_finish(Lowering *l) {
  for (size_t i = 0; i < l->reused_threads.count; i++) finish_thread(l, l->reused_threads.data[i].thread);
}

// --- the creator ---

void reuse_start(Lowering *l, Term argument, Term handle_place, uint64_t control) {
  Term zero = term_constant(l->terms, 32, 0);
  builder_store(l, constant_address(l, control + CONTROL_JOINED), zero, true);
  builder_store(l, constant_address(l, control + CONTROL_DETACHED), zero, true);
  builder_store(l, constant_address(l, control + CONTROL_ARGUMENT), argument, true);
  bool nowhere = term_is_constant(l->terms, handle_place) && term_constant_value(l->terms, handle_place) == 0;
  if (!nowhere) builder_store(l, handle_place, constant_address(l, control), false);
  interrupt_inherit(l, control);
  builder_store(l, constant_address(l, control + CONTROL_ENDED), zero, true);
}
