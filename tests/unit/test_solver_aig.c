// And-inverter graphs: simplification rules, hashing, simulation, and clauses for them.
#include "base/map.h"
#include "solver/aig.h"
#include "solver/cnf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct Fixture {
  Account account;
  Aig aig;
  AigLiteral a, b, c, d;
} Fixture;

static int set_up(void **state) {
  Fixture *fixture = calloc(1, sizeof(Fixture));
  aig_init(&fixture->aig, &fixture->account);
  fixture->a = aig_input(&fixture->aig);
  fixture->b = aig_input(&fixture->aig);
  fixture->c = aig_input(&fixture->aig);
  fixture->d = aig_input(&fixture->aig);
  *state = fixture;
  return 0;
}

static int tear_down(void **state) {
  Fixture *fixture = *state;
  aig_free(&fixture->aig);
  int leaked = fixture->account.bytes != 0;
  free(fixture);
  return leaked;
}

static void constants_and_hashing(void **state) {
  Fixture *f = *state;
  assert_int_equal(aig_and(&f->aig, f->a, AIG_FALSE), AIG_FALSE);
  assert_int_equal(aig_and(&f->aig, AIG_TRUE, f->a), f->a);
  assert_int_equal(aig_and(&f->aig, f->a, f->a), f->a);
  assert_int_equal(aig_and(&f->aig, f->a, aig_not(f->a)), AIG_FALSE);
  assert_int_equal(f->aig.gate_count, 0);
  AigLiteral both = aig_and(&f->aig, f->a, f->b);
  assert_int_equal(aig_and(&f->aig, f->b, f->a), both);
  assert_int_equal(f->aig.gate_count, 1);
  assert_true(aig_is_gate(&f->aig, aig_node(both)));
  assert_int_equal(aig_left(&f->aig, aig_node(both)), f->a);
  assert_int_equal(aig_right(&f->aig, aig_node(both)), f->b);
  assert_int_equal(aig_input_index(&f->aig, aig_node(f->c)), 2);
}

static void two_level_rules(void **state) {
  Fixture *f = *state;
  Aig *g = &f->aig;
  AigLiteral ab = aig_and(g, f->a, f->b), cd = aig_and(g, f->c, f->d), not_ab = aig_not(ab);
  assert_int_equal(aig_and(g, ab, aig_not(f->a)), AIG_FALSE);                     // contradiction
  assert_int_equal(aig_and(g, ab, f->b), ab);                                     // idempotence
  assert_int_equal(aig_and(g, not_ab, aig_not(f->a)), aig_not(f->a));             // subsumption
  assert_int_equal(aig_and(g, not_ab, f->a), aig_and(g, f->a, aig_not(f->b)));    // substitution
  assert_int_equal(aig_and(g, ab, aig_and(g, aig_not(f->a), f->c)), AIG_FALSE);   // symmetric contradiction
  assert_int_equal(aig_and(g, ab, aig_not(aig_and(g, aig_not(f->a), f->c))), ab); // symmetric subsumption
  AigLiteral a_not_b = aig_and(g, f->a, aig_not(f->b));
  assert_int_equal(aig_and(g, not_ab, aig_not(a_not_b)), aig_not(f->a));          // resolution
  assert_int_equal(aig_and(g, ab, aig_and(g, f->a, f->c)), aig_and(g, ab, f->c)); // shared operand
  assert_int_equal(aig_and(g, ab, aig_not(aig_and(g, f->a, f->c))), aig_and(g, ab, aig_not(f->c)));
  assert_true(aig_is_gate(g, aig_node(aig_and(g, ab, cd))));
}

// A random graph against the same expressions on truth tables of the four inputs.
static void random_graphs_mean_the_same(void **state) {
  Fixture *f = *state;
  enum { COUNT = 3000 };
  static const uint64_t tables[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  AigLiteral literals[COUNT] = {f->a, f->b, f->c, f->d};
  uint64_t meaning[COUNT] = {tables[0], tables[1], tables[2], tables[3]};
  uint64_t random = 42;
  for (unsigned i = 4; i < COUNT; i++) {
    random = hash_mix(random + i);
    unsigned x = random % i, y = random >> 20 & 1 ? (random >> 24) % i : i - 1, z = (random >> 40) % i;
    bool invert = random >> 22 & 1;
    AigLiteral lx = literals[x], ly = aig_not_if(literals[y], invert), lz = literals[z];
    uint64_t mx = meaning[x], my = invert ? ~meaning[y] : meaning[y], mz = meaning[z];
    switch (random >> 60 & 7) {
    case 0: literals[i] = aig_xor(&f->aig, lx, ly), meaning[i] = mx ^ my; break;
    case 1: literals[i] = aig_ite(&f->aig, lx, ly, lz), meaning[i] = (mx & my) | (~mx & mz); break;
    case 2: literals[i] = aig_or(&f->aig, lx, ly), meaning[i] = mx | my; break;
    case 3: literals[i] = aig_majority(&f->aig, lx, ly, lz), meaning[i] = (mx & my) | (mx & mz) | (my & mz); break;
    case 4: literals[i] = aig_equal(&f->aig, lx, ly), meaning[i] = ~(mx ^ my); break;
    default: literals[i] = aig_and(&f->aig, lx, ly), meaning[i] = mx & my;
    }
  }
  uint64_t *nodes = calloc(aig_node_count(&f->aig), sizeof(uint64_t));
  aig_simulate(&f->aig, tables, nodes);
  for (unsigned i = 0; i < COUNT; i++) {
    assert_int_equal(aig_simulated(nodes, literals[i]) & 0xffff, meaning[i] & 0xffff);
  }
  for (uint32_t node = 1; node < aig_node_count(&f->aig); node++) {
    if (!aig_is_gate(&f->aig, node)) continue;
    assert_true(aig_left(&f->aig, node) < aig_right(&f->aig, node));
    assert_true(aig_node(aig_right(&f->aig, node)) < node);
    assert_false(aig_is_constant(aig_left(&f->aig, node)));
  }
  free(nodes);
}

static void trees_over_many_operands(void **state) {
  Fixture *f = *state;
  for (size_t count = 0; count <= 4; count++) {
    AigLiteral and_operands[4] = {f->a, f->b, f->c, f->d}, or_operands[4] = {f->a, f->b, f->c, f->d};
    AigLiteral all = aig_and_all(&f->aig, and_operands, count), any = aig_or_all(&f->aig, or_operands, count);
    uint64_t inputs[4], nodes[64];
    for (unsigned assignment = 0; assignment < 16; assignment++) {
      unsigned mask = (1u << count) - 1;
      for (unsigned i = 0; i < 4; i++) inputs[i] = assignment >> i & 1;
      assert_true(aig_node_count(&f->aig) <= 64);
      aig_simulate(&f->aig, inputs, nodes);
      assert_int_equal(aig_simulated(nodes, all) & 1, (assignment & mask) == mask);
      assert_int_equal(aig_simulated(nodes, any) & 1, (assignment & mask) != 0);
    }
  }
}

static void if_then_else_is_recognised(void **state) {
  Fixture *f = *state;
  AigLiteral c, t, e;
  const AigLiteral gates[] = {aig_ite(&f->aig, f->a, f->b, f->c), aig_ite(&f->aig, f->d, aig_not(f->b), f->a),
                              aig_xor(&f->aig, f->a, f->b)};
  static const uint64_t tables[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  uint64_t nodes[64];
  aig_simulate(&f->aig, tables, nodes);
  for (unsigned i = 0; i < 3; i++) {
    assert_true(aig_match_ite(&f->aig, aig_node(gates[i]), &c, &t, &e));
    uint64_t condition = aig_simulated(nodes, c);
    uint64_t meaning = (condition & aig_simulated(nodes, t)) | (~condition & aig_simulated(nodes, e));
    assert_int_equal(nodes[aig_node(gates[i])] & 0xffff, meaning & 0xffff);
  }
  assert_false(aig_match_ite(&f->aig, aig_node(aig_and(&f->aig, f->a, f->b)), &c, &t, &e));
}

// --- clauses ---

typedef struct Clauses {
  int literals[4000];
  size_t count;
} Clauses;

static void collect(void *context, int literal) {
  Clauses *clauses = context;
  assert_true(clauses->count < 4000);
  clauses->literals[clauses->count++] = literal;
}

static bool satisfied(const Clauses *clauses, uint32_t assignment) { // bit v - 1 is variable v
  bool clause = false;
  for (size_t i = 0; i < clauses->count; i++) {
    int literal = clauses->literals[i];
    if (literal == 0 && !clause) return false;
    if (literal == 0)
      clause = false;
    else if (literal > 0)
      clause |= assignment >> (literal - 1) & 1;
    else
      clause |= !(assignment >> (-literal - 1) & 1);
  }
  return true;
}

// For each assignment of the inputs exactly one assignment of all variables satisfies the definitions, and there the
// literal has the value of the function.
static void check_definition(Fixture *f, AigLiteral root) {
  Clauses clauses = {.count = 0};
  CnfEncoder encoder;
  cnf_init(&encoder, &f->aig, (CnfSink){collect, &clauses}, &f->account);
  const AigLiteral inputs[4] = {f->a, f->b, f->c, f->d};
  int variables[4], literal = cnf_literal(&encoder, root);
  for (unsigned i = 0; i < 4; i++) variables[i] = cnf_literal(&encoder, inputs[i]);
  assert_int_equal(cnf_literal(&encoder, root), literal);
  assert_true(encoder.variable_count <= 16);
  uint64_t *nodes = calloc(aig_node_count(&f->aig), sizeof(uint64_t));
  static const uint64_t tables[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  aig_simulate(&f->aig, tables, nodes);
  unsigned models[16] = {0};
  for (uint32_t assignment = 0; assignment < 1u << encoder.variable_count; assignment++) {
    if (!satisfied(&clauses, assignment)) continue;
    unsigned row = 0;
    for (unsigned i = 0; i < 4; i++) row |= (assignment >> (variables[i] - 1) & 1) << i;
    models[row]++;
    bool value = (assignment >> (abs(literal) - 1) & 1) ^ (literal < 0);
    assert_int_equal(value, aig_simulated(nodes, root) >> row & 1);
  }
  for (unsigned row = 0; row < 16; row++) assert_int_equal(models[row], 1);
  free(nodes);
  cnf_free(&encoder);
}

static void clauses_define_gates(void **state) {
  Fixture *f = *state;
  Aig *g = &f->aig;
  check_definition(f, aig_and(g, aig_and(g, f->a, aig_not(f->b)), aig_and(g, f->c, f->d)));
  check_definition(f, aig_xor(g, aig_xor(g, f->a, f->b), aig_not(f->c)));
  check_definition(f, aig_ite(g, f->a, aig_ite(g, f->b, f->c, f->d), aig_and(g, f->c, f->d)));
  check_definition(f, aig_not(aig_majority(g, f->a, f->b, f->d)));
  check_definition(f, AIG_TRUE);
  check_definition(f, AIG_FALSE);
  check_definition(f, aig_not(f->b));
}

// An assertion is satisfied by exactly those inputs that make the function true.
static void check_assertion(Fixture *f, const AigLiteral *clause, size_t count) {
  Clauses clauses = {.count = 0};
  CnfEncoder encoder;
  cnf_init(&encoder, &f->aig, (CnfSink){collect, &clauses}, &f->account);
  if (count == 1)
    cnf_assert(&encoder, clause[0]);
  else
    cnf_assert_clause(&encoder, clause, count);
  const AigLiteral inputs[4] = {f->a, f->b, f->c, f->d};
  int variables[4];
  for (unsigned i = 0; i < 4; i++) variables[i] = cnf_literal(&encoder, inputs[i]);
  uint64_t *nodes = calloc(aig_node_count(&f->aig), sizeof(uint64_t)), expected = 0;
  static const uint64_t tables[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  aig_simulate(&f->aig, tables, nodes);
  for (size_t i = 0; i < count; i++) expected |= aig_simulated(nodes, clause[i]);
  uint64_t found = 0;
  assert_true(encoder.variable_count <= 16);
  for (uint32_t assignment = 0; assignment < 1u << encoder.variable_count; assignment++) {
    if (!satisfied(&clauses, assignment)) continue;
    unsigned row = 0;
    for (unsigned i = 0; i < 4; i++) row |= (assignment >> (variables[i] - 1) & 1) << i;
    found |= UINT64_C(1) << row;
  }
  assert_int_equal(found, expected & 0xffff);
  free(nodes);
  cnf_free(&encoder);
}

static void assertions_are_taken_apart(void **state) {
  Fixture *f = *state;
  Aig *g = &f->aig;
  AigLiteral ab = aig_and(g, f->a, f->b), all = aig_and(g, ab, aig_and(g, f->c, f->d));
  const AigLiteral cases[] = {all,
                              aig_not(all),
                              aig_or(g, ab, aig_and(g, f->c, f->d)),
                              aig_xor(g, f->a, f->d),
                              aig_ite(g, f->a, ab, f->c),
                              f->a,
                              aig_not(f->a),
                              AIG_TRUE,
                              AIG_FALSE,
                              aig_and(g, aig_or(g, f->a, f->b), aig_or(g, f->c, f->d))};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_assertion(f, &cases[i], 1);
  check_assertion(f, NULL, 0);
  check_assertion(f, (const AigLiteral[]){ab, aig_not(f->c), f->d}, 3);
  check_assertion(f, (const AigLiteral[]){ab, aig_not(ab)}, 2);
  check_assertion(f, (const AigLiteral[]){AIG_FALSE, aig_not(all), AIG_FALSE}, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(constants_and_hashing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(two_level_rules, set_up, tear_down),
      cmocka_unit_test_setup_teardown(random_graphs_mean_the_same, set_up, tear_down),
      cmocka_unit_test_setup_teardown(trees_over_many_operands, set_up, tear_down),
      cmocka_unit_test_setup_teardown(if_then_else_is_recognised, set_up, tear_down),
      cmocka_unit_test_setup_teardown(clauses_define_gates, set_up, tear_down),
      cmocka_unit_test_setup_teardown(assertions_are_taken_apart, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
