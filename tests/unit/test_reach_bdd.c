// The domain bdd: images and preimages against the evaluation of terms, whole searches against the exhaustive one,
// proofs and proofs with a label that is too small, and what happens when it cannot go on.
#include "reach/tree/certificate.h"
#include "test_reach_programs.h"

enum { RANDOM_PROGRAMS = 60, STATES = 40 };

static const ReductionKind *const by_control[] = {&reduction_none, &reduction_local, &reduction_persistent};

// --- images ---

typedef struct Images {
  Build b;
  Program *view;
  Transitions t;
  Budget budget;
  Words words;
  BddStates s;
  uint64_t seed;
  Map values; // variable -> value
} Images;

// A pointer, sums, a product, inputs, an indeterminate object and a lock.
static void make_mixed(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y"), mutex = build_int(b, "mutex");
  b->p->objects.data[y].indeterminate = true;
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId v = build_variable(b, t, 32, "v"), w = build_variable(b, t, 32, "w"), p = build_variable(b, t, 64, "p");
    LocationId head = b->at[t];
    build_assign(b, t, w, VALUE_INPUT);
    Term odd = term_extract(b->p->terms, build_value(b, w), 0, 0);
    build_assign(b, t, p, term_ite(b->p->terms, odd, build_address(b, x, 0), build_address(b, y, 0)));
    build_lock(b, t, mutex);
    build_load_at(b, t, v, build_value(b, p));
    build_store_at(b, t, build_value(b, p), term_add(b->p->terms, build_value(b, v), build_value(b, w)));
    build_unlock(b, t, mutex);
    build_load(b, t, v, y);
    build_assign(b, t, w, term_binary(b->p->terms, TERM_MUL, build_value(b, v), build_value(b, w)));
    build_error_if(b, t, build_equals(b, w, 7));
    build_assign(b, t, v, VALUE_INPUT);
    LocationId on = build_branch(b, t, term_binary(b->p->terms, TERM_ULT, build_value(b, v), build_value(b, w)));
    build_store_at(b, t, build_address(b, y, 0), plus(b, v, 3));
    build_jump(b, t, head);
    b->at[t] = on;
    build_exit(b, t);
  }
  passes_prepare(b->p, NULL);
}

static void images_open(Images *m, bool large) {
  make_mixed(&m->b);
  m->seed = 17;
  m->view = program_view(m->b.p);
  passes_reduce(m->view, PRESERVES_REACHABILITY, large ? BLOCK_LARGE : BLOCK_SINGLE);
  transitions_init(&m->t, m->view, &m->b.account);
  budget_init(&m->budget, 0, NULL);
  map_init(&m->values, &m->b.account);
  assert_null(words_init(&m->words, &m->t, false, &m->budget, &m->b.account));
  bdd_states_init(&m->s, &m->words, (BddFrame){0}, &m->budget, &m->b.account);
  assert_null(m->s.translator.flaw);
}

static void images_close(Images *m) {
  bdd_states_free(&m->s);
  words_free(&m->words);
  map_free(&m->values);
  transitions_free(&m->t);
  program_free_view(m->view);
  build_end(&m->b);
}

static Bits value_of(void *context, Term variable) {
  uint64_t value = 0;
  assert_true(map_get(context, variable, &value));
  return value;
}

static uint64_t evaluate(Images *m, Term t) {
  return (uint64_t)term_evaluate(m->s.words->terms, t, &(TermValuation){.value_of = value_of, .context = &m->values});
}

// Small values, and addresses, so that guards hold now and then.
static uint64_t random_value(Images *m, const Word *word) {
  const Program *p = m->b.p;
  uint64_t value = random_below(&m->seed, 4);
  if (word->width == p->pointer_width) value = p->cells.data[random_below(&m->seed, (uint32_t)p->cells.count)].address;
  for (uint32_t i = 0; i < word->width; i++) {
    uint8_t known = m->s.words->bits.data[word->first_bit + i].known;
    if (known != BIT_OPEN) value = (value & ~(UINT64_C(1) << i)) | (uint64_t)known << i;
  }
  return value & (uint64_t)bits_mask(word->width);
}

static void random_state(Images *m) {
  map_clear(&m->values);
  for (size_t i = 0; i < m->s.words->words.count; i++) {
    const Word *word = &m->s.words->words.data[i];
    map_put(&m->values, word->variable, random_value(m, word));
  }
}

static void constrain(const Images *m, Bdd *set, uint32_t word, uint64_t value) {
  for (uint32_t i = 0; i < m->s.words->words.data[word].width; i++) {
    const WordBit *bit = words_bit(m->s.words, word, i);
    if (bit->known != BIT_OPEN) continue;
    Bdd literal = bdd_space_literal(bit->variable, value >> i & 1);
    bdd_space_and_into(set, literal);
    bdd_space_drop(literal);
  }
}

static Bdd set_of_state(const Images *m) {
  Bdd set = BDD_TRUE;
  for (uint32_t i = 0; i < m->s.words->words.count; i++)
    if (!m->s.words->words.data[i].fresh)
      constrain(m, &set, i, map_get_or(&m->values, m->s.words->words.data[i].variable, 0));
  return set;
}

// Where the state goes, by evaluation: all that is known after the edge, without what no thread reads any more.
static Bdd expected_after(Images *m, EdgeId edge) {
  const Words *w = m->s.words;
  const Transition *transition = &m->t.edges.data[edge];
  U32Vector dying;
  U32Vector_init(&dying, &m->b.account);
  live_words_forgotten(&m->s.live, edge, &dying);
  Bdd set = BDD_TRUE;
  for (uint32_t i = 0; i < w->words.count; i++) {
    bool dead = w->words.data[i].fresh;
    for (size_t k = 0; k < dying.count; k++) dead |= dying.data[k] == i;
    uint64_t value = map_get_or(&m->values, w->words.data[i].variable, 0);
    for (uint32_t k = 0; k < transition->update_count; k++) {
      if (words_update(w, transition, k)->variable != w->words.data[i].variable) continue;
      dead |= live_words_dead_after(&m->s.live, edge, i);
      value = evaluate(m, words_update(w, transition, k)->value);
    }
    if (!dead) constrain(m, &set, i, value);
  }
  U32Vector_free(&dying);
  return set;
}

static bool has_inputs(const Images *m, EdgeId edge) {
  const Transition *transition = &m->t.edges.data[edge];
  for (uint32_t i = 0; i < transition->fresh_count; i++)
    if (words_find(m->s.words, m->t.fresh.data[transition->first_fresh + i]) != NO_ID) return true;
  return false;
}

// One state: its image is what evaluation says. Returns whether the edge could be taken. `all` and `after` grow by it.
static bool check_state(Images *m, EdgeId edge, Bdd *all, Bdd *after) {
  random_state(m);
  Bdd state = set_of_state(m), image = bdd_states_after(&m->s, state, edge);
  bool taken = evaluate(m, m->t.edges.data[edge].guard);
  Bdd expected = taken ? expected_after(m, edge) : BDD_FALSE;
  if (has_inputs(m, edge))
    assert_true(bdd_space_entails(expected, image)); // others may be there by other inputs
  else
    assert_int_equal(image, expected);
  Bdd before = bdd_states_before(&m->s, state, edge, expected);
  assert_int_equal(before, taken ? state : BDD_FALSE);
  bdd_space_drop(before);
  bdd_space_or_into(all, state);
  bdd_space_or_into(after, image);
  bdd_space_drop(expected);
  bdd_space_drop(image);
  bdd_space_drop(state);
  return taken;
}

static void check_images(bool large) {
  Images m;
  images_open(&m, large);
  unsigned taken = 0, edges = 0, cases = 0, direct = 0;
  for (EdgeId e = 0; e < m.t.edges.count; e++) {
    if (!(m.s.words->edges.data[e] & EDGE_CHANGES)) continue;
    edges++;
    Bdd all = BDD_FALSE, after = BDD_FALSE;
    for (unsigned i = 0; i < STATES; i++) taken += check_state(&m, e, &all, &after);
    Bdd image = bdd_states_after(&m.s, all, e);
    assert_int_equal(image, after); // of the union: the union
    bdd_space_drop(image);
    bdd_space_drop(all);
    bdd_space_drop(after);
    direct += m.s.edges.data[e].direct;
    cases += m.s.edges.data[e].large || bdd_relation_is_long(&m.s.edges.data[e]);
  }
  assert_null(m.s.translator.flaw);
  if (edges <= 5 || taken <= STATES || cases == 0) print_message("%u edges, %u taken, %u cases\n", edges, taken, cases);
  assert_true(edges > 5 && taken > STATES && cases > 0 && direct > 0 && direct < edges);
  images_close(&m);
}

static void test_images(void **state) {
  (void)state;
  check_images(false);
  check_images(true);
}

// --- searches ---

static const char *flaw_of(Search *s) {
  const char *flaw = certificate_check(&s->explorer, SOLVER_AUTOMATIC, &s->budget, s->account);
  const char *second = certificate_check(&s->explorer, SOLVER_Z3, &s->budget, s->account);
  assert_int_equal(flaw == NULL, second == NULL);
  return flaw;
}

static void expect_always(Build *b, ExploreAnswer expected) {
  for (unsigned i = 0; i < 6; i++) {
    Search s;
    search_open_in(&s, b, DOMAIN_BDD, (ExploreOptions){.reduction = by_control[i / 2]}, i % 2);
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

static void expect_random(Build *b, Answer expected, uint64_t seed) {
  for (unsigned i = 0; i < 3; i++) {
    EngineOptions options = {.reduction = by_control[i]->name,
                             .force_cover = "no",
                             .dependence = "static",
                             .simplify = "no",
                             .domain = "bdd",
                             .prune = "lazy",
                             .abstraction = "auto",
                             .precision = "global",
                             .block = (seed + i) % 2 ? "single" : "large",
                             .search = "auto"};
    assert_int_equal(ask_engine(b, &reach_engine, &options), expected);
  }
  build_end(b);
}

static void test_random_programs(void **state) {
  (void)state;
  expect_random_programs(RANDOM_PROGRAMS, expect_random);
}

// --- spoiled proofs ---

// The node's label without one of its states.
static LabelId smaller_label(BddDomain *d, NodeId node) {
  Bdd states = (Bdd)d->labels.data[tree_node(&d->explorer->tree, node)->label];
  Bdd one = bdd_states_pick(states);
  U32Vector_push(&d->labels, (uint32_t)bdd_space_minus(states, one));
  bdd_space_drop(one);
  return (LabelId)d->labels.count - 1;
}

static void spoil_each(Build *b) {
  Search s;
  search_open_in(&s, b, DOMAIN_BDD, (ExploreOptions){.reduction = &reduction_local}, false);
  assert_int_equal(s.answer, EXPLORE_SAFE);
  assert_null(flaw_of(&s));
  for (NodeId node = 1; node < s.explorer.tree.nodes.count; node++) {
    TreeNode *n = tree_node(&s.explorer.tree, node);
    LabelId label = n->label;
    n->label = smaller_label(&s.domain.bdd, node);
    U32Vector_clear(&s.domain.bdd.proven);
    assert_non_null(flaw_of(&s));
    tree_node(&s.explorer.tree, node)->label = label;
  }
  U32Vector_clear(&s.domain.bdd.proven);
  assert_null(flaw_of(&s));
  search_close(&s);
  build_end(b);
}

static void test_spoiled(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  spoil_each(&b);
  make_input(&b, 12); // sets that no cases can show
  spoil_each(&b);
}

// --- what it cannot do ---

static void test_only_once(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  Search first, second;
  search_open_in(&first, &b, DOMAIN_BDD, (ExploreOptions){.reduction = &reduction_none}, true);
  search_open_in(&second, &b, DOMAIN_BDD, (ExploreOptions){.reduction = &reduction_none}, true);
  assert_int_equal(first.answer, EXPLORE_SAFE);
  assert_int_equal(second.answer, EXPLORE_UNDECIDED);
  assert_string_equal(second.explorer.flaw, "decision diagrams are in use already, and a process has them only once");
  search_close(&second);
  assert_null(flaw_of(&first));
  search_close(&first);
  build_end(&b);
}

static void expect_undecided(Build *b, const char *stop_point) {
  Search s = {.account = &b->account};
  budget_init(&s.budget, 0, NULL);
  s.budget.force_at = stop_point;
  s.view = program_view(b->p);
  passes_reduce(s.view, PRESERVES_REACHABILITY, BLOCK_LARGE);
  Log quiet = {.level = LOG_QUIET};
  ExploreOptions options = {.reduction = &reduction_none};
  explorer_init(&s.explorer, s.view, &options, &s.budget, &quiet, s.account);
  ExploreAnswer answer = explorer_run(&s.explorer, domain_open(&s.domain, DOMAIN_BDD, &s.explorer));
  assert_true(answer == EXPLORE_UNDECIDED || answer == EXPLORE_STOPPED);
  search_close(&s);
}

static void test_stop_points(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  expect_undecided(&b, "reach-bdd");
  expect_undecided(&b, "bits-of-steps");
  expect_undecided(&b, "bits-known");
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_images),  cmocka_unit_test(test_programs),  cmocka_unit_test(test_random_programs),
      cmocka_unit_test(test_spoiled), cmocka_unit_test(test_only_once), cmocka_unit_test(test_stop_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
