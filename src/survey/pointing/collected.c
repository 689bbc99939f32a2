#include "survey/pointing/collected.h"

#include <stdlib.h>

#define COMPARE_MEMBERS(a, b, member)                                                                                  \
  if ((a)->member != (b)->member) return (a)->member < (b)->member ? -1 : 1

static int compare_places(const void *left, const void *right) {
  const AreaPlace *a = left, *b = right;
  COMPARE_MEMBERS(a, b, area);
  COMPARE_MEMBERS(a, b, offset);
  COMPARE_MEMBERS(a, b, stride);
  COMPARE_MEMBERS(a, b, extent);
  return 0;
}

static int compare_ids(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static bool includes(AreaPlace large, AreaPlace small) {
  assert(large.area == small.area);
  if (large.stride == 0 || large.extent != 0) return false;
  return (small.offset - large.offset) % (int64_t)large.stride == 0 && small.stride % large.stride == 0;
}

// Takes out places that another one of their area includes. The places are sorted.
static void drop_included(PlaceVector *places) {
  size_t count = 0;
  for (size_t first = 0, end; first < places->count; first = end) {
    for (end = first; end < places->count && places->data[end].area == places->data[first].area;) end++;
    size_t start = count;
    for (size_t i = first; i < end; i++) {
      AreaPlace place = places->data[i];
      bool included = false;
      for (size_t k = start; k < count && !included; k++) included = includes(places->data[k], place);
      for (size_t k = i + 1; k < end && !included; k++) included = includes(places->data[k], place);
      if (!included) places->data[count++] = place;
    }
  }
  places->count = count;
}

// Without places that the whole of their area includes.
static void collect_places(Pointing *p, NodeId node, PlaceVector *places) {
  const Solver *s = &p->solver;
  const PlaceSet *set = &s->nodes.data[node].set;
  PlaceVector_clear(places);
  PlaceCursor at = {0};
  PlaceId id;
  while (place_set_next(set, &at, &id)) {
    AreaPlace place = place_at(&s->places, id);
    uint32_t whole = s->places.wholes.data[place.area];
    if (whole == 0 || whole - 1 == id || !place_set_has(set, whole - 1)) PlaceVector_push(places, place);
  }
  if (places->count > 1) qsort(places->data, places->count, sizeof *places->data, compare_places);
  drop_included(places);
  for (size_t i = 1; i < places->count; i++) assert(compare_places(&places->data[i - 1], &places->data[i]) < 0);
  p->ranges[node].count = (uint32_t)places->count;
  p->ranges[node].data = places->count ? arena_copy(&p->arena, places->data, places->count * sizeof(AreaPlace)) : NULL;
}

static NodeId node_of(const Pointing *p, CodeOperand operand) {
  const Solver *s = &p->solver;
  AreaPlace place;
  switch (operand.kind) {
  case CODE_REGISTER: return s->nodes.data[register_value(operand.id).whole].forward;
  case CODE_ADDRESS: place = object_place(s, operand.id, operand.number); break;
  case CODE_FUNCTION: place = function_place(s, operand.id); break;
  default: return NO_NODE;
  }
  uint64_t node = map_get_or(&s->constants, place_table_find(&s->places, place), NO_NODE);
  assert(node != NO_NODE);
  return s->nodes.data[node].forward;
}

// The functions among the places, and those in memory at them if `behind`.
static void add_functions(const Pointing *p, PlaceRange range, bool behind, U32Vector *functions) {
  const Solver *s = &p->solver;
  for (uint32_t i = 0; i < range.count; i++) {
    const AreaMemory *memory = &s->areas.data[range.data[i].area];
    if (memory->area.kind == AREA_FUNCTION) U32Vector_push(functions, memory->area.function);
    if (!behind || memory->area.exposed) continue;
    if (memory->flat != NO_NODE) add_functions(p, p->ranges[s->nodes.data[memory->flat].forward], false, functions);
    for (size_t k = 0; k < memory->cells.count; k++) {
      NodeId stored = memory->cells.data[k].stored;
      if (stored != NO_NODE) add_functions(p, p->ranges[s->nodes.data[stored].forward], false, functions);
    }
  }
}

static CalleeRange sorted_functions(Arena *arena, U32Vector *functions) {
  size_t count = 0;
  if (functions->count > 1) qsort(functions->data, functions->count, sizeof *functions->data, compare_ids);
  for (size_t i = 0; i < functions->count; i++)
    if (count == 0 || functions->data[count - 1] != functions->data[i]) functions->data[count++] = functions->data[i];
  if (count == 0) return (CalleeRange){NULL, 0};
  for (size_t i = 1; i < count; i++) assert(functions->data[i - 1] < functions->data[i]);
  return (CalleeRange){arena_copy(arena, functions->data, count * sizeof *functions->data), (uint32_t)count};
}

static void collect_callees(Pointing *p) {
  const Code *code = p->solver.code;
  U32Vector functions;
  U32Vector_init(&functions, p->account);
  p->callees = arena_allocate_zeroed(&p->arena, (code->statement_count + 1) * sizeof *p->callees);
  for (uint32_t i = 0; i < code->statement_count; i++) {
    if (code->statements[i].kind != CODE_CALL) continue;
    U32Vector_clear(&functions);
    add_functions(p, pointing_of(p, code_operand(code, &code->statements[i], 0)), false, &functions);
    p->callees[i] = sorted_functions(&p->arena, &functions);
  }
  U32Vector_free(&functions);
}

// Sets, edges and constraints are not needed any more.
static void release(Solver *s) {
  for (size_t i = 0; i < s->nodes.count; i++) {
    place_set_free(&s->nodes.data[i].set, s->account);
    place_set_free(&s->nodes.data[i].fresh, s->account);
  }
  PlaceEdgeVector_free(&s->edges);
  ConstraintVector_free(&s->constraints);
  map_free(&s->edge_keys);
  map_free(&s->block_keys);
  map_free(&s->linked_calls);
}

static void guess_types(Pointing *p);

void answers_collect(Pointing *p) {
  Solver *s = &p->solver;
  arena_init(&p->arena, p->account);
  p->functions = memory_allocate_zeroed(p->account, sizeof *p->functions);
  arena_init(&p->functions->arena, p->account);
  map_init(&p->functions->ranges, p->account);
  if (s->late) return;
  p->ranges = arena_allocate_zeroed(&p->arena, s->nodes.count * sizeof *p->ranges);
  PlaceVector places;
  PlaceVector_init(&places, p->account);
  for (NodeId n = 0; n < s->nodes.count; n++) {
    s->nodes.data[n].forward = solver_find(s, n);
    if (s->nodes.data[n].forward == n) collect_places(p, n, &places);
  }
  PlaceVector_free(&places);
  release(s);
  collect_callees(p);
  guess_types(p);
}

void answers_free(Pointing *p) {
  if (p->functions) {
    arena_free(&p->functions->arena);
    map_free(&p->functions->ranges);
    memory_free(p->account, p->functions, sizeof *p->functions);
  }
  arena_free(&p->arena);
}

PlaceRange pointing_of(const Pointing *p, CodeOperand operand) {
  NodeId node = node_of(p, operand);
  return node == NO_NODE ? (PlaceRange){NULL, 0} : p->ranges[node];
}

static bool add_areas(const Pointing *p, NodeId node, Bitset *areas) {
  if (node == NO_NODE) return false;
  PlaceRange range = p->ranges[p->solver.nodes.data[node].forward];
  bool grown = false;
  for (uint32_t i = 0; i < range.count; i++) grown |= bitset_add(areas, range.data[i].area);
  return grown;
}

bool pointing_add_contents(const Pointing *p, uint32_t area, Bitset *areas) {
  const AreaMemory *memory = &p->solver.areas.data[area];
  if (memory->area.exposed || memory->area.kind == AREA_OUTSIDE) return false;
  bool grown = add_areas(p, memory->flat, areas);
  for (size_t i = 0; i < memory->cells.count; i++) grown |= add_areas(p, memory->cells.data[i].stored, areas);
  return grown;
}

PlaceRange pointing_in_part(const Pointing *p, CodeOperand operand) {
  if (operand.kind != CODE_REGISTER) return (PlaceRange){NULL, 0};
  return p->ranges[p->solver.nodes.data[register_value(operand.id).part].forward];
}

CalleeRange pointing_callees(const Pointing *p, uint32_t statement) {
  assert(p->solver.code->statements[statement].kind == CODE_CALL);
  return p->callees[statement];
}

CalleeRange pointing_functions(const Pointing *p, CodeOperand operand) {
  NodeId node = node_of(p, operand);
  if (node == NO_NODE) return (CalleeRange){NULL, 0};
  uint64_t known;
  if (map_get(&p->functions->ranges, node, &known)) return *(const CalleeRange *)(uintptr_t)known;
  U32Vector functions;
  U32Vector_init(&functions, p->account);
  add_functions(p, p->ranges[node], true, &functions);
  CalleeRange range = sorted_functions(&p->functions->arena, &functions);
  U32Vector_free(&functions);
  map_put(&p->functions->ranges, node, (uintptr_t)arena_copy(&p->functions->arena, &range, sizeof range));
  return range;
}

// --- types of blocks ---

typedef struct TypeUse {
  uint32_t area, type;
  uint64_t weight;
} TypeUse;
VECTOR(TypeUseVector, TypeUse);

static void count_use(TypeUseVector *uses, Map *known, uint32_t area, uint32_t type, uint64_t weight) {
  uint64_t key = (uint64_t)area << 32 | type, index;
  if (!map_get(known, key, &index)) {
    index = uses->count;
    TypeUseVector_push(uses, (TypeUse){area, type, 0});
    map_put(known, key, index);
  }
  uses->data[index].weight += weight;
}

// A pointer that may refer to many blocks says little about each of them.
enum { WHOLE_WEIGHT = 1 << 16, MOST_BLOCKS = 16 };

static bool fits(const Pointing *p, AreaPlace place, uint32_t type) {
  const Area *area = pointing_area(p, place.area);
  uint64_t size = code_type_size(p->solver.code, type);
  return place.offset == 0 && area->kind == AREA_HEAP && (area->size == 0 || size <= area->size);
}

static void count_uses(const Pointing *p, TypeUseVector *uses, Map *known) {
  const Code *code = p->solver.code;
  for (uint32_t i = 0; i < code->statement_count; i++) {
    const CodeStatement *statement = &code->statements[i];
    if (statement->kind != CODE_MOVE || statement->type == NO_CODE_ID) continue;
    PlaceRange range = pointing_of(p, code_operand(code, statement, 0));
    for (uint32_t k = 0; range.count <= MOST_BLOCKS && k < range.count; k++)
      if (fits(p, range.data[k], statement->type))
        count_use(uses, known, range.data[k].area, statement->type, 1 + WHOLE_WEIGHT / range.count);
  }
}

// The type by which moves that surely mean the block address a member of it, at its begin; the first of equals.
static void guess_types(Pointing *p) {
  TypeUseVector uses;
  Map known;
  TypeUseVector_init(&uses, p->account);
  map_init(&known, p->account);
  count_uses(p, &uses, &known);
  U64Vector most;
  U64Vector_init(&most, p->account);
  U64Vector_resize(&most, p->solver.areas.count);
  for (size_t i = 0; i < uses.count; i++) {
    TypeUse use = uses.data[i];
    if (use.weight <= most.data[use.area]) continue;
    most.data[use.area] = use.weight;
    p->solver.areas.data[use.area].area.type = use.type;
  }
  U64Vector_free(&most);
  map_free(&known);
  TypeUseVector_free(&uses);
}
