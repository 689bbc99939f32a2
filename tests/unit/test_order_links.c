// Links: which writes a read may see, and what must come before what.
#include "test_order_support.h"

enum { MAIN = 0, FIRST = 1, SECOND = 2 };

// Loads into a variable that is looked at later, so that the load stays.
static void look(Build *b, ThreadId t, ObjectId object) {
  VariableId seen = build_variable(b, t, 32, "seen");
  build_load(b, t, seen, object);
  build_error_if(b, t, build_equals(b, seen, 77));
}

static void begin(Build *b, unsigned threads) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  for (unsigned i = 0; i < threads; i++) build_thread(b, "worker", MAIN);
}

static void end_threads(Build *b) {
  for (ThreadId t = 0; t < b->p->threads.count; t++) build_exit(b, t);
  passes_prepare(b->p, NULL);
}

// --- one thread's own writes ---

static void test_program_order(void **state) {
  (void)state;
  Build b;
  begin(&b, 1);
  ObjectId x = build_int(&b, "x");
  build_create(&b, MAIN, FIRST);
  build_store(&b, MAIN, x, 3);
  build_store(&b, FIRST, x, 1);
  build_store(&b, FIRST, x, 2);
  look(&b, FIRST, x);
  build_store(&b, FIRST, x, 4);
  end_threads(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  EventId read = unrolled_read(&u, FIRST, x, 0);
  assert_false(unrolled_linked(&u, unrolled_write(&u, NO_ID, x, 0), read)); // overwritten
  assert_false(unrolled_linked(&u, unrolled_write(&u, FIRST, x, 0), read)); // overwritten
  assert_true(unrolled_linked(&u, unrolled_write(&u, FIRST, x, 1), read));
  assert_false(unrolled_linked(&u, unrolled_write(&u, FIRST, x, 2), read)); // comes later
  assert_true(unrolled_linked(&u, unrolled_write(&u, MAIN, x, 0), read));
  assert_int_equal(u.events.events.data[read].link_count, 2);
  assert_true(unrolled_precedes(&u, unrolled_write(&u, FIRST, x, 0), read));
  assert_false(unrolled_precedes(&u, read, unrolled_write(&u, FIRST, x, 0)));
  assert_false(unrolled_precedes(&u, read, read));
  assert_false(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 0), read));
  assert_false(unrolled_precedes(&u, read, unrolled_write(&u, MAIN, x, 0)));
  assert_true(unrolled_precedes(&u, unrolled_write(&u, NO_ID, x, 0), read));
  assert_false(unrolled_precedes(&u, read, unrolled_write(&u, NO_ID, x, 0)));
  unrolled_close(&u);
  build_end(&b);
}

// --- creation and join ---

static void test_creation_and_join(void **state) {
  (void)state;
  Build b;
  begin(&b, 1);
  ObjectId x = build_int(&b, "x"), y = build_int(&b, "y");
  build_store(&b, MAIN, x, 5);
  build_create(&b, MAIN, FIRST);
  build_store(&b, MAIN, x, 7);
  build_store(&b, FIRST, y, 1);
  build_store(&b, FIRST, y, 2);
  look(&b, FIRST, x);
  build_exit(&b, FIRST);
  build_join(&b, MAIN, FIRST);
  look(&b, MAIN, y);
  build_exit(&b, MAIN);
  passes_prepare(b.p, NULL);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  EventId read = unrolled_read(&u, FIRST, x, 0), after = unrolled_read(&u, MAIN, y, 0);
  assert_int_equal(u.events.events.data[read].link_count, 2);
  assert_true(unrolled_linked(&u, unrolled_write(&u, MAIN, x, 0), read)); // before the creation
  assert_true(unrolled_linked(&u, unrolled_write(&u, MAIN, x, 1), read));
  assert_true(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 0), read));
  assert_false(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 1), read));
  // After the join there is one candidate, and its literal is the read's guard.
  assert_int_equal(u.events.events.data[after].link_count, 1);
  const EventLink *link = &u.events.links.data[u.events.events.data[after].first_link];
  assert_int_equal(link->write, unrolled_write(&u, FIRST, y, 1));
  assert_int_equal(link->literal, conjunction_term(&u.events.guards, u.events.events.data[after].guard));
  assert_true(unrolled_precedes(&u, unrolled_write(&u, FIRST, y, 1), after));
  assert_true(unrolled_precedes(&u, read, after));
  unrolled_close(&u);
  build_end(&b);
}

static void test_creation_is_transitive(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  build_thread(&b, "main", NO_ID);
  build_thread(&b, "first", MAIN);
  build_thread(&b, "second", FIRST);
  ObjectId x = build_int(&b, "x"), y = build_int(&b, "y");
  build_create(&b, MAIN, FIRST);
  build_store(&b, MAIN, x, 7);
  build_store(&b, FIRST, y, 1);
  build_create(&b, FIRST, SECOND);
  build_store(&b, FIRST, y, 2);
  look(&b, SECOND, y);
  look(&b, SECOND, x);
  end_threads(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  EventId seen = unrolled_read(&u, SECOND, y, 0);
  assert_true(unrolled_precedes(&u, unrolled_write(&u, FIRST, y, 0), seen));
  assert_false(unrolled_precedes(&u, unrolled_write(&u, FIRST, y, 1), seen));
  assert_false(unrolled_linked(&u, unrolled_write(&u, NO_ID, y, 0), seen));
  assert_int_equal(u.events.events.data[seen].link_count, 2);
  assert_false(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 0), seen));
  assert_int_equal(u.events.events.data[unrolled_read(&u, SECOND, x, 0)].link_count, 2);
  unrolled_close(&u);
  build_end(&b);
}

// --- values ---

// A thread that waits for a value can only see writes of that value; if there is one, what came before it is known.
static void test_waiting_orders(void **state) {
  (void)state;
  Build b;
  begin(&b, 1);
  ObjectId x = build_int(&b, "x"), flag = build_int(&b, "flag");
  build_create(&b, MAIN, FIRST);
  build_store(&b, MAIN, x, 1);
  build_store(&b, MAIN, flag, 1);
  build_store(&b, MAIN, x, 2);
  build_await(&b, FIRST, STEP_WAIT, build_address(&b, flag, 0), 1);
  look(&b, FIRST, x);
  end_threads(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  EventId waits = unrolled_read(&u, FIRST, flag, 0), read = unrolled_read(&u, FIRST, x, 0);
  assert_int_equal(u.events.events.data[waits].link_count, 1);
  assert_true(unrolled_linked(&u, unrolled_write(&u, MAIN, flag, 0), waits));
  assert_true(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 0), read));
  assert_false(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 1), read));
  assert_false(unrolled_linked(&u, unrolled_write(&u, NO_ID, x, 0), read));
  assert_int_equal(u.events.events.data[read].link_count, 2);
  unrolled_close(&u);
  build_end(&b);
}

// Taking a lock sees a release or the initial state, never that a thread holds it.
static void test_lock_sees_releases(void **state) {
  (void)state;
  Build b;
  begin(&b, 2);
  ObjectId mutex = build_int(&b, "mutex");
  build_create(&b, MAIN, FIRST);
  build_create(&b, MAIN, SECOND);
  for (ThreadId t = FIRST; t <= SECOND; t++) {
    build_lock(&b, t, mutex);
    build_unlock(&b, t, mutex);
    build_lock(&b, t, mutex);
    build_unlock(&b, t, mutex);
  }
  end_threads(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  EventId first = unrolled_read(&u, FIRST, mutex, 0), again = unrolled_read(&u, FIRST, mutex, 1);
  assert_int_equal(u.events.events.data[first].link_count, 3); // initially, and two releases of the other
  assert_true(unrolled_linked(&u, unrolled_write(&u, NO_ID, mutex, 0), first));
  assert_int_equal(u.events.events.data[again].link_count, 3); // its own release instead of the initial state
  assert_false(unrolled_linked(&u, unrolled_write(&u, NO_ID, mutex, 0), again));
  for (EventId r = 0; r < u.events.events.count; r++)
    for (uint32_t i = 0; i < u.events.events.data[r].link_count; i++) {
      const Event *write = &u.events.events.data[u.events.links.data[u.events.events.data[r].first_link + i].write];
      if (write->cell == unrolled_cell(&u, mutex)) assert_true(term_constant_value(b.p->terms, write->value) == 0);
    }
  unrolled_close(&u);
  build_end(&b);
}

// --- guards ---

// if (input == 0) { x = 1; } else { inside = x; } behind = x;
static void test_guards(void **state) {
  (void)state;
  Build b;
  begin(&b, 1);
  ObjectId x = build_int(&b, "x");
  build_create(&b, MAIN, FIRST);
  build_store(&b, MAIN, x, 3);
  VariableId input = build_variable(&b, FIRST, 32, "input");
  build_assign(&b, FIRST, input, VALUE_INPUT);
  LocationId otherwise = build_branch(&b, FIRST, build_equals(&b, input, 0));
  build_store(&b, FIRST, x, 1);
  LocationId meet = build_location(&b, FIRST);
  build_jump(&b, FIRST, meet);
  b.at[FIRST] = otherwise;
  VariableId inside = build_variable(&b, FIRST, 32, "inside"), behind = build_variable(&b, FIRST, 32, "behind");
  build_load(&b, FIRST, inside, x);
  build_jump(&b, FIRST, meet);
  build_load(&b, FIRST, behind, x);
  build_error_if(&b, FIRST, build_equals(&b, inside, 77));
  build_error_if(&b, FIRST, build_equals(&b, behind, 77));
  end_threads(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  assert_int_equal(unrolled_count(&u, FIRST, x, false), 2);
  EventId initial = unrolled_write(&u, NO_ID, x, 0), own = unrolled_write(&u, FIRST, x, 0);
  EventId first = unrolled_read(&u, FIRST, x, 0), second = unrolled_read(&u, FIRST, x, 1);
  assert_int_equal(u.events.events.data[second].guard, CONJUNCTION_TRUE); // the branches meet
  assert_true(
      conjunction_excludes(&u.events.guards, u.events.events.data[first].guard, u.events.events.data[own].guard));
  assert_false(unrolled_linked(&u, own, first)); // the other branch
  assert_true(unrolled_linked(&u, initial, first));
  assert_true(unrolled_linked(&u, own, second));
  assert_true(unrolled_linked(&u, initial, second)); // the write need not have happened
  assert_true(unrolled_linked(&u, unrolled_write(&u, MAIN, x, 0), first));
  unrolled_close(&u);
  build_end(&b);
}

// A write that happens only on one path orders nothing on the other.
static void test_forced_only_on_one_path(void **state) {
  (void)state;
  Build b;
  begin(&b, 1);
  ObjectId x = build_int(&b, "x"), flag = build_int(&b, "flag");
  build_create(&b, MAIN, FIRST);
  build_store(&b, MAIN, x, 1);
  build_store(&b, MAIN, flag, 1);
  VariableId input = build_variable(&b, FIRST, 32, "input");
  build_assign(&b, FIRST, input, VALUE_INPUT);
  LocationId otherwise = build_branch(&b, FIRST, build_equals(&b, input, 0));
  build_await(&b, FIRST, STEP_WAIT, build_address(&b, flag, 0), 1);
  LocationId meet = build_location(&b, FIRST);
  build_jump(&b, FIRST, meet);
  b.at[FIRST] = otherwise;
  build_jump(&b, FIRST, meet);
  look(&b, FIRST, x);
  end_threads(&b);
  Unrolled u;
  unrolled_open(&u, &b, 1);
  EventId read = unrolled_read(&u, FIRST, x, 0), waits = unrolled_read(&u, FIRST, flag, 0);
  assert_true(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 0), waits));
  assert_false(unrolled_precedes(&u, unrolled_write(&u, MAIN, x, 0), read));
  assert_int_equal(u.events.events.data[read].link_count, 2);
  unrolled_close(&u);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_program_order),           cmocka_unit_test(test_creation_and_join),
      cmocka_unit_test(test_creation_is_transitive),  cmocka_unit_test(test_waiting_orders),
      cmocka_unit_test(test_lock_sees_releases),      cmocka_unit_test(test_guards),
      cmocka_unit_test(test_forced_only_on_one_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
