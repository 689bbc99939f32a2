// Bytecode against the meaning of terms: random terms over variables in the state vector.
#include "explicit/machine/machine.h"
#include "random_term.h"
#include "test_replay_support.h"

enum { VARIABLE_COUNT = 6 };

typedef struct Values {
  const Program *p;
  Bits values[VARIABLE_COUNT];
} Values;

static Bits value_of(void *context, Term variable) {
  const Values *values = context;
  return values->values[program_variable_of_term(values->p, variable)];
}

enum { TERM_COUNT = 50 };

// A program that stores terms over its variables. Its thread chooses the values of the variables and then, round and
// round, stores each term in `result` and each variable in `sink`. So all variables are live in the loop, and each has
// a place.
typedef struct TermProgram {
  Build b;
  Term variables[VARIABLE_COUNT], terms[TERM_COUNT];
  EdgeId stores[TERM_COUNT]; // of the terms
  ObjectId result;
} TermProgram;

static void build_terms(TermProgram *m, const unsigned *widths, unsigned features, uint64_t *seed) {
  Build *b = &m->b;
  build_begin(b);
  TermStore *s = b->p->terms;
  ThreadId t = build_thread(b, "main", NO_ID);
  ObjectId sink = build_object(b, 16 * VARIABLE_COUNT, STORAGE_GLOBAL, NO_ID, "sink");
  m->result = build_object(b, 8, STORAGE_GLOBAL, NO_ID, "result");
  for (size_t i = 0; i < VARIABLE_COUNT; i++) {
    VariableId v = build_variable(b, t, widths[i], "v");
    m->variables[i] = build_value(b, v);
    build_assign(b, t, v, VALUE_INPUT);
  }
  LocationId head = b->at[t];
  build_jump(b, t, build_location(b, t));
  for (size_t i = 0; i < TERM_COUNT; i++) {
    unsigned width = 1 + (unsigned)(random_next(seed) % 64);
    m->terms[i] = random_term(s, seed, m->variables, VARIABLE_COUNT, width, 4, features);
    m->stores[i] = build_store_at(b, t, build_address(b, m->result, 0), term_zero_extend(s, m->terms[i], 64));
  }
  for (size_t i = 0; i < VARIABLE_COUNT; i++) {
    unsigned bytes = widths[i] <= 8 ? 1 : widths[i] <= 16 ? 2 : widths[i] <= 32 ? 4 : widths[i] <= 64 ? 8 : 16;
    Term stored = term_zero_extend(s, m->variables[i], 8 * bytes);
    build_store_at(b, t, build_address(b, sink, 16 * i), stored);
  }
  build_jump(b, t, head);
  passes_prepare(b->p, NULL);
}

// Gives the variables random values, in the machine and in `values`.
static void choose_values(Machine *machine, Values *values, const unsigned *widths, uint64_t *seed) {
  for (size_t i = 0; i < VARIABLE_COUNT; i++) {
    Bits value = (Bits)random_next(seed) << 64 | random_next(seed);
    if (random_next(seed) % 4 == 0) value = random_next(seed) % 3 - 1; // around zero
    values->values[i] = value & bits_mask(widths[i]);
    const Place *place = &machine->layout->variables[i];
    assert_true(place->offset != NO_ID);
    vector_write_wide(machine->vector + place->offset, place->bytes, values->values[i]);
  }
}

// Executes each store with several values, and compares what is then in `result`.
static void compare_terms(const unsigned *widths, unsigned features, uint64_t *seed) {
  TermProgram m;
  build_terms(&m, widths, features, seed);
  const Program *p = m.b.p;
  StateLayout layout;
  MachineCode code;
  Machine machine;
  state_layout_init(&layout, p, LAYOUT_PLAIN, &m.b.account);
  machine_code_init(&code, &layout, &m.b.account);
  machine_init(&machine, &code, PROPERTY_UNREACH_CALL, NULL, &m.b.account);
  CellId cell = program_cell_at(p, p->objects.data[m.result].address);
  const Place *result = &layout.cells[cell];
  for (size_t i = 0; i < TERM_COUNT; i++) {
    const EdgeCode *edge = &code.edges[code.edge_index[m.stores[i]]];
    for (unsigned try = 0; try < 8; try++) {
      Values values = {.p = p};
      choose_values(&machine, &values, widths, seed);
      TermValuation valuation = {.value_of = value_of, .context = &values};
      assert_int_equal(machine_begin(&machine, edge), EDGE_TAKEN);
      machine_commit(&machine, edge, 0);
      Bits expected = term_evaluate(p->terms, m.terms[i], &valuation);
      assert_true(vector_read(machine.vector + result->offset, result->bytes) == (uint64_t)expected);
    }
  }
  machine_free(&machine);
  machine_code_free(&code);
  state_layout_free(&layout);
  build_end(&m.b);
}

static void test_narrow_terms(void **state) {
  (void)state;
  static const unsigned widths[VARIABLE_COUNT] = {1, 8, 16, 32, 64, 13};
  uint64_t seed = 1;
  for (unsigned round = 0; round < 40; round++)
    compare_terms(widths, RANDOM_FLOATING_POINT | RANDOM_FLOATING_REMAINDER, &seed);
}

static void test_wide_terms(void **state) {
  (void)state;
  static const unsigned widths[VARIABLE_COUNT] = {1, 7, 32, 64, 128, 100};
  uint64_t seed = 2;
  for (unsigned round = 0; round < 20; round++)
    compare_terms(widths, RANDOM_FLOATING_POINT | RANDOM_FLOATING_REMAINDER, &seed);
}

// A wide value travels through memory and variables.
static void test_wide_steps(void **state) {
  (void)state;
  Build b;
  build_begin(&b);
  ThreadId t = build_thread(&b, "main", NO_ID);
  ObjectId x = build_object(&b, 16, STORAGE_GLOBAL, NO_ID, "x");
  VariableId v = build_variable(&b, t, 128, "v"), w = build_variable(&b, t, 128, "w");
  Term big = term_constant(b.p->terms, 128, (Bits)7 << 100 | 5);
  build_store_at(&b, t, build_address(&b, x, 0), big);
  build_load(&b, t, v, x);
  build_assign(&b, t, w, term_add(b.p->terms, build_value(&b, v), build_value(&b, v)));
  Term doubled = term_constant(b.p->terms, 128, (Bits)14 << 100 | 10);
  build_error_if(&b, t, term_eq(b.p->terms, build_value(&b, w), doubled));
  build_kind(&b, t, STEP_HALT);
  passes_prepare(b.p, NULL);
  build_expect(&b, PROPERTY_UNREACH_CALL, ANSWER_UNSAFE);
  build_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_narrow_terms),
      cmocka_unit_test(test_wide_terms),
      cmocka_unit_test(test_wide_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
