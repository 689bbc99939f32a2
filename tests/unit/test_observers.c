// Observers: from threads that compute an atom to its condition over cells.
#include "test_program_support.h"

#include "transition/observers.h"

enum { MAIN = 0 };

typedef struct Observed {
  Make m;
  ObjectId x, y;
  TermVector conditions;
  Text error;
  size_t bad;
} Observed;

// main writes x and y, which are ints, for ever.
static void set_up(Observed *f) {
  make_begin(&f->m, 64);
  f->x = make_object(&f->m, 4, "x");
  f->y = make_object(&f->m, 4, "y");
  f->bad = 99;
  LocationId head = f->m.at[MAIN];
  make_store(&f->m, MAIN, make_address(&f->m, f->x, 0), make_constant(&f->m, 32, 1));
  make_store(&f->m, MAIN, make_address(&f->m, f->y, 0), make_constant(&f->m, 32, 2));
  make_jump(&f->m, MAIN, head);
  TermVector_init(&f->conditions, &f->m.account);
  text_init(&f->error, &f->m.account);
}

static void tear_down(Observed *f) {
  TermVector_free(&f->conditions);
  text_free(&f->error);
  make_end(&f->m);
}

static ThreadId begin_observer(Observed *f) { return make_bare_thread(&f->m, MAIN, 1000, "atom"); }

static void end_observer(Observed *f, ThreadId t, Term result) {
  Term place = make_address(&f->m, f->m.p->threads.data[t].control, CONTROL_RESULT);
  make_store(&f->m, t, place, term_resize_unsigned(f->m.p->terms, result, 64));
  make_jump(&f->m, t, f->m.p->threads.data[t].final);
}

static bool take(Observed *f, size_t count) {
  passes_prepare(f->m.p, NULL);
  return observers_take(f->m.p, count, &f->conditions, &f->bad, &f->error, &f->m.account);
}

static void add_comparison(Observed *f, ObjectId object, uint64_t value) {
  ThreadId t = begin_observer(f);
  VariableId seen = make_variable(&f->m, t, 32, "seen");
  make_load(&f->m, t, seen, make_address(&f->m, object, 0));
  end_observer(f, t, term_eq(f->m.p->terms, make_value(&f->m, seen), make_constant(&f->m, 32, value)));
}

typedef struct Memory {
  const Program *program;
  Bits x, y, table[2];
} Memory;

static Bits value_of(void *context, Term variable) {
  const Memory *memory = context;
  const Program *p = memory->program;
  const Cell *cell = &p->cells.data[p->cell_of.data[term_variable_index(p->terms, variable)]];
  const Object *object = &p->objects.data[cell->object];
  if (strcmp(object->name, "x") == 0) return memory->x;
  if (strcmp(object->name, "y") == 0) return memory->y;
  assert_string_equal(object->name, "table");
  return memory->table[(cell->address - object->address) / 4];
}

static bool holds(const Observed *f, size_t condition, Memory memory) {
  memory.program = f->m.p;
  TermValuation valuation = {.value_of = value_of, .context = &memory};
  return term_evaluate(f->m.p->terms, f->conditions.data[condition], &valuation) != 0;
}

static void test_two(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  add_comparison(&f, f.x, 1);
  add_comparison(&f, f.y, 2);
  assert_true(take(&f, 2));
  assert_int_equal(f.conditions.count, 2);
  assert_true(holds(&f, 0, (Memory){.x = 1, .y = 7}));
  assert_false(holds(&f, 0, (Memory){.x = 2, .y = 2}));
  assert_true(holds(&f, 1, (Memory){.x = 5, .y = 2}));
  assert_false(holds(&f, 1, (Memory){.x = 2, .y = 1}));
  // The program is as if there had never been any.
  assert_int_equal(f.m.p->threads.count, 1);
  assert_valid(f.m.p);
  for (size_t l = 0; l < f.m.p->locations.count; l++) assert_int_equal(f.m.p->locations.data[l].thread, MAIN);
  assert_true(cell_named(f.m.p, "x")->shared); // but writes to what is looked at stay visible
  assert_true(cell_named(f.m.p, "y")->shared);
  tear_down(&f);
}

// main sets x and spins: x is settled for threads that main would create, but an observer reads it in every state.
static void test_settled_by_main(void **state) {
  (void)state;
  Observed f = {.bad = 99};
  make_begin(&f.m, 64);
  f.x = make_object(&f.m, 4, "x");
  make_store(&f.m, MAIN, make_address(&f.m, f.x, 0), make_constant(&f.m, 32, 1));
  make_jump(&f.m, MAIN, f.m.at[MAIN]);
  TermVector_init(&f.conditions, &f.m.account);
  text_init(&f.error, &f.m.account);
  add_comparison(&f, f.x, 1);
  assert_true(take(&f, 1));
  assert_true(holds(&f, 0, (Memory){.x = 1}));
  assert_false(holds(&f, 0, (Memory){.x = 0}));
  tear_down(&f);
}

static void test_none(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  assert_true(take(&f, 0));
  assert_int_equal(f.conditions.count, 0);
  assert_false(cell_named(f.m.p, "x")->shared);
  tear_down(&f);
}

// x ? y == 2 : 1, by a branch.
static void test_branches(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ThreadId t = begin_observer(&f);
  VariableId x = make_variable(&f.m, t, 32, "x"), y = make_variable(&f.m, t, 32, "y");
  make_load(&f.m, t, x, make_address(&f.m, f.x, 0));
  LocationId otherwise = make_branch(&f.m, t, term_is_nonzero(f.m.p->terms, make_value(&f.m, x)));
  make_load(&f.m, t, y, make_address(&f.m, f.y, 0));
  end_observer(&f, t, term_eq(f.m.p->terms, make_value(&f.m, y), make_constant(&f.m, 32, 2)));
  f.m.at[t] = otherwise;
  end_observer(&f, t, make_constant(&f.m, 32, 1));
  assert_true(take(&f, 1));
  assert_true(holds(&f, 0, (Memory){.x = 0, .y = 0}));
  assert_true(holds(&f, 0, (Memory){.x = 3, .y = 2}));
  assert_false(holds(&f, 0, (Memory){.x = 3, .y = 3}));
  tear_down(&f);
}

// table[x] == 5: a case for each element. Beyond them the atom is false.
static void test_elements(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ObjectId table = make_object(&f.m, 8, "table");
  f.m.at[MAIN] = f.m.p->threads.data[MAIN].entry; // another way round main's loop
  make_store(&f.m, MAIN, make_address(&f.m, table, 0), make_constant(&f.m, 32, 5));
  make_store(&f.m, MAIN, make_address(&f.m, table, 4), make_constant(&f.m, 32, 6));
  make_jump(&f.m, MAIN, f.m.p->threads.data[MAIN].entry);
  TermStore *terms = f.m.p->terms;
  ThreadId t = begin_observer(&f);
  VariableId x = make_variable(&f.m, t, 32, "x"), seen = make_variable(&f.m, t, 32, "seen");
  make_load(&f.m, t, x, make_address(&f.m, f.x, 0));
  Term index = term_resize_unsigned(terms, make_value(&f.m, x), 64);
  Term offset = term_binary(terms, TERM_MUL, index, make_constant(&f.m, 64, 4));
  make_load(&f.m, t, seen, term_add(terms, offset, make_address(&f.m, table, 0)));
  end_observer(&f, t, term_eq(terms, make_value(&f.m, seen), make_constant(&f.m, 32, 5)));
  assert_true(take(&f, 1));
  assert_true(holds(&f, 0, (Memory){.x = 0, .table = {5, 6}}));
  assert_false(holds(&f, 0, (Memory){.x = 1, .table = {5, 6}}));
  assert_true(holds(&f, 0, (Memory){.x = 1, .table = {6, 5}}));
  assert_false(holds(&f, 0, (Memory){.x = 2, .table = {5, 5}}));
  tear_down(&f);
}

// --- what atoms must not do ---

static void assert_refused(Observed *f, size_t count, size_t bad, const char *why) {
  assert_false(take(f, count));
  assert_int_equal(f->bad, bad);
  assert_string_equal(f->error.data, why);
  tear_down(f);
}

static void test_writes(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  add_comparison(&f, f.y, 2); // this one is good
  ThreadId t = begin_observer(&f);
  make_store(&f.m, t, make_address(&f.m, f.x, 0), make_constant(&f.m, 32, 3));
  end_observer(&f, t, make_constant(&f.m, 32, 1));
  assert_refused(&f, 2, 1, "it changes a variable");
}

static void test_loops(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ThreadId t = begin_observer(&f);
  VariableId seen = make_variable(&f.m, t, 32, "seen");
  LocationId head = f.m.at[t];
  make_load(&f.m, t, seen, make_address(&f.m, f.x, 0));
  LocationId out = make_branch(&f.m, t, term_is_nonzero(f.m.p->terms, make_value(&f.m, seen)));
  make_jump(&f.m, t, head);
  f.m.at[t] = out;
  end_observer(&f, t, make_constant(&f.m, 32, 1));
  add_comparison(&f, f.y, 2);
  assert_refused(&f, 2, 0, "it has a loop");
}

static void test_inputs(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ThreadId t = begin_observer(&f);
  VariableId chosen = make_variable(&f.m, t, 32, "chosen");
  make_assign(&f.m, t, chosen, VALUE_INPUT);
  end_observer(&f, t, make_value(&f.m, chosen));
  assert_refused(&f, 1, 0, "it chooses an input");
}

// *pointer, where the pointer may be anything: where it means what was not foreseen, the program says so.
static void test_any_pointer(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ObjectId pointer = make_object(&f.m, 8, "pointer");
  VariableId any = make_variable(&f.m, MAIN, 64, "any");
  f.m.at[MAIN] = f.m.p->threads.data[MAIN].entry;
  make_assign(&f.m, MAIN, any, VALUE_INPUT);
  make_store(&f.m, MAIN, make_address(&f.m, pointer, 0), make_value(&f.m, any));
  make_jump(&f.m, MAIN, f.m.p->threads.data[MAIN].entry);
  ThreadId t = begin_observer(&f);
  VariableId p = make_variable(&f.m, t, 64, "p"), seen = make_variable(&f.m, t, 32, "seen");
  make_load(&f.m, t, p, make_address(&f.m, pointer, 0));
  make_load(&f.m, t, seen, make_value(&f.m, p));
  end_observer(&f, t, make_value(&f.m, seen));
  assert_true(take(&f, 1));
  assert_int_not_equal(f.m.p->unforeseen, TERM_NONE);
  tear_down(&f);
}

static void test_waits(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ThreadId t = begin_observer(&f);
  VariableId seen = make_variable(&f.m, t, 32, "seen");
  make_load(&f.m, t, seen, make_address(&f.m, f.x, 0));
  make_guarded(&f.m, t, STEP_WAIT, term_is_nonzero(f.m.p->terms, make_value(&f.m, seen)));
  end_observer(&f, t, make_constant(&f.m, 32, 1));
  assert_refused(&f, 1, 0, "it does more than to look at variables");
}

static void test_meets_a_limit(void **state) {
  (void)state;
  Observed f;
  set_up(&f);
  ThreadId t = begin_observer(&f);
  Step cut = make_step(&f.m, STEP_CUT);
  cut.target = program_add_cut(f.m.p, CUT_CONSTRUCT, "an odd construct", cut.position);
  make_emit(&f.m, t, &cut);
  assert_refused(&f, 1, 0, "an odd construct");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_elements),
      cmocka_unit_test(test_writes),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_inputs),
      cmocka_unit_test(test_any_pointer),
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_meets_a_limit),
      cmocka_unit_test(test_settled_by_main),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
