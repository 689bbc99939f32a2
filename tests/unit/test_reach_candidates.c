// Candidates for covers: random labels against a look at every node.
#include "reach/tree/candidates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { CONTROLS = 3, SUBJECTS = 6, VALUES = 2, NODES = 400 };

typedef struct RandomNode {
  int said[SUBJECTS]; // -1: nothing
  bool opaque, pruned;
} RandomNode;

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33) % limit;
}

static bool has_all(const RandomNode *strong, const RandomNode *weak) {
  for (unsigned i = 0; i < SUBJECTS; i++)
    if (weak->said[i] >= 0 && weak->said[i] != strong->said[i]) return false;
  return true;
}

static void list_parts(const RandomNode *n, LabelPartVector *parts) {
  LabelPartVector_clear(parts);
  for (uint64_t i = SUBJECTS; i-- > 0;)
    if (n->said[i] >= 0) LabelPartVector_push(parts, (LabelPart){.about = 1000 + i, .what = (uint64_t)n->said[i]});
}

// Of the nodes that are told, at least one that is implied, if there is any; all that have no parts; none that is
// pruned.
static void check_walk(Candidates *candidates, const Tree *tree, const RandomNode *nodes, NodeId node,
                       const LabelPartVector *parts) {
  bool told[NODES] = {0}, implied = false;
  CandidateWalk walk = candidates_of(candidates, tree, node, parts);
  for (NodeId w; (w = candidates_next(&walk)) != NO_ID;) {
    assert_false(nodes[w].pruned);
    assert_int_equal(tree_node(tree, w)->control, tree_node(tree, node)->control);
    assert_true(nodes[w].opaque || has_all(&nodes[node], &nodes[w]));
    told[w] = true;
    implied |= !nodes[w].opaque;
  }
  bool expected = false;
  for (NodeId w = 0; w < node; w++) {
    if (nodes[w].pruned || tree_node(tree, w)->control != tree_node(tree, node)->control) continue;
    if (nodes[w].opaque) assert_true(told[w]);
    expected |= !nodes[w].opaque && has_all(&nodes[node], &nodes[w]);
  }
  assert_int_equal(implied, expected);
}

static void test_random(void **state) {
  (void)state;
  Account account = {0};
  for (uint64_t round = 1; round <= 20; round++) {
    uint64_t seed = round;
    Tree tree;
    Candidates candidates;
    LabelPartVector parts;
    tree_init(&tree, &account);
    candidates_init(&candidates, &account);
    LabelPartVector_init(&parts, &account);
    RandomNode nodes[NODES];
    for (NodeId n = 0; n < NODES; n++) {
      tree_add(&tree, n == 0 ? NO_ID : 0, 0, random_below(&seed, CONTROLS), 0);
      for (unsigned i = 0; i < SUBJECTS; i++) nodes[n].said[i] = (int)random_below(&seed, VALUES + 1) - 1;
      nodes[n].opaque = random_below(&seed, 20) == 0;
      nodes[n].pruned = false;
      list_parts(&nodes[n], &parts);
      check_walk(&candidates, &tree, nodes, n, &parts);
      // What is covered at once is no candidate; what has the same label as an older one would be.
      bool known = false;
      for (NodeId w = 0; w < n && !nodes[n].opaque; w++)
        known |= !nodes[w].pruned && !nodes[w].opaque && tree_node(&tree, w)->control == tree_node(&tree, n)->control &&
                 has_all(&nodes[n], &nodes[w]);
      nodes[n].pruned = known;
      if (!known) candidates_add(&candidates, &tree, n, nodes[n].opaque ? NULL : &parts);
      NodeId gone = random_below(&seed, 4 * NODES);
      if (gone == 0 || gone >= n || nodes[gone].pruned) continue; // not the root, below which all are
      nodes[gone].pruned = true;
      tree_node(&tree, gone)->below_cover++;
    }
    candidates_clear(&candidates);
    list_parts(&nodes[NODES - 1], &parts);
    CandidateWalk walk = candidates_of(&candidates, &tree, NODES - 1, &parts);
    assert_int_equal(candidates_next(&walk), NO_ID);
    LabelPartVector_free(&parts);
    candidates_free(&candidates);
    tree_free(&tree);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
