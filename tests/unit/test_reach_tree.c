// Control vectors, and the tree with its covering relation: random sequences against a naive recomputation.
#include "reach/reduce/reduction.h"
#include "test_replay_support.h"

enum { MAIN = 0, FIRST = 1, SECOND = 2 };

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % limit;
}

// --- control vectors ---

static void test_control_vectors(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  build_thread(&b, "main", NO_ID);
  build_thread(&b, "first", MAIN);
  build_thread(&b, "second", MAIN);
  build_section(&b, FIRST);
  LocationId inside = b.at[FIRST];
  build_section_end(&b, FIRST);
  LocationId outside = b.at[FIRST], further = build_location(&b, MAIN);
  ControlTable table;
  control_table_init(&table, b.p, &b.account);
  ControlId start = control_initial(&table);
  assert_int_equal(control_at(&table, start, MAIN), b.p->threads.data[MAIN].entry);
  assert_int_equal(control_at(&table, start, FIRST), NO_ID);
  assert_int_equal(control_at(&table, start, SECOND), NO_ID);
  assert_int_equal(control_initial(&table), start);
  assert_int_equal(control_count(&table), 1);
  // Two orders of the same moves lead to the same vector.
  ControlId started = control_after(&table, start, MAIN, further, thread_bit(FIRST));
  assert_int_equal(control_at(&table, started, FIRST), b.p->threads.data[FIRST].entry);
  assert_int_equal(control_at(&table, started, MAIN), further);
  assert_int_equal(control_at(&table, started, SECOND), NO_ID);
  ControlId in_section = control_after(&table, started, FIRST, inside, 0);
  ControlId one = control_after(&table, control_after(&table, started, MAIN, b.at[MAIN], 0), FIRST, outside, 0);
  ControlId other = control_after(&table, control_after(&table, started, FIRST, outside, 0), MAIN, b.at[MAIN], 0);
  assert_int_equal(one, other);
  assert_int_not_equal(one, in_section);
  assert_int_equal(control_holder(&table, start), NO_ID);
  assert_int_equal(control_holder(&table, started), NO_ID);
  assert_int_equal(control_holder(&table, in_section), FIRST);
  assert_int_equal(control_holder(&table, one), NO_ID);
  assert_int_equal(control_after(&table, in_section, FIRST, b.p->threads.data[FIRST].entry, 0), started);
  control_table_free(&table);
  build_end(&b);
}

// Many vectors, so that the table grows: equal ones have equal numbers, different ones do not.
static void test_control_vectors_are_interned(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  for (ThreadId t = 0; t < 3; t++) build_thread(&b, "thread", t == MAIN ? NO_ID : MAIN);
  enum { PLACES = 9 };
  LocationId places[3][PLACES];
  for (ThreadId t = 0; t < 3; t++)
    for (unsigned i = 0; i < PLACES; i++) places[t][i] = build_location(&b, t);
  ControlTable table;
  control_table_init(&table, b.p, &b.account);
  ControlId numbers[PLACES * PLACES * PLACES];
  for (unsigned round = 0; round < 2; round++)
    for (unsigned n = 0; n < PLACES * PLACES * PLACES; n++) {
      ControlId c = control_initial(&table);
      c = control_after(&table, c, SECOND, places[SECOND][n / PLACES % PLACES], 0);
      c = control_after(&table, c, MAIN, places[MAIN][n % PLACES], 0);
      c = control_after(&table, c, FIRST, places[FIRST][n / PLACES / PLACES], 0);
      if (round == 1) assert_int_equal(c, numbers[n]);
      numbers[n] = c;
      for (unsigned m = 0; round == 0 && m < n; m++) assert_int_not_equal(numbers[m], c);
    }
  control_table_free(&table);
  build_end(&b);
}

// --- the tree ---

typedef struct Grown {
  Account account;
  Tree tree;
  U32Vector uncovered, nodes;
  bool *killed; // by the test, per node
  size_t size;
} Grown;

enum { CONTROLS = 5 };

static void grow(Grown *g, size_t size, uint64_t *seed) {
  *g = (Grown){.account = {.room = "test"}, .size = size};
  tree_init(&g->tree, &g->account);
  U32Vector_init(&g->uncovered, &g->account);
  U32Vector_init(&g->nodes, &g->account);
  g->killed = memory_allocate_zeroed(&g->account, size);
  tree_add(&g->tree, NO_ID, NO_ID, 0, 0);
  while (g->tree.nodes.count < size / 2)
    tree_add(&g->tree, random_below(seed, (uint32_t)g->tree.nodes.count), 0, random_below(seed, CONTROLS), 0);
}

static void cut_down(Grown *g) {
  memory_free(&g->account, g->killed, g->size);
  U32Vector_free(&g->nodes);
  U32Vector_free(&g->uncovered);
  tree_free(&g->tree);
  assert_int_equal(g->account.bytes, 0);
}

static bool above(const Tree *tree, NodeId a, NodeId below) {
  for (; below != NO_ID; below = tree_node(tree, below)->parent)
    if (a == below) return true;
  return false;
}

static void test_ancestors(void **state) {
  (void)state;
  uint64_t seed = 3;
  Grown g;
  grow(&g, 160, &seed);
  Tree *tree = &g.tree;
  size_t count = tree->nodes.count;
  for (NodeId a = 0; a < count; a++)
    for (NodeId b = 0; b < count; b++) {
      assert_int_equal(tree_is_ancestor(tree, a, b), above(tree, a, b));
      NodeId meet = tree_common_ancestor(tree, a, b);
      assert_true(above(tree, meet, a) && above(tree, meet, b));
      // nothing deeper is above both
      for (NodeId c = a; c != meet; c = tree_node(tree, c)->parent) assert_false(above(tree, c, b));
    }
  for (NodeId a = 0; a < count; a++) {
    const TreeNode *n = tree_node(tree, a);
    assert_int_equal(n->depth, n->parent == NO_ID ? 0 : tree_node(tree, n->parent)->depth + 1);
    U32Vector_clear(&g.nodes);
    tree_subtree(tree, a, &g.nodes);
    size_t below = 0;
    for (NodeId b = 0; b < count; b++) below += above(tree, a, b);
    assert_int_equal(g.nodes.count, below);
    bool met[160] = {false};
    for (size_t i = 0; i < g.nodes.count; i++) { // each once, parents first
      NodeId b = g.nodes.data[i];
      assert_true(above(tree, a, b));
      assert_false(met[b]);
      assert_true(b == a || met[tree_node(tree, b)->parent]);
      met[b] = true;
    }
  }
  cut_down(&g);
}

static void test_same_control_lists(void **state) {
  (void)state;
  uint64_t seed = 4;
  Grown g;
  grow(&g, 200, &seed);
  size_t listed = 0;
  for (ControlId c = 0; c < CONTROLS; c++) {
    NodeId last = (NodeId)g.tree.nodes.count;
    for (NodeId n = g.tree.newest.data[c]; n != NO_ID; n = tree_node(&g.tree, n)->same_control) {
      assert_int_equal(tree_node(&g.tree, n)->control, c);
      assert_true(n < last); // newest first
      last = n;
      listed++;
    }
  }
  assert_int_equal(listed, g.tree.nodes.count);
  cut_down(&g);
}

// --- covering ---

// The invariants of tree.h, from `covered_by` and what was killed alone.
static void check_covers(Grown *g) {
  const Tree *tree = &g->tree;
  for (NodeId n = 0; n < tree->nodes.count; n++) {
    const TreeNode *node = tree_node(tree, n);
    uint32_t covers = 0;
    for (NodeId a = n; a != NO_ID; a = tree_node(tree, a)->parent)
      covers += (tree_node(tree, a)->covered_by != NO_ID) + g->killed[a];
    assert_int_equal(node->below_cover, covers);
    assert_int_equal(tree_is_covered(tree, n), covers > 0);
    size_t given = 0, listed = 0;
    for (NodeId c = 0; c < tree->nodes.count; c++) given += tree_node(tree, c)->covered_by == n;
    for (NodeId c = node->first_covered; c != NO_ID; c = tree_node(tree, c)->next_covered) {
      assert_int_equal(tree_node(tree, c)->covered_by, n);
      listed++;
    }
    assert_int_equal(given, listed);
    if (given > 0) assert_int_equal(covers, 0); // a coverer is not covered
    if (node->covered_by == NO_ID) continue;
    assert_true(node->covered_by < n);
    assert_int_equal(tree_node(tree, node->covered_by)->control, node->control);
  }
}

typedef enum Operation { COVER, UNCOVER, KILL, ADD, OPERATIONS } Operation;

// What must be reported as uncovered: the nodes that had a coverer before and have none now.
static void check_reported(Grown *g, const NodeId *before, size_t count) {
  size_t lost = 0;
  for (NodeId n = 0; n < count; n++) lost += before[n] != NO_ID && tree_node(&g->tree, n)->covered_by == NO_ID;
  assert_int_equal(g->uncovered.count, lost);
  for (size_t i = 0; i < g->uncovered.count; i++) {
    assert_int_not_equal(before[g->uncovered.data[i]], NO_ID);
    assert_int_equal(tree_node(&g->tree, g->uncovered.data[i])->covered_by, NO_ID);
  }
}

static bool operate(Grown *g, Operation operation, uint64_t *seed) {
  Tree *tree = &g->tree;
  NodeId node = random_below(seed, (uint32_t)tree->nodes.count);
  switch (operation) {
  case COVER: {
    NodeId coverer = tree_node(tree, node)->same_control;
    while (coverer != NO_ID && (tree_is_covered(tree, coverer) || random_below(seed, 3) == 0))
      coverer = tree_node(tree, coverer)->same_control;
    if (coverer == NO_ID || tree_is_covered(tree, node)) return false;
    // Everything that the subtree covered loses its cover; the rest keeps it.
    tree_cover(tree, node, coverer, &g->uncovered);
    assert_int_equal(tree_node(tree, node)->covered_by, coverer);
    assert_true(tree_is_covered(tree, node));
    return true;
  }
  case UNCOVER:
    tree_uncover_all(tree, node, &g->uncovered);
    assert_int_equal(tree_node(tree, node)->first_covered, NO_ID);
    return g->uncovered.count > 0;
  case KILL:
    if (g->killed[node] || node == 0 || random_below(seed, 4) > 0) return false;
    g->killed[node] = true;
    tree_kill(tree, node, &g->uncovered);
    assert_true(tree_is_covered(tree, node));
    return true;
  default:
    if (tree->nodes.count == g->size || random_below(seed, 2) > 0) return false;
    tree_add(tree, node, 0, random_below(seed, CONTROLS), 0);
    return true;
  }
}

static void test_random_covers(void **state) {
  (void)state;
  unsigned done[OPERATIONS] = {0}, reported = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    uint64_t random = seed;
    Grown g;
    grow(&g, 70, &random);
    for (unsigned i = 0; i < 120; i++) {
      NodeId before[70];
      size_t count = g.tree.nodes.count;
      for (NodeId n = 0; n < count; n++) before[n] = tree_node(&g.tree, n)->covered_by;
      U32Vector_clear(&g.uncovered);
      Operation operation = (Operation)random_below(&random, OPERATIONS);
      done[operation] += operate(&g, operation, &random);
      check_reported(&g, before, count);
      reported += g.uncovered.count;
      check_covers(&g);
    }
    cut_down(&g);
  }
  for (unsigned i = 0; i < OPERATIONS; i++) assert_true(done[i] > 50); // it did happen
  assert_true(reported > 100);
}

// Root 0 has children 1 (control 1) and 2 (control 2); 3 and 4 below 1, 5 below 2, all at control 3.
static void test_covering_takes_back_what_the_subtree_covered(void **state) {
  (void)state;
  Account account = {.room = "test"};
  Tree tree;
  tree_init(&tree, &account);
  U32Vector uncovered;
  U32Vector_init(&uncovered, &account);
  tree_add(&tree, NO_ID, NO_ID, 0, 0);
  NodeId one = tree_add(&tree, 0, 0, 1, 0), two = tree_add(&tree, 0, 1, 2, 0);
  NodeId three = tree_add(&tree, one, 2, 3, 0), four = tree_add(&tree, one, 3, 3, 0),
         five = tree_add(&tree, two, 4, 3, 0);
  NodeId again = tree_add(&tree, five, 5, 1, 0); // at the control vector of `one`
  tree_cover(&tree, four, three, &uncovered);
  tree_cover(&tree, five, three, &uncovered);
  assert_int_equal(uncovered.count, 0);
  assert_true(tree_is_covered(&tree, again)); // below a covered node
  tree_uncover_all(&tree, three, &uncovered);
  assert_int_equal(uncovered.count, 2);
  assert_false(tree_is_covered(&tree, again));
  U32Vector_clear(&uncovered);
  tree_cover(&tree, again, one, &uncovered);
  tree_cover(&tree, four, three, &uncovered);
  assert_int_equal(uncovered.count, 0);
  tree_kill(&tree, one, &uncovered); // covers of its subtree, inside (four) and outside (again)
  assert_int_equal(uncovered.count, 2);
  assert_false(tree_is_covered(&tree, again));
  assert_int_equal(tree_node(&tree, four)->below_cover, 1);
  NodeId late = tree_add(&tree, four, 6, 4, 0);
  assert_true(tree_is_covered(&tree, late));
  U32Vector_free(&uncovered);
  tree_free(&tree);
  assert_int_equal(account.bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_control_vectors), cmocka_unit_test(test_control_vectors_are_interned),
      cmocka_unit_test(test_ancestors),       cmocka_unit_test(test_same_control_lists),
      cmocka_unit_test(test_random_covers),   cmocka_unit_test(test_covering_takes_back_what_the_subtree_covered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
