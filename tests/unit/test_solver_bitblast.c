// The bit-blaster against the meaning of each operator (term_apply), by simulating the graph.
#include "random_term.h"
#include "solver/bitblast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct Fixture {
  Account account;
  TermStore *store;
  Aig aig;
  Bitblaster blaster;
} Fixture;

static void fixture_init(Fixture *f) {
  *f = (Fixture){.account = {.room = "test"}};
  f->store = term_store_new(&f->account);
  aig_init(&f->aig, &f->account);
  bitblast_init(&f->blaster, f->store, &f->aig, &f->account);
}

static void fixture_free(Fixture *f) {
  bitblast_free(&f->blaster);
  aig_free(&f->aig);
  term_store_free(f->store);
  assert_int_equal(f->account.bytes, 0);
}

static const TermOperator binary_operators[] = {TERM_AND,   TERM_OR,    TERM_XOR,   TERM_ADD,   TERM_SUB,   TERM_MUL,
                                                TERM_UDIV,  TERM_UREM,  TERM_SDIV,  TERM_SREM,  TERM_SMOD,  TERM_SHL,
                                                TERM_LSHR,  TERM_ASHR,  TERM_ROTL,  TERM_ROTR,  TERM_EQ,    TERM_ULT,
                                                TERM_ULE,   TERM_SLT,   TERM_SLE,   TERM_UADDO, TERM_SADDO, TERM_UMULO,
                                                TERM_SMULO, TERM_USUBO, TERM_SSUBO, TERM_SDIVO, TERM_CONCAT};
enum { BINARY_COUNT = sizeof binary_operators / sizeof *binary_operators };

// 64 assignments of the variables, one per bit of each input word.
typedef struct Assignments {
  Bits values[64][4]; // of each variable
  Term variables[4];
  unsigned count; // variables
  unsigned at;    // the assignment that value_of shows
} Assignments;

static Bits value_of(void *context, Term variable) {
  const Assignments *assignments = context;
  for (unsigned i = 0; i < assignments->count; i++) {
    if (assignments->variables[i] == variable) return assignments->values[assignments->at][i];
  }
  return 0;
}

static uint64_t *simulate(Fixture *f, const Assignments *assignments) {
  uint64_t *inputs = calloc(f->aig.inputs.count + 1, sizeof(uint64_t));
  for (unsigned i = 0; i < assignments->count; i++) {
    const AigLiteral *word = bitblast_find(&f->blaster, assignments->variables[i]);
    for (unsigned bit = 0; word != NULL && bit < term_width(f->store, assignments->variables[i]); bit++) {
      uint64_t *input = &inputs[aig_input_index(&f->aig, aig_node(word[bit]))];
      for (unsigned k = 0; k < 64; k++) *input |= (uint64_t)(assignments->values[k][i] >> bit & 1) << k;
    }
  }
  uint64_t *nodes = calloc(aig_node_count(&f->aig), sizeof(uint64_t));
  aig_simulate(&f->aig, inputs, nodes);
  free(inputs);
  return nodes;
}

static void compare(Fixture *f, Assignments *assignments, const Term *terms, unsigned count) {
  for (unsigned i = 0; i < count; i++) bitblast_term(&f->blaster, terms[i]);
  uint64_t *nodes = simulate(f, assignments);
  TermValuation valuation = {.value_of = value_of, .context = assignments};
  for (unsigned i = 0; i < count; i++) {
    const AigLiteral *word = bitblast_find(&f->blaster, terms[i]);
    for (assignments->at = 0; assignments->at < 64; assignments->at++) {
      Bits expected = term_evaluate(f->store, terms[i], &valuation), value = 0;
      for (unsigned bit = 0; bit < term_width(f->store, terms[i]); bit++) {
        value |= (Bits)(aig_simulated(nodes, word[bit]) >> assignments->at & 1) << bit;
      }
      if (value != expected) {
        fail_msg("%s of width %u: assignment %llx %llx", term_operator_name(term_operator(f->store, terms[i])),
                 term_width(f->store, terms[i]), (unsigned long long)assignments->values[assignments->at][0],
                 (unsigned long long)assignments->values[assignments->at][1]);
      }
    }
  }
  free(nodes);
}

// All operators on two variables of a width, and the same with constants.
static unsigned make_terms(Fixture *f, Term x, Term y, unsigned width, uint64_t *random, Term *terms) {
  TermStore *store = f->store;
  unsigned count = 0;
  Term constant = term_constant(store, width, ((Bits)random_next(random) << 64) | random_next(random));
  for (unsigned i = 0; i < BINARY_COUNT; i++) {
    if (binary_operators[i] == TERM_CONCAT && 2 * width > 128) continue;
    terms[count++] = term_binary(store, binary_operators[i], x, y);
    terms[count++] = term_binary(store, binary_operators[i], x, constant);
    terms[count++] = term_binary(store, binary_operators[i], constant, y);
  }
  terms[count++] = term_unary(store, TERM_NOT, x);
  terms[count++] = term_unary(store, TERM_NEG, x);
  terms[count++] = term_unary(store, TERM_NEGO, x);
  terms[count++] = term_ite(store, term_binary(store, TERM_ULT, x, y), x, y);
  unsigned low = random_next(random) % width, high = low + random_next(random) % (width - low);
  terms[count++] = term_extract(store, term_add(store, x, y), high, low);
  unsigned wider = width + random_next(random) % (129 - width);
  terms[count++] = term_zero_extend(store, term_add(store, x, y), wider);
  terms[count++] = term_sign_extend(store, term_add(store, x, y), wider);
  return count;
}

static void operators_of_small_widths_exhaustively(void **state) {
  (void)state;
  uint64_t random = 7;
  for (unsigned width = 1; width <= 5; width++) {
    Fixture f;
    fixture_init(&f);
    Assignments assignments = {.count = 2};
    for (unsigned i = 0; i < 2; i++) assignments.variables[i] = term_variable(f.store, sort_bits(width), "v");
    Term terms[3 * BINARY_COUNT + 8];
    unsigned count = make_terms(&f, assignments.variables[0], assignments.variables[1], width, &random, terms);
    for (unsigned block = 0; block < 1u << 2 * width; block += 64) {
      for (unsigned k = 0; k < 64; k++) {
        assignments.values[k][0] = (block + k) & ((1u << width) - 1);
        assignments.values[k][1] = (block + k) >> width & ((1u << width) - 1);
      }
      compare(&f, &assignments, terms, count);
    }
    fixture_free(&f);
  }
}

// Values that make overflow and division interesting.
static Bits edgy_value(uint64_t *random, unsigned width) {
  Bits any = (Bits)random_next(random) << 64 | random_next(random);
  switch (random_next(random) % 6) {
  case 0: return (Bits)(random_next(random) % 4) & bits_mask(width);
  case 1: return (bits_mask(width) - random_next(random) % 4) & bits_mask(width);
  case 2: return (((Bits)1 << (width - 1)) + random_next(random) % 3 - 1) & bits_mask(width);
  case 3: return any & bits_mask(width) & bits_mask((width + 1) / 2);
  case 4: return any & bits_mask(1 + (unsigned)random_next(random) % width);
  default: return any & bits_mask(width);
  }
}

static void operators_of_large_widths_at_random(void **state) {
  (void)state;
  static const unsigned widths[] = {6, 7, 8, 12, 13, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128};
  uint64_t random = 11;
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
    Fixture f;
    fixture_init(&f);
    Assignments assignments = {.count = 2};
    for (unsigned v = 0; v < 2; v++) assignments.variables[v] = term_variable(f.store, sort_bits(widths[i]), "v");
    Term terms[3 * BINARY_COUNT + 8];
    unsigned count = make_terms(&f, assignments.variables[0], assignments.variables[1], widths[i], &random, terms);
    for (unsigned round = 0; round < 4; round++) {
      for (unsigned k = 0; k < 64; k++) {
        for (unsigned v = 0; v < 2; v++) assignments.values[k][v] = edgy_value(&random, widths[i]);
      }
      compare(&f, &assignments, terms, count);
    }
    fixture_free(&f);
  }
}

static void random_terms(void **state) {
  (void)state;
  uint64_t random = 3;
  for (unsigned round = 0; round < 100; round++) {
    Fixture f;
    fixture_init(&f);
    Assignments assignments = {.count = 4};
    static const unsigned widths[4] = {1, 5, 8, 17};
    for (unsigned v = 0; v < 4; v++) assignments.variables[v] = term_variable(f.store, sort_bits(widths[v]), "v");
    for (unsigned k = 0; k < 64; k++) {
      for (unsigned v = 0; v < 4; v++) assignments.values[k][v] = edgy_value(&random, widths[v]);
    }
    Term terms[10];
    for (unsigned i = 0; i < 10; i++) {
      terms[i] = random_term(f.store, &random, assignments.variables, 4, 1 + random_next(&random) % 20, 4, 0);
    }
    compare(&f, &assignments, terms, 10);
    fixture_free(&f);
  }
}

static void words_are_built_once(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  Term x = term_variable(f.store, sort_bits(32), "x"), y = term_variable(f.store, sort_bits(32), "y");
  Term product = term_binary(f.store, TERM_MUL, x, y);
  assert_null(bitblast_find(&f.blaster, product));
  AigLiteral lowest = *bitblast_term(&f.blaster, product);
  size_t nodes = aig_node_count(&f.aig), literals = f.blaster.literals.count;
  assert_int_equal(*bitblast_term(&f.blaster, product), lowest);
  assert_int_equal(*bitblast_find(&f.blaster, product), lowest);
  assert_int_equal(aig_node_count(&f.aig), nodes);
  assert_int_equal(f.blaster.literals.count, literals);
  assert_int_equal(f.blaster.variables.count, 2);
  assert_int_equal(f.aig.inputs.count, 64);
  fixture_free(&f);
}

static void deep_terms_do_not_recurse(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  Term x = term_variable(f.store, sort_bits(4), "x"), y = term_variable(f.store, sort_bits(4), "y"), t = x;
  for (unsigned i = 0; i < 300000; i++) {
    t = term_binary(f.store, i % 2 ? TERM_XOR : TERM_AND, term_binary(f.store, TERM_ADD, t, y), i % 3 ? x : y);
  }
  assert_true(bitblast_supports(&f.blaster, t));
  assert_non_null(bitblast_term(&f.blaster, t));
  fixture_free(&f);
}

static void what_is_supported(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  TermStore *s = f.store;
  Term x = term_variable(s, sort_bits(32), "x"), i = term_variable(s, sort_bits(8), "i");
  Term a = term_variable(s, sort_array(8, 32), "a"), b = term_variable(s, sort_array(8, 32), "b");
  Term sum = term_binary(s, TERM_FP_ADD, x, term_select(s, a, i));
  assert_false(bitblast_supports(&f.blaster, term_binary(s, TERM_FP_LT, x, sum)));
  assert_true(bitblast_supports(&f.blaster, term_select(s, a, i)));
  Term same = term_eq(s, a, b);
  assert_false(bitblast_supports(&f.blaster, same));
  assert_false(bitblast_supports(&f.blaster, term_ite(s, same, x, term_select(s, a, i))));
  assert_false(bitblast_supports(&f.blaster, same)); // from memory
  assert_false(bitblast_supports(&f.blaster, a));
  fixture_free(&f);
}

static void reads_of_an_array_are_constrained(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  TermStore *s = f.store;
  Term i = term_variable(s, sort_bits(8), "i"), j = term_variable(s, sort_bits(8), "j");
  Term a = term_variable(s, sort_array(8, 4), "a");
  bitblast_term(&f.blaster, term_select(s, a, i));
  assert_int_equal(f.blaster.constraints.count, 0);
  bitblast_term(&f.blaster, term_select(s, a, j));
  assert_int_equal(f.blaster.constraints.count, 1);
  bitblast_term(&f.blaster, term_select(s, a, term_constant(s, 8, 3)));
  assert_int_equal(f.blaster.constraints.count, 3);
  bitblast_term(&f.blaster, term_select(s, a, term_constant(s, 8, 4))); // never equal to index 3
  assert_int_equal(f.blaster.constraints.count, 5);
  assert_int_equal(f.blaster.reads.count, 4);
  uint8_t inputs[64] = {0};
  const AigLiteral *index = bitblast_find(&f.blaster, i), *element = bitblast_find(&f.blaster, term_select(s, a, i));
  inputs[aig_input_index(&f.aig, aig_node(index[0]))] = 1; // i is 9
  inputs[aig_input_index(&f.aig, aig_node(index[3]))] = 1;
  inputs[aig_input_index(&f.aig, aig_node(element[1]))] = 1; // a[i] is 2
  assert_true(f.aig.inputs.count <= 64);
  BitblastElementVector elements;
  BitblastElementVector_init(&elements, &f.account);
  bitblast_elements(&f.blaster, inputs, &elements);
  assert_int_equal(elements.count, 4);
  assert_int_equal(bitblast_element(&elements, a, 9), 2);
  assert_int_equal(bitblast_element(&elements, a, 0), 0);
  assert_int_equal(bitblast_element(&elements, a, 200), 0);
  BitblastElementVector_free(&elements);
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_of_small_widths_exhaustively),
      cmocka_unit_test(operators_of_large_widths_at_random),
      cmocka_unit_test(random_terms),
      cmocka_unit_test(words_are_built_once),
      cmocka_unit_test(deep_terms_do_not_recurse),
      cmocka_unit_test(what_is_supported),
      cmocka_unit_test(reads_of_an_array_are_constrained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
