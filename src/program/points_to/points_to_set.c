// Sets of points-to items: insertion with subsumption and widening.
#include "base/sorted.h"
#include "program/points_to/points_to.h"

enum { EXACT_LIMIT = 8, STRIDED_LIMIT = 4, WORK_LIMIT = EXACT_LIMIT + STRIDED_LIMIT + 2 };

uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t distance(int64_t a, int64_t b) { return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a; }

static int64_t reduce_offset(int64_t offset, uint64_t stride) {
  if (stride == 0) return offset;
  if (stride > INT64_MAX) return offset < 0 ? 0 : offset;
  int64_t rest = offset % (int64_t)stride;
  return rest < 0 ? rest + (int64_t)stride : rest;
}

static bool covers(const PointsToItem *wide, const PointsToItem *item) {
  if (wide->stride == 0) return item->stride == 0 && item->offset == wide->offset;
  return item->stride % wide->stride == 0 && distance(item->offset, wide->offset) % wide->stride == 0;
}

// Replaces the items of `work` that are strided (or all exact ones) by one item that covers them.
static unsigned collapse(PointsToItem *work, unsigned count, bool strided) {
  PointsToItem joint = {.object = work[0].object};
  bool first = true;
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++) {
    if ((work[i].stride > 0) != strided) {
      work[kept++] = work[i];
      continue;
    }
    if (first) joint = work[i];
    joint.stride = greatest_common_divisor(greatest_common_divisor(joint.stride, work[i].stride),
                                           distance(joint.offset, work[i].offset));
    first = false;
  }
  joint.offset = reduce_offset(joint.offset, joint.stride);
  work[kept++] = joint;
  return kept;
}

static unsigned count_strided(const PointsToItem *work, unsigned count) {
  unsigned strided = 0;
  for (unsigned i = 0; i < count; i++) strided += work[i].stride > 0;
  return strided;
}

static unsigned drop_covered(PointsToItem *work, unsigned count) {
  bool covered[WORK_LIMIT] = {false};
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; j < count && !covered[i]; j++)
      covered[i] = j != i && !covered[j] && covers(&work[j], &work[i]);
  unsigned kept = 0;
  for (unsigned i = 0; i < count; i++)
    if (!covered[i]) work[kept++] = work[i];
  return kept;
}

SORTED_FIND(find_object, PointsToItem, .object, ObjectId);

// Replaces set[first .. last) by `count` items of `work`.
static void replace_range(Arena *arena, PointsToSet *set, uint32_t first, uint32_t last, const PointsToItem *work,
                          unsigned count) {
  assert(first <= last && last <= set->count);
  uint32_t total = set->count - (last - first) + count;
  if (total > set->capacity) {
    uint32_t capacity = set->capacity * 2 > total ? set->capacity * 2 : total + 1;
    PointsToItem *grown = arena_allocate(arena, capacity * sizeof *grown);
    if (set->count) memcpy(grown, set->items, set->count * sizeof *grown);
    set->items = grown;
    set->capacity = capacity;
  }
  if (last < set->count) memmove(set->items + first + count, set->items + last, (set->count - last) * sizeof *work);
  memcpy(set->items + first, work, count * sizeof *work);
  set->count = total;
}

bool points_to_insert(Arena *arena, PointsToSet *set, PointsToItem item) {
  item.offset = reduce_offset(item.offset, item.stride);
  uint32_t first = (uint32_t)find_object(set->items, set->count, item.object), last = first;
  for (; last < set->count && set->items[last].object == item.object; last++)
    if (covers(&set->items[last], &item)) return false;
  PointsToItem work[WORK_LIMIT];
  unsigned count = 0;
  assert(last - first < WORK_LIMIT);
  for (uint32_t i = first; i < last; i++)
    if (!covers(&item, &set->items[i])) work[count++] = set->items[i];
  work[count++] = item;
  unsigned strided = count_strided(work, count);
  if (count - strided > EXACT_LIMIT) {
    count = collapse(work, count, false);
    count = drop_covered(work, count);
    strided = count_strided(work, count);
  }
  if (strided > STRIDED_LIMIT) {
    count = collapse(work, count, true);
    count = drop_covered(work, count);
  }
  assert(count > 0 && count <= WORK_LIMIT);
  replace_range(arena, set, first, last, work, count);
  return true;
}

bool points_to_union(Arena *arena, PointsToSet *into, const PointsToSet *other) {
  if (into == other || (into->items == other->items && into->count == other->count)) return false;
  if (into->count == other->count && other->count > 0 &&
      memcmp(into->items, other->items, other->count * sizeof *other->items) == 0)
    return false;
  bool grew = false;
  for (uint32_t i = 0; i < other->count; i++) grew |= points_to_insert(arena, into, other->items[i]);
  return grew;
}

bool places_overlap(int64_t offset, uint64_t stride, uint64_t bytes, int64_t other_offset, uint64_t other_stride,
                    uint64_t other_bytes) {
  uint64_t step = greatest_common_divisor(stride, other_stride);
  uint64_t ahead = distance(offset, other_offset);
  bool other_first = other_offset < offset;
  if (step == 0) return ahead < (other_first ? other_bytes : bytes);
  uint64_t up = ahead % step, down = (step - up) % step; // modulo the step, on either side
  if (other_first) return up < other_bytes || down < bytes;
  return up < bytes || down < other_bytes;
}
