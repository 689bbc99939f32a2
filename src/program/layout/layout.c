// The layout pass: cells, what they are called and hold at the start, and which cells each access may touch.
#include "program/layout/layout.h"
#include "program/passes/pass_list.h"

// --- cells ---

static Term initial_value(Program *p, const Object *object, Interval cell) {
  if (object->indeterminate) return TERM_NONE;
  Bits value = 0;
  for (uint64_t i = 0; object->initial && i < cell.size; i++) value |= (Bits)object->initial[cell.start + i] << 8 * i;
  return term_constant(p->terms, (unsigned)(8 * cell.size), value);
}

// Are all cells elements of one array? Then they are named by index.
static bool cut_evenly(const Object *object, const Cutting *cutting) {
  uint64_t size = cutting->intervals.data[0].size;
  if (cutting->intervals.count < 2 || object->size % size != 0) return false;
  for (size_t i = 0; i < cutting->intervals.count; i++)
    if (cutting->intervals.data[i].size != size || cutting->intervals.data[i].start % size != 0) return false;
  return true;
}

static const NamedPart *part_around(const Object *object, uint64_t offset) {
  for (uint32_t i = 0; i < object->part_count; i++) {
    const NamedPart *part = &object->parts[i];
    bool inside = offset > part->offset && offset < (uint64_t)part->offset + part->bytes;
    if (inside && part->shown != SHOWN_AS_TEXT) return part;
  }
  return NULL;
}

static const char *cell_name(Program *p, ObjectId id, Interval cell, bool evenly) {
  const Object *object = &p->objects.data[id];
  for (uint32_t i = 0; i < object->part_count; i++)
    if (object->parts[i].offset == cell.start)
      return intern_format(&p->strings, "%s%s", object->name, object->parts[i].name);
  if (cell.start == 0 && cell.size == object->size) return object->name;
  const NamedPart *part = part_around(object, cell.start); // it was cut into bytes
  if (part)
    return intern_format(&p->strings, "%s%s+%llu", object->name, part->name,
                         (unsigned long long)(cell.start - part->offset));
  if (evenly) return intern_format(&p->strings, "%s[%llu]", object->name, (unsigned long long)(cell.start / cell.size));
  if (cell.start == 0) return object->name;
  return intern_format(&p->strings, "%s+%llu", object->name, (unsigned long long)cell.start);
}

static void add_cells(Layout *layout) {
  Program *p = layout->program;
  for (size_t o = 0; o < p->objects.count; o++) {
    const Cutting *cutting = &layout->cuttings[o];
    p->objects.data[o].first_cell = (CellId)p->cells.count;
    p->objects.data[o].cell_count = 0;
    if (cutting->intervals.count == 0) continue;
    bool evenly = cut_evenly(&p->objects.data[o], cutting);
    for (size_t i = 0; i < cutting->intervals.count; i++) {
      Interval cell = cutting->intervals.data[i];
      const Object *object = &p->objects.data[o];
      program_add_cell(p, (ObjectId)o, object->address + cell.start, (uint32_t)cell.size,
                       initial_value(p, object, cell), cell_name(p, (ObjectId)o, cell, evenly));
    }
  }
  // Lists of neighbours are ranges of the list of all cells.
  for (size_t c = 0; c < p->cells.count; c++) U32Vector_push(&p->cell_lists, (CellId)c);
}

// --- accesses ---

// Appends the cells of the `bytes` at `start` of an object: one cell, or single bytes. Other places are no target (a
// block operation that starts there would leave the object).
static void append_place(const Program *p, const Object *object, uint64_t start, uint32_t bytes, U32Vector *out) {
  assert(start + bytes <= object->size);
  CellId cell = program_cell_at(p, object->address + start);
  if (cell == NO_ID) return;
  if (p->cells.data[cell].bytes == bytes) {
    U32Vector_push(out, cell);
    return;
  }
  CellId end = object->first_cell + object->cell_count;
  for (uint32_t i = 0; i < bytes; i++)
    if (cell + i >= end || p->cells.data[cell + i].bytes != 1 ||
        p->cells.data[cell + i].address != object->address + start + i)
      return;
  for (uint32_t i = 0; i < bytes; i++) U32Vector_push(out, cell + i);
}

static void append_item(const Program *p, const PointsToItem *item, uint64_t shift, uint32_t bytes, U32Vector *out) {
  const Object *object = &p->objects.data[item->object];
  if (object->cell_count == 0 || object->size < bytes) return;
  uint64_t last = object->size - bytes;
  int64_t start = item->offset + (int64_t)shift;
  if (item->stride == 0) {
    if (start >= 0 && (uint64_t)start <= last) append_place(p, object, (uint64_t)start, bytes, out);
    return;
  }
  uint64_t first = (uint64_t)start % item->stride;
  if (last >= first && (last - first) / item->stride > LAYOUT_PLACES) return; // only in a block that was cut off
  for (uint64_t at = first; at <= last; at += item->stride) append_place(p, object, at, bytes, out);
}

uint64_t layout_set_key(const PointsToSet *set, uint64_t shift, uint32_t bytes, bool writes) {
  uint64_t parts[4] = {(uint64_t)(uintptr_t)set->items, set->count, shift, (uint64_t)bytes << 1 | writes};
  return hash_bytes(parts, sizeof parts);
}

CellSet layout_cell_set(Layout *layout, const PointsToSet *set, uint64_t shift, uint32_t bytes, bool writes) {
  assert(bytes > 0);
  const Program *p = layout->program;
  uint64_t key = 0, value;
  bool many = set->count > 1 || (set->count == 1 && set->items[0].stride > 0);
  if (many) { // arrays and lists: many cells, and many like accesses
    key = layout_set_key(set, shift, bytes, writes);
    if (map_get(&layout->patterns, key, &value)) return (CellSet){(uint32_t)(value >> 32), (uint32_t)value};
  }
  U32Vector cells;
  U32Vector_init(&cells, layout->account);
  for (uint32_t i = 0; i < set->count; i++) {
    Storage storage = p->objects.data[set->items[i].object].storage;
    if (writes && storage == STORAGE_CONSTANT) continue;
    append_item(p, &set->items[i], shift, bytes, &cells);
  }
  CellSet built = cell_set_build(&layout->sets, &cells);
  U32Vector_free(&cells);
  if (many) map_put(&layout->patterns, key, (uint64_t)built.first << 32 | built.count);
  return built;
}

static void fill_access_sets(Layout *layout) {
  Program *p = layout->program;
  map_clear(&layout->patterns); // from here on it holds the sets of arrays
  for (size_t s = 0; s < p->steps.count; s++) {
    Access *access = &p->steps.data[s].access;
    if (access->address == TERM_NONE) continue;
    access->cells = layout_cell_set(layout, &layout->points.targets[s], 0, access->bytes, access->writes);
    access->invalid = access->cells.count == 0;
  }
}

// --- the pass ---

static void layout_init(Layout *layout, Program *p) {
  *layout = (Layout){.program = p, .object_count = p->objects.count, .account = p->account};
  points_to(p, &layout->points, layout->account);
  layout->cuttings = memory_allocate_zeroed(layout->account, layout->object_count * sizeof *layout->cuttings);
  for (size_t o = 0; o < layout->object_count; o++) {
    IntervalVector_init(&layout->cuttings[o].intervals, layout->account);
    layout->cuttings[o].normal = true;
  }
  BlockPlanVector_init(&layout->plans, layout->account);
  map_init(&layout->patterns, layout->account);
}

static void layout_free(Layout *layout) {
  for (size_t o = 0; o < layout->object_count; o++) IntervalVector_free(&layout->cuttings[o].intervals);
  memory_free(layout->account, layout->cuttings, layout->object_count * sizeof *layout->cuttings);
  for (size_t i = 0; i < layout->plans.count; i++) {
    BlockWindowVector_free(&layout->plans.data[i].windows);
    IntervalVector_free(&layout->plans.data[i].chunks.intervals);
  }
  BlockPlanVector_free(&layout->plans);
  cell_set_builder_free(&layout->sets);
  map_free(&layout->patterns);
  points_to_free(&layout->points);
}

void pass_layout(Program *p) {
  assert(p->cells.count == 0 && "laid out once only");
  program_sweep(p);
  Layout layout;
  layout_init(&layout, p);
  layout_cut_outside(&layout);
  layout_cut_beyond(&layout);
  layout_cut_objects(&layout);
  add_cells(&layout);
  cell_set_builder_init(&layout.sets, p);
  fill_access_sets(&layout);
  layout_expand_blocks(&layout);
  layout_free(&layout);
  layout_mark_uninitialised(p);
  program_sweep(p);
  program_drop_unused_variables(p); // new temporaries take their place among their thread's variables
  program_mark_cells(p);
}
