// The program model: building, looking up, views, and the validator, which finds every kind of damage.
#include "test_program_support.h"

#include "program/dot.h"

static void test_names(void **state) {
  (void)state;
  assert_string_equal(step_kind_name(STEP_PLAIN), "");
  assert_string_equal(step_kind_name(STEP_HAVOC), "havoc");
  assert_string_equal(cut_kind_text(CUT_HEAP), "heap limit");
  assert_string_equal(assumption_text(ASSUME_WRAPPING), "signed overflow wraps");
}

static void test_thread_paths(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId a = make_thread(&m, 0, 1, "worker"), b = make_thread(&m, a, 0, "helper");
  assert_string_equal(m.p->threads.data[0].path, "0");
  assert_string_equal(m.p->threads.data[a].path, "0.1");
  assert_string_equal(m.p->threads.data[b].path, "0.1.0");
  assert_valid(m.p);
  make_end(&m);
}

static void test_objects_have_gaps_and_are_found(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 32);
  ObjectId a = make_object(&m, 5, "a"), big = make_object(&m, 100000, "big"), c = make_object(&m, 1, "c");
  const Object *objects = m.p->objects.data;
  assert_int_equal(objects[a].address % 16, 0);
  assert_true(objects[big].address - (objects[a].address + 5) >= 100000);
  assert_true(objects[c].address - (objects[big].address + 100000) >= 100000);
  assert_int_equal(program_object_at(m.p, objects[a].address), a);
  assert_int_equal(program_object_at(m.p, objects[a].address + 5), a); // its end
  assert_int_equal(program_object_at(m.p, objects[a].address + 6), NO_ID);
  assert_int_equal(program_object_at(m.p, objects[big].address + 77777), big);
  assert_int_equal(program_object_at(m.p, 0), NO_ID);
  assert_int_equal(program_object_at(m.p, UINT64_MAX), NO_ID);
  assert_int_equal(program_add_object(m.p, UINT64_C(1) << 33, STORAGE_GLOBAL, NO_ID, "huge"), NO_ID);
  make_end(&m);
}

static void test_variables_and_cells_are_found(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  VariableId x = make_variable(&m, 0, 32, "x");
  Term stranger = term_variable(m.p->terms, sort_bits(8), "stranger");
  assert_int_equal(program_variable_of_term(m.p, make_value(&m, x)), x);
  assert_int_equal(program_variable_of_term(m.p, stranger), NO_ID);
  ObjectId o = make_object(&m, 16, "o");
  uint64_t address = m.p->objects.data[o].address;
  CellId first = program_add_cell(m.p, o, address, 4, make_constant(&m, 32, 0), "o");
  CellId second = program_add_cell(m.p, o, address + 8, 8, TERM_NONE, "o+8");
  assert_int_equal(program_cell_at(m.p, address), first);
  assert_int_equal(program_cell_at(m.p, address + 8), second);
  assert_int_equal(program_cell_at(m.p, address + 4), NO_ID);
  assert_int_equal(program_cell_at(m.p, address + 16), NO_ID);
  assert_int_equal(m.p->objects.data[o].cell_count, 2);
  make_end(&m);
}

static void test_edges_copy_their_step(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  VariableId x = make_variable(&m, 0, 32, "x");
  Assignment assignment = {x, make_constant(&m, 32, 1)};
  Step step = make_step(&m, STEP_PLAIN);
  step.assignments = &assignment;
  step.assignment_count = 1;
  EdgeId edge = make_emit(&m, 0, &step);
  assignment.value = make_constant(&m, 32, 2);
  assert_int_equal(edge_only_step(m.p, edge)->assignments[0].value, make_constant(&m, 32, 1));
  EdgeId other = make_kind(&m, 0, STEP_HALT);
  program_index(m.p);
  const Location *middle = &m.p->locations.data[m.p->edges.data[edge].to];
  assert_int_equal(middle->in_count, 1);
  assert_int_equal(m.p->in_edges.data[middle->first_in], edge);
  assert_int_equal(middle->out_count, 1);
  assert_int_equal(m.p->out_edges.data[middle->first_out], other);
  make_end(&m);
}

static void test_view_is_independent(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ObjectId flag = make_object(&m, 4, "flag");
  VariableId x = make_variable(&m, 0, 32, "x");
  make_store(&m, 0, make_address(&m, flag, 0), make_constant(&m, 32, 1));
  make_load(&m, 0, x, make_address(&m, flag, 0));
  make_guarded(&m, 0, STEP_ASSUME, term_is_nonzero(m.p->terms, make_value(&m, x)));
  make_exit(&m, 0);
  passes_prepare(m.p, NULL);
  size_t steps = m.p->steps.count, variables = m.p->variables.count;
  Program *view = program_view(m.p);
  view->steps.data[0].kind = STEP_HALT;
  view->edges.count = 0;
  program_add_variable(view, 0, 8, "more", true);
  assert_int_equal(m.p->steps.data[0].kind, STEP_PLAIN);
  assert_int_equal(m.p->steps.count, steps);
  assert_int_equal(m.p->variables.count, variables);
  assert_ptr_equal(view->terms, m.p->terms);
  program_free_view(view);
  assert_valid(m.p);
  make_end(&m);
}

// --- the validator ---

typedef void Damage(Make *m);

// A valid program with one of most things, then one thing broken: the message must hold `expected`.
static void check_damage(Damage *damage, const char *expected) {
  Make m;
  make_begin(&m, 64);
  ThreadId other = make_thread(&m, 0, 0, "other");
  ObjectId flag = make_object(&m, 8, "flag");
  VariableId x = make_variable(&m, 0, 32, "x"), y = make_variable(&m, 0, 32, "y");
  make_create(&m, 0, other);                                                  // edge 1, after the START
  make_load(&m, 0, x, make_address(&m, flag, 0));                             // 2
  make_store(&m, 0, make_address(&m, flag, 0), make_value(&m, x));            // 3
  make_assign(&m, 0, y, term_add_constant(m.p->terms, make_value(&m, x), 1)); // 4
  make_assign(&m, 0, x, VALUE_INPUT);                                         // 5
  make_exit(&m, 0);                                                           // 6
  make_exit(&m, other);                                                       // 7
  VariableId z = make_variable(&m, other, 32, "z");
  assert_int_equal(z, m.p->variables.count - 1);
  program_index(m.p);
  assert_valid(m.p);
  damage(&m);
  const char *error = program_validate(m.p);
  assert_non_null(error);
  if (!strstr(error, expected)) fail_msg("expected \"%s\", got \"%s\"", expected, error);
  make_end(&m);
}

static void damage_guard(Make *m) { edge_only_step(m->p, 2)->guard = make_constant(m, 8, 1); }
static void damage_no_guard(Make *m) { edge_only_step(m->p, 2)->guard = TERM_NONE; }
static void damage_address(Make *m) { edge_only_step(m->p, 2)->access.address = make_constant(m, 32, 1); }
static void damage_bytes(Make *m) { edge_only_step(m->p, 2)->access.bytes = 17; }
static void damage_into(Make *m) { edge_only_step(m->p, 2)->access.into = NO_ID; }
static void damage_into_width(Make *m) { edge_only_step(m->p, 2)->access.bytes = 2; }
static void damage_into_thread(Make *m) {
  edge_only_step(m->p, 2)->access.into = (VariableId)m->p->variables.count - 1;
}
static void damage_stored(Make *m) { edge_only_step(m->p, 3)->access.stored = make_constant(m, 8, 1); }
static void damage_writes(Make *m) { edge_only_step(m->p, 3)->access.writes = false; }
static void damage_no_address(Make *m) { edge_only_step(m->p, 3)->access.address = TERM_NONE; }
static void damage_cells(Make *m) { edge_only_step(m->p, 3)->access.cells = (CellSet){3, 2}; }
static void damage_value_width(Make *m) { edge_only_step(m->p, 4)->assignments[0].value = make_constant(m, 1, 0); }
static void damage_value_thread(Make *m) {
  edge_only_step(m->p, 4)->assignments[0].value = make_value(m, (VariableId)m->p->variables.count - 1);
}
static void damage_assigned_thread(Make *m) {
  edge_only_step(m->p, 4)->assignments[0].variable = (VariableId)m->p->variables.count - 1;
}
static void damage_fresh(Make *m) {
  Step *step = edge_only_step(m->p, 5);
  step->guard = term_is_nonzero(m->p->terms, make_value(m, step->assignments[0].variable));
}
static void damage_twice(Make *m) {
  Assignment twice[2] = {edge_only_step(m->p, 4)->assignments[0], edge_only_step(m->p, 4)->assignments[0]};
  edge_only_step(m->p, 4)->assignments = arena_copy(&m->p->arena, twice, sizeof twice);
  edge_only_step(m->p, 4)->assignment_count = 2;
}
static void damage_target(Make *m) { edge_only_step(m->p, 1)->target = 99; }
static void damage_start(Make *m) { edge_only_step(m->p, 2)->kind = STEP_START; }
static void damage_exit(Make *m) { edge_only_step(m->p, 3)->kind = STEP_EXIT; }
static void damage_divide(Make *m) { edge_only_step(m->p, 4)->kind = STEP_DIVIDE; }
static void damage_block(Make *m) { edge_only_step(m->p, 4)->kind = STEP_COPY; }
static void damage_final(Make *m) { m->p->locations.data[m->p->edges.data[4].from].final = true; }
static void damage_other_thread(Make *m) { m->p->edges.data[4].to = m->p->threads.data[1].entry; }
static void damage_steps(Make *m) { m->p->edges.data[4].step_count = 0; }
static void damage_shared_step(Make *m) { m->p->edges.data[4].first_step = m->p->edges.data[3].first_step; }
static void damage_back(Make *m) { m->p->edges.data[4].back = true; }
static void damage_index(Make *m) { m->p->locations.data[m->p->edges.data[4].from].out_count = 0xffff; }
static void damage_entry(Make *m) { m->p->threads.data[1].entry = m->p->threads.data[0].entry; }
static void damage_final_flag(Make *m) { m->p->locations.data[m->p->threads.data[1].final].final = false; }
static void damage_parent(Make *m) { m->p->threads.data[1].parent = NO_ID; }
static void damage_atomic_entry(Make *m) { m->p->locations.data[m->p->threads.data[0].entry].atomic = true; }
static void damage_object(Make *m) { m->p->objects.data[1].address = m->p->objects.data[0].address + 48; }
static void damage_alignment(Make *m) { m->p->objects.data[1].address++; }
static void damage_variable(Make *m) { m->p->variables.data[0].term = m->p->variables.data[1].term; }
static void add_two_cells(Make *m) {
  const Object *flag = &m->p->objects.data[m->p->objects.count - 1];
  ObjectId id = (ObjectId)m->p->objects.count - 1;
  program_add_cell(m->p, id, flag->address, 4, make_constant(m, 32, 0), "flag");
  program_add_cell(m->p, id, flag->address + 4, 4, TERM_NONE, "flag+4");
  for (uint32_t c = 0; c < 2; c++) U32Vector_push(&m->p->cell_lists, c);
  for (size_t s = 0; s < m->p->steps.count; s++)
    if (m->p->steps.data[s].access.address != TERM_NONE) m->p->steps.data[s].access.cells.count = 1;
  assert_valid(m->p);
}
static void damage_cell_overlap(Make *m) {
  add_two_cells(m);
  m->p->cells.data[1].address -= 2;
}
static void damage_cell_outside(Make *m) {
  add_two_cells(m);
  m->p->cells.data[1].address += 4;
}
static void damage_cell_size(Make *m) {
  add_two_cells(m);
  m->p->cells.data[1].bytes = 3;
}
static void damage_cell_term(Make *m) {
  add_two_cells(m);
  m->p->cells.data[1].term = m->p->cells.data[0].term;
}
static void damage_cell_initial(Make *m) {
  add_two_cells(m);
  m->p->cells.data[0].initial = make_constant(m, 8, 0);
}
static void damage_cell_shared(Make *m) {
  add_two_cells(m);
  m->p->cells.data[0].shared = true;
}
static void damage_cell_order(Make *m) {
  add_two_cells(m);
  m->p->cell_lists.data[0] = 1;
  edge_only_step(m->p, 3)->access.cells = (CellSet){0, 2};
}
static void damage_invalid(Make *m) {
  add_two_cells(m);
  edge_only_step(m->p, 3)->access.invalid = true;
}

static void test_validator_finds_damage(void **state) {
  (void)state;
  check_damage(damage_guard, "not a truth value");
  check_damage(damage_no_guard, "guard is missing");
  check_damage(damage_address, "width of a pointer");
  check_damage(damage_bytes, "odd size");
  check_damage(damage_into, "reads into nothing");
  check_damage(damage_into_width, "variable of another width");
  check_damage(damage_into_thread, "loads into a variable of another thread");
  check_damage(damage_stored, "what it stores");
  check_damage(damage_writes, "neither reads nor writes");
  check_damage(damage_no_address, "without an address");
  check_damage(damage_cells, "cell set does not exist");
  check_damage(damage_value_width, "right side has another width");
  check_damage(damage_value_thread, "reads a variable of another thread");
  check_damage(damage_assigned_thread, "assigns to a variable of another thread");
  check_damage(damage_fresh, "makes fresh");
  check_damage(damage_twice, "twice");
  check_damage(damage_target, "target does not exist");
  check_damage(damage_start, "first step");
  check_damage(damage_exit, "final location");
  check_damage(damage_divide, "operand is missing");
  check_damage(damage_block, "block");
  check_damage(damage_final, "leaves a final location");
  check_damage(damage_other_thread, "another thread");
  check_damage(damage_steps, "steps do not exist");
  check_damage(damage_shared_step, "shares a step");
  check_damage(damage_back, "loop head");
  check_damage(damage_index, "out of date");
  check_damage(damage_entry, "entry");
  check_damage(damage_final_flag, "not marked final");
  check_damage(damage_parent, "parent");
  check_damage(damage_atomic_entry, "atomic section");
  check_damage(damage_object, "too near");
  check_damage(damage_alignment, "not aligned");
  check_damage(damage_variable, "leads to another variable");
  check_damage(damage_cell_overlap, "overlaps");
  check_damage(damage_cell_outside, "outside its object");
  check_damage(damage_cell_size, "none of 1, 2, 4, 8, 16");
  check_damage(damage_cell_term, "leads to another cell");
  check_damage(damage_cell_initial, "initial value");
  check_damage(damage_cell_shared, "never written");
  check_damage(damage_cell_order, "not sorted");
  check_damage(damage_invalid, "`invalid`");
}

// --- printing ---

static void test_printing(void **state) {
  (void)state;
  Make m;
  make_begin(&m, 64);
  ThreadId other = make_thread(&m, 0, 0, "other");
  ObjectId flag = make_object(&m, 4, "flag");
  VariableId x = make_variable(&m, 0, 32, "x");
  make_create(&m, 0, other);
  EdgeId load = make_load(&m, 0, x, make_address(&m, flag, 0));
  Step *step = edge_only_step(m.p, load);
  step->guard = term_eq(m.p->terms, make_value(&m, x), make_constant(&m, 32, 3));
  Assignment more = {make_variable(&m, 0, 32, "y"), term_add_constant(m.p->terms, make_value(&m, x), 1)};
  step->assignments = arena_copy(&m.p->arena, &more, sizeof more);
  step->assignment_count = 1;
  make_exit(&m, 0);
  make_store(&m, other, make_address(&m, flag, 0), make_constant(&m, 32, 3));
  make_exit(&m, other);
  Text out;
  text_init(&out, &m.account);
  step_print(m.p, step, &out);
  assert_string_equal(out.data, "[x == 3] x := *(&flag); y = x + 1");
  passes_prepare(m.p, NULL);
  text_clear(&out);
  program_print_cells(m.p, &out);
  assert_non_null(strstr(out.data, "flag"));
  text_clear(&out);
  program_print_access(m.p, &out);
  assert_non_null(strstr(out.data, "thread 0.0 (other)\n"));
  assert_non_null(strstr(out.data, "writes flag\n"));
  text_clear(&out);
  program_print_dot(m.p, &out);
  assert_non_null(strstr(out.data, "subgraph cluster_1 {"));
  assert_non_null(strstr(out.data, "create 0.0"));
  text_free(&out);
  make_end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_thread_paths),
      cmocka_unit_test(test_objects_have_gaps_and_are_found),
      cmocka_unit_test(test_variables_and_cells_are_found),
      cmocka_unit_test(test_edges_copy_their_step),
      cmocka_unit_test(test_view_is_independent),
      cmocka_unit_test(test_validator_finds_damage),
      cmocka_unit_test(test_printing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
