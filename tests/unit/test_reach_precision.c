// Domains with a precision: answers, proofs, what they come to track, and what is kept when that grows.
#include "reach/tree/certificate.h"
#include "test_reach_programs.h"

static bool is_tracked_anywhere(const Tracking *tracking, Term item) {
  uint64_t place;
  if (!map_get(&tracking->places, item, &place)) return false;
  if (tracking->everywhere.data[place]) return true;
  for (size_t i = 0; i < tracking->at.capacity; i++)
    if (tracking->at.entries[i].used && tracking->at.entries[i].key >> 32 == place) return true;
  return false;
}

enum { RANDOM_PROGRAMS = 40 };

static size_t count_tracked(const Search *s) {
  const Tracking *tracking = &s->domain.values.tracking;
  size_t count = 0;
  for (size_t i = 0; i < tracking->items.count; i++) count += is_tracked_anywhere(tracking, tracking->items.data[i]);
  return count;
}

static bool tracks_named(const Search *s, const char *name) {
  const Tracking *tracking = &s->domain.values.tracking;
  for (size_t i = 0; i < tracking->items.count; i++)
    if (is_tracked_anywhere(tracking, tracking->items.data[i]) &&
        strstr(term_variable_name(s->explorer.terms, tracking->items.data[i]), name))
      return true;
  return false;
}

static void expect_in(Build *b, DomainKind domain, ExploreAnswer expected) {
  for (unsigned i = 0; i < 8 * REDUCTIONS; i++) {
    unsigned setting = i / REDUCTIONS;
    ExploreOptions options = {.reduction = reductions[i % REDUCTIONS],
                              .prune = setting & 1 ? PRUNE_FULL : PRUNE_LAZY,
                              .order = setting & 2 ? SEARCH_BREADTH_FIRST : SEARCH_DEPTH_FIRST,
                              .abstraction = (AbstractionChoice)(i % 3),
                              .local_precision = i % 2,
                              .enumerate = i % 7 * 2,
                              .checked = 100};
    Search s;
    search_open_in(&s, b, domain, options, setting & 4);
    if (s.answer != expected)
      print_message("%s, %s, setting %u\n", s.domain.domain.operations->name, options.reduction->name, i);
    assert_int_equal(s.answer, expected);
    if (s.answer == EXPLORE_SAFE)
      assert_null(certificate_check(&s.explorer, i % 2 ? SOLVER_Z3 : SOLVER_AUTOMATIC, &s.budget, s.account));
    search_close(&s);
  }
}

static void expect_always(Build *b, ExploreAnswer expected) {
  expect_in(b, DOMAIN_EXPLICIT, expected);
  expect_in(b, DOMAIN_PREDICATE, expected);
  expect_in(b, DOMAIN_PRODUCT, expected);
  build_end(b);
}

static void test_answers(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  expect_always(&b, EXPLORE_SAFE);
  make_counter(&b, false);
  expect_always(&b, EXPLORE_UNSAFE);
  make_flipper(&b, 7);
  expect_always(&b, EXPLORE_SAFE);
  make_flipper(&b, 1);
  expect_always(&b, EXPLORE_UNSAFE);
  make_ignored(&b, false);
  expect_always(&b, EXPLORE_SAFE);
  make_ignored(&b, true);
  expect_always(&b, EXPLORE_UNSAFE);
}

// That the input is below 10 is no value, but a predicate.
static void test_relations(void **state) {
  (void)state;
  Build b;
  make_input(&b, 12);
  expect_in(&b, DOMAIN_PREDICATE, EXPLORE_SAFE);
  expect_in(&b, DOMAIN_PRODUCT, EXPLORE_SAFE);
  build_end(&b);
  make_input(&b, 9);
  expect_always(&b, EXPLORE_UNSAFE);
}

// Main writes y twice, then x, and x must still be what it wrote. The worker writes the same.
static void make_late_write(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  VariableId v = build_variable(b, MAIN, 32, "v"), w = build_variable(b, FIRST, 32, "w");
  build_create(b, MAIN, FIRST);
  build_store(b, MAIN, y, 1);
  build_store(b, MAIN, y, 2);
  build_store(b, MAIN, x, 3);
  build_load(b, MAIN, v, x);
  build_error_if(b, MAIN, term_not(b->p->terms, build_equals(b, v, 3)));
  build_exit(b, MAIN);
  build_load(b, FIRST, w, x);
  build_load(b, FIRST, w, y);
  build_store(b, FIRST, x, 3);
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
}

static void test_precision(void **state) {
  (void)state;
  uint64_t nodes[2];
  for (unsigned full = 0; full < 2; full++) {
    Build b;
    make_late_write(&b);
    ExploreOptions options = {.reduction = &reduction_none, .prune = full ? PRUNE_FULL : PRUNE_LAZY};
    Search s;
    search_open_in(&s, &b, DOMAIN_EXPLICIT, options, false);
    assert_int_equal(s.answer, EXPLORE_SAFE);
    assert_true(s.explorer.statistics.regrown > 0);
    assert_true(tracks_named(&s, "x"));
    assert_false(tracks_named(&s, "y") || tracks_named(&s, "w"));
    assert_true(count_tracked(&s) <= 2); // x and v
    nodes[full] = s.explorer.statistics.nodes;
    search_close(&s);
    build_end(&b);
  }
  assert_true(nodes[0] < nodes[1]); // what was before the write of x is kept
}

// In each mode, tracked at locations: the same proof, and x is not tracked everywhere.
static void test_locations(void **state) {
  (void)state;
  const DomainKind domains[] = {DOMAIN_EXPLICIT, DOMAIN_PREDICATE};
  for (unsigned i = 0; i < 2; i++) {
    Build b;
    make_late_write(&b);
    ExploreOptions options = {.reduction = &reduction_none, .local_precision = true};
    Search s;
    search_open_in(&s, &b, domains[i], options, false);
    assert_int_equal(s.answer, EXPLORE_SAFE);
    assert_null(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account));
    const Tracking *tracking = i == 0 ? &s.domain.values.tracking : &s.domain.predicate.tracking;
    assert_true(tracking->items.count > 0);
    for (size_t k = 0; k < tracking->items.count; k++)
      assert_false(tracking_is_everywhere(tracking, tracking->items.data[k]));
    search_close(&s);
    build_end(&b);
  }
}

// What control vectors track, as items come and go.
static void test_tracking(void **state) {
  (void)state;
  Build b;
  make_late_write(&b);
  TermStore *terms = b.p->terms;
  ControlTable controls;
  control_table_init(&controls, b.p, &b.account);
  ControlId start = control_initial(&controls);
  LocationId entry = b.p->threads.data[MAIN].entry, other = b.at[MAIN];
  ControlId later = control_after(&controls, start, MAIN, other, 0);
  Term items[70];
  for (unsigned i = 0; i < 70; i++) items[i] = term_variable(terms, sort_bits(1), "item");
  for (unsigned local = 0; local < 2; local++) {
    Tracking tracking;
    tracking_init(&tracking, &controls, local, &b.account);
    assert_int_equal(tracking_set(&tracking, start), tracking_set(&tracking, later));
    for (unsigned i = 0; i < 70; i++) assert_true(tracking_add(&tracking, items[i], i % 2 ? entry : other));
    assert_false(tracking_add(&tracking, items[1], entry));
    assert_int_equal(tracking_set(&tracking, start) == tracking_set(&tracking, later), !local);
    TrackedSet at_start = tracking_set(&tracking, start);
    size_t count;
    tracked_items(&tracking, at_start, &count);
    assert_int_equal(count, local ? 35 : 70);
    for (unsigned i = 0; i < 70; i++) assert_int_equal(tracked_has(&tracking, at_start, items[i]), !local || i % 2);
    tracking_add(&tracking, items[2], NO_ID);
    assert_true(tracked_has(&tracking, tracking_set(&tracking, start), items[2]));
    tracking_drop(&tracking, items[2]);
    assert_false(tracked_has(&tracking, tracking_set(&tracking, start), items[2]));
    assert_int_equal(is_tracked_anywhere(&tracking, items[2]), local); // still at its location
    assert_int_equal(tracking_add_at(&tracking, items[3], later), local);
    assert_true(tracked_has(&tracking, tracking_set(&tracking, later), items[3]));
    assert_false(tracking_add_at(&tracking, items[3], later));
    tracking_free(&tracking);
  }
  control_table_free(&controls);
  build_end(&b);
}

static ExploreAnswer explore_with(Build *b, DomainKind domain, unsigned enumerate, bool large) {
  ExploreOptions options = {.reduction = &reduction_none, .enumerate = enumerate};
  Search s;
  search_open_in(&s, b, domain, options, large);
  ExploreAnswer answer = s.answer;
  if (answer == EXPLORE_SAFE) assert_null(certificate_check(&s.explorer, SOLVER_AUTOMATIC, &s.budget, s.account));
  search_close(&s);
  return answer;
}

// The input has ten values.
static void test_enumeration(void **state) {
  (void)state;
  for (unsigned large = 0; large < 2; large++) {
    Build b;
    make_input(&b, 12);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 0, large), EXPLORE_UNDECIDED);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 9, large), EXPLORE_UNDECIDED);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 10, large), EXPLORE_SAFE);
    assert_int_equal(explore_with(&b, DOMAIN_PRODUCT, 10, large), EXPLORE_SAFE);
    build_end(&b);
    make_input(&b, 9);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 10, large), EXPLORE_UNSAFE);
    build_end(&b);
  }
}

// Two inputs below 2 are stored at once; their sum is never `bad`.
static void make_two_inputs(Build *b, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y");
  VariableId one = build_variable(b, MAIN, 32, "one"), two = build_variable(b, MAIN, 32, "two");
  VariableId v = build_variable(b, FIRST, 32, "v"), w = build_variable(b, FIRST, 32, "w");
  TermStore *terms = b->p->terms;
  build_section(b, MAIN);
  build_assign(b, MAIN, one, VALUE_INPUT);
  build_assign(b, MAIN, two, VALUE_INPUT);
  build_guarded(b, MAIN, STEP_ASSUME, term_binary(terms, TERM_ULT, build_value(b, one), build_constant(b, 32, 2)));
  build_guarded(b, MAIN, STEP_ASSUME, term_binary(terms, TERM_ULT, build_value(b, two), build_constant(b, 32, 2)));
  build_store_at(b, MAIN, build_address(b, x, 0), build_value(b, one));
  build_store_at(b, MAIN, build_address(b, y, 0), build_value(b, two));
  build_section_end(b, MAIN);
  build_exit(b, MAIN);
  build_section(b, FIRST);
  build_load(b, FIRST, v, x);
  build_load(b, FIRST, w, y);
  build_section_end(b, FIRST);
  Term sum = term_add(terms, build_value(b, v), build_value(b, w));
  build_error_if(b, FIRST, term_eq(terms, sum, build_constant(b, 32, bad)));
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
}

// Each combination of values has a label of its own.
static void test_two_enumerated(void **state) {
  (void)state;
  for (unsigned large = 0; large < 2; large++) {
    Build b;
    make_two_inputs(&b, 3);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 4, large), EXPLORE_SAFE);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 3, large), large ? EXPLORE_UNDECIDED : EXPLORE_SAFE);
    assert_int_equal(explore_with(&b, DOMAIN_PRODUCT, 4, large), EXPLORE_SAFE);
    build_end(&b);
    make_two_inputs(&b, 2);
    assert_int_equal(explore_with(&b, DOMAIN_EXPLICIT, 4, large), EXPLORE_UNSAFE);
    build_end(&b);
  }
}

static void test_random_programs(void **state) {
  (void)state;
  unsigned decided = 0;
  for (uint64_t seed = 1001; seed < 1001 + RANDOM_PROGRAMS; seed++) {
    Build b;
    make_random(&b, seed);
    EngineOptions exhaustive = build_options("none");
    Answer expected = ask_engine(&b, &explicit_engine, &exhaustive);
    const char *const domains[] = {"explicit", "predicate", "explicit+predicate", "predicate"};
    EngineOptions options = {.domain = domains[seed / 8 % 4],
                             .prune = seed & 1 ? "full" : "lazy",
                             .abstraction = seed & 16 ? "boolean" : "auto",
                             .precision = seed & 32 ? "location" : "global",
                             .enumerate = seed % 5 * 2,
                             .reduction = reductions[seed % REDUCTIONS]->name,
                             .force_cover = "yes",
                             .dependence = "conditional",
                             .simplify = "no",
                             .block = seed & 2 ? "single" : "large",
                             .search = seed & 4 ? "dfs" : "bfs"};
    Answer answer = ask_engine(&b, &reach_engine, &options);
    if (answer != ANSWER_UNKNOWN) assert_int_equal(answer, expected);
    decided += answer != ANSWER_UNKNOWN;
    build_end(&b);
  }
  assert_true(decided > RANDOM_PROGRAMS * 3 / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers),        cmocka_unit_test(test_relations),
                                     cmocka_unit_test(test_precision),      cmocka_unit_test(test_locations),
                                     cmocka_unit_test(test_tracking),       cmocka_unit_test(test_enumeration),
                                     cmocka_unit_test(test_two_enumerated), cmocka_unit_test(test_random_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
