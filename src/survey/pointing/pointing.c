// The analysis from outside: its start, its end, and its answers.
#include "survey/pointing/collected.h"

static void init_vectors(Solver *s) {
  PointerNodeVector_init(&s->nodes, s->account);
  PlaceEdgeVector_init(&s->edges, s->account);
  MoveVector_init(&s->moves, s->account);
  ConstraintVector_init(&s->constraints, s->account);
  CopyVector_init(&s->copies, s->account);
  RoutineVector_init(&s->routines, s->account);
  AreaVector_init(&s->areas, s->account);
  U32Vector_init(&s->order, s->account);
  U32Vector_init(&s->origins, s->account);
  U32Vector_init(&s->tally, s->account);
  U64Vector_init(&s->pending, s->account);
  place_table_init(&s->places, s->account);
  bitset_init(&s->is_literal, s->code->object_count, s->account);
  bitset_init(&s->called_from_outside, s->code->function_count, s->account);
  Map *maps[] = {&s->edge_keys, &s->block_keys, &s->linked_calls, &s->constants, &s->heap_areas};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_init(maps[i], s->account);
}

static void free_nodes(Solver *s) {
  for (size_t i = 0; i < s->nodes.count; i++) {
    place_set_free(&s->nodes.data[i].set, s->account);
    place_set_free(&s->nodes.data[i].fresh, s->account);
  }
  for (size_t i = 0; i < s->areas.count; i++) {
    MemoryCellVector_free(&s->areas.data[i].cells);
    BlockCopyVector_free(&s->areas.data[i].blocks);
  }
}

static void free_vectors(Solver *s) {
  free_nodes(s);
  PointerNodeVector_free(&s->nodes);
  PlaceEdgeVector_free(&s->edges);
  MoveVector_free(&s->moves);
  ConstraintVector_free(&s->constraints);
  CopyVector_free(&s->copies);
  RoutineVector_free(&s->routines);
  AreaVector_free(&s->areas);
  U32Vector_free(&s->order);
  U32Vector_free(&s->origins);
  U32Vector_free(&s->tally);
  U64Vector_free(&s->pending);
  place_table_free(&s->places);
  place_set_free(&s->scratch, s->account);
  bitset_free(&s->is_literal);
  bitset_free(&s->called_from_outside);
  Map *maps[] = {&s->edge_keys, &s->block_keys, &s->linked_calls, &s->constants, &s->heap_areas};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
}

// --- areas ---

static void add_area(Solver *s, Area area) {
  AreaMemory memory = {.area = area, .flat = NO_NODE};
  MemoryCellVector_init(&memory.cells, s->account);
  BlockCopyVector_init(&memory.blocks, s->account);
  AreaVector_push(&s->areas, memory);
}

static AreaKind kind_of(const CodeObject *object) {
  switch (object->kind) {
  case CODE_STATIC: return AREA_STATIC;
  case CODE_THREAD_LOCAL: return AREA_THREAD_LOCAL;
  case CODE_AUTOMATIC: return AREA_AUTOMATIC;
  }
  return AREA_STATIC;
}

static void add_areas(Solver *s) {
  const Code *code = s->code;
  const Area none = {.object = NO_CODE_ID, .function = NO_CODE_ID, .statement = NO_CODE_ID, .type = NO_CODE_ID};
  for (uint32_t i = 0; i < code->object_count; i++) {
    Area area = none;
    area.kind = kind_of(&code->objects[i]);
    area.object = i;
    if (code->objects[i].kind == CODE_AUTOMATIC) area.function = code->objects[i].function;
    area.size = code->objects[i].size;
    area.type = code->objects[i].type;
    add_area(s, area);
  }
  for (uint32_t i = 0; i < code->function_count; i++) {
    Area area = none;
    area.kind = AREA_FUNCTION;
    area.function = i;
    add_area(s, area);
  }
  Area outside = none;
  outside.kind = AREA_OUTSIDE;
  s->library_area = (uint32_t)s->areas.count;
  add_area(s, outside);
  outside.exposed = true;
  s->outside_area = (uint32_t)s->areas.count;
  add_area(s, outside);
}

static void add_nodes(Solver *s) {
  uint32_t values = s->code->register_count + s->code->function_count;
  for (uint32_t i = 0; i < 2 * values; i++) solver_node(s);
  NodeId *nodes[] = {&s->outside, &s->joined, &s->key_values, &s->destructors, &s->handlers, &s->given};
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) *nodes[i] = solver_node(s);
  MoveVector_push(&s->moves, (PlaceMove){0});
  MoveVector_push(&s->moves, ANY_MOVE);
  s->areas.data[s->outside_area].flat = s->outside;
  solver_add(s, s->outside, place_whole(s->outside_area));
  s->library = constant_node(s, place_whole(s->library_area));
  NodeId contents = s->areas.data[s->library_area].flat = solver_node(s);
  solver_add(s, contents, place_whole(s->library_area));
}

Pointing *pointing_new(const Code *code, const uint32_t *entries, uint32_t entry_count, bool strict, double deadline,
                       Account *account) {
  Pointing *pointing = memory_allocate_zeroed(account, sizeof *pointing);
  pointing->account = account;
  Solver *s = &pointing->solver;
  *s = (Solver){.code = code, .account = account, .strict = strict, .deadline = deadline};
  init_vectors(s);
  add_areas(s);
  add_nodes(s);
  heap_find_wrappers(s, entries, entry_count);
  library_start(s);
  solver_build(s, entries, entry_count);
  solver_run(s);
  answers_collect(pointing);
  if (!s->late) return pointing;
  pointing_free(pointing);
  return NULL;
}

void pointing_free(Pointing *pointing) {
  if (!pointing) return;
  answers_free(pointing);
  free_vectors(&pointing->solver);
  memory_free(pointing->account, pointing, sizeof *pointing);
}

// --- answers ---

uint32_t pointing_area_count(const Pointing *pointing) { return (uint32_t)pointing->solver.areas.count; }
const Area *pointing_area(const Pointing *pointing, uint32_t area) { return solver_area(&pointing->solver, area); }
uint32_t pointing_outside(const Pointing *pointing) { return pointing->solver.outside_area; }

bool pointing_called_from_outside(const Pointing *pointing, uint32_t function) {
  return bitset_get(&pointing->solver.called_from_outside, function);
}
