#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_term.h"

#include <stdio.h>
#include <stdlib.h>

// --- random terms: what the constructors made of a term has the value of the term as it was meant ---

typedef struct Valuation {
  const TermStore *store;
  uint64_t seed;
} Valuation;

// A value that depends on nothing but the seed and what is asked for; often a special one.
static Bits value_for(uint64_t seed, uint64_t key, unsigned width) {
  uint64_t state = seed ^ hash_mix(key);
  Bits value = (Bits)random_next(&state) << 64 | random_next(&state);
  switch (random_next(&state) % 6) {
  case 0: return random_next(&state) % 4 & bits_mask(width);
  case 1: return bits_mask(width) - (random_next(&state) % 2);
  case 2: return (Bits)1 << (width - 1);
  default: return value & bits_mask(width);
  }
}

static Bits value_of(void *context, Term variable) {
  const Valuation *valuation = context;
  return value_for(valuation->seed, variable, term_width(valuation->store, variable));
}

static Bits element_of(void *context, Term array, Bits index) {
  const Valuation *valuation = context;
  return value_for(valuation->seed, hash_mix(array) ^ (uint64_t)index,
                   sort_element_width(term_sort(valuation->store, array)));
}

static Bits read_naively(const RandomTree *tree, const Bits *values, Valuation *valuation, uint32_t array, Bits index) {
  const RandomNode *node = RandomTree_at(tree, array);
  switch (node->op) {
  case TERM_VARIABLE: return element_of(valuation, node->variable, index);
  case TERM_CONST_ARRAY: return values[node->children[0]];
  case TERM_ITE: return read_naively(tree, values, valuation, node->children[values[node->children[0]] ? 1 : 2], index);
  default:
    assert_int_equal(node->op, TERM_STORE);
    if (values[node->children[1]] == index) return values[node->children[2]];
    return read_naively(tree, values, valuation, node->children[0], index);
  }
}

static Bits apply_naively(const RandomTree *tree, const RandomNode *node, const Bits *values, Valuation *valuation) {
  if (node->op == TERM_CONSTANT) return node->value;
  if (sort_is_array(node->sort)) return 0;
  if (node->op == TERM_VARIABLE) return value_of(valuation, node->variable);
  if (node->op == TERM_SELECT)
    return read_naively(tree, values, valuation, node->children[0], values[node->children[1]]);
  unsigned widths[3];
  Bits operands[3];
  for (unsigned i = 0; i < 3; i++) {
    widths[i] = RandomTree_at(tree, node->children[i])->sort;
    operands[i] = values[node->children[i]];
  }
  return term_apply(node->op, node->sort, widths, node->high, node->low, operands);
}

// Sizes of terms as trees, NOT being free, by handle; kept up to date as the store grows.
VECTOR(SizeVector, double);

static double tree_size(const TermStore *store, SizeVector *sizes, Term t) {
  while (sizes->count <= t) {
    double size = 0;
    Term current = (Term)sizes->count;
    if (current) {
      size = term_operator(store, current) == TERM_NOT ? 0 : 1;
      for (unsigned i = 0; i < term_arity(store, current); i++) size += sizes->data[term_child(store, current, i)];
    }
    SizeVector_push(sizes, size);
  }
  return sizes->data[t];
}

VECTOR(BitsValues, Bits);

typedef struct Fixture {
  Account account;
  TermStore *store;
  Term variables[16];
  size_t variable_count;
  RandomTree tree;
  TermVector terms;
  BitsValues values;
  SizeVector sizes;
} Fixture;

static void fixture_open(Fixture *f) {
  *f = (Fixture){.account = {.room = "term"}};
  f->store = term_store_new(&f->account);
}

static void fixture_add(Fixture *f, Sort sort, const char *name) {
  assert_true(f->variable_count < sizeof f->variables / sizeof *f->variables);
  f->variables[f->variable_count++] = term_variable(f->store, sort, name);
}

static void fixture_close(Fixture *f) {
  term_store_free(f->store);
  RandomTree_free(&f->tree);
  TermVector_free(&f->terms);
  BitsValues_free(&f->values);
  SizeVector_free(&f->sizes);
  assert_int_equal(f->account.bytes, 0);
}

static void fail_on_node(Fixture *f, size_t i, const char *what) {
  Text text;
  text_init(&text, NULL);
  const RandomNode *node = RandomTree_at(&f->tree, i);
  text_format(&text, "%s: %s(", what, term_operator_name(node->op));
  for (unsigned child = 0; child < 3; child++) {
    if (child) text_add(&text, "; ");
    Term t = f->terms.data[node->children[child]];
    term_print_smtlib(f->store, t, false, &text);
  }
  text_format(&text, ") [%u:%u] of sort %x became ", node->high, node->low, node->sort);
  term_print_smtlib(f->store, f->terms.data[i], false, &text);
  fprintf(stderr, "%s\n", text.data);
  text_free(&text);
  fail();
}

static unsigned operator_arity(TermOperator op) {
  static const unsigned arities[] = {
#define X(name, text, arity) arity,
      TERM_OPERATORS(X)
#undef X
  };
  return arities[op];
}

static void check_sizes(Fixture *f) {
  for (size_t i = 0; i < f->tree.count; i++) {
    const RandomNode *node = RandomTree_at(&f->tree, i);
    if (node->op == TERM_VARIABLE || node->op == TERM_CONSTANT) continue;
    Term t = f->terms.data[i];
    double naive = node->op == TERM_NOT ? 0 : 1;
    for (unsigned child = 0; child < operator_arity(node->op); child++)
      naive += tree_size(f->store, &f->sizes, f->terms.data[node->children[child]]);
    if (tree_size(f->store, &f->sizes, t) > naive) fail_on_node(f, i, "larger than its naive form");
  }
}

static void check_values(Fixture *f, uint64_t seed) {
  Valuation context = {.store = f->store, .seed = seed};
  TermValuation valuation = {.value_of = value_of, .element_of = element_of, .context = &context};
  BitsValues_clear(&f->values);
  for (size_t i = 0; i < f->tree.count; i++) {
    const RandomNode *node = RandomTree_at(&f->tree, i);
    Bits naive = apply_naively(&f->tree, node, f->values.data, &context);
    assert_true(naive <= bits_mask(sort_is_array(node->sort) ? 1 : node->sort));
    BitsValues_push(&f->values, naive);
    if (sort_is_array(node->sort)) continue;
    if (term_evaluate(f->store, f->terms.data[i], &valuation) != naive) fail_on_node(f, i, "wrong value");
  }
}

static void check_random_terms(Fixture *f, uint64_t seed, unsigned count, unsigned features) {
  uint64_t state = seed;
  for (unsigned i = 0; i < count; i++) {
    unsigned width = random_next(&state) % 4 ? 1 + random_next(&state) % 9 : 1 + random_next(&state) % 128;
    random_tree(&f->tree, f->store, &state, f->variables, f->variable_count, width, 2 + random_next(&state) % 4,
                features);
    Term t = random_build(f->store, &f->tree, &f->terms);
    assert_int_equal(term_width(f->store, t), width);
    check_sizes(f);
    for (unsigned round = 0; round < 3; round++) check_values(f, random_next(&state));
  }
}

static void random_small_widths(void **state) {
  (void)state;
  for (unsigned round = 0; round < 10; round++) {
    Fixture f;
    fixture_open(&f);
    for (unsigned width = 1; width <= 5; width++) fixture_add(&f, sort_bits(width), "x");
    for (unsigned width = 1; width <= 4; width += 3) fixture_add(&f, sort_bits(width), "y");
    check_random_terms(&f, 1000 + round, 3000, 0);
    fixture_close(&f);
  }
}

static void random_odd_widths(void **state) {
  (void)state;
  static const unsigned widths[] = {1, 7, 8, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128};
  Fixture f;
  fixture_open(&f);
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) fixture_add(&f, sort_bits(widths[i]), "x");
  check_random_terms(&f, 7, 12000, 0);
  fixture_close(&f);
}

static void random_floating_point(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  fixture_add(&f, sort_bits(32), "single");
  fixture_add(&f, sort_bits(64), "double");
  fixture_add(&f, sort_bits(1), "bit");
  fixture_add(&f, sort_bits(128), "wide");
  check_random_terms(&f, 8, 8000, RANDOM_FLOATING_POINT | RANDOM_FLOATING_REMAINDER);
  fixture_close(&f);
}

static void random_arrays(void **state) {
  (void)state;
  Fixture f;
  fixture_open(&f);
  fixture_add(&f, sort_bits(2), "index");
  fixture_add(&f, sort_bits(2), "other");
  fixture_add(&f, sort_bits(5), "value");
  fixture_add(&f, sort_array(2, 5), "small");
  fixture_add(&f, sort_array(2, 5), "same");
  fixture_add(&f, sort_array(7, 3), "large");
  check_random_terms(&f, 9, 20000, RANDOM_ARRAYS);
  fixture_close(&f);
}

// --- combinations of small terms: each operator on operands that themselves are recent results ---

enum { POOL_WIDTHS = 5, POOL_SIZE = 48, POOL_ROWS = 24, POOL_ROUNDS = 600 };

// A term with its values under POOL_ROWS valuations, computed operator by operator.
typedef struct Sample {
  Term term;
  Bits values[POOL_ROWS];
} Sample;

typedef struct Pool {
  Fixture f;
  Sample samples[POOL_WIDTHS + 1][POOL_SIZE]; // by width
  uint64_t state;
} Pool;

static void pool_fill(Pool *pool) {
  for (unsigned width = 1; width <= POOL_WIDTHS; width++) {
    for (unsigned i = 0; i < POOL_SIZE; i++) {
      Sample *sample = &pool->samples[width][i];
      bool variable = i % 3 != 0;
      Bits constant = random_next(&pool->state) & bits_mask(width);
      sample->term =
          variable ? pool->f.variables[(width - 1) * 2 + i % 2] : term_constant(pool->f.store, width, constant);
      for (unsigned row = 0; row < POOL_ROWS; row++)
        sample->values[row] = variable ? value_for(row, sample->term, width) : constant;
    }
  }
}

static unsigned pool_width(Pool *pool) { return 1 + (unsigned)(random_next(&pool->state) % POOL_WIDTHS); }

static const Sample *pool_pick(Pool *pool, unsigned width) {
  return &pool->samples[width][random_next(&pool->state) % POOL_SIZE];
}

static bool is_predicate_operator(TermOperator op) {
  return (op >= TERM_EQ && op <= TERM_SLE) || (op >= TERM_NEGO && op <= TERM_SDIVO);
}

// A round concentrates on operators whose rules look at each other's results, or uses all operators.
static TermOperator pool_operator(Pool *pool, unsigned round) {
  static const TermOperator logic[] = {TERM_AND, TERM_OR,  TERM_AND, TERM_OR,  TERM_NOT, TERM_EQ,
                                       TERM_ULT, TERM_ULE, TERM_SLT, TERM_SLE, TERM_ITE};
  static const TermOperator numbers[] = {TERM_ADD, TERM_SUB,  TERM_XOR,  TERM_NEG, TERM_EQ,  TERM_MUL,
                                         TERM_SHL, TERM_LSHR, TERM_ASHR, TERM_NOT, TERM_UREM};
  uint64_t draw = random_next(&pool->state);
  if (round % 3 == 0) return logic[draw % (sizeof logic / sizeof *logic)];
  if (round % 3 == 1) return numbers[draw % (sizeof numbers / sizeof *numbers)];
  return (TermOperator)(TERM_NOT + draw % (TERM_SELECT - TERM_NOT));
}

static unsigned pool_operand_width(Pool *pool, TermOperator op, unsigned round) {
  bool ordering = op >= TERM_EQ && op <= TERM_SLE;
  if (round % 3 == 0) return ordering ? 3 : 1;
  if (round % 3 == 1) return op == TERM_EQ || random_next(&pool->state) % 4 ? 4 : pool_width(pool);
  return random_next(&pool->state) % 3 ? pool_width(pool) : 1;
}

static void pool_step(Pool *pool, unsigned round) {
  TermOperator op = pool_operator(pool, round);
  unsigned width = pool_operand_width(pool, op, round), second_width = width, high = 0, low = 0;
  if (op == TERM_CONCAT) {
    if (width == POOL_WIDTHS) width--;
    second_width = 1 + (unsigned)(random_next(&pool->state) % (POOL_WIDTHS - width));
  }
  const Sample *operands[3] = {pool_pick(pool, op == TERM_ITE ? 1 : width), pool_pick(pool, second_width),
                               pool_pick(pool, width)};
  RandomNode node = {.op = op, .sort = width, .children = {0, 1, 2}};
  if (is_predicate_operator(op)) node.sort = 1;
  if (op == TERM_CONCAT) node.sort = width + second_width;
  if (op == TERM_ZEXT || op == TERM_SEXT)
    node.sort = width + (unsigned)(random_next(&pool->state) % (POOL_WIDTHS + 1 - width));
  if (op == TERM_EXTRACT) {
    low = (unsigned)(random_next(&pool->state) % width),
    high = low + (unsigned)(random_next(&pool->state) % (width - low));
    node.high = high, node.low = low, node.sort = high - low + 1;
  }
  // The operands stand before the operator, as in any tree; they are terms already.
  Fixture *f = &pool->f;
  RandomTree_clear(&f->tree);
  Term terms[3] = {operands[0]->term, operands[1]->term, operands[2]->term};
  for (unsigned i = 0; i < 3; i++)
    RandomTree_push(&f->tree,
                    (RandomNode){.op = TERM_VARIABLE, .sort = term_sort(f->store, terms[i]), .variable = terms[i]});
  RandomTree_push(&f->tree, node);
  Sample result = {.term = random_build(f->store, &f->tree, &f->terms)};
  check_sizes(f);
  unsigned widths[3] = {term_width(f->store, terms[0]), second_width, width};
  for (unsigned row = 0; row < POOL_ROWS; row++) {
    Bits values[3] = {operands[0]->values[row], operands[1]->values[row], operands[2]->values[row]};
    result.values[row] = term_apply(op, node.sort, widths, high, low, values);
    Valuation context = {.store = f->store, .seed = row};
    TermValuation valuation = {.value_of = value_of, .context = &context};
    if (term_evaluate(f->store, result.term, &valuation) != result.values[row]) fail_on_node(f, 3, "wrong value");
  }
  pool->samples[node.sort][random_next(&pool->state) % POOL_SIZE] = result;
}

static void pools_of_small_terms(void **state) {
  (void)state;
  Pool *pool = calloc(1, sizeof *pool);
  pool->state = 2;
  fixture_open(&pool->f);
  for (unsigned width = 1; width <= POOL_WIDTHS; width++)
    for (unsigned i = 0; i < 2; i++) fixture_add(&pool->f, sort_bits(width), i ? "y" : "x");
  for (unsigned round = 0; round < POOL_ROUNDS; round++) {
    pool_fill(pool);
    for (unsigned i = 0; i < 300; i++) pool_step(pool, round);
  }
  fixture_close(&pool->f);
  free(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_small_widths),   cmocka_unit_test(random_odd_widths),
      cmocka_unit_test(random_floating_point), cmocka_unit_test(random_arrays),
      cmocka_unit_test(pools_of_small_terms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
