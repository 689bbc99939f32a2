// The memory of areas: cells, blocks that are copied, and areas that outside code reaches.
#include "survey/pointing/constraints.h"

enum { MOST_CELLS = 64, MOST_PAIRS = 128 };

static AreaMemory *memory_of(const Solver *s, uint32_t area) { return AreaVector_at(&s->areas, area); }

static bool is_constant(const Solver *s, uint32_t area) {
  uint32_t object = solver_area(s, area)->object;
  return object != NO_CODE_ID && s->code->objects[object].constant;
}

static bool holds_data(const Solver *s, uint32_t area) { return solver_area(s, area)->kind != AREA_FUNCTION; }

// --- blocks ---

// What is in the cell comes to be at the block's destination.
static void copy_cell(Solver *s, const BlockCopy *block, MemoryCell cell) {
  if (cell.stored == NO_NODE || !pointing_overlap(cell.place, cell.bytes, block->from, block->size)) return;
  AreaPlace to = block->to;
  if (solver_area(s, to.area)->kind != AREA_OUTSIDE) to = place_copied(cell.place, block->from, block->to);
  solver_edge(s, cell.stored, cell_stored(s, to, cell.bytes), COPY_MOVE);
}

static void copy_flat(Solver *s, const BlockCopy *block, NodeId flat) {
  solver_edge(s, flat, cell_stored(s, block->to, block->size), COPY_MOVE);
}

static void block_copy(Solver *s, AreaPlace to, AreaPlace from, uint64_t size) {
  if (!holds_data(s, to.area) || !holds_data(s, from.area)) return;
  uint64_t key = (uint64_t)place_table_id(&s->places, from) << 32 | place_table_id(&s->places, to);
  uint64_t known = map_get_or(&s->block_keys, key, UINT64_MAX);
  if (known == 0 || known == size) return;
  if (known != UINT64_MAX) size = 0; // two sizes: any
  map_put(&s->block_keys, key, size);
  BlockCopy block = {from, to, size};
  if (memory_of(s, from.area)->flat != NO_NODE) {
    copy_flat(s, &block, memory_of(s, from.area)->flat);
    return;
  }
  BlockCopyVector_push(&memory_of(s, from.area)->blocks, block);
  for (size_t i = 0; i < memory_of(s, from.area)->cells.count; i++)
    copy_cell(s, &block, memory_of(s, from.area)->cells.data[i]);
  // The copy may have made the area flat.
  if (memory_of(s, from.area)->flat != NO_NODE) copy_flat(s, &block, memory_of(s, from.area)->flat);
}

// --- flat areas ---

static void make_flat(Solver *s, uint32_t area, NodeId flat) {
  AreaMemory *memory = memory_of(s, area);
  NodeId old = memory->flat;
  MemoryCellVector cells = memory->cells;
  BlockCopyVector blocks = memory->blocks;
  MemoryCellVector_init(&memory->cells, s->account);
  BlockCopyVector_init(&memory->blocks, s->account);
  memory->flat = flat;
  if (old != NO_NODE) solver_merge(s, old, flat);
  for (size_t i = 0; i < cells.count; i++) {
    if (cells.data[i].stored != NO_NODE) solver_merge(s, cells.data[i].stored, flat);
    if (cells.data[i].seen != NO_NODE) solver_merge(s, cells.data[i].seen, flat);
  }
  for (size_t i = 0; i < blocks.count; i++) copy_flat(s, &blocks.data[i], flat);
  MemoryCellVector_free(&cells);
  BlockCopyVector_free(&blocks);
}

void area_expose(Solver *s, uint32_t area) {
  if (solver_area(s, area)->exposed) return;
  memory_of(s, area)->area.exposed = true;
  if (is_constant(s, area))
    solver_edge(s, cell_loaded(s, place_whole(area), 0), s->outside, COPY_MOVE);
  else
    make_flat(s, area, s->outside);
}

// --- cells ---

// The index of the cell; or the number of cells: the area became flat.
static size_t cell_index(Solver *s, AreaPlace place, uint64_t bytes) {
  AreaMemory *memory = memory_of(s, place.area);
  assert(memory->flat == NO_NODE); // a flat area has no cells
  for (size_t i = 0; i < memory->cells.count; i++) {
    MemoryCell *cell = &memory->cells.data[i];
    bool same = cell->place.offset == place.offset && cell->place.stride == place.stride;
    if (same && cell->place.extent == place.extent && cell->bytes == bytes) return i;
  }
  if (memory->cells.count >= MOST_CELLS) {
    make_flat(s, place.area, solver_node(s));
    return memory->cells.count;
  }
  MemoryCellVector_push(&memory->cells, (MemoryCell){place, bytes, NO_NODE, NO_NODE});
  return memory->cells.count - 1;
}

static void connect(Solver *s, uint32_t area, NodeId node, AreaPlace place, uint64_t bytes, bool stored) {
  assert(node < s->nodes.count && area == place.area);
  const MemoryCellVector *cells = &memory_of(s, area)->cells;
  for (size_t i = 0; i < cells->count; i++) {
    MemoryCell other = cells->data[i];
    NodeId from = stored ? node : other.stored, to = stored ? other.seen : node;
    if (from != NO_NODE && to != NO_NODE && pointing_overlap(place, bytes, other.place, other.bytes))
      solver_edge(s, from, to, COPY_MOVE);
  }
}

NodeId cell_loaded(Solver *s, AreaPlace place, uint64_t bytes) {
  if (!holds_data(s, place.area)) return NO_NODE;
  if (memory_of(s, place.area)->flat != NO_NODE) return memory_of(s, place.area)->flat;
  size_t at = cell_index(s, place, bytes);
  AreaMemory *memory = memory_of(s, place.area);
  if (memory->flat != NO_NODE) return memory->flat;
  if (memory->cells.data[at].seen != NO_NODE) return memory->cells.data[at].seen;
  NodeId seen = solver_node(s);
  memory->cells.data[at].seen = seen;
  connect(s, place.area, seen, place, bytes, false);
  return seen;
}

NodeId cell_stored(Solver *s, AreaPlace place, uint64_t bytes) {
  if (!holds_data(s, place.area) || (s->started && is_constant(s, place.area))) return NO_NODE;
  if (memory_of(s, place.area)->flat != NO_NODE) return memory_of(s, place.area)->flat;
  size_t at = cell_index(s, place, bytes);
  AreaMemory *memory = memory_of(s, place.area);
  if (memory->flat != NO_NODE) return memory->flat;
  if (memory->cells.data[at].stored != NO_NODE) return memory->cells.data[at].stored;
  NodeId stored = solver_node(s);
  MemoryCell *cell = &memory->cells.data[at];
  cell->stored = stored;
  MemoryCell made = *cell;
  connect(s, place.area, stored, place, bytes, true);
  for (size_t i = 0; i < memory_of(s, place.area)->blocks.count; i++) {
    BlockCopy block = memory_of(s, place.area)->blocks.data[i];
    copy_cell(s, &block, made);
  }
  return stored;
}

// --- copies ---

static uint32_t size_of_node(Solver *s, NodeId node) {
  return place_set_size(&s->nodes.data[solver_find(s, node)].set);
}

static void copy_through(Solver *s, const Copy *copy, const PlaceSet *places, bool to) {
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(places, &at, &id)) {
    AreaPlace place = place_at(&s->places, id);
    if (to)
      solver_edge(s, copy->through, cell_stored(s, place, copy->size), COPY_MOVE);
    else
      solver_edge(s, cell_loaded(s, place, copy->size), copy->through, COPY_MOVE);
  }
}

static PlaceSet set_of(Solver *s, NodeId node) {
  PlaceSet set = {0};
  place_set_merge(&set, &s->nodes.data[solver_find(s, node)].set, s->account);
  return set;
}

static void copy_pairs(Solver *s, const Copy *copy, const PlaceSet *fresh, bool to) {
  PlaceSet others = set_of(s, to ? copy->from : copy->to);
  PlaceCursor at = {0};
  PlaceId mine, other;
  while (place_set_next(fresh, &at, &mine)) {
    PlaceCursor inner = {0};
    while (place_set_next(&others, &inner, &other)) {
      AreaPlace here = place_at(&s->places, mine), there = place_at(&s->places, other);
      block_copy(s, to ? here : there, to ? there : here, copy->size);
    }
  }
  place_set_free(&others, s->account);
}

void apply_copy(Solver *s, uint32_t index, const PlaceSet *fresh, bool to) {
  assert(index < s->copies.count);
  Copy copy = s->copies.data[index];
  if (copy.through != NO_NODE) {
    copy_through(s, &copy, fresh, to);
  } else if ((uint64_t)size_of_node(s, copy.to) * size_of_node(s, copy.from) <= MOST_PAIRS) {
    copy_pairs(s, &copy, fresh, to);
  } else {
    copy.through = s->copies.data[index].through = solver_node(s);
    PlaceSet targets = set_of(s, copy.to), sources = set_of(s, copy.from);
    copy_through(s, &copy, &targets, true);
    copy_through(s, &copy, &sources, false);
    place_set_free(&targets, s->account);
    place_set_free(&sources, s->account);
  }
}
