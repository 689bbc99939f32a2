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

// A thread that reads all variables in its last step, so that each is live and has a place.
static void build_live_variables(Build *b, Term *terms, const unsigned *widths) {
  build_begin(b);
  ThreadId t = build_thread(b, "main", NO_ID);
  ObjectId sink = build_object(b, 16 * VARIABLE_COUNT, STORAGE_GLOBAL, NO_ID, "sink");
  for (size_t i = 0; i < VARIABLE_COUNT; i++) {
    VariableId v = build_variable(b, t, widths[i], "v");
    terms[i] = build_value(b, v);
    build_assign(b, t, v, VALUE_INPUT);
  }
  LocationId head = b->at[t];
  build_jump(b, t, build_location(b, t));
  for (size_t i = 0; i < VARIABLE_COUNT; i++) {
    unsigned bytes = widths[i] <= 8 ? 1 : widths[i] <= 16 ? 2 : widths[i] <= 32 ? 4 : widths[i] <= 64 ? 8 : 16;
    Term stored = term_zero_extend(b->p->terms, terms[i], 8 * bytes);
    build_store_at(b, t, build_address(b, sink, 16 * i), stored);
  }
  build_jump(b, t, head); // round and round: all are live everywhere in the loop
  passes_prepare(b->p);
}

static void compare_terms(const unsigned *widths, unsigned features, uint64_t seed, unsigned rounds) {
  Build b;
  Term variables[VARIABLE_COUNT];
  build_live_variables(&b, variables, widths);
  StateLayout layout;
  Code code;
  state_layout_init(&layout, b.p, LAYOUT_PLAIN, &b.account);
  code_init(&code, &layout, &b.account);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned width = 1 + (unsigned)(random_next(&seed) % 64);
    Term term = random_term(b.p->terms, &seed, variables, VARIABLE_COUNT, width, 4, features);
    TermCode compiled = code_compile_term(&code, term);
    Machine machine;
    machine_init(&machine, &code, PROPERTY_UNREACH_CALL, NULL, &b.account);
    for (unsigned try = 0; try < 8; try++) {
      Values values = {.p = b.p};
      for (size_t i = 0; i < VARIABLE_COUNT; i++) {
        Bits value = (Bits)random_next(&seed) << 64 | random_next(&seed);
        if (random_next(&seed) % 4 == 0) value = random_next(&seed) % 3 - 1; // around zero
        values.values[i] = value & bits_mask(widths[i]);
        const Place *place = &layout.variables[i];
        assert_true(place->offset != NO_ID);
        vector_write_wide(machine.vector + place->offset, place->bytes, values.values[i]);
      }
      TermValuation valuation = {.value_of = value_of, .context = &values};
      machine_execute(&machine, compiled.first, compiled.end);
      Bits expected = term_evaluate(b.p->terms, term, &valuation);
      assert_true(machine.registers[compiled.target] == (uint64_t)expected);
    }
    machine_free(&machine);
  }
  code_free(&code);
  state_layout_free(&layout);
  build_end(&b);
}

static void test_narrow_terms(void **state) {
  (void)state;
  static const unsigned widths[VARIABLE_COUNT] = {1, 8, 16, 32, 64, 13};
  compare_terms(widths, RANDOM_FLOATING_POINT | RANDOM_FLOATING_REMAINDER, 1, 2000);
}

static void test_wide_terms(void **state) {
  (void)state;
  static const unsigned widths[VARIABLE_COUNT] = {1, 7, 32, 64, 128, 100};
  compare_terms(widths, RANDOM_FLOATING_POINT | RANDOM_FLOATING_REMAINDER, 2, 1000);
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
  passes_prepare(b.p);
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
