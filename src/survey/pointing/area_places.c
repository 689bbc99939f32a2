#include "survey/pointing/area_places.h"

#include "base/map.h"

enum { FARTHEST_OFFSET = 1 << 30 }; // beyond it the whole area is meant

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

AreaPlace place_whole(uint32_t area) { return (AreaPlace){.area = area, .stride = 1}; }

static AreaPlace in_one_form(uint32_t area, int64_t offset, uint64_t stride, uint64_t extent) {
  bool far = offset > FARTHEST_OFFSET || offset < -FARTHEST_OFFSET;
  if (far || stride > UINT32_MAX) return place_whole(area);
  if (stride != 0 && extent != 0) {
    uint64_t steps = (extent - 1) / stride;
    extent = steps * stride + 1;
    if (steps == 0) stride = 0;
  }
  if (stride == 0) extent = 0;
  if (stride != 0 && extent == 0) {
    offset %= (int64_t)stride;
    if (offset < 0) offset += (int64_t)stride;
  }
  return (AreaPlace){.area = area, .stride = (uint32_t)stride, .offset = offset, .extent = extent};
}

static uint64_t extents_together(AreaPlace place, PlaceMove move) {
  if (place.stride == 0) return move.extent;
  if (move.stride == 0) return place.extent;
  bool bounded = place.extent != 0 && move.extent != 0 && move.extent <= UINT64_MAX - place.extent;
  return bounded ? place.extent + move.extent : 0;
}

AreaPlace place_moved(AreaPlace place, PlaceMove move) {
  if (move.cyclic) {
    uint64_t step = (uint64_t)(move.offset < 0 ? -(move.offset + 1) : move.offset - 1) + 1;
    if (move.offset == 0) step = 0;
    move = (PlaceMove){.stride = greatest_divisor(step, move.stride)};
  }
  int64_t offset;
  if (__builtin_add_overflow(place.offset, move.offset, &offset)) return place_whole(place.area);
  uint64_t stride = greatest_divisor(place.stride, move.stride);
  return in_one_form(place.area, offset, stride, extents_together(place, move));
}

AreaPlace place_copied(AreaPlace cell, AreaPlace from, AreaPlace to) {
  AreaPlace result = place_moved(to, (PlaceMove){cell.offset, cell.stride, cell.extent, false});
  if (from.stride != 0) result = place_moved(result, (PlaceMove){.stride = from.stride});
  return place_moved(result, (PlaceMove){.offset = -from.offset});
}

// --- overlaps ---

// Differences of addresses: low <= difference <= high, and congruent to `start` modulo `step`.
static bool has_difference(int64_t start, uint64_t step, int64_t low, int64_t high) {
  if (low > high) return false;
  if (step == 0) return low <= start && start <= high;
  int64_t rest = (start - low) % (int64_t)step;
  if (rest < 0) rest += (int64_t)step;
  return rest <= high - low;
}

static const int64_t UNBOUNDED = INT64_MAX / 8;

static int64_t reach_of(AreaPlace place) {
  if (place.stride == 0) return 0;
  if (place.extent == 0) return UNBOUNDED;
  return place.extent - 1 < (uint64_t)UNBOUNDED ? (int64_t)(place.extent - 1) : UNBOUNDED;
}

static int64_t last_byte(uint64_t bytes) {
  return bytes == 0 || bytes > (uint64_t)UNBOUNDED ? UNBOUNDED : (int64_t)bytes - 1;
}

bool pointing_overlap(AreaPlace a, uint64_t a_bytes, AreaPlace b, uint64_t b_bytes) {
  if (a.area != b.area) return false;
  int64_t start = b.offset - a.offset; // of the difference "address of b minus address of a"
  bool a_open = a.stride != 0 && a.extent == 0, b_open = b.stride != 0 && b.extent == 0;
  int64_t least = a_open || b_open ? -UNBOUNDED : start - reach_of(a);
  int64_t most = a_open || b_open ? UNBOUNDED : start + reach_of(b);
  int64_t low = -last_byte(b_bytes), high = last_byte(a_bytes);
  return has_difference(start, greatest_divisor(a.stride, b.stride), low > least ? low : least,
                        high < most ? high : most);
}

// --- the table ---

void place_table_init(PlaceTable *table, Account *account) {
  PlaceVector_init(&table->places, account);
  U32Vector_init(&table->slots, account);
  U32Vector_init(&table->counts, account);
  U32Vector_init(&table->wholes, account);
  U32Vector_resize(&table->slots, 1024);
}

void place_table_free(PlaceTable *table) {
  PlaceVector_free(&table->places);
  U32Vector_free(&table->slots);
  U32Vector_free(&table->counts);
  U32Vector_free(&table->wholes);
}

static bool equal(AreaPlace a, AreaPlace b) {
  return a.area == b.area && a.offset == b.offset && a.stride == b.stride && a.extent == b.extent;
}

// The slot of the place, or the free one where it belongs.
static size_t slot_of(const PlaceTable *table, AreaPlace place) {
  uint64_t hash = hash_mix((uint64_t)place.area << 32 | place.stride);
  hash = hash_mix(hash ^ (uint64_t)place.offset);
  hash = hash_mix(hash ^ place.extent);
  size_t mask = table->slots.count - 1, at = hash & mask;
  while (table->slots.data[at] != 0 && !equal(place_at(table, table->slots.data[at] - 1), place)) at = (at + 1) & mask;
  return at;
}

static void grow(PlaceTable *table) {
  size_t slots = table->slots.count * 2;
  U32Vector_clear(&table->slots);
  U32Vector_resize(&table->slots, slots);
  for (size_t i = 0; i < table->places.count; i++)
    table->slots.data[slot_of(table, table->places.data[i])] = (uint32_t)i + 1;
}

PlaceId place_table_id(PlaceTable *table, AreaPlace place) {
  size_t slot = slot_of(table, place);
  if (table->slots.data[slot] != 0) return table->slots.data[slot] - 1;
  if (place.area >= table->counts.count) {
    U32Vector_resize(&table->counts, place.area + 1);
    U32Vector_resize(&table->wholes, place.area + 1);
  }
  bool whole = equal(place, place_whole(place.area));
  if (table->counts.data[place.area] >= MOST_AREA_PLACES && !whole)
    return place_table_id(table, place_whole(place.area));
  table->counts.data[place.area]++;
  PlaceVector_push(&table->places, place);
  if (whole) table->wholes.data[place.area] = (uint32_t)table->places.count;
  table->slots.data[slot] = (uint32_t)table->places.count;
  if (table->places.count * 2 > table->slots.count) grow(table);
  return (PlaceId)(table->places.count - 1);
}

PlaceId place_table_find(const PlaceTable *table, AreaPlace place) {
  uint32_t known = table->slots.data[slot_of(table, place)];
  if (known == 0) known = table->wholes.data[place.area]; // the area has too many places
  assert(known != 0);
  return known - 1;
}
