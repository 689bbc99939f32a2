// The passes after layout: constants, dead code, two-valued inputs, slice, large blocks.
#include "test_program_support.h"

#include "program/passes/pass_list.h"

static Term is(Make *m, VariableId v, uint64_t value) {
  Term t = make_value(m, v);
  return term_eq(m->p->terms, t, make_constant(m, term_width(m->p->terms, t), value));
}

// --- constants ---

static void test_unwritten_cell_is_constant(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId limit = make_object(&m, 4, "limit"), out = make_object(&m, 4, "out");
  m.p->objects.data[limit].initial = arena_allocate_zeroed(&m.p->arena, 4);
  m.p->objects.data[limit].initial[0] = 7;
  VariableId v = make_variable(&m, 0, 32, "v");
  make_load(&m, 0, v, make_address(&m, limit, 0));
  LocationId not_seven = make_branch(&m, 0, is(&m, v, 7));
  make_store(&m, 0, make_address(&m, out, 0), term_add_constant(m.p->terms, make_value(&m, v), 1));
  make_exit(&m, 0);
  m.at[0] = not_seven;
  make_kind(&m, 0, STEP_ERROR);
  passes_prepare(m.p, NULL);
  assert_null(step_of_kind(m.p, STEP_ERROR)); // never reached
  const Step *store = NULL;
  for (size_t s = 0; s < m.p->steps.count; s++)
    if (m.p->steps.data[s].kind == STEP_PLAIN && m.p->steps.data[s].access.writes) store = &m.p->steps.data[s];
  assert_non_null(store);
  assert_int_equal(store->access.stored, make_constant(&m, 32, 8));
  assert_int_equal(m.p->variables.count, 0);
  assert_int_equal(m.p->edges.count, 2); // the store and the exit
  make_end(&m);
}

static void test_heap_load_stays(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId block = program_add_object(m.p, 4, STORAGE_HEAP, 0, "block");
  VariableId v = make_variable(&m, 0, 32, "v");
  make_load(&m, 0, v, make_address(&m, block, 0)); // may be freed: not certain
  make_guarded(&m, 0, STEP_ASSUME, is(&m, v, 0));
  make_exit(&m, 0);
  passes_prepare(m.p, NULL);
  assert_int_equal(count_accesses(m.p), 2);
  make_end(&m);
}

static void test_constants_meet_at_joins(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId out = make_object(&m, 8, "out");
  VariableId c = make_variable(&m, 0, 1, "c"), same = make_variable(&m, 0, 32, "same");
  VariableId d = make_variable(&m, 0, 32, "d");
  make_assign(&m, 0, c, VALUE_INPUT);
  make_assign(&m, 0, same, make_constant(&m, 32, 5));
  LocationId otherwise = make_branch(&m, 0, make_value(&m, c));
  make_assign(&m, 0, d, make_constant(&m, 32, 1));
  LocationId join = m.at[0];
  m.at[0] = otherwise;
  Step step = make_step(&m, STEP_PLAIN);
  Assignment assignment = {d, make_constant(&m, 32, 2)};
  step.assignments = &assignment;
  step.assignment_count = 1;
  make_to(&m, 0, &step, join);
  make_store(&m, 0, make_address(&m, out, 0), make_value(&m, same));
  make_store(&m, 0, make_address(&m, out, 4), make_value(&m, d));
  make_exit(&m, 0);
  passes_prepare(m.p, NULL);
  bool constant = false, variable = false;
  for (size_t s = 0; s < m.p->steps.count; s++) {
    Term stored = m.p->steps.data[s].access.stored;
    if (m.p->steps.data[s].kind != STEP_PLAIN || stored == TERM_NONE) continue;
    constant |= stored == make_constant(&m, 32, 5);
    variable |= stored == make_value(&m, d) || term_operator(m.p->terms, stored) == TERM_VARIABLE;
  }
  assert_true(constant);
  assert_true(variable);
  make_end(&m);
}

static void test_loop_counter_is_not_constant(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  VariableId i = make_variable(&m, 0, 32, "i");
  make_assign(&m, 0, i, make_constant(&m, 32, 0));
  LocationId head = m.at[0];
  Term more = term_binary(m.p->terms, TERM_ULT, make_value(&m, i), make_constant(&m, 32, 3));
  LocationId done = make_branch(&m, 0, more);
  Step step = make_step(&m, STEP_PLAIN);
  Assignment next = {i, term_add_constant(m.p->terms, make_value(&m, i), 1)};
  step.assignments = &next;
  step.assignment_count = 1;
  make_to(&m, 0, &step, head);
  m.at[0] = done;
  make_guarded(&m, 0, STEP_ASSUME, is(&m, i, 3));
  make_kind(&m, 0, STEP_ERROR);
  passes_prepare(m.p, NULL);
  assert_non_null(step_of_kind(m.p, STEP_ERROR));
  size_t heads = 0, back = 0;
  for (size_t l = 0; l < m.p->locations.count; l++) heads += m.p->locations.data[l].loop_head;
  for (size_t e = 0; e < m.p->edges.count; e++) back += m.p->edges.data[e].back;
  assert_int_equal(heads, 1);
  assert_int_equal(back, 1);
  make_end(&m);
}

static void test_guard_teaches(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId table = make_object(&m, 16, "table");
  VariableId i = make_variable(&m, 0, 64, "i");
  make_assign(&m, 0, i, VALUE_INPUT);
  make_guarded(&m, 0, STEP_ASSUME, is(&m, i, 2));
  Term scaled = term_binary(m.p->terms, TERM_MUL, make_value(&m, i), make_constant(&m, 64, 4));
  make_store(&m, 0, term_add(m.p->terms, make_address(&m, table, 0), scaled), make_constant(&m, 32, 1));
  make_exit(&m, 0);
  passes_prepare(m.p, NULL);
  for (size_t s = 0; s < m.p->steps.count; s++) {
    const Access *access = &m.p->steps.data[s].access;
    if (m.p->steps.data[s].kind != STEP_PLAIN || !access->writes) continue;
    assert_int_equal(access->address, make_address(&m, table, 8));
    assert_int_equal(access->cells.count, 1); // narrowed
  }
  assert_true(cell_named(m.p, "table[2]")->written);
  assert_false(cell_named(m.p, "table[1]")->written);
  make_end(&m);
}

static void test_thread_that_nobody_creates(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId created = make_thread(&m, 0, 0, "created"), lost = make_thread(&m, 0, 1, "lost");
  ThreadId lost_too = make_thread(&m, lost, 0, "lost too");
  ObjectId x = make_object(&m, 4, "x");
  VariableId v = make_variable(&m, created, 32, "v");
  make_create(&m, 0, created);
  make_exit(&m, 0);
  make_load(&m, created, v, make_address(&m, x, 0));
  make_guarded(&m, created, STEP_ASSUME, is(&m, v, 0));
  make_exit(&m, created);
  make_create(&m, lost, lost_too);
  make_exit(&m, lost);
  make_store(&m, lost_too, make_address(&m, x, 0), make_constant(&m, 32, 1));
  make_exit(&m, lost_too);
  passes_prepare(m.p, NULL);
  assert_int_equal(m.p->threads.count, 4);
  assert_int_equal(m.p->locations.data[m.p->threads.data[lost].entry].out_count, 1); // the START that never happens
  assert_false(cell_named(m.p, "x")->written);
  assert_null(step_of_kind(m.p, STEP_UNLOCK));
  size_t starts = 0;
  for (size_t s = 0; s < m.p->steps.count; s++) starts += m.p->steps.data[s].kind == STEP_START;
  assert_int_equal(starts, 3);
  make_end(&m);
}

static void test_false_waits_stay(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  make_guarded(&m, 0, STEP_WAIT, term_false(m.p->terms));
  make_kind(&m, 0, STEP_ERROR);
  passes_prepare(m.p, NULL);
  assert_non_null(step_of_kind(m.p, STEP_WAIT)); // it says that the thread blocks
  assert_null(step_of_kind(m.p, STEP_ERROR));
  make_end(&m);
}

// --- dead code ---

static void test_dead_code(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId x = make_object(&m, 4, "x");
  VariableId divisor = make_variable(&m, 0, 32, "divisor");
  make_kind(&m, 0, STEP_PLAIN);
  make_assign(&m, 0, divisor, make_constant(&m, 32, 3));
  Step divide = make_step(&m, STEP_DIVIDE);
  divide.operand = make_value(&m, divisor);
  make_emit(&m, 0, &divide);
  make_kind(&m, 0, STEP_PLAIN);
  make_store(&m, 0, make_address(&m, x, 0), make_constant(&m, 32, 1));
  make_kind(&m, 0, STEP_PLAIN);
  make_exit(&m, 0);
  passes_prepare(m.p, NULL);
  assert_int_equal(m.p->edges.count, 2);
  assert_null(step_of_kind(m.p, STEP_DIVIDE));
  assert_int_equal(m.p->variables.count, 0);
  make_end(&m);
}

static void test_self_counting_loop(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId x = make_object(&m, 4, "x");
  VariableId self = make_variable(&m, 0, 32, "self"), v = make_variable(&m, 0, 32, "v");
  make_assign(&m, 0, self, make_constant(&m, 32, 0));
  LocationId head = m.at[0];
  make_store(&m, 0, make_address(&m, x, 0), make_constant(&m, 32, 1));
  make_load(&m, 0, v, make_address(&m, x, 0));
  Step step = make_step(&m, STEP_PLAIN);
  Assignment count = {self, term_add_constant(m.p->terms, make_value(&m, self), 1)};
  step.assignments = &count;
  step.assignment_count = 1;
  make_to(&m, 0, &step, head);
  passes_prepare(m.p, NULL);
  assert_valid(m.p);
  assert_int_equal(m.p->variables.count, 1); // v, which an access fills
  assert_int_equal(count_accesses(m.p), 2);
  size_t back = 0;
  for (size_t e = 0; e < m.p->edges.count; e++) back += m.p->edges.data[e].back;
  assert_int_equal(back, 1); // it still loops
  make_end(&m);
}

static void test_fingerprint(void **state) {
  (void)state;
  uint64_t prints[3];
  for (unsigned i = 0; i < 3; i++) {
    Make m;
    make_begin(&m, 64);
    if (i == 1) term_variable(m.p->terms, sort_bits(8), "other handles"); // the same program, other term numbers
    ObjectId x = make_object(&m, 4, "x");
    make_store(&m, 0, make_address(&m, x, 0), make_constant(&m, 32, i == 2 ? 2 : 1));
    make_exit(&m, 0);
    passes_prepare(m.p, NULL);
    prints[i] = m.p->fingerprint;
    for (size_t s = 0; s < m.p->steps.count; s++) assert_int_equal(m.p->steps.data[s].origin, s);
    make_end(&m);
  }
  assert_true(prints[0] == prints[1]);
  assert_true(prints[0] != prints[2]);
}

// --- inputs ---

// How many bits of input the program takes in all its steps.
static unsigned input_bits(const Program *p) {
  unsigned bits = 0;
  for (size_t s = 0; s < p->steps.count; s++)
    for (uint32_t i = 0; i < p->steps.data[s].assignment_count; i++)
      if (p->steps.data[s].assignments[i].value == VALUE_INPUT)
        bits += term_width(p->terms, variable_term(p, p->steps.data[s].assignments[i].variable));
  return bits;
}

static void test_inputs_tested_for_truth(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId flag = make_object(&m, 4, "flag");
  VariableId t = make_variable(&m, 0, 32, "t"), copy = make_variable(&m, 0, 32, "copy");
  VariableId l = make_variable(&m, 0, 32, "l");
  make_assign(&m, 0, t, VALUE_INPUT);
  make_assign(&m, 0, copy, make_value(&m, t));
  make_store(&m, 0, make_address(&m, flag, 0), make_value(&m, copy));
  make_load(&m, 0, l, make_address(&m, flag, 0));
  LocationId zero = make_branch(&m, 0, term_is_nonzero(m.p->terms, make_value(&m, l)));
  make_kind(&m, 0, STEP_ERROR);
  m.at[0] = zero;
  make_exit(&m, 0);
  passes_prepare(m.p, NULL);
  assert_int_equal(input_bits(m.p), 1);
  make_end(&m);
}

static void test_inputs_looked_at_closely(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    Make m;
    make_begin(&m, 64);
    ObjectId flag = make_object(&m, 4, "flag");
    VariableId t = make_variable(&m, 0, 32, "t"), l = make_variable(&m, 0, 32, "l"), b = make_variable(&m, 0, 8, "b");
    make_assign(&m, 0, t, VALUE_INPUT);
    make_store(&m, 0, make_address(&m, flag, 0), make_value(&m, t));
    make_load(&m, 0, l, make_address(&m, flag, 0));
    if (way == 0) make_guarded(&m, 0, STEP_ASSUME, is(&m, l, 3));
    if (way == 1) make_guarded(&m, 0, STEP_ASSUME, term_extract(m.p->terms, make_value(&m, t), 0, 0));
    if (way == 2) make_load(&m, 0, b, make_address(&m, flag, 1)); // a byte of it
    make_guarded(&m, 0, STEP_ASSUME, term_is_nonzero(m.p->terms, make_value(&m, l)));
    if (way == 2) make_guarded(&m, 0, STEP_ASSUME, term_is_nonzero(m.p->terms, make_value(&m, b)));
    make_exit(&m, 0);
    passes_prepare(m.p, NULL);
    assert_int_equal(input_bits(m.p), 32);
    make_end(&m);
  }
}

// --- slice ---

static void test_slice(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId other = make_thread(&m, 0, 0, "other");
  ObjectId log = make_object(&m, 4, "log"), flag = make_object(&m, 4, "flag");
  VariableId n = make_variable(&m, 0, 32, "n"), f = make_variable(&m, 0, 32, "f");
  VariableId w = make_variable(&m, other, 32, "w");
  make_create(&m, 0, other);
  make_load(&m, 0, n, make_address(&m, log, 0)); // log only depends on log
  make_store(&m, 0, make_address(&m, log, 0), term_add_constant(m.p->terms, make_value(&m, n), 1));
  make_load(&m, 0, f, make_address(&m, flag, 0));
  LocationId zero = make_branch(&m, 0, term_is_nonzero(m.p->terms, make_value(&m, f)));
  make_kind(&m, 0, STEP_ERROR);
  m.at[0] = zero;
  make_exit(&m, 0);
  make_load(&m, other, w, make_address(&m, log, 0));
  make_store(&m, other, make_address(&m, flag, 0), make_constant(&m, 32, 1));
  make_store(&m, other, make_address(&m, log, 0), make_value(&m, w));
  make_exit(&m, other);
  passes_prepare(m.p, NULL);
  size_t before = count_accesses(m.p), edges = m.p->edges.count;
  Program *races = program_view(m.p);
  passes_reduce(races, PRESERVES_RACES, BLOCK_STEP);
  assert_int_equal(count_accesses(races), before); // nothing may go
  assert_int_equal(races->edges.count, edges);
  program_free_view(races);
  Program *view = program_view(m.p);
  passes_reduce(view, PRESERVES_REACHABILITY, BLOCK_STEP);
  assert_int_equal(count_accesses(view), before - 4);
  assert_int_equal(view->edges.count, edges);
  assert_false(cell_named(view, "log")->shared);
  assert_true(cell_named(view, "flag")->shared);
  assert_true(cell_named(m.p, "log")->shared); // the program is as it was
  program_free_view(view);
  make_end(&m);
}

// --- large blocks ---

static Program *large_view(Make *m) {
  passes_prepare(m->p, NULL);
  Program *view = program_view(m->p);
  pass_large_blocks(view);
  assert_valid(view);
  return view;
}

// The edges out of the target of the thread's first edge (its START).
static EdgeId only_edge(const Program *p, LocationId from) {
  assert_int_equal(p->locations.data[from].out_count, 1);
  return p->out_edges.data[p->locations.data[from].first_out];
}

static void test_blocks_hold_one_shared_access(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId other = make_thread(&m, 0, 0, "other");
  ObjectId x = make_object(&m, 4, "x"), own = make_object(&m, 4, "own");
  VariableId v = make_variable(&m, other, 32, "v"), w = make_variable(&m, other, 32, "w");
  make_create(&m, 0, other);
  make_store(&m, 0, make_address(&m, x, 0), make_constant(&m, 32, 1));
  make_exit(&m, 0);
  make_load(&m, other, v, make_address(&m, x, 0));                    // visible
  make_store(&m, other, make_address(&m, own, 0), make_value(&m, v)); // local
  make_load(&m, other, w, make_address(&m, own, 0));                  // local
  LocationId odd = make_branch(&m, other, is(&m, w, 0));
  make_store(&m, other, make_address(&m, x, 0), make_constant(&m, 32, 2)); // visible
  make_exit(&m, other);
  m.at[other] = odd;
  make_kind(&m, other, STEP_ERROR);
  Program *view = large_view(&m);
  EdgeId start = only_edge(view, view->threads.data[other].entry);
  assert_int_equal(view->edges.data[start].step_count, 1);
  LocationId after = view->edges.data[start].to;
  assert_int_equal(view->locations.data[after].out_count, 2); // one block per side of the branch
  for (uint32_t i = 0; i < 2; i++) {
    const Edge *block = &view->edges.data[view->out_edges.data[view->locations.data[after].first_out + i]];
    assert_int_equal(block->step_count, 4);
    assert_true(view->steps.data[block->first_step].access.reads);
    // Each step says which one of the program it is.
    for (uint32_t s = 0; s < 4; s++) {
      const Step *step = &view->steps.data[block->first_step + s];
      assert_int_equal(m.p->steps.data[step->origin].guard, step->guard);
    }
  }
  const Step *error = step_of_kind(view, STEP_ERROR);
  assert_non_null(error);
  program_free_view(view);
  make_end(&m);
}

// After a visible write nothing may be joined that can fail, or the write would be lost with it.
static void test_assumption_does_not_swallow_a_write(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    Make m;
    make_begin(&m, 64);
    ThreadId other = make_thread(&m, 0, 0, "other");
    ObjectId x = make_object(&m, 4, "x");
    VariableId v = make_variable(&m, other, 32, "v"), w = make_variable(&m, 0, 32, "w");
    make_create(&m, 0, other);
    make_load(&m, 0, w, make_address(&m, x, 0));
    make_guarded(&m, 0, STEP_ASSUME, is(&m, w, 1));
    make_exit(&m, 0);
    make_assign(&m, other, v, VALUE_INPUT);
    make_store(&m, other, make_address(&m, x, 0), make_constant(&m, 32, 1));
    // An assumption, or a plain step whose guard leaves a gap.
    make_guarded(&m, other, way == 0 ? STEP_ASSUME : STEP_PLAIN, is(&m, v, 2));
    make_exit(&m, other);
    Program *view = large_view(&m);
    for (size_t e = 0; e < view->edges.count; e++) {
      const Edge *edge = &view->edges.data[e];
      bool wrote = false;
      for (uint32_t s = 0; s < edge->step_count; s++) {
        const Step *step = &view->steps.data[edge->first_step + s];
        assert_false(wrote && !term_is_true(view->terms, step->guard));
        wrote |= step->access.writes;
      }
    }
    // Reading, though, may be followed by the assumption.
    LocationId after = view->edges.data[only_edge(view, view->threads.data[0].entry)].to;
    assert_int_equal(view->edges.data[only_edge(view, after)].step_count, 2);
    program_free_view(view);
    make_end(&m);
  }
}

static void test_blocks_stop_at_loop_heads(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  VariableId i = make_variable(&m, 0, 32, "i");
  make_assign(&m, 0, i, VALUE_INPUT);
  LocationId head = m.at[0];
  LocationId done = make_branch(&m, 0, term_is_nonzero(m.p->terms, make_value(&m, i)));
  Step step = make_step(&m, STEP_PLAIN);
  Assignment next = {i, term_add_constant(m.p->terms, make_value(&m, i), -1)};
  step.assignments = &next;
  step.assignment_count = 1;
  make_to(&m, 0, &step, head);
  m.at[0] = done;
  make_guarded(&m, 0, STEP_ASSUME, is(&m, i, 0));
  make_kind(&m, 0, STEP_ERROR);
  Program *view = large_view(&m);
  LocationId at = view->edges.data[only_edge(view, view->threads.data[0].entry)].to;
  assert_true(view->locations.data[at].loop_head);
  assert_int_equal(view->locations.data[at].out_count, 2);
  size_t back = 0;
  for (size_t e = 0; e < view->edges.count; e++) {
    back += view->edges.data[e].back;
    if (view->edges.data[e].back) assert_int_equal(view->edges.data[e].from, view->edges.data[e].to);
  }
  assert_int_equal(back, 1);
  program_free_view(view);
  make_end(&m);
}

// Thread `other` runs an atomic section with a branch inside; `loops` adds a loop to it.
static Program *section_view(Make *m, bool loops) {
  make_begin(m, 64);
  ThreadId other = make_thread(m, 0, 0, "other");
  ObjectId x = make_object(m, 4, "x"), y = make_object(m, 4, "y");
  VariableId v = make_variable(m, other, 32, "v");
  make_create(m, 0, other);
  make_store(m, 0, make_address(m, x, 0), make_constant(m, 32, 1));
  make_store(m, 0, make_address(m, y, 0), make_constant(m, 32, 1));
  make_exit(m, 0);
  m->atomic = true;
  make_kind(m, other, STEP_ATOMIC_BEGIN);
  LocationId head = m->at[other];
  make_load(m, other, v, make_address(m, x, 0));
  LocationId zero = make_branch(m, other, term_is_nonzero(m->p->terms, make_value(m, v)));
  if (loops) {
    make_jump(m, other, head);
    m->at[other] = zero;
    zero = NO_ID;
  }
  make_store(m, other, make_address(m, y, 0), make_value(m, v));
  LocationId end = m->at[other];
  if (zero != NO_ID) {
    m->at[other] = zero;
    make_jump(m, other, end);
  }
  m->atomic = false;
  make_kind(m, other, STEP_ATOMIC_END);
  make_exit(m, other);
  return large_view(m);
}

static void test_sections_become_paths(void **state) {
  (void)state;
  Make m;
  Program *view = section_view(&m, false);
  LocationId after = view->edges.data[only_edge(view, view->threads.data[1].entry)].to;
  assert_int_equal(view->locations.data[after].out_count, 2);
  for (size_t l = 0; l < view->locations.count; l++) assert_false(view->locations.data[l].atomic);
  for (uint32_t i = 0; i < 2; i++) {
    const Edge *path = &view->edges.data[view->out_edges.data[view->locations.data[after].first_out + i]];
    assert_int_equal(view->steps.data[path->first_step].kind, STEP_ATOMIC_BEGIN);
    assert_int_equal(view->steps.data[path->first_step + path->step_count - 1].kind, STEP_ATOMIC_END);
  }
  program_free_view(view);
  make_end(&m);
}

static void test_cyclic_sections_stay(void **state) {
  (void)state;
  Make m;
  Program *view = section_view(&m, true);
  size_t atomic = 0;
  for (size_t l = 0; l < view->locations.count; l++) atomic += view->locations.data[l].atomic;
  assert_true(atomic >= 3);
  for (size_t e = 0; e < view->edges.count; e++)
    if (view->locations.data[view->edges.data[e].from].atomic) assert_int_equal(view->edges.data[e].step_count, 1);
  program_free_view(view);
  make_end(&m);
}

// Thread `other` counts to `limit` in a section, and stores each number.
static Program *counting_view(Make *m, uint64_t limit) {
  make_begin(m, 64);
  ThreadId other = make_thread(m, 0, 0, "other");
  ObjectId x = make_object(m, 4, "x");
  VariableId i = make_variable(m, other, 32, "i");
  make_create(m, 0, other);
  make_store(m, 0, make_address(m, x, 0), make_constant(m, 32, 1));
  make_exit(m, 0);
  m->atomic = true;
  make_kind(m, other, STEP_ATOMIC_BEGIN);
  make_assign(m, other, i, make_constant(m, 32, 0));
  LocationId head = m->at[other], done = make_branch(m, other, term_not(m->p->terms, is(m, i, limit)));
  make_store(m, other, make_address(m, x, 0), make_value(m, i));
  make_assign(m, other, i, term_add_constant(m->p->terms, make_value(m, i), 1));
  make_jump(m, other, head);
  m->at[other] = done;
  m->atomic = false;
  make_kind(m, other, STEP_ATOMIC_END);
  make_exit(m, other);
  return large_view(m);
}

static void test_sections_that_count_become_paths(void **state) {
  (void)state;
  Make m;
  Program *view = counting_view(&m, 3);
  const Edge *section =
      &view->edges.data[only_edge(view, view->edges.data[only_edge(view, view->threads.data[1].entry)].to)];
  uint32_t stores = 0, counts = 0;
  for (uint32_t s = 0; s < section->step_count; s++) {
    const Step *step = &view->steps.data[section->first_step + s];
    stores += step->access.writes;
    counts += step->assignment_count;
  }
  assert_int_equal(stores, 3);
  assert_int_equal(counts, 1 + 3);
  assert_false(section->back);
  for (size_t l = 0; l < view->locations.count; l++) assert_false(view->locations.data[l].atomic);
  program_free_view(view);
  make_end(&m);
  view = counting_view(&m, 1000); // too long
  size_t atomic = 0;
  for (size_t l = 0; l < view->locations.count; l++) atomic += view->locations.data[l].atomic;
  assert_true(atomic >= 3);
  program_free_view(view);
  make_end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unwritten_cell_is_constant),
      cmocka_unit_test(test_heap_load_stays),
      cmocka_unit_test(test_constants_meet_at_joins),
      cmocka_unit_test(test_loop_counter_is_not_constant),
      cmocka_unit_test(test_guard_teaches),
      cmocka_unit_test(test_thread_that_nobody_creates),
      cmocka_unit_test(test_false_waits_stay),
      cmocka_unit_test(test_dead_code),
      cmocka_unit_test(test_self_counting_loop),
      cmocka_unit_test(test_fingerprint),
      cmocka_unit_test(test_inputs_tested_for_truth),
      cmocka_unit_test(test_inputs_looked_at_closely),
      cmocka_unit_test(test_slice),
      cmocka_unit_test(test_blocks_hold_one_shared_access),
      cmocka_unit_test(test_assumption_does_not_swallow_a_write),
      cmocka_unit_test(test_blocks_stop_at_loop_heads),
      cmocka_unit_test(test_sections_become_paths),
      cmocka_unit_test(test_cyclic_sections_stay),
      cmocka_unit_test(test_sections_that_count_become_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
