#include "survey/synchronisation/lock_names.h"

VECTOR(LockVector, Lock);

struct Locks {
  const Code *code;
  const Pointing *pointing;
  Calls *calls;
  LockVector all;
  U32Vector next;
  Map first; // hash -> lock + 1
  Account *account;
};

Locks *locks_new(const Code *code, const Pointing *pointing, Calls *calls, Account *account) {
  Locks *locks = memory_allocate_zeroed(account, sizeof *locks);
  *locks = (Locks){.code = code, .pointing = pointing, .calls = calls, .account = account};
  LockVector_init(&locks->all, account);
  U32Vector_init(&locks->next, account);
  map_init(&locks->first, account);
  return locks;
}

void locks_free(Locks *locks) {
  if (!locks) return;
  LockVector_free(&locks->all);
  U32Vector_free(&locks->next);
  map_free(&locks->first);
  memory_free(locks->account, locks, sizeof *locks);
}

const Lock *locks_at(const Locks *locks, uint32_t id) { return LockVector_at(&locks->all, id); }

static bool equal(const Lock *a, const Lock *b) {
  return a->kind == b->kind && a->shared == b->shared && a->id == b->id && a->stride == b->stride &&
         a->offset == b->offset && a->base == b->base;
}

uint32_t locks_intern(Locks *locks, Lock lock) {
  assert(lock.kind != LOCK_TRIED || (uint64_t)lock.offset < locks->all.count); // it names another one
  assert(lock.kind != LOCK_PLACE || lock.id < pointing_area_count(locks->pointing));
  assert(lock.kind != LOCK_RELATIVE || lock.id < locks->code->register_count);
  uint64_t parts[] = {(uint64_t)lock.kind << 1 | lock.shared, (uint64_t)lock.id << 32 | lock.stride,
                      (uint64_t)lock.offset, (uint64_t)lock.base};
  uint64_t hash = hash_bytes(parts, sizeof parts);
  uint32_t first = (uint32_t)map_get_or(&locks->first, hash, 0);
  for (uint32_t i = first; i; i = locks->next.data[i - 1])
    if (equal(&locks->all.data[i - 1], &lock)) return i - 1;
  LockVector_push(&locks->all, lock);
  U32Vector_push(&locks->next, first);
  map_put(&locks->first, hash, locks->all.count);
  return (uint32_t)locks->all.count - 1;
}

uint32_t locks_other_side(Locks *locks, uint32_t id) {
  Lock lock = *locks_at(locks, id);
  lock.shared = !lock.shared;
  return locks_intern(locks, lock);
}

RootedAddress locks_rooted(const Code *code, CodeOperand operand) {
  if (operand.kind != CODE_REGISTER) return (RootedAddress){NO_CODE_ID, 0};
  RootedAddress at = {operand.id, 0};
  for (;;) {
    uint32_t made = code->register_statements[at.root];
    if (made == NO_CODE_ID || code->statements[made].kind != CODE_MOVE || code->statements[made].stride != 0) return at;
    CodeOperand from = code_operand(code, &code->statements[made], 0);
    if (from.kind != CODE_REGISTER) return at;
    at = (RootedAddress){from.id, at.offset + code->statements[made].offset};
  }
}

uint32_t locks_named(Locks *locks, CodeOperand operand, bool shared) {
  PlaceRange range = pointing_of(locks->pointing, operand);
  if (range.count == 1 && range.data[0].stride == 0 && calls_single_area(locks->calls, range.data[0].area))
    return locks_intern(
        locks, (Lock){.kind = LOCK_PLACE, .shared = shared, .id = range.data[0].area, .offset = range.data[0].offset});
  RootedAddress at = locks_rooted(locks->code, operand);
  if (at.root == NO_CODE_ID) return NO_CODE_ID;
  return locks_intern(locks, (Lock){.kind = LOCK_RELATIVE, .shared = shared, .id = at.root, .offset = at.offset});
}

static bool overlaps_any(const Locks *locks, AreaPlace place, PlaceRange range) {
  for (uint32_t i = 0; i < range.count; i++) {
    bool outside = range.data[i].area == pointing_outside(locks->pointing);
    if (outside && pointing_area(locks->pointing, place.area)->exposed) return true;
    if (pointing_overlap(place, 1, range.data[i], 1)) return true;
  }
  return false;
}

bool locks_may_be(const Locks *locks, uint32_t id, CodeOperand operand) {
  const Lock *lock = locks_at(locks, id);
  if (lock->kind == LOCK_SECTION) return false;
  if (lock->kind == LOCK_TRIED) return locks_may_be(locks, (uint32_t)lock->offset, operand);
  PlaceRange range = pointing_of(locks->pointing, operand);
  if (range.count == 0) return true; // an address that is not followed
  if (lock->kind == LOCK_PLACE)
    return overlaps_any(locks, (AreaPlace){.area = lock->id, .offset = lock->offset}, range);
  RootedAddress at = locks_rooted(locks->code, operand);
  if (at.root == lock->id) return at.offset == lock->offset;
  PlaceRange own = pointing_of(locks->pointing, (CodeOperand){CODE_REGISTER, lock->id, 0});
  if (own.count == 0) return true;
  for (uint32_t i = 0; i < own.count; i++) {
    AreaPlace place = own.data[i];
    place.offset += lock->offset;
    if (own.data[i].area == pointing_outside(locks->pointing) || overlaps_any(locks, place, range)) return true;
  }
  return false;
}

bool locks_may_be_in(const Locks *locks, uint32_t id, const NumberSets *sets, SetId areas) {
  const Lock *lock = locks_at(locks, id);
  bool outside = set_has(sets, areas, pointing_outside(locks->pointing));
  if (lock->kind == LOCK_TRIED) return locks_may_be_in(locks, (uint32_t)lock->offset, sets, areas);
  if (lock->kind == LOCK_SECTION) return true;
  if (lock->kind == LOCK_PLACE)
    return set_has(sets, areas, lock->id) || (outside && pointing_area(locks->pointing, lock->id)->exposed);
  PlaceRange own = pointing_of(locks->pointing, (CodeOperand){CODE_REGISTER, lock->id, 0});
  for (uint32_t i = 0; i < own.count; i++) {
    uint32_t area = own.data[i].area;
    // What outside code knows may be any exposed area.
    if (area == pointing_outside(locks->pointing) && areas != SET_EMPTY) return true;
    if (set_has(sets, areas, area) || (outside && pointing_area(locks->pointing, area)->exposed)) return true;
  }
  return own.count == 0;
}
