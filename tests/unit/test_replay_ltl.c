// The explicit search for formulas: answers on hand-built programs, each lasso judged, and the automaton against the
// definition of the operators on random words.
#include "base/random.h"
#include "explicit/ltl/ltl_product.h"
#include "test_lasso_support.h"

// --- helpers ---

static Result *ask(Scene *s, const char *formula, bool fair, const EngineOptions *options, Budget *budget) {
  LtlProperty ltl;
  Text text;
  text_init(&text, &s->b.account);
  assert_true(ltl_property_init(&ltl, formula, fair, &text, &s->b.account));
  observe(s, &ltl);
  Context context = {.program = s->b.p,
                     .property = PROPERTY_LTL,
                     .ltl = &ltl,
                     .options = options,
                     .budget = budget,
                     .account = &s->b.account};
  Result *result = explicit_engine.run(&context);
  if (result->answer == ANSWER_UNSAFE) {
    text_clear(&text);
    JudgeOutcome outcome = replay_lasso(s->b.p, &ltl, result->schedule, NULL, &text, &s->b.account);
    if (outcome != JUDGE_VIOLATION) { // as the portfolio does
      assert_int_equal(outcome, JUDGE_DOUBT);
      result_unknown_for(result, REASON_DOUBT, "the counterexample was not confirmed: %s", text.data);
    }
  }
  text_free(&text);
  ltl_property_free(&ltl);
  return result;
}

static void expect_with(Scene *s, const char *formula, bool fair, const EngineOptions *options, Answer expected,
                        const char *reason) {
  Budget budget;
  budget_init(&budget, 0, NULL);
  Result *result = ask(s, formula, fair, options, &budget);
  if (result->answer != expected || !strstr(result->reason.data, reason))
    print_message("%s%s: %s\n", formula, fair ? " (fair)" : "", result->reason.data);
  assert_int_equal(result->answer, expected);
  assert_non_null(strstr(result->reason.data, reason));
  result_free(result);
}

static void expect(Scene *s, const char *formula, bool fair, Answer expected) {
  EngineOptions options = build_options("none");
  expect_with(s, formula, fair, &options, expected, "");
}

// Fair or not: the same answer.
static void expect_both(Scene *s, const char *formula, Answer expected) {
  expect(s, formula, false, expected);
  expect(s, formula, true, expected);
}

// The program is complete.
static void ready(Scene *s) { passes_prepare(s->b.p, NULL); }

// --- programs ---

// main creates a worker, which sets x to 1, and spins until it is; a turn adds 1 to what no thread reads.
static void build_spin(Scene *s) {
  scene_begin(s);
  Build *b = &s->b;
  ObjectId y = build_int(b, "y");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  VariableId r = build_variable(b, main_thread, 32, "r"), c = build_variable(b, main_thread, 32, "c");
  build_create(b, main_thread, worker);
  LocationId head = b->at[main_thread];
  build_load(b, main_thread, r, s->x);
  LocationId on = build_branch(b, main_thread, build_equals(b, r, 1));
  build_exit(b, main_thread);
  b->at[main_thread] = on;
  build_load(b, main_thread, c, y);
  build_store_at(b, main_thread, build_address(b, y, 0), term_add_constant(b->p->terms, build_value(b, c), 1));
  build_jump(b, main_thread, head);
  build_store(b, worker, s->x, 1);
  build_exit(b, worker);
  ready(s);
}

static void test_fairness(void **state) {
  (void)state;
  Scene s;
  build_spin(&s);
  expect(&s, "F x == 1", false, ANSWER_UNSAFE);
  expect(&s, "F x == 1", true, ANSWER_SAFE);
  expect(&s, "F G x == 1", true, ANSWER_SAFE);
  expect_both(&s, "G x == 0", ANSWER_UNSAFE);
  expect_both(&s, "x == 0 W x == 1", ANSWER_SAFE);
  expect_both(&s, "X X x == 0", ANSWER_UNSAFE);
  // The first step of the worker belongs to its creation: x is 0 before, behind the creation, and behind one step at
  // most.
  expect_both(&s, "x == 0 && X x == 0", ANSWER_SAFE);
  expect_both(&s, "X X x == 1", ANSWER_UNSAFE);
  expect_both(&s, "G (x == 1 -> X x == 1)", ANSWER_SAFE);
  scene_end(&s);
}

// x becomes 1, and then the process ends, inside a section or not.
static void build_end_of_process(Scene *s, bool inside) {
  scene_begin(s);
  Build *b = &s->b;
  ThreadId t = build_thread(b, "main", NO_ID);
  if (inside) build_section(b, t);
  build_store(b, t, s->x, 1);
  build_kind(b, t, STEP_HALT);
  b->atomic = false;
  ready(s);
}

static void test_end_of_process(void **state) {
  (void)state;
  for (int inside = 0; inside < 2; inside++) {
    Scene s;
    build_end_of_process(&s, inside);
    expect_both(&s, "F G x == 1", ANSWER_SAFE);
    expect_both(&s, "G x == 0", ANSWER_UNSAFE);
    expect_both(&s, "X x == 1", ANSWER_SAFE);
    expect_both(&s, "X X x == 1", ANSWER_SAFE);
    scene_end(&s);
  }
}

// The thread that ended the process does not stand before that step any more.
static void test_place_of_the_end(void **state) {
  (void)state;
  Scene s;
  build_end_of_process(&s, false);
  Program *p = s.b.p;
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (p->steps.data[p->edges.data[e].first_step].kind == STEP_HALT)
      p->locations.data[p->edges.data[e].from].observed = 1;
  expect_both(&s, "F at(end)", ANSWER_SAFE);
  expect_both(&s, "F G !at(end)", ANSWER_SAFE);
  scene_end(&s);
}

// main waits, or assumes, that x is 1, which it never is.
static void build_stuck(Scene *s, StepKind kind, bool inside) {
  scene_begin(s);
  Build *b = &s->b;
  ThreadId t = build_thread(b, "main", NO_ID);
  if (inside) build_section(b, t);
  build_await(b, t, kind, build_address(b, s->x, 0), 1);
  if (inside) build_section_end(b, t);
  build_exit(b, t);
  ready(s);
}

static void test_stuck(void **state) {
  (void)state;
  for (int inside = 0; inside < 2; inside++) {
    Scene s;
    build_stuck(&s, STEP_WAIT, inside);
    expect_both(&s, "F x == 1", ANSWER_UNSAFE);
    expect_both(&s, "G x == 0", ANSWER_SAFE);
    scene_end(&s);
    build_stuck(&s, STEP_ASSUME, inside); // no execution counts
    expect_both(&s, "F x == 1", ANSWER_SAFE);
    expect_both(&s, "G x == 1", ANSWER_SAFE);
    scene_end(&s);
  }
}

// One thread is stopped by an assumption; another one goes round for ever, or ends the process.
static void build_stopped_beside(Scene *s, bool ends) {
  scene_begin(s);
  Build *b = &s->b;
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, worker);
  build_store(b, main_thread, s->x, 2);
  if (ends)
    build_kind(b, main_thread, STEP_HALT);
  else
    build_idle(b, main_thread);
  build_await(b, worker, STEP_ASSUME, build_address(b, s->x, 0), 1);
  build_store(b, worker, s->x, 3);
  build_exit(b, worker);
  ready(s);
}

static void test_stopped_beside(void **state) {
  (void)state;
  Scene s;
  build_stopped_beside(&s, false); // it never goes on, so nothing counts
  expect_both(&s, "F x == 3", ANSWER_SAFE);
  scene_end(&s);
  build_stopped_beside(&s, true);
  expect_both(&s, "F x == 3", ANSWER_UNSAFE);
  expect_both(&s, "F G x == 2", ANSWER_SAFE);
  scene_end(&s);
}

// Two threads for ever: one toggles x inside a section, the other one does nothing.
static void test_sections(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, worker);
  build_idle(b, main_thread);
  LocationId head = b->at[worker];
  build_section(b, worker);
  build_store(b, worker, s.x, 1);
  build_store(b, worker, s.x, 2);
  build_store(b, worker, s.x, 0);
  build_section_end(b, worker);
  build_store(b, worker, s.x, 4);
  build_jump(b, worker, head);
  ready(&s);
  expect_both(&s, "G !(x == 1 || x == 2)", ANSWER_SAFE);
  expect(&s, "G F x == 4", false, ANSWER_UNSAFE);
  expect(&s, "G F x == 4 && G F x == 0", true, ANSWER_SAFE);
  expect(&s, "F G X x == 4", true, ANSWER_UNSAFE);
  scene_end(&s);
}

// Under fairness, a thread that waits for a lock may be passed over: it is free now and then only.
static void test_locks(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ObjectId mutex = build_int(b, "mutex"), y = build_int(b, "y");
  ThreadId main_thread = build_thread(b, "main", NO_ID), worker = build_thread(b, "worker", main_thread);
  build_create(b, main_thread, worker);
  ThreadId threads[2] = {main_thread, worker};
  ObjectId objects[2] = {s.x, y};
  for (int i = 0; i < 2; i++) {
    LocationId head = b->at[threads[i]];
    build_lock(b, threads[i], mutex);
    build_store(b, threads[i], objects[i], 1);
    build_store(b, threads[i], objects[i], 0);
    build_unlock(b, threads[i], mutex);
    build_jump(b, threads[i], head);
  }
  ready(&s);
  expect_both(&s, "G !(x == 1 && y == 1)", ANSWER_SAFE);
  expect_both(&s, "G F x == 1", ANSWER_UNSAFE);
  expect_both(&s, "G F (x == 1 || y == 1)", ANSWER_SAFE);
  scene_end(&s);
}

// --- limits ---

static void build_input(Scene *s, unsigned width) {
  scene_begin(s);
  Build *b = &s->b;
  ThreadId t = build_thread(b, "main", NO_ID);
  VariableId input = build_variable(b, t, width, "input");
  build_assign(b, t, input, VALUE_INPUT);
  Term value = width < 32 ? term_zero_extend(b->p->terms, build_value(b, input), 32) : build_value(b, input);
  build_store_at(b, t, build_address(b, s->x, 0), value);
  VariableId seen = build_variable(b, t, 32, "seen"); // or the passes find out that the input does not matter
  build_load(b, t, seen, s->x);
  build_guarded(b, t, STEP_WAIT, term_not(b->p->terms, build_equals(b, seen, 999)));
  build_exit(b, t);
  ready(s);
}

static void test_inputs(void **state) {
  (void)state;
  EngineOptions options = build_options("none");
  Scene s;
  build_input(&s, 8);
  expect_both(&s, "G !(x == 200)", ANSWER_UNSAFE);
  expect_both(&s, "G !(x == 256)", ANSWER_SAFE);
  options.input_bits = 7;
  expect_with(&s, "G !(x == 256)", false, &options, ANSWER_UNKNOWN, "input not enumerated");
  scene_end(&s);
  build_input(&s, 32);
  expect_with(&s, "G (x == 1 -> X x == 1)", false, &options, ANSWER_UNKNOWN, "input not enumerated");
  scene_end(&s);
}

static void test_stops(void **state) {
  (void)state;
  EngineOptions options = build_options("none");
  Scene s;
  build_spin(&s);
  const char *const points[] = {"replay states", "replay product", "replay automaton"};
  for (size_t i = 0; i < 3; i++) {
    Budget budget;
    budget_init(&budget, 0, NULL);
    budget.force_at = points[i];
    Result *result = ask(&s, "F x == 1", true, &options, &budget);
    assert_int_equal(result->answer, ANSWER_UNKNOWN);
    result_free(result);
  }
  options.max_states = 3;
  expect_with(&s, "F x == 1", true, &options, ANSWER_UNKNOWN, "state limit");
  scene_end(&s);
}

// A cut on the way: nothing is SAFE, but what is before it counts.
static void test_cuts(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  Build *b = &s.b;
  ThreadId t = build_thread(b, "main", NO_ID);
  VariableId input = build_variable(b, t, 1, "input");
  build_assign(b, t, input, VALUE_INPUT);
  LocationId other = build_branch(b, t, build_equals(b, input, 1));
  Step cut = build_step(b, STEP_CUT);
  cut.target = program_add_cut(b->p, CUT_CONSTRUCT, "something", build_position(b));
  build_emit(b, t, &cut);
  b->at[t] = other;
  build_store(b, t, s.x, 1);
  build_exit(b, t);
  ready(&s);
  EngineOptions options = build_options("none");
  expect_with(&s, "F x == 1", false, &options, ANSWER_UNKNOWN, "something");
  expect_both(&s, "G x == 0", ANSWER_UNSAFE);
  scene_end(&s);
}

// --- the automaton ---

enum { ATOMS = 2, MOST_LETTERS = 6 };

static Ltl random_formula(LtlStore *store, uint64_t *seed, unsigned depth) {
  uint64_t dice = random_next(seed);
  if (depth == 0 || dice % 8 == 0) {
    Ltl atom = ltl_atom(store, (uint32_t)(dice >> 8) % ATOMS);
    return dice >> 20 & 1 ? ltl_not(store, atom) : atom;
  }
  Ltl a = random_formula(store, seed, depth - 1), b = random_formula(store, seed, depth - 1);
  switch (dice % 7) {
  case 0: return ltl_and(store, a, b);
  case 1: return ltl_or(store, a, b);
  case 2: return ltl_next(store, a);
  case 3: return ltl_until(store, a, b);
  case 4: return ltl_release(store, a, b);
  case 5: return ltl_finally(store, a);
  default: return ltl_globally(store, a);
  }
}

// A graph that is one word: state i goes on to state i+1, the last one back to `loop`.
static void fill_graph(LtlGraph *g, const LtlWord *word) {
  for (uint32_t i = 0; i < word->length; i++) {
    ByteVector_push(&g->flags, GRAPH_EXPANDED);
    U64Vector_push(&g->can, 1);
    U64Vector_push(&g->unstopped, 1);
    U32Vector_push(&g->letters, (uint32_t)word->letters[i]);
    U64Vector_push(&g->first_edge, i);
    GraphEdgeVector_push(&g->edges, (GraphEdge){.to = i + 1 < word->length ? i + 1 : word->loop});
  }
  U64Vector_push(&g->first_edge, word->length);
  for (uint64_t letter = 0; letter < 1u << ATOMS; letter++) U64Vector_push(&g->letter_values, letter);
}

static void test_automaton(void **state) {
  (void)state;
  Scene s;
  scene_begin(&s);
  build_exit(&s.b, build_thread(&s.b, "main", NO_ID));
  ready(&s);
  uint64_t seed = 7;
  unsigned satisfied = 0, rounds = 4000;
  for (unsigned round = 0; round < rounds; round++) {
    LtlStore store;
    ltl_store_init(&store, &s.b.account);
    Ltl formula = random_formula(&store, &seed, 1 + round % 4);
    uint64_t letters[MOST_LETTERS];
    LtlWord word = {.letters = letters, .length = 1 + (uint32_t)(random_next(&seed) % MOST_LETTERS)};
    word.loop = (uint32_t)(random_next(&seed) % word.length);
    for (uint32_t i = 0; i < word.length; i++) letters[i] = random_next(&seed) % (1u << ATOMS);
    LtlGraph graph;
    LtlAutomaton automaton;
    LtlProduct product;
    ltl_graph_init(&graph, s.b.p, 8, &s.b.account);
    fill_graph(&graph, &word);
    assert_true(ltl_automaton_init(&automaton, &store, formula, &s.b.account));
    ltl_product_init(&product, &graph, &automaton, false, &s.b.account);
    Budget budget;
    budget_init(&budget, 0, NULL);
    bool found = ltl_product_search(&product, &budget) == PRODUCT_FOUND, holds = ltl_holds(&store, formula, &word);
    assert_int_equal(found, holds);
    satisfied += holds;
    ltl_product_free(&product);
    ltl_automaton_free(&automaton);
    ltl_graph_free(&graph);
    ltl_store_free(&store);
  }
  assert_in_range(satisfied, rounds / 10, rounds - rounds / 10);
  scene_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fairness),       cmocka_unit_test(test_end_of_process),
      cmocka_unit_test(test_stuck),          cmocka_unit_test(test_place_of_the_end),
      cmocka_unit_test(test_stopped_beside), cmocka_unit_test(test_sections),
      cmocka_unit_test(test_locks),          cmocka_unit_test(test_inputs),
      cmocka_unit_test(test_stops),          cmocka_unit_test(test_cuts),
      cmocka_unit_test(test_automaton),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
