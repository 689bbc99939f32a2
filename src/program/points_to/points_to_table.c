// Hash-consed points-to sets: equal sets have equal numbers, operations are remembered.
#include "program/points_to/points_to.h"

typedef enum OperationKind { OPERATION_UNION, OPERATION_SHIFT, OPERATION_ANYWHERE, OPERATION_PARTS } OperationKind;

// Numbers the families of heap objects and lists their members.
static void find_families(SetTable *table, const Program *p) {
  Map by_kind;
  map_init(&by_kind, table->account);
  table->family = memory_allocate(table->account, p->objects.count * sizeof *table->family);
  table->object_count = p->objects.count;
  for (size_t o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    table->family[o] = NO_ID;
    if (object->storage != STORAGE_HEAP) continue;
    // Names are interned. Should two kinds meet in one hash, they become one family: coarser, not wrong.
    uint64_t kind[2] = {(uint64_t)(uintptr_t)object->origin, object->size}, family = table->family_count.count;
    uint64_t hash = hash_bytes(kind, sizeof kind);
    if (!map_get(&by_kind, hash, &family)) {
      map_put(&by_kind, hash, family);
      U32Vector_push(&table->family_count, 0);
    }
    table->family[o] = (uint32_t)family;
    table->family_count.data[family]++;
  }
  map_free(&by_kind);
  U32Vector_push(&table->family_start, 0);
  for (size_t f = 0; f < table->family_count.count; f++) {
    U32Vector_push(&table->family_start, table->family_start.data[f] + table->family_count.data[f]);
    table->family_count.data[f] = 0;
  }
  U32Vector_resize(&table->members, table->family_start.data[table->family_count.count]);
  for (size_t o = 0; o < p->objects.count; o++) {
    uint32_t f = table->family[o];
    if (f != NO_ID) table->members.data[table->family_start.data[f] + table->family_count.data[f]++] = (ObjectId)o;
  }
  for (size_t f = 0; f < table->family_count.count; f++) table->family_count.data[f] = 0;
}

void set_table_init(SetTable *table, const Program *p, Arena *arena, Account *account) {
  *table = (SetTable){.arena = arena, .account = account};
  PointsToSetVector_init(&table->sets, account);
  SetOperationVector_init(&table->operations, account);
  map_init(&table->by_hash, account);
  map_init(&table->operation_index, account);
  arena_init(&table->scratch, account);
  U32Vector_init(&table->family_start, account);
  U32Vector_init(&table->members, account);
  U32Vector_init(&table->family_count, account);
  find_families(table, p);
  PointsToSetVector_push(&table->sets, (PointsToSet){0}); // SET_EMPTY
}

void set_table_free(SetTable *table) {
  PointsToSetVector_free(&table->sets);
  SetOperationVector_free(&table->operations);
  map_free(&table->by_hash);
  map_free(&table->operation_index);
  arena_free(&table->scratch);
  U32Vector_free(&table->family_start);
  U32Vector_free(&table->members);
  U32Vector_free(&table->family_count);
  memory_free(table->account, table->family, table->object_count * sizeof *table->family);
}

static uint64_t hash_items(const PointsToSet *set) {
  uint64_t hash = set->count;
  for (uint32_t i = 0; i < set->count; i++) {
    hash = hash_mix(hash ^ ((uint64_t)set->items[i].object << 32 ^ (uint64_t)set->items[i].offset));
    hash = hash_mix(hash + set->items[i].stride);
  }
  return hash;
}

static bool same_items(const PointsToSet *a, const PointsToSet *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->items[i].object != b->items[i].object || a->items[i].offset != b->items[i].offset ||
        a->items[i].stride != b->items[i].stride)
      return false;
  return true;
}

// Gives every member of the family the places that any of them has in `set`.
static void add_family(SetTable *table, const PointsToSet *set, uint32_t family, PointsToSet *out) {
  PointsToSet places = {0}; // as if of one object
  for (uint32_t i = 0; i < set->count; i++) {
    if (table->family[set->items[i].object] != family) continue;
    points_to_insert(&table->scratch, &places, (PointsToItem){0, set->items[i].offset, set->items[i].stride});
  }
  for (uint32_t m = table->family_start.data[family]; m < table->family_start.data[family + 1]; m++)
    for (uint32_t i = 0; i < places.count; i++)
      points_to_insert(&table->scratch, out,
                       (PointsToItem){table->members.data[m], places.items[i].offset, places.items[i].stride});
}

// Completes the families of which the set has many members. Returns the set itself if there are none.
static PointsToSet widen_families(SetTable *table, const PointsToSet *set) {
  if (set->count <= FAMILY_LIMIT) return *set;
  U32Vector *counts = &table->family_count;
  bool large = false;
  for (uint32_t i = 0; i < set->count; i++) {
    uint32_t family = table->family[set->items[i].object];
    bool first = i == 0 || set->items[i - 1].object != set->items[i].object;
    if (family != NO_ID && first) large |= ++counts->data[family] > FAMILY_LIMIT;
  }
  PointsToSet out = {0};
  for (uint32_t i = 0; large && i < set->count; i++) {
    uint32_t family = table->family[set->items[i].object];
    if (family == NO_ID || counts->data[family] <= FAMILY_LIMIT) {
      if (family == NO_ID || counts->data[family] > 0) points_to_insert(&table->scratch, &out, set->items[i]);
      continue;
    }
    add_family(table, set, family, &out);
    counts->data[family] = 0; // once
  }
  for (uint32_t i = 0; i < set->count; i++)
    if (table->family[set->items[i].object] != NO_ID) counts->data[table->family[set->items[i].object]] = 0;
  return large ? out : *set;
}

SetId set_intern(SetTable *table, const PointsToSet *narrow) {
  PointsToSet widened = widen_families(table, narrow);
  const PointsToSet *set = &widened;
  if (set->count == 0) return SET_EMPTY;
  uint64_t hash = hash_items(set), known;
  for (; map_get(&table->by_hash, hash, &known); hash++)
    if (same_items(&table->sets.data[known], set)) return (SetId)known;
  PointsToSet own = {.count = set->count, .capacity = set->count};
  own.items = arena_copy(table->arena, set->items, set->count * sizeof *set->items);
  SetId id = (SetId)table->sets.count;
  PointsToSetVector_push(&table->sets, own);
  map_put(&table->by_hash, hash, id);
  return id;
}

SetId set_single(SetTable *table, PointsToItem item) {
  return set_intern(table, &(PointsToSet){.items = &item, .count = 1, .capacity = 1});
}

// Looks the operation up; if it is new, `*slot` says under which key its result belongs.
static bool recall(const SetTable *table, SetOperation *operation, uint64_t *slot) {
  uint64_t index,
      key = hash_mix(((uint64_t)operation->a << 8 | operation->kind) ^ hash_mix(operation->b ^ hash_mix(operation->c)));
  for (; map_get(&table->operation_index, key, &index); key++) {
    const SetOperation *known = &table->operations.data[index];
    if (known->a != operation->a || known->kind != operation->kind || known->b != operation->b ||
        known->c != operation->c)
      continue;
    operation->result = known->result;
    return true;
  }
  *slot = key;
  return false;
}

static SetId remember(SetTable *table, SetOperation *operation, uint64_t slot, const PointsToSet *result) {
  operation->result = set_intern(table, result);
  map_put(&table->operation_index, slot, table->operations.count);
  SetOperationVector_push(&table->operations, *operation);
  return operation->result;
}

SetId set_union(SetTable *table, SetId a, SetId b) {
  assert(a < table->sets.count && b < table->sets.count);
  if (a == b || b == SET_EMPTY) return a;
  if (a == SET_EMPTY) return b;
  if (set_items(table, a)->count < set_items(table, b)->count) { // the smaller one goes into the larger
    SetId larger = b;
    b = a;
    a = larger;
  }
  SetOperation operation = {.a = a, .kind = OPERATION_UNION, .b = b};
  uint64_t slot;
  if (recall(table, &operation, &slot)) return operation.result;
  ArenaMark mark = arena_mark(&table->scratch);
  const PointsToSet *large = set_items(table, a);
  PointsToSet sum = {.count = large->count, .capacity = large->count};
  sum.items = arena_copy(&table->scratch, large->items, large->count * sizeof *large->items);
  points_to_union(&table->scratch, &sum, set_items(table, b));
  SetId result = remember(table, &operation, slot, &sum);
  arena_rollback(&table->scratch, mark);
  return result;
}

static PointsToItem map_item(const SetOperation *operation, const PointsToSet *set, uint32_t i) {
  PointsToItem item = set->items[i];
  if (operation->kind == OPERATION_SHIFT) {
    item.offset = (int64_t)((uint64_t)item.offset + operation->b);
    item.stride = greatest_common_divisor(item.stride, operation->c);
    return item;
  }
  bool several = (i > 0 && set->items[i - 1].object == item.object) ||
                 (i + 1 < set->count && set->items[i + 1].object == item.object);
  if (operation->kind == OPERATION_ANYWHERE || several) return (PointsToItem){.object = item.object, .stride = 1};
  return item;
}

// An operation on each item.
static SetId map_items(SetTable *table, SetOperation operation) {
  assert(operation.a < table->sets.count);
  uint64_t slot;
  if (operation.a == SET_EMPTY) return SET_EMPTY;
  if (recall(table, &operation, &slot)) return operation.result;
  ArenaMark mark = arena_mark(&table->scratch);
  PointsToSet out = {0};
  const PointsToSet *set = set_items(table, operation.a);
  for (uint32_t i = 0; i < set->count; i++) points_to_insert(&table->scratch, &out, map_item(&operation, set, i));
  SetId result = remember(table, &operation, slot, &out);
  arena_rollback(&table->scratch, mark);
  return result;
}

SetId set_shifted(SetTable *table, SetId set, int64_t by, uint64_t stride) {
  if (by == 0 && stride == 0) return set;
  return map_items(table, (SetOperation){.a = set, .kind = OPERATION_SHIFT, .b = (uint64_t)by, .c = stride});
}

SetId set_anywhere(SetTable *table, SetId set) {
  return map_items(table, (SetOperation){.a = set, .kind = OPERATION_ANYWHERE});
}

SetId set_parts(SetTable *table, SetId set) {
  return map_items(table, (SetOperation){.a = set, .kind = OPERATION_PARTS});
}
