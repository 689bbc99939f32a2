// Joint edges: which pairs of accesses and which waits are asked for, at which control vectors, and what their guards
// say.
#include "program/passes/joint_edges.h"
#include "test_program_support.h"
#include "transition/joint_index.h"
#include "transition/transition.h"
#include "verdict/question.h"

typedef struct Joined {
  Make m;
  ThreadId other;
  ObjectId x, y, lock;
} Joined;

static void begin(Joined *j) {
  make_begin(&j->m, 64);
  j->other = make_thread(&j->m, 0, 0, "other");
  j->x = make_object(&j->m, 4, "x");
  j->y = make_object(&j->m, 4, "y");
  j->lock = make_object(&j->m, 4, "lock");
  make_create(&j->m, 0, j->other);
}

static void write_to(Joined *j, ThreadId thread, ObjectId object) {
  make_store(&j->m, thread, make_address(&j->m, object, 0), make_constant(&j->m, 32, 1));
}

static Program *view_of(Joined *j, Property property) {
  make_exit(&j->m, 0);
  make_exit(&j->m, j->other);
  for (size_t s = 0; s < j->m.p->steps.count; s++) { // as in programs: what creates and ends threads orders them
    Step *step = &j->m.p->steps.data[s];
    step->access.synchronises |= step->kind == STEP_CREATE || step->kind == STEP_START || step->kind == STEP_EXIT;
  }
  passes_prepare(j->m.p, NULL);
  return question_joint_view(j->m.p, property, BLOCK_LARGE);
}

static size_t races(Joined *j) {
  Program *view = view_of(j, PROPERTY_NO_DATA_RACE);
  size_t count = view->joints.count;
  program_free_view(view);
  make_end(&j->m);
  return count;
}

static void test_two_writes(void **state) {
  (void)state;
  Joined j;
  begin(&j);
  write_to(&j, 0, j.x);
  write_to(&j, j.other, j.x);
  assert_int_equal(races(&j), 1);
}

static void test_other_objects(void **state) {
  (void)state;
  Joined j;
  begin(&j);
  write_to(&j, 0, j.y);
  write_to(&j, j.other, j.x);
  assert_int_equal(races(&j), 0);
}

static void test_under_one_lock(void **state) {
  (void)state;
  for (unsigned both = 0; both < 2; both++) {
    Joined j;
    begin(&j);
    Term lock = make_address(&j.m, j.lock, 0);
    make_lock(&j.m, 0, STEP_LOCK, lock);
    write_to(&j, 0, j.x);
    make_lock(&j.m, 0, STEP_UNLOCK, lock);
    if (both) make_lock(&j.m, j.other, STEP_LOCK, lock);
    write_to(&j, j.other, j.x);
    if (both) make_lock(&j.m, j.other, STEP_UNLOCK, lock);
    assert_int_equal(races(&j), both ? 0 : 1);
  }
}

// The steps of both threads are those of the edge, and it is asked for exactly where both stand before them.
static void test_where_a_race_is_asked_for(void **state) {
  (void)state;
  Joined j;
  begin(&j);
  write_to(&j, 0, j.x);
  write_to(&j, j.other, j.x);
  Program *view = view_of(&j, PROPERTY_NO_DATA_RACE);
  Transitions t;
  JointIndex index;
  transitions_init(&t, view, NULL);
  joint_index_init(&index, view, NULL);
  EdgeId race = joint_edge_id(view, 0);
  const JointEdge *joint = program_joint(view, race);
  assert_int_equal(joint->kind, JOINT_RACE);
  assert_true(t.edges.data[race].end == ENDS_IN_ERROR && term_is_true(view->terms, t.edges.data[race].guard));
  assert_null(program_joint(view, race - 1));
  LocationId from = view->edges.data[race].from;
  LocationId control[2];
  control[view->locations.data[from].thread] = from;
  control[view->locations.data[joint->partner].thread] = joint->partner;
  U32Vector edges;
  U32Vector_init(&edges, NULL);
  joint_index_list(&index, control, &edges);
  assert_true(edges.count == 1 && edges.data[0] == race);
  for (unsigned gone = 0; gone < 2; gone++) {
    LocationId before = control[gone];
    control[gone] = view->threads.data[gone].final;
    U32Vector_clear(&edges);
    joint_index_list(&index, control, &edges);
    assert_int_equal(edges.count, 0);
    control[gone] = before;
  }
  Bitset cells;
  joint_cells(view, &cells, NULL);
  assert_true(bitset_get(&cells, view->objects.data[j.x].first_cell));
  bitset_free(&cells);
  U32Vector_free(&edges);
  joint_index_free(&index);
  transitions_free(&t);
  program_free_view(view);
  make_end(&j.m);
}

// Both threads wait for the lock. A deadlock is asked for in a row: first the one, then, as the last one, the other.
static void test_row_of_waits(void **state) {
  (void)state;
  Joined j;
  begin(&j);
  make_lock(&j.m, 0, STEP_LOCK, make_address(&j.m, j.lock, 0));
  make_lock(&j.m, j.other, STEP_LOCK, make_address(&j.m, j.lock, 0));
  Program *view = view_of(&j, PROPERTY_NO_DEADLOCK);
  assert_int_equal(view->joints.count, 4);
  Transitions t;
  JointIndex index;
  transitions_init(&t, view, NULL);
  joint_index_init(&index, view, NULL);
  assert_null(view->joints_missing);
  LocationId control[2];
  for (uint32_t k = 0; k < 4; k++) {
    LocationId from = view->edges.data[joint_edge_id(view, k)].from;
    control[view->locations.data[from].thread] = from;
  }
  U32Vector edges;
  U32Vector_init(&edges, NULL);
  for (unsigned row = 0; row < 2; row++) {
    U32Vector_clear(&edges);
    assert_int_equal(joint_edges_only(view, control), row > 0);
    joint_index_list(&index, control, &edges);
    assert_int_equal(edges.count, 1);
    const Transition *asked = &t.edges.data[edges.data[0]];
    assert_false(term_is_constant(view->terms, asked->guard)); // the lock is held
    assert_int_equal(asked->end, row == 0 ? ENDS_NOT : ENDS_IN_ERROR);
    control[view->locations.data[view->edges.data[edges.data[0]].from].thread] = view->edges.data[edges.data[0]].to;
  }
  U32Vector_free(&edges);
  joint_index_free(&index);
  transitions_free(&t);
  program_free_view(view);
  make_end(&j.m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_writes),     cmocka_unit_test(test_other_objects),
      cmocka_unit_test(test_under_one_lock), cmocka_unit_test(test_where_a_race_is_asked_for),
      cmocka_unit_test(test_row_of_waits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
