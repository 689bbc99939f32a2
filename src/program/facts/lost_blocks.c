#include "program/facts/lost_blocks.h"

#include <string.h>

typedef struct Tracing {
  const Program *p;
  const MemoryState *state;
  Bitset *led_to;         // blocks
  PointerHolder *holders; // per object, or NULL
  U32Vector work;         // those whose contents are still to be looked at
  ByteVector bytes;       // scratch: contents of an object
  bool untracked;         // some memory holds what is not known
} Tracing;

bool check_asks_for(const Program *p, const PropertyCheck *check, ObjectId object) {
  assert(check->subject != CHECK_OVERFLOW && object < p->objects.count);
  const Object *row = &p->objects.data[object];
  if (row->storage != STORAGE_HEAP || row->own) return false;
  return check->site == NULL || (row->origin != NULL && strcmp(row->origin, check->site) == 0);
}

static bool is_block(const Tracing *t, ObjectId object) {
  return t->p->objects.data[object].storage == STORAGE_HEAP && t->state->lives(t->state->context, object);
}

static void follow_pointer(Tracing *t, uint64_t pointer, PointerHolder holder) {
  ObjectId object = pointer ? program_object_at(t->p, pointer) : NO_ID;
  if (object == NO_ID || !is_block(t, object) || bitset_get(t->led_to, object)) return;
  bitset_set(t->led_to, object);
  U32Vector_push(&t->work, object);
  if (t->holders) t->holders[object] = holder;
}

// Puts what the object holds into `bytes`, zero where that is not known. Returns how many bytes of it are known.
static uint64_t gather(Tracing *t, const Object *object) {
  uint64_t known = 0;
  ByteVector_clear(&t->bytes);
  ByteVector_resize(&t->bytes, object->size);
  memset(t->bytes.data, 0, object->size);
  for (uint32_t i = 0; i < object->cell_count; i++) {
    const Cell *cell = &t->p->cells.data[object->first_cell + i];
    Bits value;
    if (!t->state->value(t->state->context, object->first_cell + i, &value)) continue;
    memcpy(t->bytes.data + (cell->address - object->address), &value, cell->bytes);
    known += cell->bytes;
  }
  return known;
}

static void look_into(Tracing *t, ObjectId id) {
  const Object *object = &t->p->objects.data[id];
  size_t word = t->p->pointer_width / 8;
  if (object->size < word) return;
  t->untracked |= gather(t, object) < object->size && t->p->untracked;
  for (size_t at = 0; at + word <= object->size; at++) {
    uint64_t pointer = 0;
    memcpy(&pointer, t->bytes.data + at, word);
    follow_pointer(t, pointer, (PointerHolder){.object = id, .offset = at, .variable = NO_ID});
  }
}

// Does the thread stand where no function of it is active: before its first step, or behind its last?
static bool has_no_stack(const Tracing *t, ThreadId thread) {
  const Thread *row = &t->p->threads.data[thread];
  LocationId at = t->state->location(t->state->context, thread);
  return at == row->entry || at == row->final;
}

static bool is_root(const Tracing *t, const Object *object, ThreadId ending) {
  switch (object->storage) {
  case STORAGE_GLOBAL: return true;
  case STORAGE_TLS: return object->owner == ending;
  // The argument of a thread that was created and has not begun.
  case STORAGE_CONTROL:
    return object->owner != NO_ID &&
           t->state->location(t->state->context, object->owner) == t->p->threads.data[object->owner].entry;
  default: return false;
  }
}

static void trace_all(Tracing *t, ThreadId ending) {
  for (ObjectId o = 0; o < t->p->objects.count; o++)
    if (is_root(t, &t->p->objects.data[o], ending) || (t->p->objects.data[o].own && is_block(t, o))) look_into(t, o);
  while (t->work.count) look_into(t, U32Vector_pop(&t->work));
}

static Loss judge_blocks(const Tracing *t, const PropertyCheck *check, ObjectId *lost) {
  for (ObjectId o = 0; o < t->p->objects.count; o++) {
    if (!check_asks_for(t->p, check, o) || !is_block(t, o) || bitset_get(t->led_to, o)) continue;
    if (lost != NULL) *lost = o;
    return t->untracked ? LOSS_UNKNOWN : LOSS_SURE;
  }
  return LOSS_NONE;
}

Loss lost_blocks_find(const Program *p, const MemoryState *state, ThreadId thread, const PropertyCheck *check,
                      ObjectId *lost) {
  assert(check->subject == CHECK_TRACK);
  Bitset led_to;
  Tracing t = {.p = p, .state = state, .led_to = &led_to};
  if (!check->no_stack) return LOSS_UNKNOWN;
  for (ThreadId other = 0; other < p->threads.count; other++)
    if (other != thread && !has_no_stack(&t, other)) return LOSS_UNKNOWN;
  bitset_init(&led_to, p->objects.count, NULL);
  U32Vector_init(&t.work, NULL);
  ByteVector_init(&t.bytes, NULL);
  trace_all(&t, thread);
  Loss loss = judge_blocks(&t, check, lost);
  ByteVector_free(&t.bytes);
  U32Vector_free(&t.work);
  bitset_free(&led_to);
  return loss;
}

void led_blocks_find(const Program *p, const MemoryState *state, const PointerRoots *roots, Bitset *led_to,
                     PointerHolder *holders) {
  assert(led_to->bits == p->objects.count && holders != NULL);
  Tracing t = {.p = p, .state = state, .led_to = led_to, .holders = holders};
  U32Vector_init(&t.work, NULL);
  ByteVector_init(&t.bytes, NULL);
  for (VariableId v = 0; v < p->variables.count; v++) {
    uint64_t pointer;
    if (!p->variables.data[v].pointer || !roots->variable(state->context, v, &pointer)) continue;
    follow_pointer(&t, pointer, (PointerHolder){.object = NO_ID, .variable = v});
  }
  for (ObjectId o = 0; o < p->objects.count; o++)
    if (roots->object(state->context, o)) look_into(&t, o);
  while (t.work.count) look_into(&t, U32Vector_pop(&t.work));
  ByteVector_free(&t.bytes);
  U32Vector_free(&t.work);
}
