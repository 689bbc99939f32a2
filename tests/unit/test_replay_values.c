// Values that do not matter, and values that are only looked at through tests: small random programs with inputs and
// indeterminate memory, of which all values are tried by the plain search. Verdicts must agree for every property and
// reduction, and UNSAFE is confirmed by the judge on the unreduced program.
#include "random_term.h"
#include "share.h"
#include "test_replay_plain.h"

#include <stdlib.h>

enum { REGISTERS = 3, CELLS = 3, PROGRAMS = 60 / SHARE, SEQUENCES = 100 / SHARE, MOST_STATES = 60000 };

typedef struct Generator {
  Build *b;
  uint64_t seed;
  ObjectId cells[CELLS]; // bytes; the last one is indeterminate at first
  ObjectId word, mutex, array;
  VariableId registers[BUILD_THREADS][REGISTERS]; // bytes
  unsigned fresh;                                 // choices made so far
} Generator;

static unsigned draw(Generator *g, unsigned below) { return (unsigned)(random_next(&g->seed) % below); }
static VariableId some_register(Generator *g, ThreadId t) { return g->registers[t][draw(g, REGISTERS)]; }
static Term cell_address(Generator *g) { return build_address(g->b, g->cells[draw(g, CELLS)], 0); }

// A function of one register, or seldom of two.
static Term some_term(Generator *g, ThreadId t, unsigned width, unsigned depth) {
  Term variables[2] = {build_value(g->b, some_register(g, t)), build_value(g->b, some_register(g, t))};
  return random_term(g->b->p->terms, &g->seed, variables, draw(g, 5) == 0 ? 2 : 1, width, depth, 0);
}

// Mostly one that holds for few values of an input and for no small constant.
static Term some_condition(Generator *g, ThreadId t) {
  TermStore *terms = g->b->p->terms;
  if (draw(g, 6) == 0) return some_term(g, t, 1, 2);
  Term value = build_value(g->b, some_register(g, t)), wanted = build_constant(g->b, 8, 3 + draw(g, 29));
  switch (draw(g, 5)) {
  case 0: return term_binary(terms, TERM_ULT, wanted, value);
  case 1: return term_binary(terms, TERM_SLT, value, build_constant(g->b, 8, 0x80 | draw(g, 128)));
  case 2: {
    unsigned divisor = 4 + draw(g, 4);
    Term remainder = term_binary(terms, TERM_UREM, value, build_constant(g->b, 8, divisor));
    return term_eq(terms, remainder, build_constant(g->b, 8, 3 + draw(g, divisor - 3)));
  }
  case 3: return term_is_nonzero(terms, term_binary(terms, TERM_AND, value, build_constant(g->b, 8, 4u << draw(g, 3))));
  default: return term_eq(terms, value, wanted);
  }
}

static void make_input(Generator *g, ThreadId t) {
  if (g->fresh++ > 2) return;
  Build *b = g->b;
  VariableId fresh = build_variable(b, t, 5, "fresh");
  build_assign(b, t, fresh, draw(g, 3) ? VALUE_INPUT : VALUE_INDETERMINATE);
  build_assign(b, t, some_register(g, t), term_zero_extend(b->p->terms, build_value(b, fresh), 8));
}

static void make_forget(Generator *g, ThreadId t) {
  if (g->fresh++ > 2) return;
  Step step = build_step(g->b, STEP_PLAIN);
  step.access.address = cell_address(g);
  step.access.bytes = 1;
  step.access.writes = true;
  step.access.stored = VALUE_INDETERMINATE;
  build_emit(g->b, t, &step);
}

static Term element_address(Generator *g, ThreadId t) {
  TermStore *terms = g->b->p->terms;
  Term index = term_binary(terms, TERM_AND, some_term(g, t, 8, 1), build_constant(g->b, 8, 3));
  return term_add(terms, build_address(g->b, g->array, 0), term_zero_extend(terms, index, 64));
}

static void make_branch(Generator *g, ThreadId t) {
  Build *b = g->b;
  LocationId otherwise = build_branch(b, t, some_condition(g, t));
  build_store_at(b, t, cell_address(g), build_value(b, some_register(g, t)));
  LocationId join = build_location(b, t);
  build_jump(b, t, join);
  b->at[t] = otherwise;
  build_jump(b, t, join);
}

static void make_divide(Generator *g, ThreadId t) {
  Step step = build_step(g->b, STEP_DIVIDE);
  step.operand = term_add_constant(g->b->p->terms, build_value(g->b, some_register(g, t)), draw(g, 3));
  build_emit(g->b, t, &step);
}

// Reads and writes at once, as atomic operations do.
static void make_exchange(Generator *g, ThreadId t) {
  Step step = build_step(g->b, STEP_PLAIN);
  step.access.address = cell_address(g);
  step.access.bytes = 1;
  step.access.reads = step.access.writes = true;
  step.access.into = some_register(g, t);
  step.access.stored =
      draw(g, 2) ? term_add_constant(g->b->p->terms, build_value(g->b, step.access.into), 1) : some_term(g, t, 8, 1);
  build_emit(g->b, t, &step);
}

// An index that a condition confines, perhaps not enough, and perhaps it is changed in between.
static void make_confined(Generator *g, ThreadId t) {
  Build *b = g->b;
  TermStore *terms = b->p->terms;
  VariableId r = some_register(g, t);
  Term few = term_binary(terms, TERM_ULT, build_value(b, r), build_constant(b, 8, 2 + draw(g, 3)));
  LocationId otherwise = build_branch(b, t, draw(g, 4) ? few : term_not(terms, few));
  if (draw(g, 3) == 0) build_assign(b, t, r, term_add_constant(terms, build_value(b, r), draw(g, 2) ? 1 : 255));
  if (draw(g, 3) == 0) build_error_if(b, t, build_equals(b, r, 1 + draw(g, 3)));
  Term address = term_add(terms, build_address(b, g->array, 0), term_zero_extend(terms, build_value(b, r), 64));
  build_store_at(b, t, address, build_constant(b, 8, 1));
  LocationId join = build_location(b, t);
  build_jump(b, t, join);
  b->at[t] = otherwise;
  build_jump(b, t, join);
}

// From cell to cell, through variables that are used for nothing else.
static void make_copy(Generator *g, ThreadId t) {
  Build *b = g->b;
  VariableId v = build_variable(b, t, 8, "carried"), w = build_variable(b, t, 8, "carried too");
  build_load_at(b, t, v, cell_address(g));
  if (draw(g, 2)) {
    build_assign(b, t, w, build_value(b, v));
    v = w;
  }
  build_store_at(b, t, cell_address(g), build_value(b, v));
  if (draw(g, 4) == 0) build_store_at(b, t, cell_address(g), build_value(b, v));
}

static void make_step(Generator *g, ThreadId t) {
  Build *b = g->b;
  switch (draw(g, 20)) {
  case 0:
  case 1:
  case 2: build_load_at(b, t, some_register(g, t), cell_address(g)); break;
  case 3:
  case 4: build_store_at(b, t, cell_address(g), build_value(b, some_register(g, t))); break;
  case 5: make_input(g, t); break;
  case 6: build_assign(b, t, some_register(g, t), some_term(g, t, 8, 1)); break;
  case 7: build_assign(b, t, some_register(g, t), build_value(b, some_register(g, t))); break;
  case 8: make_branch(g, t); break;
  case 9: build_error_if(b, t, some_condition(g, t)); break;
  case 10: make_forget(g, t); break;
  case 11: build_store_at(b, t, element_address(g, t), build_value(b, some_register(g, t))); break;
  case 12: build_load_at(b, t, some_register(g, t), element_address(g, t)); break;
  case 13: build_guarded(b, t, STEP_ASSUME, term_not(b->p->terms, some_condition(g, t))); break;
  case 14: make_divide(g, t); break;
  case 15:
  case 16: make_copy(g, t); break;
  case 17:
  case 18: make_confined(g, t); break;
  default: make_exchange(g, t); break;
  }
}

static void make_body(Generator *g, ThreadId t, unsigned steps) {
  for (unsigned i = 0; i < steps; i++) {
    unsigned how = draw(g, 8);
    if (how == 0) build_section(g->b, t);
    if (how == 1) build_lock(g->b, t, g->mutex);
    make_step(g, t);
    if (how <= 1) make_step(g, t);
    if (how == 0) build_section_end(g->b, t);
    if (how == 1) build_unlock(g->b, t, g->mutex);
  }
}

static void begin_program(Generator *g, Build *b, uint64_t seed) {
  static const char *const names[CELLS] = {"x", "y", "raw"};
  *g = (Generator){.b = b, .seed = seed};
  build_begin(b);
  for (size_t i = 0; i < CELLS; i++) g->cells[i] = build_object(b, 1, STORAGE_GLOBAL, NO_ID, names[i]);
  b->p->objects.data[g->cells[CELLS - 1]].indeterminate = true;
  g->mutex = build_int(b, "mutex");
  g->array = build_object(b, 3, STORAGE_GLOBAL, NO_ID, "array");
}

static void begin_thread(Generator *g, ThreadId t) {
  build_thread(g->b, t == 0 ? "main" : "worker", t == 0 ? NO_ID : 0);
  for (size_t i = 0; i < REGISTERS; i++) {
    g->registers[t][i] = build_variable(g->b, t, 8, "r");
    build_assign(g->b, t, g->registers[t][i], build_constant(g->b, 8, i));
  }
}

// Loads and asks at once: the step can be taken if what is loaded is as wanted, and may store something made from it.
static void make_guarded_load(Generator *g, ThreadId t) {
  Build *b = g->b;
  TermStore *terms = b->p->terms;
  Step step = build_step(b, STEP_ASSUME);
  VariableId into = build_variable(b, t, 8, "loaded");
  step.access = (Access){.address = cell_address(g), .bytes = 1, .reads = true, .into = into};
  Term value = build_value(b, into), limit = build_constant(b, 8, 4 + draw(g, 20));
  step.guard = term_binary(terms, TERM_ULE, value, limit);
  step.access.writes = draw(g, 2);
  if (step.access.writes) step.access.stored = term_add_constant(terms, value, 1);
  Assignment assignment = {some_register(g, t), term_binary(terms, TERM_UREM, value, build_constant(b, 8, 4))};
  step.assignments = &assignment;
  step.assignment_count = draw(g, 2);
  build_emit(b, t, &step);
}

// One thread with two inputs.
static void generate_sequence(Generator *g, Build *b, uint64_t seed) {
  begin_program(g, b, seed);
  begin_thread(g, 0);
  make_input(g, 0);
  make_input(g, 0);
  g->fresh = 2;
  for (unsigned steps = 4 + draw(g, 8); steps > 0; steps--) {
    if (draw(g, 8) == 0)
      make_guarded_load(g, 0);
    else
      make_step(g, 0);
  }
  build_kind(b, 0, STEP_HALT);
  passes_prepare(b->p, NULL);
}

static void generate(Generator *g, Build *b, uint64_t seed) {
  begin_program(g, b, seed);
  begin_thread(g, 0);
  begin_thread(g, 1);
  if (draw(g, 2))
    make_input(g, 0);
  else
    make_forget(g, 0);
  make_body(g, 0, draw(g, 3));
  build_create(b, 0, 1);
  make_body(g, 1, 1 + draw(g, 5));
  build_exit(b, 1);
  make_body(g, 0, 1 + draw(g, 4));
  if (draw(g, 2)) build_join(b, 0, 1);
  make_body(g, 0, draw(g, 2));
  build_kind(b, 0, STEP_HALT);
  passes_prepare(b->p, NULL);
}

static void compare_all(uint64_t first, uint64_t count) {
  size_t compared = 0, races = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    Build b;
    Generator generator;
    generate(&generator, &b, seed);
    Plain plain;
    plain_search(&plain, b.p, true, MOST_STATES);
    if (!plain.too_large) {
      plain_compare(&b, PROPERTY_UNREACH_CALL, plain.error, seed);
      plain_compare(&b, PROPERTY_NO_DEADLOCK, plain.deadlock, seed);
      plain_compare(&b, PROPERTY_VALID_MEMSAFETY, plain.invalid, seed);
      plain_compare(&b, PROPERTY_NO_DIVISION_BY_ZERO, plain.zero, seed);
      plain_compare(&b, PROPERTY_NO_DATA_RACE, plain.race, seed);
      compared++;
      races += plain.race;
    }
    build_end(&b);
  }
  assert_true(compared * 2 > count); // the generator makes small programs
  assert_true(races * 10 > compared && races < compared);
}

static void compare_sequences(uint64_t first, uint64_t count) {
  size_t compared = 0, violations = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    Build b;
    Generator generator;
    generate_sequence(&generator, &b, seed);
    Plain plain;
    plain_search(&plain, b.p, false, MOST_STATES);
    if (!plain.too_large) {
      plain_compare(&b, PROPERTY_UNREACH_CALL, plain.error, seed);
      plain_compare(&b, PROPERTY_VALID_MEMSAFETY, plain.invalid, seed);
      plain_compare(&b, PROPERTY_NO_DIVISION_BY_ZERO, plain.zero, seed);
      compared++;
      violations += plain.error + plain.invalid + plain.zero;
    }
    build_end(&b);
  }
  assert_true(compared * 2 > count);
  assert_true(violations * 4 > compared && violations < compared * 2);
}

static void test_random_sequences(void **state) {
  (void)state;
  compare_sequences(1, SEQUENCES);
}

// --- conditions ---

static void expect_answer(Build *b, Property property, Answer answer) {
  EngineOptions options = build_options("sleep");
  Result *result = build_check(b, property, &options);
  assert_int_equal(result->answer, answer);
  result_free(result);
}

// if (x < 3) { if (y == 200) error }: that x is small says nothing about y. And: if (x < 300) array[x] = 1; with x that
// was changed in between.
static void test_conditions_on_wide_inputs(void **state) {
  (void)state;
  for (unsigned moved = 0; moved < 3; moved++) {
    Build b;
    build_begin(&b);
    build_thread(&b, "main", NO_ID);
    ObjectId array = build_object(&b, 3, STORAGE_GLOBAL, NO_ID, "array");
    ObjectId other = build_object(&b, 1, STORAGE_GLOBAL, NO_ID, "other");
    VariableId x = build_variable(&b, 0, 32, "x"), y = build_variable(&b, 0, 32, "y");
    build_assign(&b, 0, x, VALUE_INPUT);
    build_assign(&b, 0, y, VALUE_INPUT);
    build_store_at(&b, 0, build_address(&b, other, 0), build_constant(&b, 8, 1)); // the first conditions come later
    TermStore *terms = b.p->terms;
    LocationId end = build_branch(&b, 0, term_binary(terms, TERM_ULT, build_value(&b, x), build_constant(&b, 32, 3)));
    build_error_if(&b, 0, build_equals(&b, y, 200));
    build_assign(&b, 0, x, term_add_constant(terms, build_value(&b, x), moved));
    Term index = term_zero_extend(terms, build_value(&b, x), 64);
    build_store_at(&b, 0, term_add(terms, build_address(&b, array, 0), index), build_constant(&b, 8, 1));
    build_kind(&b, 0, STEP_HALT);
    b.at[0] = end;
    build_kind(&b, 0, STEP_HALT);
    passes_prepare(b.p, NULL);
    expect_answer(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
    expect_answer(&b, PROPERTY_VALID_MEMSAFETY, moved ? ANSWER_UNSAFE : ANSWER_SAFE);
    build_end(&b);
  }
}

// --- copies of indeterminate values ---

// main copies a cell of 32 bits that was not set, by way of a variable, and maybe a third cell.
typedef struct Copies {
  Build b;
  ObjectId original, middle, copy;
  VariableId v, w;
} Copies;

static void begin_copies(Copies *c, bool forgotten, bool twice) {
  Build *b = &c->b;
  build_begin(b);
  build_thread(b, "main", NO_ID);
  c->original = build_int(b, "original");
  c->middle = build_int(b, "middle");
  c->copy = build_int(b, "copy");
  b->p->objects.data[c->original].indeterminate = !forgotten;
  c->v = build_variable(b, 0, 32, "v");
  c->w = build_variable(b, 0, 32, "w");
  if (forgotten) build_store_at(b, 0, build_address(b, c->original, 0), build_constant(b, 32, 3));
  if (forgotten) {
    Step step = build_step(b, STEP_PLAIN);
    step.access = (Access){.address = build_address(b, c->original, 0), .bytes = 4, .writes = true, .into = NO_ID};
    step.access.stored = VALUE_INDETERMINATE;
    build_emit(b, 0, &step);
  }
  VariableId through = build_variable(b, 0, 32, "through"), again = build_variable(b, 0, 32, "again");
  build_load(b, 0, through, c->original);
  build_store_at(b, 0, build_address(b, twice ? c->middle : c->copy, 0), build_value(b, through));
  if (!twice) return;
  build_load(b, 0, again, c->middle);
  build_store_at(b, 0, build_address(b, c->copy, 0), build_value(b, again));
}

static Result *end_copies(Copies *c) {
  build_kind(&c->b, 0, STEP_HALT);
  passes_prepare(c->b.p, NULL);
  EngineOptions options = build_options("sleep");
  return build_check(&c->b, PROPERTY_UNREACH_CALL, &options);
}

// The copy has any value, and the schedule says so of the original.
static void test_copies_have_any_value(void **state) {
  (void)state;
  for (unsigned i = 0; i < 4; i++) {
    Copies c;
    begin_copies(&c, i & 1, i & 2);
    build_load(&c.b, 0, c.v, c.copy);
    build_error_if(&c.b, 0, build_equals(&c.b, c.v, 123456));
    Result *result = end_copies(&c);
    assert_int_equal(result->answer, ANSWER_UNSAFE);
    assert_true(result_statistic(result, "searched_again") == 0);
    assert_int_equal(result->schedule->choices.count, 1);
    assert_true(result->schedule->choices.data[0] == 123456);
    result_free(result);
    build_end(&c.b);
  }
}

// Nothing looks at the copy: there is nothing to choose.
static void test_copies_nobody_looks_at(void **state) {
  (void)state;
  Copies c;
  begin_copies(&c, false, true);
  build_store_at(&c.b, 0, build_address(&c.b, c.copy, 0), build_constant(&c.b, 32, 7));
  build_load(&c.b, 0, c.v, c.copy);
  build_error_if(&c.b, 0, build_equals(&c.b, c.v, 8));
  Result *result = end_copies(&c);
  assert_int_equal(result->answer, ANSWER_SAFE);
  assert_true(result_statistic(result, "searched_again") == 0);
  result_free(result);
  build_end(&c.b);
}

// Original and copy are equal: no violation, although the search that forgets it finds one.
static void test_copies_equal_the_original(void **state) {
  (void)state;
  Copies c;
  begin_copies(&c, false, false);
  build_load(&c.b, 0, c.v, c.original);
  build_load(&c.b, 0, c.w, c.copy);
  Term small = build_constant(&c.b, 32, 10);
  Term first = term_binary(c.b.p->terms, TERM_ULT, build_value(&c.b, c.v), small);
  Term second = term_binary(c.b.p->terms, TERM_ULT, build_value(&c.b, c.w), small);
  build_error_if(&c.b, 0, term_ne(c.b.p->terms, first, second));
  Result *result = end_copies(&c);
  assert_int_equal(result->answer, ANSWER_SAFE);
  assert_true(result_statistic(result, "searched_again") == 1);
  result_free(result);
  build_end(&c.b);
}

static void test_random_values(void **state) {
  (void)state;
  compare_all(1, PROGRAMS);
}

int main(int argc, char **argv) {
  if (argc > 2) { // a longer run by hand: first seed and count, and anything else for sequences
    (argc > 3 ? compare_sequences : compare_all)(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conditions_on_wide_inputs), cmocka_unit_test(test_copies_have_any_value),
      cmocka_unit_test(test_copies_nobody_looks_at),    cmocka_unit_test(test_copies_equal_the_original),
      cmocka_unit_test(test_random_sequences),          cmocka_unit_test(test_random_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
