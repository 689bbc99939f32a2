// AIGER files: what was written is read back by a small reader of its own and simulated beside the circuit; names; and
// the reading of counterexamples and invariants.
#include "circuit/circuit_engine.h"
#include "circuit/methods/method.h"
#include "circuit/model/aiger.h"
#include "test_reach_programs.h"

#include <stdlib.h>

static const Scheduling schedulings[] = {SCHEDULE_INTERLEAVED, SCHEDULE_STUBBORN, SCHEDULE_TRANSACTIONS};
enum { SCHEDULINGS = sizeof schedulings / sizeof *schedulings };

// --- a reader ---

typedef struct File {
  bool binary;
  unsigned variables, inputs, latches, outputs, gates, bads, constraints;
  U32Vector next, goals, operands; // goals: outputs, bad states, constraints
  const char *symbols;
} File;

static unsigned read_number(const char **at) {
  char *end;
  unsigned value = (unsigned)strtoul(*at, &end, 10);
  assert_true(end > *at);
  *at = end;
  return value;
}

static unsigned read_line_number(const char **at) {
  unsigned value = read_number(at);
  assert_int_equal(**at, '\n');
  ++*at;
  return value;
}

static unsigned read_delta(const char **at) {
  unsigned value = 0, shift = 0;
  for (; **at & 0x80; shift += 7) value |= (unsigned)(*(*at)++ & 0x7f) << shift;
  return value | (unsigned)(unsigned char)*(*at)++ << shift;
}

static void read_header(File *file, const char **at) {
  file->binary = strncmp(*at, "aig ", 4) == 0;
  assert_true(file->binary || strncmp(*at, "aag ", 4) == 0);
  *at += 4;
  unsigned *const fields[] = {&file->variables, &file->inputs, &file->latches,    &file->outputs,
                              &file->gates,     &file->bads,   &file->constraints};
  for (size_t i = 0; i < 7 && **at != '\n'; i++) *fields[i] = read_number(at);
  assert_int_equal(*(*at)++, '\n');
  assert_int_equal(file->variables, file->inputs + file->latches + file->gates);
}

static void read_gates(File *file, const char **at) {
  for (unsigned i = 0; i < file->gates; i++) {
    unsigned gate = 2 * (file->inputs + file->latches + i + 1), larger, smaller;
    if (file->binary) {
      larger = gate - read_delta(at);
      smaller = larger - read_delta(at);
    } else {
      assert_int_equal(read_number(at), gate);
      larger = read_number(at);
      smaller = read_line_number(at);
    }
    assert_true(gate > larger && larger >= smaller);
    U32Vector_push(&file->operands, larger);
    U32Vector_push(&file->operands, smaller);
  }
}

static void file_read(File *file, const char *at) {
  *file = (File){0};
  read_header(file, &at);
  for (unsigned i = 0; i < file->inputs && !file->binary; i++) assert_int_equal(read_line_number(&at), 2 * i + 2);
  for (unsigned i = 0; i < file->latches; i++) {
    if (!file->binary) assert_int_equal(read_number(&at), 2 * (file->inputs + i + 1));
    U32Vector_push(&file->next, read_line_number(&at));
  }
  for (unsigned i = 0; i < file->outputs + file->bads + file->constraints; i++)
    U32Vector_push(&file->goals, read_line_number(&at));
  read_gates(file, &at);
  file->symbols = at;
}

static void file_free(File *file) {
  U32Vector_free(&file->next);
  U32Vector_free(&file->goals);
  U32Vector_free(&file->operands);
}

static uint64_t value_of(const uint64_t *values, unsigned literal) {
  return values[literal / 2] ^ (literal & 1 ? ~UINT64_C(0) : 0);
}

static void file_simulate(const File *file, uint64_t *values) { // inputs and latches are set
  values[0] = 0;
  for (unsigned i = 0; i < file->gates; i++)
    values[file->inputs + file->latches + i + 1] =
        value_of(values, file->operands.data[2 * i]) & value_of(values, file->operands.data[2 * i + 1]);
}

// --- side by side ---

typedef struct Pair {
  const Aiger *aiger;
  const File *file;
  uint64_t *inputs, *nodes, *values; // of the graph, of the file
} Pair;

static void set_latch(Pair *p, size_t i, uint64_t value) {
  const Circuit *c = p->aiger->circuit;
  p->inputs[aig_input_index(&c->aig, aig_node(c->latches.data[i].now))] = value;
}

// Random inputs, the same in both.
static void choose_inputs(Pair *p, uint64_t *random) {
  const Circuit *c = p->aiger->circuit;
  for (size_t i = 0; i < c->inputs.count; i++)
    p->inputs[aig_input_index(&c->aig, aig_node(c->inputs.data[i].literal))] = *random = hash_mix(*random + i + 1);
  for (size_t i = 0; i < p->aiger->inputs.count; i++) {
    AigLiteral input = c->inputs.data[p->aiger->inputs.data[i]].literal;
    p->values[1 + i] = p->inputs[aig_input_index(&c->aig, aig_node(input))];
  }
}

static void compare_goals(const Pair *p) {
  const Aiger *a = p->aiger;
  for (uint32_t i = 0; i < a->bad_count; i++)
    assert_true(value_of(p->values, p->file->goals.data[i]) == aig_simulated(p->nodes, a->bads[i]));
  if (a->plain) return;
  const Circuit *c = a->circuit;
  uint64_t bad = aig_simulated(p->nodes, c->error) | aig_simulated(p->nodes, c->cut);
  uint64_t constraint = value_of(p->values, p->file->goals.data[a->bad_count]);
  assert_true(constraint == (bad | aig_simulated(p->nodes, c->moves)));
}

// How often something bad was seen, in 64 random runs.
static unsigned compare(const Aiger *a, const File *file) {
  enum { STEPS = 60 };
  const Circuit *c = a->circuit;
  Pair p = {.aiger = a, .file = file};
  p.inputs = calloc(c->aig.inputs.count + 1, sizeof(uint64_t));
  p.nodes = calloc(aig_node_count(&c->aig), sizeof(uint64_t));
  p.values = calloc(file->variables + 1, sizeof(uint64_t));
  uint64_t random = 7;
  unsigned seen = 0;
  for (int step = 0; step < STEPS; step++) {
    choose_inputs(&p, &random);
    aig_simulate(&c->aig, p.inputs, p.nodes);
    file_simulate(file, p.values);
    compare_goals(&p);
    seen += aig_simulated(p.nodes, a->bads[0]) != 0;
    for (size_t i = 0; i < c->latches.count; i++) set_latch(&p, i, aig_simulated(p.nodes, c->latches.data[i].next));
    uint64_t *next = calloc(file->latches + 1, sizeof(uint64_t));
    for (unsigned i = 0; i < file->latches; i++) next[i] = value_of(p.values, file->next.data[i]);
    memcpy(p.values + 1 + file->inputs, next, file->latches * sizeof(uint64_t));
    free(next);
  }
  free(p.inputs);
  free(p.nodes);
  free(p.values);
  return seen;
}

static void open_model(Build *b, CircuitModel *m, Scheduling scheduling) {
  Budget budget;
  budget_init(&budget, 0, NULL);
  assert_null(circuit_model_init(m, b->p, PROPERTY_UNREACH_CALL, BLOCK_LARGE, scheduling, false, &budget, &b->account));
}

static unsigned write_and_compare(Build *b, Scheduling scheduling, bool plain) {
  CircuitModel m;
  open_model(b, &m, scheduling);
  Aiger a;
  if (plain)
    aiger_init_plain(&a, &m.circuit, m.circuit.error, &b->account);
  else
    aiger_init_property(&a, &m.circuit, &b->account);
  unsigned seen = 0;
  for (int binary = 0; binary <= 1; binary++) {
    Text text;
    text_init(&text, &b->account);
    aiger_write(&a, binary, &text);
    File file;
    file_read(&file, text.data);
    assert_int_equal(file.binary, binary);
    assert_int_equal(file.outputs, plain);
    assert_int_equal(file.bads, plain ? 0 : a.bad_count);
    assert_int_equal(file.constraints, !plain);
    seen = compare(&a, &file);
    file_free(&file);
    text_free(&text);
  }
  aiger_free(&a);
  circuit_model_free(&m);
  return seen;
}

static void test_what_is_written_behaves_like_the_circuit(void **state) {
  (void)state;
  for (size_t s = 0; s < SCHEDULINGS; s++)
    for (int plain = 0; plain <= 1; plain++) {
      Build b;
      make_counter(&b, false);
      assert_true(write_and_compare(&b, schedulings[s], plain) > 0);
      build_end(&b);
      make_counter(&b, true);
      assert_int_equal(write_and_compare(&b, schedulings[s], plain), 0);
      build_end(&b);
      make_flipper(&b, 1);
      assert_true(write_and_compare(&b, schedulings[s], plain) > 0);
      build_end(&b);
      make_input(&b, 3);
      write_and_compare(&b, schedulings[s], plain);
      build_end(&b);
    }
}

// --- names ---

static unsigned count_lines_with(const char *text, char kind) {
  unsigned count = 0;
  for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    if (line[0] == 'c' && line[1] == '\n') break; // the comment
    count += line[0] == kind;
  }
  return count;
}

static void test_names_say_variable_and_bit(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  CircuitModel m;
  open_model(&b, &m, SCHEDULE_TRANSACTIONS);
  Aiger a;
  aiger_init_property(&a, &m.circuit, &b.account);
  Text text;
  text_init(&text, &b.account);
  aiger_write(&a, false, &text);
  File file;
  file_read(&file, text.data);
  static const char *const expected[] = {" select[0]\n",         " pc.0(main)[0]\n", " pc.0.0(worker)[0]\n",
                                         " pc.0.1(worker)[0]\n", " x[0]\n",          " x[31]\n",
                                         "b0 error\n",           "c0 moves\nc\n"};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const char *place = strstr(file.symbols, expected[i]);
    assert_non_null(place);
    assert_null(strstr(place + 1, expected[i])); // names are unique
  }
  assert_int_equal(count_lines_with(file.symbols, 'i'), file.inputs);
  assert_int_equal(count_lines_with(file.symbols, 'l'), file.latches);
  assert_int_equal(count_lines_with(file.symbols, 'b'), file.bads);
  file_free(&file);
  text_free(&text);
  aiger_free(&a);
  circuit_model_free(&m);
  build_end(&b);
}

static void test_only_the_cone_is_written(void **state) {
  (void)state;
  Build b;
  make_counter(&b, true);
  CircuitModel m;
  open_model(&b, &m, SCHEDULE_INTERLEAVED);
  Aiger whole, nothing;
  aiger_init_property(&whole, &m.circuit, &b.account);
  assert_true(whole.latches.count > 3);
  aiger_init_plain(&nothing, &m.circuit, AIG_TRUE, &b.account);
  Text text;
  text_init(&text, &b.account);
  aiger_write(&nothing, false, &text);
  // One input and one latch, which model checkers ask for.
  assert_int_equal(strncmp(text.data, "aag 2 1 1 1 0\n2\n4 0\n1\nc\n", 24), 0);
  text_free(&text);
  aiger_free(&nothing);
  aiger_free(&whole);
  circuit_model_free(&m);
  build_end(&b);
}

// --- reading ---

typedef struct Reading {
  Build b;
  CircuitModel m;
  Aiger a;
} Reading;

static void reading_init(Reading *r) {
  make_counter(&r->b, false);
  open_model(&r->b, &r->m, SCHEDULE_INTERLEAVED);
  aiger_init_plain(&r->a, &r->m.circuit, r->m.circuit.error, &r->b.account);
}

static void reading_free(Reading *r) {
  aiger_free(&r->a);
  circuit_model_free(&r->m);
  build_end(&r->b);
}

static bool reads_trace(Reading *r, const char *text, CircuitTrace *trace) {
  circuit_trace_free(trace);
  circuit_trace_init(trace, &r->b.account);
  return aiger_read_trace(&r->a, text, trace);
}

static void test_counterexamples_are_read(void **state) {
  (void)state;
  Reading r;
  reading_init(&r);
  assert_int_equal(r.a.inputs.count, 2); // which of three threads moves
  CircuitTrace trace;
  circuit_trace_init(&trace, &r.b.account);
  assert_true(reads_trace(&r, "0000\n01\n1x\n11# DONE\n", &trace));
  assert_int_equal(trace.steps, 3);
  static const uint8_t expected[] = {0, 1, 1, 0, 1, 1};
  size_t inputs = r.m.circuit.inputs.count;
  for (size_t step = 0; step < 3; step++)
    for (size_t i = 0; i < 2; i++)
      assert_int_equal(trace.inputs.data[step * inputs + r.a.inputs.data[i]], expected[2 * step + i]);
  assert_false(reads_trace(&r, "0010\n01\n", &trace)); // not the start
  assert_false(reads_trace(&r, "0000\n01\n1# DONE\n", &trace));
  assert_false(reads_trace(&r, "0000\n# DONE\n", &trace));
  assert_false(reads_trace(&r, "", &trace));
  circuit_trace_free(&trace);
  reading_free(&r);
}

static bool reads_invariant(Reading *r, const char *text, Invariant *invariant) {
  invariant_free(invariant);
  invariant_init(invariant, &r->b.account);
  return aiger_read_invariant(&r->a, text, invariant);
}

static void test_invariants_are_read(void **state) {
  (void)state;
  Reading r;
  reading_init(&r);
  Invariant invariant;
  invariant_init(&invariant, &r.b.account);
  assert_true(reads_invariant(&r, "# it\n.i 3\n.o 1\n.p 2\n.ilb l4 l0 l2\n.ob inv\n1-0 1\n-11 1\n.e\n", &invariant));
  assert_int_equal(invariant_count(&invariant), 2);
  static const uint32_t literals[] = {4 * 2, 2 * 2 + 1, 0 * 2, 2 * 2};
  assert_int_equal(invariant.literals.count, 4);
  assert_memory_equal(invariant.literals.data, literals, sizeof literals);
  assert_false(reads_invariant(&r, ".ilb l4 l0\n1-0 1\n.e\n", &invariant));
  assert_false(reads_invariant(&r, ".ilb l4 l0\n1- 0\n.e\n", &invariant));
  assert_false(reads_invariant(&r, ".ilb l4 l999999\n1- 1\n.e\n", &invariant));
  assert_false(reads_invariant(&r, ".ilb l4 n0\n1- 1\n.e\n", &invariant));
  assert_false(reads_invariant(&r, ".ilb l4 l0\n1- 1\n", &invariant)); // cut off
  assert_false(reads_invariant(&r, "1- 1\n.e\n", &invariant));
  invariant_free(&invariant);
  reading_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_written_behaves_like_the_circuit),
      cmocka_unit_test(test_names_say_variable_and_bit),
      cmocka_unit_test(test_only_the_cone_is_written),
      cmocka_unit_test(test_counterexamples_are_read),
      cmocka_unit_test(test_invariants_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
