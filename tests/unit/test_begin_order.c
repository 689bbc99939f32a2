// The begin order: which equal threads are expected to begin one after the other, and that reach decides the same with
// it as without it.
#include "test_reach_programs.h"
#include "transition/begin_order.h"

enum { WORKERS = 3, THIRD = SECOND + 1, HELPER = THIRD + 1 };

// --- programs ---

typedef struct Shape {
  unsigned create[WORKERS]; // in this order
  unsigned join[WORKERS];   // in this order; NO_ID: not
  bool first_may_fail_to;   // main decides by an input whether it creates the first of `create`
  bool looks;               // main loads x after its first join
  bool acts_alone;          // main stores to an object of its own after its first join
  bool different;           // the last worker adds 2
  bool loops;               // workers come back to their beginnings
  bool unlocked;            // workers take no lock
  bool helped;              // a further thread sets a flag, which main wants to be set in the end
} Shape;

static const Shape plain = {.create = {1, 2, 3}, .join = {1, 2, 3}};

static void make_worker(Build *b, ThreadId t, const Shape *shape, ObjectId x, ObjectId mutex) {
  b->line = 100; // all workers have the code of one function
  build_thread(b, "worker", MAIN);
  VariableId v = build_variable(b, t, 32, "v");
  LocationId begin = b->at[t];
  if (!shape->unlocked) build_lock(b, t, mutex);
  build_load(b, t, v, x);
  build_store_at(b, t, build_address(b, x, 0), plus(b, v, shape->different && t == THIRD ? 2 : 1));
  if (!shape->unlocked) build_unlock(b, t, mutex);
  if (shape->loops) {
    LocationId end = build_branch(b, t, build_equals(b, v, 1));
    build_jump(b, t, begin);
    b->at[t] = end;
  }
  build_exit(b, t);
}

static void make_joins(Build *b, const Shape *shape, ObjectId x, ObjectId own, VariableId seen) {
  for (unsigned i = 0; i < WORKERS; i++) {
    if (shape->join[i] == NO_ID) continue;
    build_join(b, MAIN, shape->join[i]);
    if (shape->looks && i == 0) build_load(b, MAIN, seen, x);
    if (shape->acts_alone && i == 0) build_store(b, MAIN, own, 1);
  }
}

// Three workers add to x under a lock; main joins them and wants that it never sees `bad` in x.
static void make_workers(Build *b, const Shape *shape, uint64_t bad) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  ObjectId x = build_int(b, "x"), mutex = build_int(b, "mutex"), own = build_int(b, "own");
  for (ThreadId t = FIRST; t <= THIRD; t++) make_worker(b, t, shape, x, mutex);
  b->line += 100;
  ObjectId flag = build_int(b, "flag");
  if (shape->helped) {
    build_thread(b, "helper", MAIN);
    build_store(b, HELPER, flag, 1);
    build_exit(b, HELPER);
  }
  VariableId early = build_variable(b, MAIN, 32, "early"), seen = build_variable(b, MAIN, 32, "seen");
  VariableId input = build_variable(b, MAIN, 1, "input");
  build_assign(b, MAIN, input, VALUE_INPUT);
  for (unsigned i = 0; i < WORKERS; i++) {
    if (i > 0 || !shape->first_may_fail_to) {
      build_create(b, MAIN, shape->create[i]);
      continue;
    }
    LocationId without = build_branch(b, MAIN, build_value(b, input));
    build_create(b, MAIN, shape->create[i]);
    build_jump(b, MAIN, without);
    b->at[MAIN] = without;
  }
  if (shape->helped) build_create(b, MAIN, HELPER);
  make_joins(b, shape, x, own, early);
  build_load(b, MAIN, seen, x);
  Term wrong = build_equals(b, seen, bad);
  build_error_if(b, MAIN, shape->looks ? term_or(b->p->terms, wrong, build_equals(b, early, bad)) : wrong);
  if (shape->helped) build_load(b, MAIN, seen, flag);
  if (shape->helped) build_error_if(b, MAIN, build_equals(b, seen, 0));
  build_exit(b, MAIN);
  passes_prepare(b->p, NULL);
}

// --- which groups there are ---

static BeginOrder order_of(const Shape *shape, bool large) {
  Build b;
  make_workers(&b, shape, 7);
  Program *view = program_view(b.p);
  passes_reduce(view, PRESERVES_REACHABILITY, large ? BLOCK_LARGE : BLOCK_SINGLE);
  Transitions transitions;
  transitions_init(&transitions, view, &b.account);
  BeginOrder order = begin_order_find(&transitions, &b.account);
  transitions_free(&transitions);
  program_free_view(view);
  build_end(&b);
  return order;
}

static void expect_chain(const Shape *shape, ThreadId first, ThreadId second, ThreadId third) {
  for (unsigned large = 0; large < 2; large++) {
    BeginOrder order = order_of(shape, large);
    assert_int_equal(order.previous[first], NO_ID);
    assert_int_equal(order.previous[second], first);
    assert_int_equal(order.previous[third], second);
    assert_int_equal(order.held_first, thread_bit(second) | thread_bit(third));
  }
}

static void expect_none(const Shape *shape) {
  for (unsigned large = 0; large < 2; large++) assert_int_equal(order_of(shape, large).held_first, 0);
}

static void test_in_the_order_of_creation(void **state) {
  (void)state;
  expect_chain(&plain, 1, 2, 3);
  Shape shape = plain;
  shape.acts_alone = true; // no other thread can see that
  expect_chain(&shape, 1, 2, 3);
  const Shape turned = {.create = {3, 1, 2}, .join = {2, 3, 1}};
  expect_chain(&turned, 3, 1, 2);
  const Shape unjoined = {.create = {1, 2, 3}, .join = {NO_ID, NO_ID, NO_ID}};
  expect_chain(&unjoined, 1, 2, 3);
}

static void test_told_apart(void **state) {
  (void)state;
  Shape shape = plain;
  shape.looks = true; // what the first one has done shows when the others may not have
  BeginOrder order = order_of(&shape, true);
  assert_int_equal(order.previous[2], NO_ID);
  assert_int_equal(order.previous[3], 2); // these two are joined together
  shape = plain;
  shape.loops = true;
  expect_none(&shape);
  shape = plain;
  shape.different = true;
  assert_int_equal(order_of(&shape, true).held_first, thread_bit(2));
  const Shape some_joined = {.create = {1, 2, 3}, .join = {2, NO_ID, NO_ID}};
  order = order_of(&some_joined, true);
  assert_int_equal(order.previous[2], NO_ID);
  assert_int_equal(order.previous[3], 1);
}

static void test_creation_that_may_not_happen(void **state) {
  (void)state;
  const Shape first = {.create = {1, 2, 3}, .join = {NO_ID, NO_ID, NO_ID}, .first_may_fail_to = true};
  BeginOrder order = order_of(&first, true);
  assert_int_equal(order.previous[2], NO_ID); // it may begin if there is no first one
  assert_int_equal(order.previous[3], 2);
  assert_int_equal(order.held_first, thread_bit(3));
}

// --- which threads are held ---

static void test_held(void **state) {
  (void)state;
  BeginOrder order = begin_order_none();
  order.previous[2] = 1;
  order.previous[3] = 2;
  order.held_first = thread_bit(2) | thread_bit(3);
  for (ThreadId t = 1; t <= 3; t++) order.beginning[t] = 10 * t;
  LocationId control[4] = {5, 10, 20, 30};
  assert_false(begin_order_holds(&order, control, 1));
  assert_true(begin_order_holds(&order, control, 2));
  assert_true(begin_order_holds(&order, control, 3));
  assert_int_equal(begin_order_held_by(&order, control, thread_bit(1)), thread_bit(2) | thread_bit(3));
  assert_int_equal(begin_order_held_by(&order, control, thread_bit(2)), thread_bit(3));
  assert_int_equal(begin_order_held_by(&order, control, thread_bit(3)), 0);
  control[1] = 11;
  assert_false(begin_order_holds(&order, control, 2));
  assert_true(begin_order_holds(&order, control, 3));
  assert_int_equal(begin_order_held_by(&order, control, thread_bit(1)), 0);
  control[3] = NO_ID;
  assert_false(begin_order_holds(&order, control, 3));
}

// --- reach ---

static ExploreAnswer answer_of(Build *b, const ReductionKind *kind, bool symmetry, uint64_t checked, uint64_t *nodes) {
  ExploreOptions options = {.reduction = kind, .symmetry = symmetry, .conditional = true, .checked = checked};
  Search s;
  search_open(&s, b, options, true);
  ExploreAnswer answer = s.answer;
  *nodes = s.explorer.statistics.nodes;
  search_close(&s);
  return answer;
}

// Every reduction, with its choices checked, finds the same with the order as without it, and needs less for it.
static void test_reductions(void **state) {
  (void)state;
  const Shape looking = {.create = {1, 2, 3}, .join = {3, 1, 2}, .looks = true};
  const Shape doubtful = {.create = {1, 2, 3}, .join = {NO_ID, NO_ID, NO_ID}, .first_may_fail_to = true};
  // The second to begin has a smaller number than the first, and both may load before one of them stores.
  const Shape turned = {.create = {3, 1, 2}, .join = {3, 1, 2}, .unlocked = true};
  // Main waits for a thread that is held: what comes behind its joins is not independent of the helper's store.
  const Shape helped = {.create = {1, 2, 3}, .join = {2, 1, 3}, .helped = true};
  const Shape *const shapes[] = {&plain, &looking, &doubtful, &turned, &helped};
  enum { SHAPES = sizeof shapes / sizeof *shapes };
  for (unsigned i = 0; i < SHAPES * REDUCTIONS * 5; i++) {
    const Shape *shape = shapes[i % SHAPES];
    Build b;
    make_workers(&b, shape, i / SHAPES / REDUCTIONS);
    const ReductionKind *kind = reductions[i / SHAPES % REDUCTIONS];
    uint64_t with, without;
    ExploreAnswer answer = answer_of(&b, kind, true, UINT64_MAX, &with);
    assert_int_equal(answer, answer_of(&b, kind, true, 0, &with));
    assert_int_equal(answer, answer_of(&b, kind, false, 0, &without));
    assert_true(answer == EXPLORE_SAFE || answer == EXPLORE_UNSAFE);
    if (answer == EXPLORE_SAFE) assert_true(with < without);
    build_end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_in_the_order_of_creation),
      cmocka_unit_test(test_told_apart),
      cmocka_unit_test(test_creation_that_may_not_happen),
      cmocka_unit_test(test_held),
      cmocka_unit_test(test_reductions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
