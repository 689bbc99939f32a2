// The domain `path`: answers, loops that end and loops that are cut, joins, and proofs with one thing spoiled.
#include "reach/tree/certificate.h"
#include "test_reach_programs.h"

enum { RANDOM_PROGRAMS = 80 };

static const ReductionKind *const used[] = {&reduction_none, &reduction_local, &reduction_persistent};
enum { USED = sizeof used / sizeof *used };

static void open_path(Search *s, Build *b, unsigned setting, uint32_t most_iterations) {
  ExploreOptions options = {.reduction = used[setting % USED],
                            .checked = 100,
                            .most_iterations = most_iterations,
                            .simplify = setting / USED % 2};
  search_open_in(s, b, DOMAIN_PATH, options, setting / USED / 2 % 2);
}

// Every setting gives the answer, and every proof is one.
static void expect_always(Build *b, ExploreAnswer expected, uint32_t most_iterations) {
  for (unsigned i = 0; i < 4 * USED; i++) {
    Search s;
    open_path(&s, b, i, most_iterations);
    if (s.answer != expected) print_message("setting %u\n", i);
    assert_int_equal(s.answer, expected);
    assert_int_equal(s.explorer.iterations_cut, expected == EXPLORE_SAFE && most_iterations > 0);
    if (s.answer == EXPLORE_SAFE && most_iterations == 0)
      assert_null(certificate_check(&s.explorer, i % 2 ? SOLVER_Z3 : SOLVER_AUTOMATIC, &s.budget, s.account));
    if (s.answer == EXPLORE_UNSAFE) assert_true(tree_node(&s.explorer.tree, s.explorer.error)->goal);
    search_close(&s);
  }
  build_end(b);
}

static void test_answers(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  expect_always(&b, EXPLORE_SAFE, 0);
  make_counter(&b, false);
  expect_always(&b, EXPLORE_UNSAFE, 0);
  make_flipper(&b, 1);
  expect_always(&b, EXPLORE_UNSAFE, 0);
  make_ignored(&b, true);
  expect_always(&b, EXPLORE_UNSAFE, 0);
  make_input(&b, 12);
  expect_always(&b, EXPLORE_SAFE, 0);
  make_input(&b, 9);
  expect_always(&b, EXPLORE_UNSAFE, 0);
}

// Loops that do not end are cut, and what is in reach is found.
static void test_bounds(void **state) {
  (void)state;
  Build b;
  make_flipper(&b, 7);
  expect_always(&b, EXPLORE_SAFE, 3);
  make_flipper(&b, 1);
  expect_always(&b, EXPLORE_UNSAFE, 1);
  make_ignored(&b, false);
  expect_always(&b, EXPLORE_SAFE, 2);
}

// Both threads add 1 to x as often as an input says, which is below `limit`; x is never `bad`.
static void make_loops(Build *b, uint64_t limit, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId v = build_variable(b, t, 32, "v"), left = build_variable(b, t, 32, "left");
    build_assign(b, t, left, VALUE_INPUT);
    build_guarded(b, t, STEP_ASSUME,
                  term_binary(b->p->terms, TERM_ULT, build_value(b, left), build_constant(b, 32, limit)));
    LocationId head = b->at[t];
    LocationId otherwise = build_branch(b, t, build_equals(b, left, 0));
    build_exit(b, t);
    b->at[t] = otherwise;
    build_load(b, t, v, x);
    build_store_at(b, t, build_address(b, x, 0), plus(b, v, 1));
    build_load(b, t, v, x);
    build_error_if(b, t, build_equals(b, v, bad));
    build_assign(b, t, left, plus(b, left, UINT32_MAX));
    build_jump(b, t, head);
  }
  passes_prepare(b->p, NULL);
}

static void test_loops_that_end(void **state) {
  (void)state;
  Build b;
  make_loops(&b, 2, 3);
  expect_always(&b, EXPLORE_SAFE, 0);
  make_loops(&b, 3, 4);
  expect_always(&b, EXPLORE_UNSAFE, 0);
  make_loops(&b, 3, 5);
  Search s;
  open_path(&s, &b, 0, 0);
  assert_int_equal(s.answer, EXPLORE_SAFE);
  assert_int_equal(s.explorer.statistics.iterations, 2);
  search_close(&s);
  open_path(&s, &b, 0, 2); // what is cut there is impossible
  assert_int_equal(s.answer, EXPLORE_SAFE);
  assert_false(s.explorer.iterations_cut);
  search_close(&s);
  build_end(&b);
}

static void expect_random(Build *b, Answer expected, uint64_t seed) {
  for (unsigned i = 0; i < USED; i++) {
    EngineOptions options = {.reduction = used[i]->name,
                             .force_cover = "no",
                             .dependence = "static",
                             .domain = "path",
                             .prune = "lazy",
                             .precision = "global",
                             .abstraction = "auto",
                             .block = "auto",
                             .search = "auto",
                             .simplify = seed % 2 ? "yes" : "no"};
    Answer answer = ask_engine(b, &reach_engine, &options);
    if (answer != expected) print_message("program %lu, reduction %s\n", seed, used[i]->name);
    assert_int_equal(answer, expected);
  }
  build_end(b);
}

static void test_random(void **state) {
  (void)state;
  expect_random_programs(RANDOM_PROGRAMS, expect_random);
}

// --- spoiled proofs ---

static void expect_flaw(Search *s) {
  const char *flaw = certificate_check(&s->explorer, SOLVER_AUTOMATIC, &s->budget, s->account);
  assert_non_null(flaw);
  assert_non_null(strstr(flaw, "does not follow"));
}

// A condition that asks for more than the ways to its node give, and a value that is another one.
static void test_spoiled(void **state) {
  (void)state;
  Build b;
  make_loops(&b, 2, 3);
  Search s;
  open_path(&s, &b, 0, 0);
  assert_int_equal(s.answer, EXPLORE_SAFE);
  PathDomain *d = &s.domain.path;
  Formulas *f = &d->formulas;
  Term more = term_variable(d->terms, sort_bits(1), "more");
  unsigned spoiled = 0, joined = 0;
  for (NodeId n = 1; n < s.explorer.tree.nodes.count; n++) {
    const TreeNode *node = tree_node(&s.explorer.tree, n);
    if (node->goal) continue;
    PathLabel *label = PathLabelVector_at(&f->labels, node->label), whole = *label;
    Term condition = path_conjunction(f, label->condition);
    if (solver_check(d->solver, &condition, 1) != SOLVER_SAT) continue;
    label->condition = trie_put(&f->tries, whole.condition, more, 1);
    expect_flaw(&s);
    *label = whole;
    uint32_t first = f->variables.data[0];
    unsigned width = term_width(d->terms, term_variable_by_index(d->terms, first));
    label->values = trie_put(&f->tries, whole.values, first, term_variable(d->terms, sort_bits(width), "other"));
    expect_flaw(&s);
    *label = whole;
    spoiled++;
    joined += path_is_joined(&whole);
  }
  assert_true(spoiled > 20 && joined > 5);
  assert_null(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account));
  search_close(&s);
  build_end(&b);
}

// A choice that does not tell the two ways apart loses one of them.
static void test_spoiled_choice(void **state) {
  (void)state;
  Build b;
  make_counter(&b, false);
  Search s;
  open_path(&s, &b, 0, 0);
  Formulas *f = &s.domain.path.formulas;
  TermStore *terms = s.explorer.terms;
  unsigned found = 0;
  for (LinkId l = 0; l < s.explorer.links.links.count; l++) {
    const Link *link = link_at(&s.explorer.links, l);
    LabelId at = tree_node(&s.explorer.tree, link->node)->label;
    PathLabel *label = PathLabelVector_at(&f->labels, at);
    if (at == link->label || !path_is_joined(label) || label->choice == TERM_NONE) continue;
    LabelId before = tree_node(&s.explorer.tree, link->parent)->label;
    assert_true(term_is_false(terms, path_link_escape(f, before, link->edge, link->label, at)));
    if (label->choice <= label->newest) continue;
    Term choice = label->choice;
    label->choice = term_not(terms, choice);
    Term escape = path_link_escape(f, before, link->edge, link->label, at);
    found += solver_check(s.domain.path.solver, &escape, 1) == SOLVER_SAT;
    label->choice = choice;
  }
  assert_true(found > 3);
  search_close(&s);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers),        cmocka_unit_test(test_bounds),
                                     cmocka_unit_test(test_loops_that_end), cmocka_unit_test(test_random),
                                     cmocka_unit_test(test_spoiled),        cmocka_unit_test(test_spoiled_choice)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
