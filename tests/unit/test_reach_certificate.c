// Impact as a whole: answers of all settings, random programs against the exhaustive search, and certificates: a
// finished tree is a proof, and the same tree with any one thing spoiled is not.
#include "reach/tree/certificate.h"
#include "share.h"
#include "test_reach_programs.h"

enum { RANDOM_PROGRAMS = 60 / SHARE };

// Z3 is the second opinion.
static const char *flaw_of(Search *s) {
  const char *flaw = certificate_check(&s->explorer, SOLVER_AUTOMATIC, &s->budget, s->account);
  const char *second = certificate_check(&s->explorer, SOLVER_Z3, &s->budget, s->account);
  assert_int_equal(flaw == NULL, second == NULL);
  return flaw;
}

// Every setting gives the answer, and every proof is one.
static void expect_always(Build *b, ExploreAnswer expected) {
  for (unsigned i = 0; i < 8 * REDUCTIONS; i++) {
    unsigned setting = i / REDUCTIONS;
    ExploreOptions options = {.reduction = reductions[i % REDUCTIONS],
                              .force_cover = setting & 1,
                              .conditional = i % 2,
                              .order = setting & 2 ? SEARCH_BREADTH_FIRST : SEARCH_DEPTH_FIRST};
    Search s;
    search_open(&s, b, options, setting & 4);
    if (s.answer != expected)
      print_message("%s, force %d, breadth first %d, large %d\n", options.reduction->name, options.force_cover,
                    options.order, setting & 4);
    assert_int_equal(s.answer, expected);
    if (s.answer == EXPLORE_SAFE) assert_null(flaw_of(&s));
    if (s.answer == EXPLORE_UNSAFE) assert_true(tree_node(&s.explorer.tree, s.explorer.error)->goal);
    search_close(&s);
  }
  build_end(b);
}

static void expect_small(Build *b, Answer expected, uint64_t number) {
  (void)number;
  expect_always(b, expected == ANSWER_SAFE ? EXPLORE_SAFE : EXPLORE_UNSAFE);
}

static void test_programs(void **state) {
  (void)state;
  expect_small_programs(expect_small);
}

// --- random programs against the exhaustive search ---

static void expect_random(Build *b, Answer expected, uint64_t seed) {
  for (unsigned i = 0; i < REDUCTIONS; i++) {
    unsigned mix = (unsigned)seed + i; // a part of the settings for each program
    // Without reduction and forced covers, three threads are too many.
    bool weak = reductions[i] == &reduction_none || reductions[i] == &reduction_local;
    bool force = mix & 1 || (b->p->threads.count > 2 && weak);
    EngineOptions options = {.reduction = reductions[i]->name,
                             .force_cover = force ? "yes" : "no",
                             .dependence = mix & 1 ? "conditional" : "static",
                             .simplify = "no",
                             .domain = "label",
                             .prune = "lazy",
                             .abstraction = "auto",
                             .precision = "global",
                             .block = mix & 2 ? "single" : "large",
                             .search = mix & 4 ? "dfs" : "bfs"};
    Answer answer = ask_engine(b, &reach_engine, &options);
    if (answer != expected) print_message("program %lu, reduction %s\n", seed, reductions[i]->name);
    assert_int_equal(answer, expected);
  }
  build_end(b);
}

static void test_random_programs(void **state) {
  (void)state;
  expect_random_programs(RANDOM_PROGRAMS, expect_random);
}

// --- spoiled proofs ---

static bool is_alive(const Search *s, NodeId node) { return !tree_is_covered(&s->explorer.tree, node); }

static void expect_flaw(Search *s, const char *part) {
  const char *flaw = flaw_of(s);
  assert_non_null(flaw);
  if (!strstr(flaw, part)) print_message("%s\n", flaw);
  assert_non_null(strstr(flaw, part));
}

// The label of a node before an error that was excluded becomes true.
static unsigned weaken_labels(Search *s) {
  Tree *tree = &s->explorer.tree;
  unsigned spoiled = 0;
  for (NodeId n = 1; n < tree->nodes.count; n++) {
    NodeId parent = tree_node(tree, n)->parent;
    LabelId label = tree_node(tree, parent)->label;
    if (!tree_node(tree, n)->goal || parent == 0 || !is_alive(s, parent)) continue;
    tree_node(tree, parent)->label = CONJUNCTION_TRUE;
    expect_flaw(s, "");
    tree_node(tree, parent)->label = label;
    spoiled++;
  }
  return spoiled;
}

static unsigned allow_errors(Search *s) {
  Tree *tree = &s->explorer.tree;
  unsigned spoiled = 0;
  for (NodeId n = 1; n < tree->nodes.count; n++) {
    if (!tree_node(tree, n)->goal || !is_alive(s, tree_node(tree, n)->parent)) continue;
    LabelId label = tree_node(tree, n)->label;
    assert_int_equal(label, CONJUNCTION_FALSE);
    tree_node(tree, n)->label = CONJUNCTION_TRUE;
    expect_flaw(s, "an error that is not excluded");
    tree_node(tree, n)->label = label;
    spoiled++;
  }
  return spoiled;
}

// Takes single children away.
static unsigned drop_edges(Search *s) {
  Tree *tree = &s->explorer.tree;
  const Program *p = s->view;
  unsigned spoiled = 0;
  for (NodeId n = 0; n < tree->nodes.count; n++) {
    if (!is_alive(s, n)) continue;
    ThreadMask owed = reduction_choice(&s->explorer.reduction, tree, n);
    for (NodeId *link = &tree_node(tree, n)->first_child; *link != NO_ID;
         link = &tree_node(tree, *link)->next_sibling) {
      NodeId child = *link;
      ThreadId thread = p->locations.data[p->edges.data[tree_node(tree, child)->edge].from].thread;
      if (!(owed >> thread & 1)) continue;
      *link = tree_node(tree, child)->next_sibling;
      expect_flaw(s, "");
      *link = child;
      spoiled++;
    }
  }
  return spoiled;
}

// Claims covers that are none: at another control vector, or by a node that is itself covered.
static unsigned claim_covers(Search *s) {
  Tree *tree = &s->explorer.tree;
  unsigned spoiled = 0;
  for (NodeId n = 1; n < tree->nodes.count; n++)
    for (NodeId w = 0; w < n; w++) {
      TreeNode *node = tree_node(tree, n);
      if (!is_alive(s, n) || node->goal) continue;
      bool other = tree_node(tree, w)->control != node->control;
      if (!other && is_alive(s, w)) continue;
      if (other && (n + w) % 17) continue; // there are many
      node->covered_by = w;
      expect_flaw(s, "a cover of the proof does not hold");
      node->covered_by = NO_ID;
      spoiled++;
    }
  return spoiled;
}

// The label of a covered node becomes true, that of its coverer is not.
static unsigned weaken_covered(Search *s) {
  Tree *tree = &s->explorer.tree;
  unsigned spoiled = 0;
  for (NodeId n = 1; n < tree->nodes.count; n++) {
    TreeNode *node = tree_node(tree, n);
    if (node->covered_by == NO_ID || node->below_cover != 1) continue;
    LabelId label = node->label;
    if (tree_node(tree, node->covered_by)->label == CONJUNCTION_TRUE) continue;
    node->label = CONJUNCTION_TRUE;
    expect_flaw(s, "a cover of the proof does not hold");
    node->label = label;
    spoiled++;
  }
  return spoiled;
}

// Takes real covers away: then the covered node owes edges of its own.
static unsigned drop_covers(Search *s) {
  Tree *tree = &s->explorer.tree;
  unsigned spoiled = 0;
  for (NodeId n = 1; n < tree->nodes.count; n++) {
    TreeNode *node = tree_node(tree, n);
    if (node->covered_by == NO_ID || node->below_cover != 1 || node->first_child != NO_ID) continue;
    NodeId coverer = node->covered_by;
    node->covered_by = NO_ID;
    expect_flaw(s, "not complete");
    node->covered_by = coverer;
    spoiled++;
  }
  return spoiled;
}

static void spoil_root(Search *s, Term wrong) {
  TreeNode *root = tree_node(&s->explorer.tree, 0);
  LabelId label = root->label;
  ConjunctionId claimed = conjunction_and(&s->domain.label.labels, CONJUNCTION_TRUE, wrong);
  tree_node(&s->explorer.tree, 0)->label = claimed;
  expect_flaw(s, "does not hold initially");
  tree_node(&s->explorer.tree, 0)->label = label;
}

static void test_spoiled_proofs(void **state) {
  (void)state;
  unsigned weakened = 0, allowed = 0, dropped = 0, claimed = 0, stronger = 0, uncovered = 0;
  for (unsigned i = 0; i < 4 * REDUCTIONS; i++) {
    bool flips = i / REDUCTIONS / 2;
    Build b;
    if (flips)
      make_flipper(&b, 7);
    else
      make_counter(&b, true);
    Search s;
    search_open(&s, &b, (ExploreOptions){.reduction = reductions[i % REDUCTIONS], .force_cover = i / REDUCTIONS % 2},
                true);
    assert_int_equal(s.answer, EXPLORE_SAFE);
    assert_null(flaw_of(&s));
    weakened += weaken_labels(&s);
    allowed += allow_errors(&s);
    if (s.explorer.tree.nodes.count < 150) {
      dropped += drop_edges(&s);
      claimed += claim_covers(&s);
    }
    stronger += weaken_covered(&s);
    uncovered += drop_covers(&s);
    CellId x = program_cell_at(b.p, b.p->objects.data[flips ? 2 : 1].address);
    if (x != NO_ID) spoil_root(&s, term_is_nonzero(b.p->terms, b.p->cells.data[x].term));
    assert_null(flaw_of(&s)); // all was put back
    search_close(&s);
    build_end(&b);
  }
  assert_true(weakened > 10 && allowed > 10 && dropped > 10 && claimed > 10 && stronger > 5 && uncovered > 10);
}

// A tree that was not finished is no proof, and a check that is stopped says so.
static void test_unfinished(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  Search s;
  search_open(&s, &b, (ExploreOptions){.reduction = &reduction_monotone, .force_cover = true}, true);
  Budget stopped;
  budget_init(&stopped, 0, NULL);
  stopped.force_at = "reach-certificate";
  assert_string_equal(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &stopped, s.account),
                      "out of time while the proof was checked");
  search_close(&s);
  Program *view = program_view(b.p);
  ExploreOptions options = {.reduction = &reduction_monotone};
  Log quiet = {.level = LOG_QUIET};
  Explorer explorer;
  AnyDomain domain;
  budget_init(&stopped, 0, NULL);
  stopped.force_at = "reach";
  explorer_init(&explorer, view, &options, &stopped, &quiet, &b.account);
  domain_open(&domain, DOMAIN_LABEL, &explorer);
  assert_int_equal(explorer_run(&explorer, &domain.domain), EXPLORE_STOPPED);
  Budget budget;
  budget_init(&budget, 0, NULL);
  assert_non_null(certificate_check(&explorer, SOLVER_AUTOMATIC, &budget, &b.account));
  domain.domain.operations->free(&domain.domain);
  explorer_free(&explorer);
  program_free_view(view);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_random_programs),
      cmocka_unit_test(test_spoiled_proofs),
      cmocka_unit_test(test_unfinished),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
