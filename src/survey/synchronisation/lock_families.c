#include "survey/synchronisation/lock_families.h"

#include "base/text.h"
#include "base/vector.h"

// One place that a call may lock.
typedef struct LockedPlace {
  AreaPlace place;
  uint32_t statement;
  uint32_t next; // of the same area, + 1; 0: the last
  uint8_t families;
} LockedPlace;
VECTOR(LockedPlaceVector, LockedPlace);

enum { SEMAPHORES = 64 };

// A bit for each family. 0: not a lock function.
static uint8_t family_of(const Effect *effect) {
  static const char *const prefixes[] = {"pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "mtx_"};
  switch (effect->synchronisation) {
  case SYNC_LOCK:
  case SYNC_TRY_LOCK:
  case SYNC_TIMED_LOCK:
  case SYNC_READ_LOCK:
  case SYNC_TRY_READ_LOCK:
  case SYNC_INITIALISE: break;
  case SYNC_SEMAPHORE_WAIT:
  case SYNC_SEMAPHORE_TRY:
  case SYNC_SEMAPHORE_INITIALISE: return SEMAPHORES;
  default: return 0;
  }
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (starts_with(effect->name, prefixes[i])) return (uint8_t)(1u << i);
  return 128;
}

static uint8_t families_of_call(const Calls *calls, uint32_t statement) {
  CallTargets targets = calls_of(calls, statement);
  uint8_t families = 0;
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.data[i].kind == CALL_LIBRARY) families |= family_of(calls_effect(calls, targets.data[i].function));
  return families;
}

static bool is_one(uint8_t families) { return (families & (families - 1)) == 0; }

// The places of each area are a list; `first` has the newest of each.
static void mark_mixed(LockFamilies *families, const LockedPlaceVector *all, const U32Vector *first) {
  for (size_t area = 0; area < first->count; area++) {
    uint8_t of_area = 0;
    for (uint32_t i = first->data[area]; i; i = all->data[i - 1].next) of_area |= all->data[i - 1].families;
    if (is_one(of_area)) continue;
    for (uint32_t i = first->data[area]; i; i = all->data[i - 1].next)
      for (uint32_t k = first->data[area]; k; k = all->data[k - 1].next) {
        const LockedPlace *a = &all->data[i - 1], *b = &all->data[k - 1];
        uint8_t other = a->families & SEMAPHORES ? b->families : b->families & ~SEMAPHORES;
        if (is_one(a->families | other) || !pointing_overlap(a->place, 1, b->place, 1)) continue;
        bitset_set(&families->mixed, a->statement);
      }
  }
}

void lock_families_init(LockFamilies *families, const Code *code, const Pointing *pointing, const Calls *calls,
                        Account *account) {
  bitset_init(&families->mixed, code->statement_count, account);
  LockedPlaceVector all;
  U32Vector first;
  LockedPlaceVector_init(&all, account);
  U32Vector_init(&first, account);
  U32Vector_resize(&first, pointing_area_count(pointing));
  for (uint32_t s = 0; s < code->statement_count; s++) {
    const CodeStatement *call = &code->statements[s];
    uint8_t of_call = call->kind == CODE_CALL ? families_of_call(calls, s) : 0;
    if (of_call == 0 || call->operand_count < 2) continue;
    PlaceRange range = pointing_of(pointing, code_operand(code, call, 1));
    for (uint32_t i = 0; i < range.count; i++) {
      uint32_t *newest = U32Vector_at(&first, range.data[i].area);
      LockedPlaceVector_push(&all, (LockedPlace){range.data[i], s, *newest, of_call});
      *newest = (uint32_t)all.count;
    }
  }
  mark_mixed(families, &all, &first);
  LockedPlaceVector_free(&all);
  U32Vector_free(&first);
}

void lock_families_free(LockFamilies *families) { bitset_free(&families->mixed); }
