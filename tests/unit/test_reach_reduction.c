// The checker of reductions: silent about the real ones, and not about broken ones.
#include "reach/reduce/reduction_check.h"
#include "reach/tree/certificate.h"
#include "test_reach_programs.h"

static const char *flaw_with(Build *b, const ReductionKind *kind, bool large) {
  ExploreOptions options = {.reduction = kind, .force_cover = true, .conditional = true, .checked = UINT64_MAX};
  Search s;
  search_open(&s, b, options, large);
  const char *flaw = s.answer == EXPLORE_UNDECIDED ? s.explorer.flaw : NULL;
  assert_true(s.explorer.statistics.choices_checked > 0);
  search_close(&s);
  return flaw;
}

typedef void Maker(Build *b);

static void make_locked_counter(Build *b) { make_counter(b, true); }
static void make_plain_counter(Build *b) { make_counter(b, false); }
static void make_safe_flipper(Build *b) { make_flipper(b, 7); }
static void make_failing_worker(Build *b) { make_ignored(b, true); }

static Maker *const makers[] = {make_locked_counter, make_plain_counter, make_safe_flipper, make_failing_worker};
enum { MAKERS = sizeof makers / sizeof *makers };

static void test_real_reductions(void **state) {
  (void)state;
  for (unsigned i = 0; i < MAKERS * REDUCTIONS * 2; i++) {
    Build b;
    makers[i % MAKERS](&b);
    assert_null(flaw_with(&b, reductions[i / MAKERS % REDUCTIONS], i / MAKERS / REDUCTIONS));
    build_end(&b);
  }
}

// --- broken ones ---

static ThreadMask lowest(ThreadMask threads) { return threads & (~threads + 1); }

static ThreadMask choose_first(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  (void)r, (void)tree, (void)node;
  return lowest(enabled);
}

// Monotone without looking at what the steps do.
static ThreadMask choose_not_smaller(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  if (tree_node(tree, node)->parent == NO_ID) return enabled;
  const Program *p = r->transitions->program;
  ThreadId last = p->locations.data[p->edges.data[tree_node(tree, node)->edge].from].thread;
  ThreadMask left = enabled & ~(((ThreadMask)1 << last) - 1);
  return left ? left : enabled;
}

// A thread that cannot move is chosen, too.
static ThreadMask choose_too_many(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  (void)tree, (void)node;
  return enabled | (ThreadMask)1 << r->controls->thread_count;
}

static void test_broken_reductions(void **state) {
  (void)state;
  const ReductionKind first = {.name = "first", .choose = choose_first};
  const ReductionKind not_smaller = {.name = "not smaller", .choose = choose_not_smaller};
  const ReductionKind too_many = {.name = "too many", .choose = choose_too_many};
  for (unsigned i = 0; i < MAKERS * 2; i++) {
    Build b;
    makers[i % MAKERS](&b);
    assert_non_null(strstr(flaw_with(&b, &first, i / MAKERS), "leaves"));
    if (makers[i % MAKERS] != make_failing_worker) // there the threads are independent, and it is right
      assert_non_null(strstr(flaw_with(&b, &not_smaller, i / MAKERS), "leaves"));
    assert_non_null(strstr(flaw_with(&b, &too_many, i / MAKERS), "cannot move"));
    build_end(&b);
  }
}

// --- cover expansions (paper: section IV-C) ---

// The worker either sets y or sets x, goes on from the same place either way, and takes x back. Main, the smaller
// thread, must look at x in between. It is left out after `y = 2`, for the two are independent, but not after `x = 1`;
// if the node after the one covers the node after the other, it has to make up for that.
static void make_hidden_switch(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  VariableId seen = build_variable(b, MAIN, 32, "seen"), in = build_variable(b, FIRST, 8, "in");
  build_load(b, MAIN, seen, x);
  build_error_if(b, MAIN, build_equals(b, seen, 1));
  build_load(b, MAIN, seen, y);
  build_exit(b, MAIN);
  build_assign(b, FIRST, in, VALUE_INPUT);
  LocationId otherwise = build_branch(b, FIRST, build_equals(b, in, 1));
  build_store(b, FIRST, x, 1);
  LocationId meet = b->at[FIRST];
  b->at[FIRST] = otherwise; // this comes first in the tree
  EdgeId sets = build_store(b, FIRST, y, 2);
  b->p->edges.data[sets].to = meet;
  b->at[FIRST] = meet;
  build_store(b, FIRST, x, 0);
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
}

static void test_cover_expansions(void **state) {
  (void)state;
  for (unsigned i = 0; i < 8; i++) {
    bool without = i & 1, large = i & 2, force = i & 4;
    Build b;
    make_hidden_switch(&b);
    ExploreOptions options = {.reduction = &reduction_monotone,
                              .force_cover = force,
                              .order = SEARCH_BREADTH_FIRST,
                              .no_cover_expansions = without};
    Search s;
    search_open(&s, &b, options, large);
    assert_int_equal(s.answer, without ? EXPLORE_SAFE : EXPLORE_UNSAFE);
    if (without)
      assert_non_null(strstr(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account), "cover"));
    search_close(&s);
    build_end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_real_reductions), cmocka_unit_test(test_broken_reductions),
                                     cmocka_unit_test(test_cover_expansions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
