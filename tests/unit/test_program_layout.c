// Points-to and layout: where pointers may lead, how objects are cut, how block operations are expanded.
#include "test_program_support.h"

#include "program/passes/pass_list.h"
#include "program/points_to/points_to.h"

// --- sets ---

static void test_sets_widen(void **state) {
  (void)state;
  Arena arena;
  arena_init(&arena, NULL);
  PointsToSet set = {0};
  assert_true(points_to_insert(&arena, &set, (PointsToItem){7, 4, 0}));
  assert_false(points_to_insert(&arena, &set, (PointsToItem){7, 4, 0}));
  for (int i = 0; i < 8; i++) points_to_insert(&arena, &set, (PointsToItem){7, 4 + 12 * i, 0});
  assert_int_equal(set.count, 8);
  assert_true(points_to_insert(&arena, &set, (PointsToItem){7, 4 + 12 * 8, 0}));
  assert_int_equal(set.count, 1); // nine places: a stride
  assert_int_equal(set.items[0].stride, 12);
  assert_int_equal(set.items[0].offset, 4);
  assert_false(points_to_insert(&arena, &set, (PointsToItem){7, 4 - 24, 0}));
  assert_true(points_to_insert(&arena, &set, (PointsToItem){3, 0, 0}));
  assert_int_equal(set.items[0].object, 3); // ordered
  assert_true(points_to_insert(&arena, &set, (PointsToItem){7, 0, 4}));
  assert_int_equal(set.count, 2); // stride 4 covers stride 12
  arena_free(&arena);
}

static void test_places_overlap(void **state) {
  (void)state;
  assert_true(places_overlap(0, 0, 4, 3, 0, 1));
  assert_false(places_overlap(0, 0, 4, 4, 0, 1));
  assert_true(places_overlap(0, 8, 4, 16, 0, 1));
  assert_false(places_overlap(0, 8, 4, 20, 0, 4));
  assert_true(places_overlap(4, 8, 4, 0, 8, 5));
  assert_false(places_overlap(4, 8, 4, 0, 8, 4));
  assert_true(places_overlap(6, 8, 4, 0, 8, 1)); // wraps into the next element
  assert_true(places_overlap(0, 3, 1, 1, 2, 1));
}

// --- points-to ---

typedef struct Item {
  ObjectId object;
  int64_t offset;
  uint64_t stride;
} Item;

static void assert_points(const PointsToSet *set, const Item *items, size_t count) {
  assert_int_equal(set->count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(set->items[i].object, items[i].object);
    assert_int_equal(set->items[i].offset, items[i].offset);
    assert_int_equal(set->items[i].stride, items[i].stride);
  }
}
#define ASSERT_POINTS(set, ...) assert_points(set, (Item[]){__VA_ARGS__}, sizeof((Item[]){__VA_ARGS__}) / sizeof(Item))

static void test_terms_point(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  TermStore *terms = m.p->terms;
  ObjectId a = make_object(&m, 40, "a"), s = make_object(&m, 48, "s");
  VariableId i = make_variable(&m, 0, 32, "i"), p = make_variable(&m, 0, 64, "p"), q = make_variable(&m, 0, 64, "q");
  VariableId r = make_variable(&m, 0, 64, "r"), c = make_variable(&m, 0, 1, "c"), d = make_variable(&m, 0, 64, "d");
  VariableId tagged = make_variable(&m, 0, 64, "tagged"), low = make_variable(&m, 0, 64, "low");
  VariableId before = make_variable(&m, 0, 64, "before"), flag = make_variable(&m, 0, 1, "flag");
  Term index = term_sign_extend(terms, make_value(&m, i), 64);
  Term scaled = term_binary(terms, TERM_MUL, index, make_constant(&m, 64, 12));
  make_assign(&m, 0, i, VALUE_INPUT);
  make_assign(&m, 0, c, VALUE_INPUT);
  make_assign(&m, 0, p, term_add(terms, make_address(&m, s, 4), scaled));
  make_assign(&m, 0, q, term_ite(terms, make_value(&m, c), make_value(&m, p), make_address(&m, a, 8)));
  make_assign(&m, 0, r, term_add_constant(terms, make_value(&m, q), 4));
  make_assign(&m, 0, d, term_sub(terms, make_value(&m, p), make_address(&m, s, 0))); // a distance, not a pointer
  make_assign(&m, 0, tagged, term_binary(terms, TERM_OR, make_address(&m, a, 8), make_constant(&m, 64, 1)));
  make_assign(&m, 0, low, term_and(terms, make_value(&m, p), make_constant(&m, 64, 7)));
  // An index folded into the address: a[i - 1].
  Term fourfold = term_binary(terms, TERM_SHL, index, make_constant(&m, 64, 2));
  make_assign(&m, 0, before, term_add(terms, make_address(&m, a, -4), fourfold));
  make_assign(&m, 0, flag, term_eq(terms, make_value(&m, p), make_value(&m, q)));
  PointsTo points;
  points_to(m.p, &points, &m.account);
  ASSERT_POINTS(&points.variables[p], {s, 4, 12});
  ASSERT_POINTS(&points.variables[q], {a, 8, 0}, {s, 4, 12});
  ASSERT_POINTS(&points.variables[r], {a, 12, 0}, {s, 8, 12});
  assert_int_equal(points.variables[d].count, 0);
  ASSERT_POINTS(&points.variables[tagged], {a, 9, 0});
  assert_int_equal(points.variables[low].count, 0);
  assert_int_equal(points.variables[flag].count, 0);
  bool found = false;
  for (uint32_t k = 0; k < points.variables[before].count; k++)
    found |= points.variables[before].items[k].object == a && points.variables[before].items[k].stride == 4;
  assert_true(found);
  points_to_free(&points);
  make_end(&m);
}

static void test_pointers_through_memory(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId node = make_object(&m, 16, "node"), other = make_object(&m, 16, "other"), copy = make_object(&m, 16, "copy");
  ObjectId table = make_object(&m, 16, "table");
  uint64_t address = m.p->objects.data[other].address;
  m.p->objects.data[table].initial = arena_allocate_zeroed(&m.p->arena, 16);
  for (unsigned b = 0; b < 8; b++) m.p->objects.data[table].initial[8 + b] = (uint8_t)(address >> 8 * b);
  VariableId next = make_variable(&m, 0, 64, "next"), moved = make_variable(&m, 0, 64, "moved");
  VariableId relocated = make_variable(&m, 0, 64, "relocated"), data = make_variable(&m, 0, 64, "data");
  VariableId byte = make_variable(&m, 0, 8, "byte");
  // In the wrong order on purpose: the answer does not depend on it.
  make_load(&m, 0, moved, make_address(&m, copy, 8));
  make_block(&m, 0, STEP_COPY, make_address(&m, copy, 0), make_address(&m, node, 0), 16);
  make_load(&m, 0, next, make_address(&m, node, 8));
  make_load(&m, 0, data, make_address(&m, node, 0));
  make_store(&m, 0, make_address(&m, node, 8), make_address(&m, other, 4));
  make_load(&m, 0, relocated, make_address(&m, table, 8));
  make_load(&m, 0, byte, make_address(&m, node, 9)); // a part of a pointer
  PointsTo points;
  points_to(m.p, &points, &m.account);
  ASSERT_POINTS(&points.variables[next], {other, 4, 0});
  ASSERT_POINTS(&points.variables[moved], {other, 4, 0});
  ASSERT_POINTS(&points.variables[relocated], {other, 0, 0});
  ASSERT_POINTS(&points.variables[byte], {other, 4, 0});
  assert_int_equal(points.variables[data].count, 0);
  points_to_free(&points);
  make_end(&m);
}

static void test_walking_pointer_becomes_stride(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 32);
  ObjectId a = make_object(&m, 400, "a");
  VariableId p = make_variable(&m, 0, 32, "p");
  make_assign(&m, 0, p, make_address(&m, a, 0));
  LocationId head = m.at[0];
  make_store(&m, 0, make_value(&m, p), make_constant(&m, 32, 1));
  Step step = make_step(&m, STEP_PLAIN);
  Assignment next = {p, term_add_constant(m.p->terms, make_value(&m, p), 4)};
  step.assignments = &next;
  step.assignment_count = 1;
  make_to(&m, 0, &step, head);
  PointsTo points;
  points_to(m.p, &points, &m.account);
  ASSERT_POINTS(&points.variables[p], {a, 0, 4});
  points_to_free(&points);
  pass_layout(m.p);
  assert_int_equal(m.p->objects.data[a].cell_count, 100);
  make_end(&m);
}

// --- cells ---

static void test_cells_and_their_names(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId x = make_object(&m, 4, "x"), arr = make_object(&m, 12, "arr"), s = make_object(&m, 24, "s");
  m.p->objects.data[s].indeterminate = true;
  m.p->objects.data[arr].initial = arena_allocate_zeroed(&m.p->arena, 12);
  m.p->objects.data[arr].initial[4] = 0x34;
  m.p->objects.data[arr].initial[5] = 0x12;
  VariableId v = make_variable(&m, 0, 32, "v"), w = make_variable(&m, 0, 64, "w"), i = make_variable(&m, 0, 64, "i");
  make_assign(&m, 0, i, VALUE_INPUT);
  make_store(&m, 0, make_address(&m, x, 0), make_constant(&m, 32, 1));
  Term scaled = term_binary(m.p->terms, TERM_MUL, make_value(&m, i), make_constant(&m, 64, 4));
  EdgeId array = make_load(&m, 0, v, term_add(m.p->terms, make_address(&m, arr, 0), scaled));
  make_load(&m, 0, w, make_address(&m, s, 8));
  make_load(&m, 0, v, make_address(&m, s, 16));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_non_null(cell_named(m.p, "x"));
  assert_true(cell_named(m.p, "x")->written);
  assert_false(cell_named(m.p, "x")->shared);
  const Cell *element = cell_named(m.p, "arr[1]");
  assert_non_null(element);
  assert_int_equal(element->initial, make_constant(&m, 32, 0x1234));
  assert_false(element->written);
  assert_int_equal(m.p->objects.data[arr].cell_count, 3);
  const Cell *field = cell_named(m.p, "s+8");
  assert_non_null(field);
  assert_int_equal(field->bytes, 8);
  assert_int_equal(field->initial, TERM_NONE);
  assert_int_equal(m.p->objects.data[s].cell_count, 2); // the rest is never touched
  assert_int_equal(edge_only_step(m.p, array)->access.cells.count, 3);
  make_end(&m);
}

static void test_overlap_falls_to_bytes(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId u = make_object(&m, 16, "u");
  VariableId v = make_variable(&m, 0, 32, "v"), h = make_variable(&m, 0, 16, "h"), w = make_variable(&m, 0, 32, "w");
  EdgeId wide = make_load(&m, 0, v, make_address(&m, u, 0));
  EdgeId half = make_load(&m, 0, h, make_address(&m, u, 2));
  EdgeId apart = make_load(&m, 0, w, make_address(&m, u, 8));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_int_equal(m.p->objects.data[u].cell_count, 5);
  assert_int_equal(edge_only_step(m.p, wide)->access.cells.count, 4);
  assert_int_equal(edge_only_step(m.p, half)->access.cells.count, 2);
  assert_int_equal(edge_only_step(m.p, apart)->access.cells.count, 1);
  CellId first = m.p->objects.data[u].first_cell;
  assert_int_equal(m.p->cells.data[first].bytes, 1);
  assert_int_equal(m.p->cells.data[first + 4].bytes, 4);
  make_end(&m);
}

static void test_invalid_accesses(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId x = make_object(&m, 4, "x"), text = program_add_object(m.p, 4, STORAGE_CONSTANT, NO_ID, "text");
  VariableId v = make_variable(&m, 0, 32, "v");
  EdgeId null = make_load(&m, 0, v, make_constant(&m, 64, 0));
  EdgeId beyond = make_load(&m, 0, v, make_address(&m, x, 2));
  EdgeId constant = make_store(&m, 0, make_address(&m, text, 0), make_constant(&m, 32, 0));
  EdgeId good = make_load(&m, 0, v, make_address(&m, x, 0));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_true(edge_only_step(m.p, null)->access.invalid);
  assert_true(edge_only_step(m.p, beyond)->access.invalid);
  assert_true(edge_only_step(m.p, constant)->access.invalid);
  assert_false(edge_only_step(m.p, good)->access.invalid);
  make_end(&m);
}

static void test_shared_cells(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId other = make_thread(&m, 0, 0, "other");
  ObjectId both = make_object(&m, 4, "both"), read = make_object(&m, 4, "read"), own = make_object(&m, 4, "own");
  VariableId v = make_variable(&m, 0, 32, "v"), w = make_variable(&m, other, 32, "w");
  make_create(&m, 0, other);
  make_store(&m, 0, make_address(&m, both, 0), make_constant(&m, 32, 1));
  make_load(&m, 0, v, make_address(&m, read, 0));
  make_store(&m, 0, make_address(&m, own, 0), make_constant(&m, 32, 1));
  make_load(&m, other, w, make_address(&m, both, 0));
  make_load(&m, other, w, make_address(&m, read, 0));
  pass_layout(m.p);
  assert_valid(m.p);
  assert_true(cell_named(m.p, "both")->shared);
  assert_false(cell_named(m.p, "read")->shared);
  assert_false(cell_named(m.p, "own")->shared);
  assert_true(cell_named(m.p, "control")->shared); // status: CREATE writes, START reads
  make_end(&m);
}

// --- block operations ---

static void test_copy_cuts_both_sides(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId from = make_object(&m, 24, "from"), to = make_object(&m, 24, "to"), last = make_object(&m, 24, "last");
  VariableId v = make_variable(&m, 0, 32, "v"), w = make_variable(&m, 0, 64, "w"), x = make_variable(&m, 0, 32, "x");
  make_load(&m, 0, v, make_address(&m, from, 0));
  make_block(&m, 0, STEP_COPY, make_address(&m, to, 0), make_address(&m, from, 0), 24);
  make_block(&m, 0, STEP_COPY, make_address(&m, last, 0), make_address(&m, to, 0), 24);
  make_load(&m, 0, w, make_address(&m, last, 8));
  make_load(&m, 0, x, make_address(&m, to, 0));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  // Cells at 0 (4 bytes) and 8 (8 bytes) on all three; 16 is never looked at, so it is not copied.
  assert_int_equal(m.p->objects.data[from].cell_count, 2);
  assert_int_equal(m.p->objects.data[to].cell_count, 2);
  assert_int_equal(m.p->objects.data[last].cell_count, 2);
  assert_int_equal(count_accesses(m.p), 3 + 4 + 4 + 1);
  for (size_t s = 0; s < m.p->steps.count; s++) assert_null(m.p->steps.data[s].block);
  make_end(&m);
}

static void test_copy_meets_finer_cut(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId from = make_object(&m, 8, "from"), to = make_object(&m, 8, "to");
  VariableId v = make_variable(&m, 0, 64, "v"), h = make_variable(&m, 0, 16, "h");
  make_load(&m, 0, v, make_address(&m, from, 0));
  make_block(&m, 0, STEP_COPY, make_address(&m, to, 0), make_address(&m, from, 0), 8);
  make_load(&m, 0, h, make_address(&m, to, 4));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_int_equal(m.p->objects.data[from].cell_count, 8);
  assert_int_equal(m.p->objects.data[to].cell_count, 8);
  make_end(&m);
}

static void test_copy_of_part_of_a_cell(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId from = make_object(&m, 8, "from"), to = make_object(&m, 8, "to");
  VariableId v = make_variable(&m, 0, 64, "v"), w = make_variable(&m, 0, 64, "w");
  make_load(&m, 0, v, make_address(&m, from, 0));
  make_block(&m, 0, STEP_COPY, make_address(&m, to, 0), make_address(&m, from, 0), 4);
  make_load(&m, 0, w, make_address(&m, to, 0));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_int_equal(m.p->objects.data[from].cell_count, 8);
  assert_int_equal(count_accesses(m.p), 1 + 8 + 1 + 1); // four bytes are loaded and stored
  make_end(&m);
}

static void test_copy_within_an_object_reads_first(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId a = make_object(&m, 12, "a");
  VariableId v = make_variable(&m, 0, 32, "v");
  for (int i = 0; i < 3; i++) make_load(&m, 0, v, make_address(&m, a, 4 * i));
  make_block(&m, 0, STEP_COPY, make_address(&m, a, 4), make_address(&m, a, 0), 8);
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  // After the three loads: load, load, store, store.
  LocationId at = m.p->threads.data[0].entry;
  bool reads[7];
  for (unsigned i = 0; i < 7; i++) {
    assert_int_equal(m.p->locations.data[at].out_count, 1);
    EdgeId edge = m.p->out_edges.data[m.p->locations.data[at].first_out];
    reads[i] = edge_only_step(m.p, edge)->access.reads;
    at = m.p->edges.data[edge].to;
  }
  assert_true(reads[3] && reads[4] && !reads[5] && !reads[6]);
  make_end(&m);
}

static void test_copy_to_several_targets(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId a = make_object(&m, 8, "a"), b = make_object(&m, 8, "b"), from = make_object(&m, 8, "from");
  VariableId c = make_variable(&m, 0, 1, "c"), v = make_variable(&m, 0, 32, "v");
  make_assign(&m, 0, c, VALUE_INPUT);
  make_load(&m, 0, v, make_address(&m, a, 4));
  Term to = term_ite(m.p->terms, make_value(&m, c), make_address(&m, a, 0), make_address(&m, b, 0));
  make_block(&m, 0, STEP_COPY, to, make_address(&m, from, 0), 8);
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_int_equal(m.p->objects.data[b].cell_count, 1);
  const Step *store = NULL;
  for (size_t s = 0; s < m.p->steps.count; s++)
    if (m.p->steps.data[s].access.writes && m.p->steps.data[s].kind == STEP_PLAIN) store = &m.p->steps.data[s];
  assert_non_null(store);
  assert_int_equal(store->access.cells.count, 2);
  assert_int_equal(store->access.address, term_add_constant(m.p->terms, to, 4));
  make_end(&m);
}

static void test_fill_and_probe(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId a = make_object(&m, 8, "a"), unseen = make_object(&m, 8, "unseen");
  VariableId v = make_variable(&m, 0, 32, "v");
  make_load(&m, 0, v, make_address(&m, a, 4));
  make_block(&m, 0, STEP_FILL, make_address(&m, a, 0), make_constant(&m, 8, 0xab), 8);
  make_block(&m, 0, STEP_FILL, make_address(&m, unseen, 0), make_constant(&m, 8, 0), 8);
  make_block(&m, 0, STEP_FILL, make_constant(&m, 64, 0), make_constant(&m, 8, 0), 8); // at NULL
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  assert_int_equal(m.p->objects.data[unseen].cell_count, 0);
  size_t stores = 0, invalid = 0;
  for (size_t s = 0; s < m.p->steps.count; s++) {
    const Step *step = &m.p->steps.data[s];
    if (step->kind != STEP_PLAIN || !step->access.writes) continue;
    invalid += step->access.invalid;
    stores++;
    if (!step->access.invalid) assert_int_equal(step->access.stored, make_constant(&m, 32, 0xabababab));
  }
  assert_int_equal(stores, 2);
  assert_int_equal(invalid, 1);
  make_end(&m);
}

static void test_havoc_branches_on_the_target(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId a = make_object(&m, 4, "a"), b = make_object(&m, 8, "b");
  VariableId c = make_variable(&m, 0, 1, "c"), v = make_variable(&m, 0, 32, "v");
  VariableId p = make_variable(&m, 0, 64, "p");
  make_assign(&m, 0, c, VALUE_INPUT);
  make_load(&m, 0, v, make_address(&m, a, 0));
  make_load(&m, 0, v, make_address(&m, b, 0));
  make_load(&m, 0, v, make_address(&m, b, 4));
  make_assign(&m, 0, p, term_ite(m.p->terms, make_value(&m, c), make_address(&m, a, 0), make_address(&m, b, 0)));
  LocationId from = m.at[0];
  make_block(&m, 0, STEP_HAVOC, make_value(&m, p), TERM_NONE, 0);
  make_exit(&m, 0);
  Position position = m.p->locations.data[from].position;
  pass_layout(m.p);
  assert_valid(m.p);
  for (size_t l = 0; l < m.p->locations.count; l++)
    if (m.p->locations.data[l].position.line == position.line) from = (LocationId)l;
  assert_int_equal(m.p->locations.data[from].out_count, 3); // a, b, neither
  size_t fresh = 0;
  for (size_t s = 0; s < m.p->steps.count; s++) fresh += m.p->steps.data[s].access.stored == VALUE_INDETERMINATE;
  assert_int_equal(fresh, 3);
  make_end(&m);
}

// Where accesses count, what only block operations touch has one cell for each part that they touch as a whole.
static void test_regions_of_block_operations(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  m.p->every_access = true;
  ObjectId from = make_object(&m, 64, "from"), to = make_object(&m, 64, "to"), read = make_object(&m, 24, "read");
  VariableId v = make_variable(&m, 0, 32, "v");
  make_block(&m, 0, STEP_COPY, make_address(&m, to, 0), make_address(&m, from, 0), 64);
  make_block(&m, 0, STEP_FILL, make_address(&m, from, 16), make_constant(&m, 8, 0), 16);
  make_load(&m, 0, v, make_address(&m, to, 40));
  make_block(&m, 0, STEP_READ, make_address(&m, read, 8), TERM_NONE, 8);
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  // Marks at 0, 16, 32 and 64, and the load's cell stands for the part from 32 on.
  static const uint64_t starts[] = {0, 16, 40}, sizes[] = {1, 1, 4};
  const ObjectId sides[] = {from, to};
  for (size_t s = 0; s < 2; s++) {
    const Object *object = &m.p->objects.data[sides[s]];
    assert_int_equal(object->cell_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
      const Cell *cell = &m.p->cells.data[object->first_cell + i];
      assert_int_equal(cell->address - object->address, starts[i]);
      assert_int_equal(cell->bytes, sizes[i]);
    }
  }
  assert_int_equal(m.p->objects.data[read].cell_count, 1);
  assert_int_equal(m.p->cells.data[m.p->objects.data[read].first_cell].address, m.p->objects.data[read].address + 8);
  size_t reads = 0, writes = 0;
  for (size_t s = 0; s < m.p->steps.count; s++) {
    reads += m.p->steps.data[s].access.reads;
    writes += m.p->steps.data[s].access.writes;
  }
  assert_int_equal(reads, 3 + 1 + 1);  // copy, load, read
  assert_int_equal(writes, 3 + 1 + 1); // copy, fill, exit
  make_end(&m);
}

static void test_block_in_atomic_section(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId a = make_object(&m, 8, "a");
  VariableId v = make_variable(&m, 0, 32, "v");
  make_load(&m, 0, v, make_address(&m, a, 0));
  make_load(&m, 0, v, make_address(&m, a, 4));
  m.atomic = true;
  make_kind(&m, 0, STEP_ATOMIC_BEGIN);
  make_block(&m, 0, STEP_FILL, make_address(&m, a, 0), make_constant(&m, 8, 1), 8);
  m.atomic = false;
  make_kind(&m, 0, STEP_ATOMIC_END);
  make_block(&m, 0, STEP_FILL, make_address(&m, a, 0), make_constant(&m, 8, 1), 8);
  make_exit(&m, 0);
  pass_layout(m.p);
  size_t atomic = 0;
  for (size_t l = 0; l < m.p->locations.count; l++) atomic += m.p->locations.data[l].atomic;
  assert_int_equal(atomic, 3); // both ends, and between the two stores
  make_end(&m);
}

static void test_huge_array_is_cut_off(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId a = make_object(&m, 4 << 20, "a");
  VariableId i = make_variable(&m, 0, 64, "i"), v = make_variable(&m, 0, 32, "v");
  make_assign(&m, 0, i, VALUE_INPUT);
  make_load(&m, 0, v, make_address(&m, a, 400));
  Term scaled = term_binary(m.p->terms, TERM_MUL, make_value(&m, i), make_constant(&m, 64, 4));
  make_load(&m, 0, v, term_add(m.p->terms, make_address(&m, a, 0), scaled));
  make_exit(&m, 0);
  pass_layout(m.p);
  assert_valid(m.p);
  const Step *cut = step_of_kind(m.p, STEP_CUT);
  assert_non_null(cut);
  assert_int_equal(m.p->cuts.data[cut->target].kind, CUT_SIZE);
  assert_int_equal(m.p->objects.data[a].cell_count, 1); // the exact access
  make_end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sets_widen),
      cmocka_unit_test(test_places_overlap),
      cmocka_unit_test(test_terms_point),
      cmocka_unit_test(test_pointers_through_memory),
      cmocka_unit_test(test_walking_pointer_becomes_stride),
      cmocka_unit_test(test_cells_and_their_names),
      cmocka_unit_test(test_overlap_falls_to_bytes),
      cmocka_unit_test(test_invalid_accesses),
      cmocka_unit_test(test_shared_cells),
      cmocka_unit_test(test_copy_cuts_both_sides),
      cmocka_unit_test(test_copy_meets_finer_cut),
      cmocka_unit_test(test_copy_of_part_of_a_cell),
      cmocka_unit_test(test_copy_within_an_object_reads_first),
      cmocka_unit_test(test_copy_to_several_targets),
      cmocka_unit_test(test_fill_and_probe),
      cmocka_unit_test(test_havoc_branches_on_the_target),
      cmocka_unit_test(test_regions_of_block_operations),
      cmocka_unit_test(test_block_in_atomic_section),
      cmocka_unit_test(test_huge_array_is_cut_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
