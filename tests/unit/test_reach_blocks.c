// Predicates with adjustable blocks: answers, where blocks begin, random programs, and proofs with one thing spoiled.
#include "reach/tree/certificate.h"
#include "test_reach_programs.h"

enum { RANDOM_PROGRAMS = 60 };

static const ReductionKind *const used[] = {&reduction_none, &reduction_local, &reduction_persistent};
enum { USED = sizeof used / sizeof *used };

static void open_blocks(Search *s, Build *b, unsigned setting) {
  ExploreOptions options = {.reduction = used[setting % USED],
                            .checked = 100,
                            .abstraction = setting / USED % 2 ? ABSTRACT_BOOLEAN : ABSTRACT_AUTOMATIC,
                            .local_precision = setting / USED / 4 % 2};
  search_open_in(s, b, DOMAIN_BLOCKS, options, setting / USED / 2 % 2);
}

// Every setting gives the answer, and every proof is one.
static void expect_always(Build *b, ExploreAnswer expected) {
  for (unsigned i = 0; i < 8 * USED; i++) {
    Search s;
    open_blocks(&s, b, i);
    if (s.answer != expected) print_message("setting %u: %s\n", i, s.explorer.flaw ? s.explorer.flaw : "");
    assert_int_equal(s.answer, expected);
    if (s.answer == EXPLORE_SAFE)
      assert_null(certificate_check(&s.explorer, i % 2 ? SOLVER_Z3 : SOLVER_AUTOMATIC, &s.budget, s.account));
    if (s.answer == EXPLORE_UNSAFE) assert_true(tree_node(&s.explorer.tree, s.explorer.error)->goal);
    search_close(&s);
  }
  build_end(b);
}

static void expect_small(Build *b, Answer expected, uint64_t number) {
  (void)number;
  expect_always(b, expected == ANSWER_SAFE ? EXPLORE_SAFE : EXPLORE_UNSAFE);
}

static void test_answers(void **state) {
  (void)state;
  expect_small_programs(expect_small);
}

// Without loops there is one block, and nothing to refine. With loops, blocks begin where a thread comes to a head, and
// only there are nodes covered.
static void test_blocks(void **state) {
  (void)state;
  Build b;
  Search s;
  make_counter(&b, true);
  open_blocks(&s, &b, 0);
  assert_int_equal(s.explorer.statistics.refinements, 0);
  assert_int_equal(s.domain.blocks.predicate.tracking.items.count, 0);
  assert_true(s.explorer.statistics.merges > 0);
  search_close(&s);
  build_end(&b);
  make_flipper(&b, 7);
  open_blocks(&s, &b, 0);
  assert_true(s.explorer.statistics.covers > 0);
  const Tree *tree = &s.explorer.tree;
  unsigned beginnings = 0;
  for (NodeId n = 1; n < tree->nodes.count; n++) {
    if (tree_node(tree, n)->goal) continue;
    const BlockLabel *label = BlockLabelVector_at(&s.domain.blocks.labels, tree_node(tree, n)->label);
    LocationId to = s.view->edges.data[tree_node(tree, n)->edge].to;
    assert_int_equal(label->begins, s.domain.blocks.heads.data[to]);
    assert_true(label->begins || tree_node(tree, n)->covered_by == NO_ID);
    beginnings += label->begins;
  }
  assert_true(beginnings > 2);
  search_close(&s);
  build_end(&b);
}

static void expect_random(Build *b, Answer expected, uint64_t seed) {
  EngineOptions options = {.reduction = used[seed % USED]->name,
                           .force_cover = "no",
                           .dependence = "static",
                           .simplify = "no",
                           .domain = "predicate",
                           .prune = "lazy",
                           .precision = seed % 2 ? "global" : "location",
                           .abstraction = seed % 4 < 2 ? "auto" : "boolean",
                           .block = "loop",
                           .search = "auto"};
  assert_int_equal(ask_engine(b, &reach_engine, &options), expected);
  build_end(b);
}

static void test_random(void **state) {
  (void)state;
  expect_random_programs(RANDOM_PROGRAMS, expect_random);
}

// --- spoiled proofs ---

static void expect_flaw(Search *s) {
  assert_non_null(certificate_check(&s->explorer, SOLVER_AUTOMATIC, &s->budget, s->account));
}

// Formulas inside of blocks that ask for more, labels where blocks begin that say more, or nothing.
static void test_spoiled(void **state) {
  (void)state;
  Build b;
  Search s;
  make_flipper(&b, 7);
  open_blocks(&s, &b, 0);
  assert_int_equal(s.answer, EXPLORE_SAFE);
  BlocksDomain *d = &s.domain.blocks;
  Term more = term_variable(d->terms, sort_bits(1), "more");
  LabelId says_more = conjunction_of(&d->predicate.labels, &more, 1);
  unsigned inside = 0, beginnings = 0, needed = 0;
  for (NodeId n = 1; n < s.explorer.tree.nodes.count; n++) {
    const TreeNode *node = tree_node(&s.explorer.tree, n);
    if (node->goal) continue;
    BlockLabel *label = BlockLabelVector_at(&d->labels, node->label), whole = *label;
    if (whole.begins) {
      label->start = says_more;
      expect_flaw(&s);
      label->start = LABEL_TRUE;
      needed += certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account) != NULL;
      *label = whole;
      beginnings++;
    } else {
      PathLabel *path = PathLabelVector_at(&d->formulas.labels, whole.path), saved = *path;
      path->condition = trie_put(&d->formulas.tries, path->condition, more, 1);
      expect_flaw(&s);
      *path = saved;
      label->start = says_more;
      expect_flaw(&s);
      *label = whole;
      inside++;
    }
  }
  assert_true(inside > 2 && beginnings > 2 && needed > 0);
  assert_null(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account));
  search_close(&s);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_blocks),
                                     cmocka_unit_test(test_random), cmocka_unit_test(test_spoiled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
