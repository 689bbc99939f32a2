#include "survey/synchronisation/semaphores.h"

#include "base/vector.h"

// A place that calls of semaphore functions may mean.
typedef struct SemaphorePlace {
  AreaPlace place;
  bool begins_with_one; // an initialisation says so
  bool is_lock;
} SemaphorePlace;
VECTOR(SemaphorePlaceVector, SemaphorePlace);

typedef struct Search {
  const Code *code;
  const Pointing *pointing;
  Calls *calls;
  SemaphorePlaceVector places;
  bool unknown; // a semaphore function may get any address
} Search;

static bool is_semaphore_function(const Effect *effect) {
  switch (effect->synchronisation) {
  case SYNC_SEMAPHORE_WAIT:
  case SYNC_SEMAPHORE_TRY:
  case SYNC_SEMAPHORE_POST:
  case SYNC_SEMAPHORE_INITIALISE: return true;
  default: return false;
  }
}

// The semaphore function that the statement may call. `other`: it may also call one in another way than with its
// operands.
static const Effect *function_of(const Calls *calls, uint32_t statement, bool *other) {
  CallTargets targets = calls_of(calls, statement);
  const Effect *found = NULL;
  *other = false;
  for (uint32_t i = 0; i < targets.count; i++) {
    CallTarget target = targets.data[i];
    const Effect *effect = target.function == NO_CODE_ID ? NULL : calls_effect(calls, target.function);
    if (!effect || !is_semaphore_function(effect)) continue;
    *other |= target.kind != CALL_LIBRARY || found;
    found = effect;
  }
  return found;
}

bool semaphores_posts(const Calls *calls, uint32_t statement) {
  bool other;
  const Effect *effect = function_of(calls, statement, &other);
  return effect && effect->synchronisation == SYNC_SEMAPHORE_POST;
}

static SemaphorePlace *add_place(Search *s, AreaPlace place) {
  for (size_t i = 0; i < s->places.count; i++) {
    AreaPlace known = s->places.data[i].place;
    bool same = known.area == place.area && known.offset == place.offset && known.stride == place.stride;
    if (same && known.extent == place.extent) return &s->places.data[i];
  }
  SemaphorePlaceVector_push(&s->places, (SemaphorePlace){place, false, true});
  return SemaphorePlaceVector_last(&s->places);
}

static bool is_exact(Search *s, PlaceRange range) {
  if (range.count != 1 || range.data[0].stride != 0) return false;
  const Area *area = pointing_area(s->pointing, range.data[0].area);
  return !area->exposed && calls_single_area(s->calls, range.data[0].area);
}

static bool is_one(CodeOperand operand) { return operand.kind == CODE_NUMBER && operand.number == 1; }

static void visit(Search *s, uint32_t statement) {
  bool other;
  const Effect *effect = function_of(s->calls, statement, &other);
  const CodeStatement *call = &s->code->statements[statement];
  if (!effect) return;
  PlaceRange range = {NULL, 0};
  if (call->operand_count > 1) range = pointing_of(s->pointing, code_operand(s->code, call, 1));
  s->unknown |= other || range.count == 0;
  bool exact = is_exact(s, range);
  for (uint32_t i = 0; i < range.count; i++) {
    SemaphorePlace *place = add_place(s, range.data[i]);
    place->is_lock &= exact;
    if (effect->synchronisation != SYNC_SEMAPHORE_INITIALISE) continue;
    bool one = call->operand_count > 3 && is_one(code_operand(s->code, call, 3));
    place->is_lock &= one;
    place->begins_with_one |= one;
  }
}

// Places that overlap others have no bytes of their own.
static void compare_places(Search *s) {
  for (size_t i = 0; i < s->places.count; i++) {
    SemaphorePlace *a = &s->places.data[i];
    a->is_lock &= a->begins_with_one && !s->unknown;
    for (size_t k = 0; k < s->places.count; k++)
      if (i != k && pointing_overlap(a->place, 1, s->places.data[k].place, 1)) a->is_lock = false;
  }
}

static void mark(Search *s, Semaphores *semaphores, uint32_t statement) {
  bool other;
  const Effect *effect = function_of(s->calls, statement, &other);
  if (!effect || effect->synchronisation == SYNC_SEMAPHORE_INITIALISE) return;
  PlaceRange range = pointing_of(s->pointing, code_operand(s->code, &s->code->statements[statement], 1));
  assert(range.count > 0 && !other);
  if (add_place(s, range.data[0])->is_lock) bitset_set(&semaphores->calls, statement);
}

void semaphores_init(Semaphores *semaphores, const Code *code, const Pointing *pointing, Calls *calls,
                     Account *account) {
  bitset_init(&semaphores->calls, code->statement_count, account);
  Search s = {.code = code, .pointing = pointing, .calls = calls};
  SemaphorePlaceVector_init(&s.places, account);
  for (uint32_t i = 0; i < code->statement_count; i++)
    if (code->statements[i].kind == CODE_CALL) visit(&s, i);
  compare_places(&s);
  for (uint32_t i = 0; i < code->statement_count && !s.unknown; i++)
    if (code->statements[i].kind == CODE_CALL) mark(&s, semaphores, i);
  SemaphorePlaceVector_free(&s.places);
}

void semaphores_free(Semaphores *semaphores) { bitset_free(&semaphores->calls); }

static AreaPlace place_of(const Code *code, const Pointing *pointing, uint32_t statement) {
  PlaceRange range = pointing_of(pointing, code_operand(code, &code->statements[statement], 1));
  assert(range.count == 1);
  return range.data[0];
}

void semaphores_drop(Semaphores *semaphores, const Code *code, const Pointing *pointing, uint32_t post) {
  AreaPlace dropped = place_of(code, pointing, post);
  for (size_t s = bitset_next(&semaphores->calls, 0); s < semaphores->calls.bits;
       s = bitset_next(&semaphores->calls, s + 1))
    if (pointing_overlap(place_of(code, pointing, (uint32_t)s), 1, dropped, 1)) bitset_reset(&semaphores->calls, s);
  assert(!semaphores_is_lock(semaphores, post));
}
