#include "survey/sets.h"

#include "base/sorted.h"

#include <stdlib.h>

void number_sets_init(NumberSets *table, Account *account) {
  U32Vector_init(&table->elements, account);
  U32Vector_init(&table->starts, account);
  U32Vector_init(&table->next, account);
  map_init(&table->first, account);
  map_init(&table->joins, account);
  U32Vector_push(&table->starts, 0); // the empty set
  U32Vector_push(&table->starts, 0);
  U32Vector_push(&table->next, 0);
}

void number_sets_free(NumberSets *table) {
  U32Vector_free(&table->elements);
  U32Vector_free(&table->starts);
  U32Vector_free(&table->next);
  map_free(&table->first);
  map_free(&table->joins);
}

SetRange set_range(const NumberSets *table, SetId set) {
  assert(set + 1 < table->starts.count);
  uint32_t start = table->starts.data[set];
  assert(start <= table->starts.data[set + 1]);
  return (SetRange){table->elements.data + start, table->starts.data[set + 1] - start};
}

static SetId intern_sorted(NumberSets *table, const uint32_t *elements, size_t count) {
  for (size_t i = 1; i < count; i++) assert(elements[i - 1] < elements[i]);
  if (count == 0) return SET_EMPTY;
  uint64_t hash = hash_bytes(elements, count * sizeof *elements);
  SetId first = (SetId)map_get_or(&table->first, hash, 0);
  for (SetId set = first; set; set = table->next.data[set]) {
    SetRange range = set_range(table, set);
    if (range.count == count && memcmp(range.data, elements, count * sizeof *elements) == 0) return set;
  }
  SetId set = (SetId)table->next.count;
  for (size_t i = 0; i < count; i++) U32Vector_push(&table->elements, elements[i]);
  U32Vector_push(&table->starts, (uint32_t)table->elements.count);
  U32Vector_push(&table->next, first);
  map_put(&table->first, hash, set);
  assert(table->starts.count == table->next.count + 1);
  return set;
}

static int compare_u32(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

SetId set_make(NumberSets *table, uint32_t *elements, size_t count) {
  if (count > 1) qsort(elements, count, sizeof *elements, compare_u32);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || elements[kept - 1] != elements[i]) elements[kept++] = elements[i];
  return intern_sorted(table, elements, kept);
}

bool set_has(const NumberSets *table, SetId set, uint32_t element) {
  SetRange range = set_range(table, set);
  return sorted_has_u32(range.data, range.count, element);
}

static SetId changed(NumberSets *table, SetId set, uint32_t element, bool add) {
  assert(set_has(table, set, element) != add);
  U32Vector all;
  U32Vector_init(&all, table->elements.account);
  SetRange range = set_range(table, set);
  for (uint32_t i = 0; i < range.count; i++)
    if (range.data[i] != element) U32Vector_push(&all, range.data[i]);
  if (add) U32Vector_push(&all, element);
  SetId result = set_make(table, all.data, all.count);
  U32Vector_free(&all);
  return result;
}

SetId set_with(NumberSets *table, SetId set, uint32_t element) {
  return set_has(table, set, element) ? set : changed(table, set, element, true);
}

SetId set_without(NumberSets *table, SetId set, uint32_t element) {
  return set_has(table, set, element) ? changed(table, set, element, false) : set;
}

static SetId merged(NumberSets *table, SetId a, SetId b, bool all) {
  if (a > b) return merged(table, b, a, all);
  uint64_t key = (uint64_t)a << 32 | (uint64_t)b << 1 | all, known;
  assert(b < UINT32_C(1) << 31);
  if (map_get(&table->joins, key, &known)) return (SetId)known;
  U32Vector result;
  U32Vector_init(&result, table->elements.account);
  SetRange x = set_range(table, a), y = set_range(table, b);
  for (uint32_t i = 0, k = 0; i < x.count || k < y.count;) {
    bool left = k == y.count || (i < x.count && x.data[i] <= y.data[k]);
    bool right = i == x.count || (k < y.count && y.data[k] <= x.data[i]);
    if (all || (left && right)) U32Vector_push(&result, left ? x.data[i] : y.data[k]);
    i += left;
    k += right;
  }
  SetId set = intern_sorted(table, result.data, result.count);
  assert(all ? result.count >= x.count : result.count <= x.count);
  U32Vector_free(&result);
  map_put(&table->joins, key, set);
  return set;
}

SetId set_unite(NumberSets *table, SetId a, SetId b) {
  return a == b || b == SET_EMPTY ? a : a == SET_EMPTY ? b : merged(table, a, b, true);
}

SetId set_intersection(NumberSets *table, SetId a, SetId b) {
  return a == b ? a : a == SET_EMPTY || b == SET_EMPTY ? SET_EMPTY : merged(table, a, b, false);
}
