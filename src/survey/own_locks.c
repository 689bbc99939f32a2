#include "survey/own_locks.h"

#include "base/vector.h"

// How an address is computed from a register.
typedef struct Derived {
  bool is_derived, exact;
  int64_t offset; // if exact
} Derived;

static Derived derived_from(const Code *code, CodeOperand address, uint32_t root) {
  Derived d = {false, true, 0};
  while (address.kind == CODE_REGISTER) {
    if (address.id == root) return (Derived){true, d.exact, d.offset};
    uint32_t made = code->register_statements[address.id];
    if (made == NO_CODE_ID || code->statements[made].kind != CODE_MOVE) return d;
    d.exact &= code->statements[made].stride == 0;
    d.offset += code->statements[made].offset;
    address = code_operand(code, &code->statements[made], 0);
  }
  return d;
}

// The only place of the register in the area.
static bool only_place(const SurveyFacts *facts, uint32_t reg, uint32_t area, AreaPlace *place) {
  PlaceRange range = pointing_of(facts->pointing, (CodeOperand){CODE_REGISTER, reg, 0});
  uint32_t found = 0;
  for (uint32_t i = 0; i < range.count; i++) {
    if (range.data[i].area != area) continue;
    *place = range.data[i];
    found++;
  }
  return found == 1;
}

static uint32_t rename_lock(SurveyFacts *facts, Lock lock, CodeOperand address, AreaPlace at, uint64_t size) {
  Derived d = derived_from(facts->code, address, lock.id);
  AreaPlace root;
  if (!d.is_derived || !only_place(facts, lock.id, at.area, &root)) return NO_CODE_ID;
  Lock own = {.kind = LOCK_OWN, .shared = lock.shared, .id = at.area};
  if (root.stride == 0) {
    own.offset = root.offset + lock.offset;
    if (calls_single_area(facts->calls, at.area)) own.kind = LOCK_PLACE;
    return locks_intern(facts->locks, own);
  }
  // One of many elements: the access must stay in the one that the register refers to.
  bool inside = d.exact && size > 0 && d.offset >= 0 && size <= root.stride && (uint64_t)d.offset <= root.stride - size;
  if (!inside) return NO_CODE_ID;
  int64_t base = root.offset % (int64_t)root.stride;
  own.stride = root.stride;
  own.base = base < 0 ? base + (int64_t)root.stride : base;
  own.offset = lock.offset;
  return locks_intern(facts->locks, own);
}

SetId own_locks(SurveyFacts *facts, SetId locks, CodeOperand address, AreaPlace place, uint64_t size) {
  if (locks == SET_EMPTY) return SET_EMPTY;
  U32Vector all;
  U32Vector_init(&all, facts->account);
  for (uint32_t i = 0; i < set_range(&facts->sets, locks).count; i++) {
    uint32_t id = set_range(&facts->sets, locks).data[i];
    Lock lock = *locks_at(facts->locks, id);
    if (lock.kind == LOCK_SECTION || lock.kind == LOCK_PLACE) U32Vector_push(&all, id);
    uint32_t own = lock.kind == LOCK_RELATIVE ? rename_lock(facts, lock, address, place, size) : NO_CODE_ID;
    if (own != NO_CODE_ID) U32Vector_push(&all, own);
  }
  SetId set = set_make(&facts->sets, all.data, all.count);
  U32Vector_free(&all);
  return set;
}
