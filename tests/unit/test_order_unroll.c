// Unrolling: waiting loops that leave no bound behind, loops that do, sections, constants through memory, limits.
#include "test_order_support.h"

enum { MAIN = 0, FIRST = 1 };

static void begin(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
}

static void end(Build *b) {
  build_exit(b, MAIN);
  build_exit(b, FIRST);
  passes_prepare(b->p, NULL);
}

static Term is_zero(Build *b, VariableId v) { return build_equals(b, v, 0); }

static Term plus(Build *b, VariableId v, uint64_t value) {
  return term_add_constant(b->p->terms, build_value(b, v), value);
}

// A read-modify-write: `into` gets what was there, `stored` (which may mention it) is what is there then.
static void exchange(Build *b, ThreadId t, ObjectId object, VariableId into, Term stored) {
  Step step = build_sync(b, STEP_PLAIN, build_address(b, object, 0));
  step.access.reads = step.access.writes = true;
  step.access.into = into;
  step.access.stored = stored;
  build_emit(b, t, &step);
}

// Goes back to `head` while the condition holds, on otherwise.
static void repeat_while(Build *b, ThreadId t, LocationId head, Term condition) {
  LocationId on = build_branch(b, t, condition);
  build_jump(b, t, head);
  b->at[t] = on;
}

// Is there an execution that needs more than `bound` rounds of some loop?
static bool meets_bound(Build *b, unsigned bound) {
  Unrolled u;
  unrolled_open(&u, b, bound);
  bool meets = unrolled_reaches(&u, GOAL_UNWINDING);
  unrolled_close(&u);
  return meets;
}

// --- loops that only wait ---

static void test_spin_on_flag(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId flag = build_int(&b, "flag");
  build_store(&b, MAIN, flag, 1);
  VariableId seen = build_variable(&b, FIRST, 32, "seen");
  LocationId head = b.at[FIRST];
  build_load(&b, FIRST, seen, flag);
  repeat_while(&b, FIRST, head, is_zero(&b, seen));
  end(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  assert_int_equal(unrolled_goals(&u, GOAL_UNWINDING), 0); // not even a goal that cannot be reached
  assert_int_equal(unrolled_count(&u, FIRST, flag, false), 1);
  unrolled_close(&u);
  build_end(&b);
}

// while (!a || !b): the two reads are two nodes, a round changes nothing all the same.
static void test_spin_on_two_flags(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId first = build_int(&b, "a"), second = build_int(&b, "b");
  build_store(&b, MAIN, first, 1);
  build_store(&b, MAIN, second, 1);
  VariableId seen = build_variable(&b, FIRST, 32, "seen");
  LocationId head = b.at[FIRST];
  build_load(&b, FIRST, seen, first);
  repeat_while(&b, FIRST, head, is_zero(&b, seen));
  build_load(&b, FIRST, seen, second);
  repeat_while(&b, FIRST, head, is_zero(&b, seen));
  end(&b);
  assert_false(meets_bound(&b, 1));
  build_end(&b);
}

static void test_spin_on_exchange(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId lock = build_int(&b, "lock");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId was = build_variable(&b, t, 32, "was");
    LocationId head = b.at[t];
    exchange(&b, t, lock, was, build_constant(&b, 32, 1));
    repeat_while(&b, t, head, term_not(b.p->terms, is_zero(&b, was)));
    build_store(&b, t, lock, 0);
  }
  end(&b);
  assert_false(meets_bound(&b, 1));
  build_end(&b);
}

static void test_ticket_lock(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId next = build_int(&b, "next"), serving = build_int(&b, "serving");
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId mine = build_variable(&b, t, 32, "mine"), now = build_variable(&b, t, 32, "now");
    exchange(&b, t, next, mine, plus(&b, mine, 1));
    LocationId head = b.at[t];
    build_load(&b, t, now, serving);
    repeat_while(&b, t, head, term_ne(b.p->terms, build_value(&b, now), build_value(&b, mine)));
    build_store_at(&b, t, build_address(&b, serving, 0), plus(&b, mine, 1));
  }
  end(&b);
  assert_false(meets_bound(&b, 1));
  build_end(&b);
}

// lock; while (!ready) { unlock; lock; } unlock; the mutex may be taken and released without an effect on other
// threads.
static void make_condition_loop(Build *b, bool tried) {
  begin(b);
  ObjectId mutex = build_int(b, "mutex"), ready = build_int(b, "ready");
  VariableId seen = build_variable(b, FIRST, 32, "seen");
  build_lock(b, FIRST, mutex);
  LocationId head = b->at[FIRST];
  build_load(b, FIRST, seen, ready);
  LocationId on = build_branch(b, FIRST, is_zero(b, seen));
  build_unlock(b, FIRST, mutex);
  Step lock = build_sync(b, STEP_LOCK, build_address(b, mutex, 0));
  lock.access.reads = lock.access.writes = true;
  lock.access.into = build_variable(b, FIRST, 32, "owner");
  lock.access.stored = build_constant(b, 32, FIRST + 1);
  lock.guard = build_equals(b, lock.access.into, 0);
  build_to(b, FIRST, &lock, head);
  b->at[FIRST] = on;
  build_unlock(b, FIRST, mutex);
  build_lock(b, MAIN, mutex);
  build_store(b, MAIN, ready, 1);
  build_unlock(b, MAIN, mutex);
  if (tried) { // a thread that can find out whether it is held
    VariableId held = build_variable(b, MAIN, 32, "held");
    build_load(b, MAIN, held, mutex);
    build_error_if(b, MAIN, build_equals(b, held, FIRST + 1));
  }
  end(b);
}

static void test_condition_loop(void **state) {
  (void)state;
  Build b;
  make_condition_loop(&b, false);
  assert_false(meets_bound(&b, 1));
  build_end(&b);
  make_condition_loop(&b, true);
  assert_true(meets_bound(&b, 3));
  build_end(&b);
}

// --- loops that do more ---

// A round that counts in a variable is not like the one before.
static void test_counting_loop(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId flag = build_int(&b, "flag");
  build_store(&b, MAIN, flag, 1);
  VariableId seen = build_variable(&b, FIRST, 32, "seen"), rounds = build_variable(&b, FIRST, 32, "rounds");
  LocationId head = b.at[FIRST];
  build_assign(&b, FIRST, rounds, plus(&b, rounds, 1));
  build_load(&b, FIRST, seen, flag);
  repeat_while(&b, FIRST, head, is_zero(&b, seen));
  build_error_if(&b, FIRST, build_equals(&b, rounds, 1000));
  end(&b);
  for (unsigned bound = 1; bound <= 4; bound++) {
    Unrolled u;
    unrolled_open(&u, &b, bound);
    assert_int_equal(unrolled_goals(&u, GOAL_UNWINDING), 1);
    assert_int_equal(unrolled_count(&u, FIRST, flag, false), bound + 1);
    assert_true(unrolled_reaches(&u, GOAL_UNWINDING));
    unrolled_close(&u);
  }
  build_end(&b);
}

// A waiting loop with `effect` in its body, which another thread can see.
static void make_loop_with_effect(Build *b, void (*effect)(Build *b, ObjectId object)) {
  begin(b);
  ObjectId flag = build_int(b, "flag"), object = build_int(b, "object");
  build_store(b, MAIN, flag, 1);
  VariableId noticed = build_variable(b, MAIN, 32, "noticed"), seen = build_variable(b, FIRST, 32, "seen");
  build_load(b, MAIN, noticed, object);
  build_error_if(b, MAIN, build_equals(b, noticed, 77));
  LocationId head = b->at[FIRST];
  effect(b, object);
  build_load(b, FIRST, seen, flag);
  repeat_while(b, FIRST, head, is_zero(b, seen));
  end(b);
}

static void adds_one(Build *b, ObjectId object) {
  VariableId was = build_variable(b, FIRST, 32, "was");
  exchange(b, FIRST, object, was, plus(b, was, 1));
}

static void writes_and_takes_back(Build *b, ObjectId object) {
  build_store(b, FIRST, object, 1);
  build_store(b, FIRST, object, 0);
}

static void swaps_and_takes_back(Build *b, ObjectId object) {
  VariableId was = build_variable(b, FIRST, 32, "was");
  exchange(b, FIRST, object, was, plus(b, was, 1));
  exchange(b, FIRST, object, was, plus(b, was, (uint64_t)-1));
}

static void writes_the_same(Build *b, ObjectId object) {
  VariableId was = build_variable(b, FIRST, 32, "was");
  exchange(b, FIRST, object, was, build_value(b, was));
}

static void section_changes_nothing(Build *b, ObjectId object) {
  VariableId was = build_variable(b, FIRST, 32, "was");
  build_section(b, FIRST);
  build_load(b, FIRST, was, object);
  build_store_at(b, FIRST, build_address(b, object, 0), plus(b, was, 1));
  build_store_at(b, FIRST, build_address(b, object, 0), build_value(b, was));
  build_section_end(b, FIRST);
}

static void test_loops_with_effects(void **state) {
  (void)state;
  static const struct {
    void (*effect)(Build *b, ObjectId object);
    bool counts;
  } cases[] = {
      {adds_one, true},         {writes_and_takes_back, true},    {swaps_and_takes_back, true},
      {writes_the_same, false}, {section_changes_nothing, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Build b;
    make_loop_with_effect(&b, cases[i].effect);
    if (cases[i].counts) {
      assert_true(meets_bound(&b, 1));
      assert_true(meets_bound(&b, 4));
    } else {
      assert_false(meets_bound(&b, 1));
    }
    build_end(&b);
  }
}

// --- loops with constant bounds ---

static void test_constant_loop(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId x = build_int(&b, "x");
  VariableId i = build_variable(&b, FIRST, 32, "i"), seen = build_variable(&b, MAIN, 32, "seen");
  build_load(&b, MAIN, seen, x);
  build_error_if(&b, MAIN, build_equals(&b, seen, 77));
  LocationId head = b.at[FIRST];
  LocationId out =
      build_branch(&b, FIRST, term_binary(b.p->terms, TERM_ULT, build_value(&b, i), build_constant(&b, 32, 5)));
  build_store_at(&b, FIRST, build_address(&b, x, 0), build_value(&b, i));
  Step next = build_step(&b, STEP_PLAIN);
  Assignment add = {i, plus(&b, i, 1)};
  next.assignments = &add;
  next.assignment_count = 1;
  build_to(&b, FIRST, &next, head);
  b.at[FIRST] = out;
  end(&b);
  Unrolled u;
  unrolled_open_with(&u, &b, 1, 100, NULL);
  assert_int_equal(unrolled_goals(&u, GOAL_UNWINDING), 0);
  assert_int_equal(unrolled_count(&u, FIRST, x, true), 5);
  unrolled_close(&u);
  unrolled_open_with(&u, &b, 1, 2, NULL); // the limit of free iterations is a bound, too
  assert_int_equal(unrolled_goals(&u, GOAL_UNWINDING), 1);
  assert_true(unrolled_reaches(&u, GOAL_UNWINDING));
  unrolled_close(&u);
  build_end(&b);
}

// --- sections ---

// All of an atomic section is one node, with one read from outside and one write per cell.
static void test_section_is_one_node(void **state) {
  (void)state;
  Build b;
  begin(&b);
  ObjectId x = build_int(&b, "x");
  build_store(&b, MAIN, x, 3);
  VariableId v = build_variable(&b, FIRST, 32, "v"), w = build_variable(&b, FIRST, 32, "w");
  build_section(&b, FIRST);
  build_load(&b, FIRST, v, x);
  build_store_at(&b, FIRST, build_address(&b, x, 0), plus(&b, v, 1));
  build_load(&b, FIRST, w, x);
  build_store_at(&b, FIRST, build_address(&b, x, 0), plus(&b, w, 1));
  build_section_end(&b, FIRST);
  build_error_if(&b, FIRST, term_ne(b.p->terms, build_value(&b, w), plus(&b, v, 1)));
  end(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  assert_int_equal(unrolled_count(&u, FIRST, x, false), 1);
  assert_int_equal(unrolled_count(&u, FIRST, x, true), 1);
  EventId read = unrolled_read(&u, FIRST, x, 0), write = unrolled_write(&u, FIRST, x, 0);
  assert_int_equal(unrolled_node(&u, read), unrolled_node(&u, write));
  Term twice = term_add_constant(b.p->terms, u.events.events.data[read].value, 2);
  assert_int_equal(u.events.events.data[write].value, twice);
  assert_int_equal(unrolled_goals(&u, GOAL_ERROR), 0); // decided by simplification
  unrolled_close(&u);
  build_end(&b);
}

// --- constants through memory ---

typedef struct Learning {
  Map constants, refuted;
} Learning;

static void learning_open(Learning *l, Build *b) {
  map_init(&l->constants, &b->account);
  map_init(&l->refuted, &b->account);
}

static void learning_close(Learning *l) {
  map_free(&l->constants);
  map_free(&l->refuted);
}

// main: x = 6 before it creates the worker, and `again` afterwards; worker: looks at x.
static void make_constant(Build *b, ObjectId *x, uint64_t again) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  *x = build_int(b, "x");
  build_store(b, MAIN, *x, 6);
  build_create(b, MAIN, FIRST);
  build_store(b, MAIN, *x, again);
  VariableId seen = build_variable(b, FIRST, 32, "seen");
  build_load(b, FIRST, seen, *x);
  build_error_if(b, FIRST, term_not(b->p->terms, build_equals(b, seen, 6)));
  end(b);
}

static void test_constant_is_learned(void **state) {
  (void)state;
  Build b;
  ObjectId x;
  make_constant(&b, &x, 6);
  Learning l;
  learning_open(&l, &b);
  bool learned;
  Unrolled u;
  unrolled_open_with(&u, &b, 1, 100, &l.constants);
  uint64_t key = u.events.events.data[unrolled_read(&u, FIRST, x, 0)].key;
  assert_false(u.events.events.data[unrolled_read(&u, FIRST, x, 0)].assumed);
  assert_int_equal(unrolled_goals(&u, GOAL_ERROR), 1);
  assert_true(links_learn_constants(&u.events, &l.constants, &l.refuted, &learned));
  assert_true(learned);
  assert_int_equal(map_get_or(&l.constants, key, 0), build_constant(&b, 32, 6));
  unrolled_close(&u);
  unrolled_open_with(&u, &b, 1, 100, &l.constants);
  const Event *read = &u.events.events.data[unrolled_read(&u, FIRST, x, 0)];
  assert_true(read->assumed);
  assert_int_equal(read->key, key); // the same place has the same name
  assert_int_equal(read->value, build_constant(&b, 32, 6));
  assert_int_equal(unrolled_goals(&u, GOAL_ERROR), 0); // folded away
  assert_true(links_learn_constants(&u.events, &l.constants, &l.refuted, &learned));
  assert_false(learned);
  unrolled_close(&u);
  learning_close(&l);
  build_end(&b);
}

static void test_wrong_constant_is_refuted(void **state) {
  (void)state;
  Build b;
  ObjectId x;
  make_constant(&b, &x, 7);
  Learning l;
  learning_open(&l, &b);
  bool learned;
  Unrolled u;
  unrolled_open_with(&u, &b, 1, 100, &l.constants);
  uint64_t key = u.events.events.data[unrolled_read(&u, FIRST, x, 0)].key;
  assert_true(links_learn_constants(&u.events, &l.constants, &l.refuted, &learned));
  assert_false(map_contains(&l.constants, key)); // two different values
  unrolled_close(&u);
  map_put(&l.constants, key, build_constant(&b, 32, 6));
  unrolled_open_with(&u, &b, 1, 100, &l.constants);
  assert_false(links_learn_constants(&u.events, &l.constants, &l.refuted, &learned));
  assert_true(map_contains(&l.refuted, key));
  unrolled_close(&u);
  learning_close(&l);
  build_end(&b);
}

// --- limits ---

static void test_limits(void **state) {
  (void)state;
  Build b;
  ObjectId x;
  make_constant(&b, &x, 7);
  UnrollOptions options = {.bound = 1, .free_iterations = 10, .most_events = 2};
  Budget budget;
  budget_init(&budget, 0, NULL);
  Events events;
  events_init(&events, b.p, &b.account);
  assert_false(unroll(b.p, &options, &events, &budget));
  assert_int_equal(budget.reason, STOP_NONE);
  events_free(&events);
  options.most_events = 1000;
  budget.force_at = "order-unroll";
  events_init(&events, b.p, &b.account);
  assert_false(unroll(b.p, &options, &events, &budget));
  assert_int_equal(budget.reason, STOP_FORCED);
  events_free(&events);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spin_on_flag),
      cmocka_unit_test(test_spin_on_two_flags),
      cmocka_unit_test(test_spin_on_exchange),
      cmocka_unit_test(test_ticket_lock),
      cmocka_unit_test(test_condition_loop),
      cmocka_unit_test(test_counting_loop),
      cmocka_unit_test(test_loops_with_effects),
      cmocka_unit_test(test_constant_loop),
      cmocka_unit_test(test_section_is_one_node),
      cmocka_unit_test(test_constant_is_learned),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_wrong_constant_is_refuted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
