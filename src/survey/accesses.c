#include "survey/accesses.h"

#include "survey/contents.h"
#include "survey/library_memory.h"
#include "survey/own_locks.h"

#include "base/budget.h"

#include <stdlib.h>

typedef struct Finding {
  Accesses *accesses;
  SurveyFacts *facts;
  Flow *flow;
  VolatileReading volatile_reading;
  Contents contents;
  bool has_contents;
  uint64_t visited;
  bool out_of_time;
} Finding;

// One access, before its places are known.
typedef struct Touch {
  uint32_t context, statement;
  CodeOperand address;
  uint64_t size;
  SetId locks, running; // as in FlowState
  AccessKind kind;
} Touch;

void accesses_init(Accesses *accesses, Account *account) {
  *accesses = (Accesses){.count = 0};
  AccessClassVector_init(&accesses->classes, account);
  AccessSiteVector_init(&accesses->sites, account);
  AccessSiteVector_push(&accesses->sites, (AccessSite){0, 0, 0});
  U32Vector_init(&accesses->next, account);
  map_init(&accesses->first, account);
}

void accesses_free(Accesses *accesses) {
  AccessClassVector_free(&accesses->classes);
  AccessSiteVector_free(&accesses->sites);
  U32Vector_free(&accesses->next);
  map_free(&accesses->first);
}

// --- classes ---

static bool same_kind(AccessKind a, AccessKind b) {
  return a.writes == b.writes && a.atomic == b.atomic && a.frees == b.frees && a.opaque == b.opaque &&
         a.owned == b.owned && a.locks == b.locks;
}

static bool same_class(const AccessClass *a, const AccessClass *b) {
  return a->place.area == b->place.area && a->place.offset == b->place.offset && a->place.stride == b->place.stride &&
         a->place.extent == b->place.extent && a->size == b->size && a->template_id == b->template_id &&
         a->locks == b->locks && a->running == b->running && same_kind(a->kind, b->kind);
}

static uint64_t hash_class(const AccessClass *c) {
  uint64_t kind = (uint64_t)c->kind.writes | (uint64_t)c->kind.atomic << 1 | (uint64_t)c->kind.frees << 2 |
                  (uint64_t)c->kind.opaque << 3 | (uint64_t)c->kind.owned << 4 | (uint64_t)c->kind.locks << 6;
  uint64_t parts[] = {
      (uint64_t)c->place.area << 32 | c->place.stride, (uint64_t)c->place.offset,       c->place.extent, c->size,
      (uint64_t)c->template_id << 32 | c->locks,       (uint64_t)c->running << 8 | kind};
  return hash_bytes(parts, sizeof parts);
}

static void add_site(Accesses *accesses, AccessClass *c, uint32_t statement, uint32_t context) {
  for (uint32_t i = c->first_site; i; i = accesses->sites.data[i].next)
    if (accesses->sites.data[i].statement == statement) return;
  assert(c->site_count <= MOST_SITES);
  if (c->site_count == MOST_SITES) return;
  AccessSiteVector_push(&accesses->sites, (AccessSite){statement, context, c->first_site});
  c->first_site = (uint32_t)accesses->sites.count - 1;
  c->site_count++;
}

static void add(Finding *f, AccessClass c, const Touch *touch) {
  Accesses *a = f->accesses;
  assert(sharing_is_shared(&f->facts->sharing, c.place.area));
  assert(c.template_id < templates_count(f->facts->templates));
  uint64_t hash = hash_class(&c);
  uint32_t first = (uint32_t)map_get_or(&a->first, hash, 0), i = first;
  while (i && !same_class(&a->classes.data[i - 1], &c)) i = a->next.data[i - 1];
  if (!i) {
    AccessClassVector_push(&a->classes, c);
    U32Vector_push(&a->next, first);
    i = (uint32_t)a->classes.count;
    map_put(&a->first, hash, i);
  }
  add_site(a, &a->classes.data[i - 1], touch->statement, touch->context);
  a->count++;
}

static bool is_of_interest(const SurveyFacts *facts, uint32_t area) {
  const Area *a = pointing_area(facts->pointing, area);
  if (a->kind == AREA_FUNCTION || !sharing_is_shared(&facts->sharing, area)) return false;
  return a->object == NO_CODE_ID || a->kind == AREA_HEAP || !facts->code->objects[a->object].constant;
}

static void touch_place(Finding *f, const Touch *touch, AreaPlace place, uint64_t size) {
  if (!is_of_interest(f->facts, place.area)) return;
  AccessClass c = {.place = place,
                   .size = size,
                   .template_id = flow_context(f->flow, touch->context)->template_id,
                   .locks = own_locks(f->facts, touch->locks, touch->address, place, size),
                   .running = touch->running,
                   .kind = touch->kind};
  add(f, c, touch);
}

static AreaPlace whole(uint32_t area) { return (AreaPlace){.area = area, .stride = 1, .offset = 0, .extent = 0}; }

static void touch_all(Finding *f, const Touch *touch) {
  PlaceRange range = pointing_of(f->facts->pointing, touch->address);
  for (uint32_t i = 0; i < range.count; i++) {
    if (touch->kind.frees)
      touch_place(f, touch, whole(range.data[i].area), 0);
    else
      touch_place(f, touch, range.data[i], touch->size);
  }
}

// --- statements ---

// A block that a thread got as its argument may still be used by the thread that gave it.
static OwnedKind owned_kind(const Finding *f, uint32_t context, const FlowState *state, CodeOperand address) {
  if (!ownership_holds(flow_ownership(f->flow), state, address)) return OWNED_NOT;
  uint32_t id = flow_context(f->flow, context)->template_id;
  return flow_may_be_given(f->flow, id, address) ? OWNED_GIVEN : OWNED_MADE;
}

static void touch(Finding *f, Touch t, const FlowState *state, bool is_volatile) {
  if (is_volatile && f->volatile_reading != VOLATILE_RACY) {
    f->accesses->counted_volatile = true;
    if (f->volatile_reading == VOLATILE_IGNORE) return;
    t.kind.atomic = true;
  }
  t.kind.owned = owned_kind(f, t.context, state, t.address);
  touch_all(f, &t);
}

static void touch_deep(Finding *f, Touch t, bool writes) {
  if (!f->has_contents) contents_init(&f->contents, f->facts);
  f->has_contents = true;
  Bitset areas;
  bitset_init(&areas, pointing_area_count(f->facts->pointing), f->facts->account);
  contents_reach(&f->contents, f->facts, t.address, &areas);
  t.kind.writes = writes;
  t.address = (CodeOperand){CODE_NOTHING, 0, 0}; // the areas are reached through memory, not from a register
  for (size_t i = bitset_next(&areas, 0); i < areas.bits; i = bitset_next(&areas, i + 1))
    touch_place(f, &t, whole((uint32_t)i), 0);
  bitset_free(&areas);
}

static bool is_own_object(SynchronisationKind kind, uint32_t argument) {
  return argument == 0 && (kind == SYNC_INITIALISE || kind == SYNC_DESTROY || kind == SYNC_SEMAPHORE_INITIALISE);
}

// Locks, condition variables, semaphores, barriers: a block may not be freed while they are in use.
static uint32_t synchronised_operands(SynchronisationKind kind) {
  switch (kind) {
  case SYNC_LOCK:
  case SYNC_TRY_LOCK:
  case SYNC_TIMED_LOCK:
  case SYNC_UNLOCK:
  case SYNC_READ_LOCK:
  case SYNC_TRY_READ_LOCK:
  case SYNC_SIGNAL:
  case SYNC_SEMAPHORE_WAIT:
  case SYNC_SEMAPHORE_TRY:
  case SYNC_SEMAPHORE_POST:
  case SYNC_BARRIER_WAIT: return 1;
  case SYNC_WAIT: return 2;
  default: return 0;
  }
}

static void touch_locks(Finding *f, Touch t, const Effect *effect, const FlowState *state) {
  const CodeStatement *s = &f->facts->code->statements[t.statement];
  uint32_t count = synchronised_operands(effect->synchronisation);
  assert(count <= 2);
  for (uint32_t i = 1; i <= count && i < s->operand_count; i++) {
    t.address = code_operand(f->facts->code, s, i);
    t.kind = (AccessKind){.atomic = true, .locks = true};
    t.size = 1;
    touch(f, t, state, false);
  }
}

// Functions that POSIX does not require to be safe in several threads: each has memory of its own in the library.
static void touch_library_memory(Finding *f, Touch t, const Effect *effect) {
  bool writes;
  uint32_t memory = library_memory(effect->name, &writes);
  if (memory == 0) return;
  t.address = (CodeOperand){CODE_NOTHING, 0, 0};
  t.kind = (AccessKind){.writes = writes};
  touch_place(f, &t, (AreaPlace){.area = pointing_outside(f->facts->pointing), .offset = (int64_t)memory * 16}, 1);
  const Code *code = f->facts->code;
  for (uint32_t i = 0; i < code->object_count; i++) // optarg is getopt's
    if (code->objects[i].external && code->objects[i].name && library_object_memory(code->objects[i].name) == memory)
      touch_place(f, &t, whole(i), 0);
}

static void touch_arguments(Finding *f, Touch t, const Effect *effect, const FlowState *state) {
  const CodeStatement *s = &f->facts->code->statements[t.statement];
  for (uint32_t i = 0; i + 1 < s->operand_count; i++) {
    uint8_t touched = calls_argument_effect(effect, i);
    bool own = is_own_object(effect->synchronisation, i);
    if (own && !f->facts->strict) continue;
    t.address = code_operand(f->facts->code, s, i + 1);
    if (pointing_of(f->facts->pointing, t.address).count == 0) continue;
    bool creates = effect->synchronisation == SYNC_CREATE_POSIX || effect->synchronisation == SYNC_CREATE_C11;
    t.size = creates && i == 0 ? f->facts->code->pointer_bytes : own ? 1 : 0; // as in touch_locks
    t.kind = (AccessKind){.writes = touched & (ARGUMENT_WRITTEN | ARGUMENT_FREED), .frees = touched & ARGUMENT_FREED};
    if (touched & (ARGUMENT_TOUCHED | ARGUMENT_FREED)) touch(f, t, state, false);
    t.kind = (AccessKind){.writes = false};
    if (touched & ARGUMENT_DEEP_READ) touch_deep(f, t, false);
    if (touched & ARGUMENT_DEEP_WRITTEN) touch_deep(f, t, true);
  }
}

static void touch_library(Finding *f, Touch t, const Effect *effect, const FlowState *state) {
  touch_arguments(f, t, effect, state);
  touch_locks(f, t, effect, state);
  touch_library_memory(f, t, effect);
}

static void visit_call(Finding *f, Touch t, const FlowState *before, const FlowState *after) {
  CallTargets targets = calls_of(f->facts->calls, t.statement);
  if (after->reached) { // a thread may have begun before the call ends
    t.running = set_unite(&f->facts->sets, t.running, after->running);
    t.locks = set_intersection(&f->facts->sets, t.locks, after->locks);
  }
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind == CALL_LIBRARY)
      touch_library(f, t, calls_effect(f->facts->calls, targets.data[i].function), before);
}

static void touch_operand(Finding *f, Touch t, uint32_t operand, bool writes, const FlowState *state) {
  const CodeStatement *s = &f->facts->code->statements[t.statement];
  t.address = code_operand(f->facts->code, s, operand);
  t.kind = (AccessKind){.writes = writes, .atomic = s->atomic, .opaque = s->kind == CODE_OPAQUE};
  t.size = s->kind == CODE_OPAQUE ? 0 : s->size;
  touch(f, t, state, s->is_volatile);
}

static void visit(void *argument, uint32_t context, uint32_t statement, const FlowState *before,
                  const FlowState *after) {
  Finding *f = argument;
  assert(before->reached);
  if (f->facts->deadline > 0 && ++f->visited % 4096 == 0) f->out_of_time |= clock_now() > f->facts->deadline;
  if (f->out_of_time) return;
  const CodeStatement *s = &f->facts->code->statements[statement];
  Touch t = {.context = context, .statement = statement, .locks = before->locks, .running = before->running};
  switch (s->kind) {
  case CODE_LOAD: touch_operand(f, t, 0, false, before); break;
  case CODE_STORE:
  case CODE_EXCHANGE:
  case CODE_FILL_BLOCK: touch_operand(f, t, 0, true, before); break;
  case CODE_COPY_BLOCK:
    touch_operand(f, t, 0, true, before);
    touch_operand(f, t, 1, false, before);
    break;
  case CODE_OPAQUE:
    for (uint32_t i = 0; i < s->operand_count; i++) touch_operand(f, t, i, true, before);
    break;
  case CODE_CALL: visit_call(f, t, before, after); break;
  default: break;
  }
}

// --- order ---

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_classes(const void *a, const void *b) {
  const AccessClass *x = a, *y = b;
  int order = compare_u64(x->place.area, y->place.area);
  if (!order) order = (x->place.offset > y->place.offset) - (x->place.offset < y->place.offset);
  if (!order) order = compare_u64(x->size, y->size);
  if (!order) order = compare_u64(x->place.stride, y->place.stride);
  if (!order) order = compare_u64(x->place.extent, y->place.extent);
  return order ? order : compare_u64(x->first_site, y->first_site); // different for every class
}

bool accesses_find(Accesses *accesses, SurveyFacts *facts, Flow *flow, VolatileReading volatile_reading) {
  Finding f = {.accesses = accesses, .facts = facts, .flow = flow, .volatile_reading = volatile_reading};
  flow_visit(flow, visit, &f);
  if (f.has_contents) contents_free(&f.contents);
  if (accesses->classes.count > 0)
    qsort(accesses->classes.data, accesses->classes.count, sizeof *accesses->classes.data, compare_classes);
  for (size_t i = 1; i < accesses->classes.count; i++)
    assert(compare_classes(&accesses->classes.data[i - 1], &accesses->classes.data[i]) < 0);
  return !f.out_of_time;
}
