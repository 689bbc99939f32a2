// Names of locks that may be held, and what becomes of them at calls and releases.
#include "survey/orders/held_internal.h"

enum { MOST_NAMES = 48 }; // in a set; beyond, locks are only known by their nodes

static NumberSets *sets(MayHeld *h) { return &h->facts->sets; }

static uint32_t named(MayHeld *h, LockKind kind, uint32_t node) {
  return locks_intern(h->facts->locks, (Lock){.kind = kind, .id = node});
}

// The same question has the same answer: sets of many locks are asked about again and again.
typedef enum Question { SOME_OF, TO_CALLER, TO_CALLER_KNOWN, TO_CALLEE, WITHOUT } Question;

static uint64_t question(Question q, uint32_t a, uint32_t b, uint32_t c) {
  uint64_t parts[] = {(uint64_t)q << 32 | a, (uint64_t)b << 32 | c};
  return hash_bytes(parts, sizeof parts);
}

static bool answered(const MayHeld *h, uint64_t key, SetId *set) {
  uint64_t known = map_get_or(&h->memo, key, 0);
  *set = (SetId)(known - 1);
  return known != 0;
}

static SetId answer(MayHeld *h, uint64_t key, SetId set) {
  map_put(&h->memo, key, (uint64_t)set + 1);
  return set;
}

static SetId add_node(MayHeld *h, SetId set, uint32_t node, bool several) {
  uint32_t one = named(h, LOCK_ONE, node), some = named(h, LOCK_SOME, node);
  if (set_has(sets(h), set, some)) return set;
  if (!several && !set_has(sets(h), set, one)) return set_with(sets(h), set, one);
  return set_with(sets(h), set_without(sets(h), set, one), some);
}

SetId held_of_nodes(MayHeld *h, SetId set, SetId nodes) {
  for (uint32_t i = 0; i < set_range(sets(h), nodes).count; i++)
    set = add_node(h, set, set_range(sets(h), nodes).data[i], false);
  return set;
}

SetId held_some(MayHeld *h, SetId set, uint32_t name, bool several) {
  SetId nodes = lock_nodes_of_lock(h->nodes, name);
  several |= locks_at(h->facts->locks, name)->kind == LOCK_SOME;
  uint64_t key = question(SOME_OF, set, nodes, several);
  SetId result;
  if (answered(h, key, &result)) return result;
  for (uint32_t i = 0; i < set_range(sets(h), nodes).count; i++)
    set = add_node(h, set, set_range(sets(h), nodes).data[i], several);
  return answer(h, key, set);
}

static SetId collapsed(MayHeld *h, SetId set) {
  SetId result = SET_EMPTY;
  for (uint32_t i = 0; i < set_range(sets(h), set).count; i++)
    result = held_some(h, result, set_range(sets(h), set).data[i], true);
  return result;
}

SetId held_add(MayHeld *h, SetId set, uint32_t name) {
  Lock lock = *locks_at(h->facts->locks, name);
  if (lock.kind == LOCK_ONE || lock.kind == LOCK_SOME) return add_node(h, set, lock.id, lock.kind == LOCK_SOME);
  set = set_with(sets(h), set, name);
  return set_range(sets(h), set).count > MOST_NAMES ? collapsed(h, set) : set;
}

SetId held_united(MayHeld *h, SetId entry, const HeldState *state) {
  return set_unite(sets(h), held_without(h, entry, state->released), state->may);
}

bool held_is_parameter(const MayHeld *h, uint32_t name, uint32_t function) {
  const Lock *lock = locks_at(h->facts->locks, name);
  const CodeFunction *f = &h->facts->code->functions[function];
  return lock->kind == LOCK_RELATIVE && lock->id >= f->first_parameter &&
         lock->id < f->first_parameter + f->parameter_count;
}

// --- calls ---

typedef struct Passing {
  const CodeStatement *call;
  uint32_t first_parameter, passed;
} Passing;

static Passing passing(const MayHeld *h, const CodeStatement *call, uint32_t callee, bool arguments) {
  const CodeFunction *f = &h->facts->code->functions[callee];
  uint32_t given = call->operand_count - 1;
  uint32_t passed = given < f->parameter_count ? given : f->parameter_count;
  return (Passing){call, f->first_parameter, arguments ? passed : 0};
}

// The caller's name of the lock at this offset from the argument; NO_CODE_ID: it has none.
static uint32_t name_in_caller(MayHeld *h, CodeOperand value, Lock lock) {
  PlaceRange range = pointing_of(h->facts->pointing, value);
  if (range.count == 1 && range.data[0].stride == 0 && calls_single_area(h->facts->calls, range.data[0].area))
    return locks_intern(
        h->facts->locks,
        (Lock){.kind = LOCK_PLACE, .id = range.data[0].area, .offset = range.data[0].offset + lock.offset});
  RootedAddress at = locks_rooted(h->facts->code, value);
  if (at.root == NO_CODE_ID) return NO_CODE_ID;
  return locks_intern(h->facts->locks, (Lock){.kind = LOCK_RELATIVE, .id = at.root, .offset = at.offset + lock.offset});
}

static uint64_t call_question(const MayHeld *h, Question q, const CodeStatement *call, uint32_t callee, bool arguments,
                              SetId names) {
  uint32_t statement = (uint32_t)(call - h->facts->code->statements);
  return question(q, statement, callee << 1 | arguments, names);
}

SetId held_to_caller(MayHeld *h, const CodeStatement *call, uint32_t callee, bool arguments, SetId names, bool known) {
  Passing p = passing(h, call, callee, arguments);
  SetId result;
  uint64_t key = call_question(h, known ? TO_CALLER_KNOWN : TO_CALLER, call, callee, arguments, names);
  if (answered(h, key, &result)) return result;
  result = SET_EMPTY;
  for (uint32_t i = 0; i < set_range(sets(h), names).count; i++) {
    uint32_t name = set_range(sets(h), names).data[i], at_caller = NO_CODE_ID;
    Lock lock = *locks_at(h->facts->locks, name);
    bool global =
        lock.kind == LOCK_PLACE || lock.kind == LOCK_SECTION || lock.kind == LOCK_ONE || lock.kind == LOCK_SOME;
    if (global)
      at_caller = name;
    else if (lock.kind == LOCK_RELATIVE && lock.id >= p.first_parameter && lock.id < p.first_parameter + p.passed)
      at_caller = name_in_caller(h, code_operand(h->facts->code, call, lock.id - p.first_parameter + 1), lock);
    if (at_caller != NO_CODE_ID)
      result = known ? set_with(sets(h), result, at_caller) : held_add(h, result, at_caller);
    else if (!known)
      result = held_some(h, result, name, false);
  }
  return answer(h, key, result);
}

SetId held_to_callee(MayHeld *h, const CodeStatement *call, uint32_t callee, bool arguments, SetId names) {
  Passing p = passing(h, call, callee, arguments);
  SetId result;
  uint64_t key = call_question(h, TO_CALLEE, call, callee, arguments, names);
  if (answered(h, key, &result)) return result;
  result = SET_EMPTY;
  for (uint32_t i = 0; i < set_range(sets(h), names).count; i++) {
    uint32_t name = set_range(sets(h), names).data[i];
    Lock lock = *locks_at(h->facts->locks, name);
    if (lock.kind == LOCK_PLACE || lock.kind == LOCK_SECTION) {
      result = set_with(sets(h), result, name);
      continue;
    }
    bool found = false;
    for (uint32_t k = 0; k < p.passed && !found && lock.kind == LOCK_RELATIVE; k++) {
      RootedAddress at = locks_rooted(h->facts->code, code_operand(h->facts->code, call, k + 1));
      found = at.root == lock.id;
      Lock renamed = {.kind = LOCK_RELATIVE, .id = p.first_parameter + k, .offset = lock.offset - at.offset};
      if (found) result = held_add(h, result, locks_intern(h->facts->locks, renamed));
    }
    if (!found) result = held_some(h, result, name, false);
  }
  return answer(h, key, result);
}

// --- releases ---

// The only node of the name, or NO_CODE_ID.
static uint32_t only_node(MayHeld *h, uint32_t name) {
  SetRange range = set_range(sets(h), lock_nodes_of_lock(h->nodes, name));
  return range.count == 1 ? range.data[0] : NO_CODE_ID;
}

static bool is_released(MayHeld *h, uint32_t name, SetId released) {
  if (set_has(sets(h), released, name)) return true;
  Lock lock = *locks_at(h->facts->locks, name);
  if (lock.kind == LOCK_TRIED && set_has(sets(h), released, (uint32_t)lock.offset)) return true;
  uint32_t node = only_node(h, name);
  if (node == NO_CODE_ID) return false;
  return set_has(sets(h), released, named(h, LOCK_SOME, node)) ||
         (lock.kind != LOCK_SOME && set_has(sets(h), released, named(h, LOCK_ONE, node)));
}

SetId held_without(MayHeld *h, SetId set, SetId released) {
  if (released == SET_EMPTY) return set;
  SetId result;
  uint64_t key = question(WITHOUT, set, released, 0);
  if (answered(h, key, &result)) return result;
  result = set;
  for (uint32_t i = 0; i < set_range(sets(h), set).count; i++) {
    uint32_t name = set_range(sets(h), set).data[i];
    if (is_released(h, name, released)) result = set_without(sets(h), result, name);
  }
  return answer(h, key, result);
}

static bool meets(MayHeld *h, SetId a, SetId b) { return set_intersection(sets(h), a, b) != SET_EMPTY; }

static bool is_sticky(MayHeld *h, SetId nodes) {
  SetRange range = set_range(sets(h), nodes);
  for (uint32_t i = 0; i < range.count; i++)
    if (bitset_get(&h->sticky, range.data[i])) return true;
  return false;
}

// The one element that may be a lock of these nodes, if there is only one and it stands for one lock.
static uint32_t only_candidate(MayHeld *h, SetId all, SetId nodes) {
  uint32_t found = NO_CODE_ID;
  for (uint32_t i = 0; i < set_range(sets(h), all).count; i++) {
    uint32_t name = set_range(sets(h), all).data[i];
    if (!meets(h, lock_nodes_of_lock(h->nodes, name), nodes)) continue;
    if (found != NO_CODE_ID || locks_at(h->facts->locks, name)->kind == LOCK_SOME) return NO_CODE_ID;
    found = name;
  }
  return found;
}

static void release(MayHeld *h, HeldState *state, uint32_t name) {
  SetId gone = set_with(sets(h), SET_EMPTY, name);
  state->may = held_without(h, state->may, gone);
  state->released = set_with(sets(h), state->released, name);
}

void held_unlock(MayHeld *h, SetId entry, HeldState *state, CodeOperand lock) {
  SetId nodes = lock_nodes_of(h->nodes, lock);
  if (is_sticky(h, nodes)) return;
  SetId all = held_united(h, entry, state);
  uint32_t name = locks_named(h->facts->locks, lock, false);
  SetRange range = set_range(sets(h), nodes);
  uint32_t only = range.count == 1 ? range.data[0] : NO_CODE_ID;
  if (only != NO_CODE_ID && lock_nodes_is_one(h->nodes, only)) {
    release(h, state, named(h, LOCK_SOME, only));
    if (name != NO_CODE_ID) release(h, state, name);
    return;
  }
  bool found = name != NO_CODE_ID && set_has(sets(h), all, name);
  uint32_t candidate = found ? name : only_candidate(h, all, nodes);
  if (name != NO_CODE_ID) release(h, state, name);
  if (candidate != NO_CODE_ID) release(h, state, candidate);
}
