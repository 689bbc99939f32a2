// Static facts: live variables, future accesses, lock facts.
#include "test_program_support.h"

#include "program/facts/facts.h"

// The location that a position's line names; positions survive all passes.
static LocationId location_at(const Program *p, unsigned line) {
  for (size_t l = 0; l < p->locations.count; l++)
    if (p->locations.data[l].position.line == line) return (LocationId)l;
  fail_msg("no location at line %u", line);
  return NO_ID;
}

static unsigned line_of(Make *m, ThreadId t) { return m->p->locations.data[m->at[t]].position.line; }

// --- live variables ---

static uint32_t live_count(const LiveVariables *live, LocationId location) {
  uint32_t count;
  live_list(live, location, &count);
  return count;
}

static void test_live_variables(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId other = make_thread(&m, 0, 0, "other");
  ObjectId x = make_object(&m, 4, "x");
  VariableId a = make_variable(&m, 0, 32, "a"), b = make_variable(&m, 0, 32, "b");
  for (unsigned i = 0; i < 100; i++) make_variable(&m, 0, 32, "filler"); // more than one word of variables
  VariableId late = make_variable(&m, 0, 32, "late"), unused = make_variable(&m, 0, 32, "unused");
  VariableId o = make_variable(&m, other, 32, "o");
  make_create(&m, 0, other);
  make_load(&m, 0, a, make_address(&m, x, 0));
  LocationId after_a = m.at[0];
  make_assign(&m, 0, b, term_add_constant(m.p->terms, make_value(&m, a), 1));
  LocationId after_b = m.at[0];
  make_assign(&m, 0, unused, make_value(&m, a));
  make_load(&m, 0, late, make_address(&m, x, 0));
  LocationId after_late = m.at[0];
  make_store(&m, 0, make_address(&m, x, 0), term_add(m.p->terms, make_value(&m, b), make_value(&m, late)));
  LocationId after_store = m.at[0];
  make_exit(&m, 0);
  make_load(&m, other, o, make_address(&m, x, 0));
  LocationId after_o = m.at[other];
  make_guarded(&m, other, STEP_ASSUME, term_is_nonzero(m.p->terms, make_value(&m, o)));
  make_exit(&m, other);
  program_index(m.p);
  LiveVariables live;
  live_variables(m.p, &live, &m.account);
  assert_int_equal(live.direction, FACT_MAY_ADD);
  assert_int_equal(live_count(&live, m.p->threads.data[0].entry), 0);
  assert_true(live_at(&live, after_a, a));
  assert_int_equal(live_count(&live, after_a), 1);
  assert_true(live_at(&live, after_b, b));
  assert_false(live_at(&live, after_b, a)); // only a dead assignment reads it
  assert_false(live_at(&live, after_b, late));
  assert_true(live_at(&live, after_late, late));
  assert_int_equal(live_count(&live, after_late), 2);
  assert_int_equal(live_count(&live, after_store), 0);
  assert_true(live_at(&live, after_o, o));
  live_variables_free(&live);
  make_end(&m);
}

// A value that survives from one round of a loop to the next lives all around it, though all that happens to the
// variable happens in one place.
static void test_live_around_a_loop(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  VariableId count = make_variable(&m, 0, 8, "count"), c = make_variable(&m, 0, 1, "c");
  LocationId head = m.at[0];
  make_assign(&m, 0, c, VALUE_INPUT);
  LocationId second = make_branch(&m, 0, term_is_nonzero(m.p->terms, make_value(&m, count)));
  make_assign(&m, 0, count, make_constant(&m, 8, 0));
  LocationId join = m.at[0];
  m.at[0] = second;
  Step step = make_step(&m, STEP_PLAIN);
  Assignment assignment = {count, make_constant(&m, 8, 1)};
  step.assignments = &assignment;
  step.assignment_count = 1;
  make_to(&m, 0, &step, join);
  make_kind(&m, 0, STEP_PLAIN);
  LocationId behind = m.at[0];
  make_jump(&m, 0, head);
  program_index(m.p);
  LiveVariables live;
  live_variables(m.p, &live, &m.account);
  assert_true(live_at(&live, join, count));
  assert_true(live_at(&live, behind, count));
  assert_true(live_at(&live, head, count));
  assert_false(live_at(&live, behind, c));
  live_variables_free(&live);
  passes_prepare(m.p, NULL);
  assert_int_equal(m.p->variables.count, 1); // the input is dead, the count is not
  size_t assignments = 0;
  for (size_t s = 0; s < m.p->steps.count; s++) assignments += m.p->steps.data[s].assignment_count;
  assert_int_equal(assignments, 2);
  make_end(&m);
}

// --- locks ---

typedef struct LockProgram {
  Make m;
  ThreadId other;
  ObjectId lock, second, data;
  unsigned before, inside, unlocked; // lines of main's locations
} LockProgram;

static void data_access(LockProgram *l, ThreadId t) {
  make_store(&l->m, t, make_address(&l->m, l->data, 0), make_constant(&l->m, 32, t));
}

// Main: initialises, creates, [before] lock [inside] data, unlock [unlocked] data; other: lock, data, unlock.
static void lock_program(LockProgram *l) {
  Make *m = &l->m;
  make_begin(m, 64);
  l->other = make_thread(m, 0, 0, "other");
  l->lock = make_object(m, 4, "lock");
  l->second = make_object(m, 4, "second");
  l->data = make_object(m, 4, "data");
  make_store(m, 0, make_address(m, l->lock, 0), make_constant(m, 32, 0)); // initialisation, before any thread
  make_create(m, 0, l->other);
  l->before = line_of(m, 0);
  make_lock(m, 0, STEP_LOCK, make_address(m, l->lock, 0));
  l->inside = line_of(m, 0);
  data_access(l, 0);
  make_lock(m, 0, STEP_UNLOCK, make_address(m, l->lock, 0));
  l->unlocked = line_of(m, 0);
  data_access(l, 0);
  make_exit(m, 0);
  make_lock(m, l->other, STEP_LOCK, make_address(m, l->lock, 0));
  data_access(l, l->other);
  make_lock(m, l->other, STEP_UNLOCK, make_address(m, l->lock, 0));
}

static void test_lock_facts(void **state) {
  (void)state;
  LockProgram l;
  lock_program(&l);
  make_exit(&l.m, l.other);
  passes_prepare(l.m.p, NULL);
  const Program *p = l.m.p;
  LockFacts facts;
  lock_facts(p, &facts, &l.m.account);
  assert_int_equal(facts.direction, FACT_MAY_DROP);
  assert_int_equal(facts.locks.count, 1);
  assert_string_equal(p->cells.data[facts.locks.data[0]].name, "lock");
  assert_false(bitset_get(&facts.held[location_at(p, l.before)], 0));
  assert_true(bitset_get(&facts.held[location_at(p, l.inside)], 0));
  assert_false(bitset_get(&facts.held[location_at(p, l.unlocked)], 0));
  assert_true(bitset_get(&facts.acquired_before[location_at(p, l.before)], 0));
  assert_false(bitset_get(&facts.acquired_before[location_at(p, l.inside)], 0));
  assert_false(bitset_get(&facts.acquired_before[location_at(p, l.unlocked)], 0));
  lock_facts_free(&facts);
  make_end(&l.m);
}

// What takes a lock from its owner makes the cell no lock at all.
static void test_broken_locks_are_refused(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    LockProgram l;
    lock_program(&l);
    Term address = make_address(&l.m, l.lock, 0);
    if (way == 0) make_lock(&l.m, l.other, STEP_UNLOCK, address); // not held any more
    if (way == 1) make_store(&l.m, l.other, address, make_constant(&l.m, 32, 0));
    if (way == 2) { // an unlock of one of two
      VariableId c = make_variable(&l.m, l.other, 1, "c");
      make_assign(&l.m, l.other, c, VALUE_INPUT);
      Term either = term_ite(l.m.p->terms, make_value(&l.m, c), address, make_address(&l.m, l.second, 0));
      make_lock(&l.m, l.other, STEP_UNLOCK, either);
    }
    make_exit(&l.m, l.other);
    passes_prepare(l.m.p, NULL);
    LockFacts facts;
    lock_facts(l.m.p, &facts, &l.m.account);
    assert_int_equal(facts.locks.count, 0);
    lock_facts_free(&facts);
    make_end(&l.m);
  }
}

static void test_one_branch_without_the_lock(void **state) {
  (void)state;
  LockProgram l;
  lock_program(&l);
  Make *m = &l.m;
  VariableId c = make_variable(m, l.other, 1, "c");
  make_assign(m, l.other, c, VALUE_INPUT);
  unsigned fork_line = line_of(m, l.other);
  LocationId without = make_branch(m, l.other, make_value(m, c));
  make_lock(m, l.other, STEP_LOCK, make_address(m, l.lock, 0));
  make_lock(m, l.other, STEP_UNLOCK, make_address(m, l.lock, 0));
  LocationId join = m->at[l.other];
  m->at[l.other] = without;
  make_jump(m, l.other, join);
  data_access(&l, l.other);
  make_exit(m, l.other);
  passes_prepare(m->p, NULL);
  LockFacts facts;
  lock_facts(m->p, &facts, &m->account);
  assert_int_equal(facts.locks.count, 1);
  LocationId fork = location_at(m->p, fork_line);
  assert_false(bitset_get(&facts.acquired_before[fork], 0));
  lock_facts_free(&facts);
  make_end(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_live_variables),
      cmocka_unit_test(test_live_around_a_loop),
      cmocka_unit_test(test_lock_facts),
      cmocka_unit_test(test_broken_locks_are_refused),
      cmocka_unit_test(test_one_branch_without_the_lock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
