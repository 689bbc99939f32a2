// Lassos: methods against explicit search on random circuits, the judge of what they find, and the AIGER files of their
// questions.
#include "circuit/circuit_engine.h"
#include "circuit/model/aiger.h"
#include "lasso_circuits.h"
#include "share.h"
#include "test_reach_programs.h"

#include <stdlib.h>

// --- methods against explicit search ---

// Asks a method about the case, and compares. `seconds`: how long it may look for what is not there.
static MethodAnswer ask(LassoCase *l, const Method *method, bool exists, double seconds) {
  lasso_case_forget(l);
  if (!exists) budget_init(&l->budget, seconds, NULL);
  size_t latches = l->circuit.latches.count, inputs = l->circuit.inputs.count;
  MethodAnswer answer = method_answer(method, &l->question);
  assert_int_equal(l->circuit.latches.count, latches);
  assert_int_equal(l->circuit.inputs.count, inputs);
  if (answer == METHOD_UNKNOWN) {
    assert_true(l->reason.length > 0);
    assert_null(strstr(l->reason.data, "internal error"));
  } else {
    assert_int_equal(answer, exists ? METHOD_REACHED : METHOD_UNREACHABLE);
  }
  assert_int_equal(answer == METHOD_REACHED, lasso_is_valid(&l->question));
  return answer;
}

typedef struct Counts {
  uint32_t found, refuted, unknown;
} Counts;

// All cases of some seeds by one method; what exists must be found.
static Counts compare(const Method *method, uint64_t seeds, double seconds) {
  Counts counts = {0};
  Account account = {.room = "test"};
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    LassoCase l;
    lasso_case_init(&l, seed, &account);
    bool exists = lasso_case_exists(&l);
    MethodAnswer answer = ask(&l, method, exists, seconds);
    if (exists) assert_int_equal(answer, METHOD_REACHED);
    counts.found += answer == METHOD_REACHED;
    counts.refuted += answer == METHOD_UNREACHABLE;
    counts.unknown += answer == METHOD_UNKNOWN;
    lasso_case_free(&l);
  }
  assert_int_equal(account.bytes, 0);
  print_message("%s: %u found, %u refuted, %u unknown\n", method->name, counts.found, counts.refuted, counts.unknown);
  return counts;
}

static void test_bmc_agrees_with_explicit_search(void **state) {
  (void)state;
  Counts counts = compare(&method_bmc, 400 / SHARE, 0.01);
  assert_true(counts.found > 100 / SHARE);
  assert_true(counts.refuted > 10 / SHARE); // executions that end
  assert_true(counts.unknown > 10 / SHARE);
}

static void test_pdr_agrees_with_explicit_search(void **state) {
  (void)state;
  Counts counts = compare(&method_pdr, 60 / SHARE, 20);
  assert_true(counts.found > 10 / SHARE);
  assert_true(counts.refuted > 10 / SHARE);
  assert_int_equal(counts.unknown, 0);
}

static void test_induction_agrees_with_explicit_search(void **state) {
  (void)state;
  Counts counts = compare(&method_induction, 40 / SHARE, 20);
  assert_true(counts.found > 10 / SHARE);
  assert_true(counts.refuted > 10 / SHARE);
}

// --- the judge ---

// One step of a small circuit, by nothing but its graph.
typedef struct HandStep {
  uint32_t next;
  bool constraint;
  uint32_t just; // mask
} HandStep;

static HandStep step_by_hand(const LassoCase *l, uint32_t state, const uint8_t *given) {
  const Circuit *c = &l->circuit;
  uint64_t inputs[LASSO_MOST_LATCHES + LASSO_MOST_INPUTS] = {0};
  uint64_t *nodes = memory_allocate_zeroed(NULL, aig_node_count(&c->aig) * sizeof *nodes);
  for (size_t i = 0; i < c->latches.count; i++) inputs[i] = state >> i & 1; // the first inputs of the graph
  for (size_t i = 0; i < c->inputs.count; i++) inputs[c->latches.count + i] = given[i];
  aig_simulate(&c->aig, inputs, nodes);
  HandStep step = {.constraint = aig_simulated(nodes, l->question.constraint) & 1};
  for (size_t i = 0; i < c->latches.count; i++)
    step.next |= (uint32_t)(aig_simulated(nodes, c->latches.data[i].next) & 1) << i;
  for (size_t i = 0; i < l->question.justice.count; i++)
    step.just |= (uint32_t)(aig_simulated(nodes, l->question.justice.data[i]) & 1) << i;
  memory_free(NULL, nodes, aig_node_count(&c->aig) * sizeof *nodes);
  return step;
}

static bool judged_by_hand(const LassoCase *l) {
  uint32_t state = 0, kept = UINT32_MAX, just = 0;
  for (uint32_t i = 0; i < l->trace.steps; i++) {
    if (i == l->question.loop_start) kept = state;
    HandStep step = step_by_hand(l, state, l->trace.inputs.data + i * l->circuit.inputs.count);
    if (!step.constraint) return false;
    if (kept != UINT32_MAX) just |= step.just;
    state = step.next;
  }
  return state == kept && just == (1u << l->question.justice.count) - 1;
}

// Something in the trace becomes different.
static void mutate(LassoCase *l) {
  switch (lasso_draw(l, 4)) {
  case 0: l->question.loop_start = lasso_draw(l, l->trace.steps + 2); break;
  case 1:
    l->trace.steps--;
    ByteVector_resize(&l->trace.inputs, l->trace.steps * l->circuit.inputs.count);
    break;
  case 2:
    for (size_t i = l->circuit.inputs.count; i > 0; i--) ByteVector_push(&l->trace.inputs, (uint8_t)lasso_draw(l, 2));
    l->trace.steps++;
    break;
  default: l->trace.inputs.data[lasso_draw(l, (uint32_t)l->trace.inputs.count)] ^= 1; break;
  }
}

static void test_the_judge_rejects_what_is_none(void **state) {
  (void)state;
  enum { SEEDS = 300 / SHARE, MUTATIONS = 12 };
  uint32_t accepted = 0, rejected = 0;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    LassoCase l;
    lasso_case_init(&l, seed, NULL);
    if (lasso_case_exists(&l)) ask(&l, &method_bmc, true, 60);
    for (int i = 0; i < MUTATIONS && l.trace.steps > 0; i++) {
      assert_int_equal(lasso_is_valid(&l.question), judged_by_hand(&l));
      mutate(&l);
      accepted += lasso_is_valid(&l.question);
      rejected += !lasso_is_valid(&l.question);
    }
    lasso_case_free(&l);
  }
  assert_true(accepted > 100 / SHARE);
  assert_true(rejected > 100 / SHARE);
}

// Two latches that count the steps with input 0; input 1 breaks `constraint`; input 2 is just.
static void counter_init(LassoCase *l) {
  lasso_case_init(l, 0, NULL);
  Circuit *c = &l->circuit;
  CircuitLatch *low = &c->latches.data[0], *high = &c->latches.data[1];
  AigLiteral counts = c->inputs.data[0].literal;
  low->next = aig_xor(&c->aig, low->now, counts);
  high->next = aig_xor(&c->aig, high->now, aig_and(&c->aig, low->now, counts));
  l->question.constraint = aig_not(c->inputs.data[1].literal);
  U32Vector_push(&l->question.justice, c->inputs.data[2].literal);
}

static void test_the_judge_looks_at_each_condition(void **state) {
  (void)state;
  static const struct {
    const char *inputs; // 0: nothing, c: counts, j: counts and is just, i: is just only, b: counts and breaks
    uint32_t loop_start;
    bool is_one;
  } cases[] = {{"i", 0, true},       {"0", 0, false},     {"cccj", 0, true},  {"jccc", 0, true},   {"jccc", 1, false},
               {"cci", 2, true},     {"cci", 1, false},   {"jcc", 0, false},  {"cijccc", 1, true}, {"cijccc", 2, true},
               {"cijccc", 0, false}, {"bccj", 0, false},  {"ccbj", 0, false}, {"bi", 1, false},    {"i", 1, false},
               {"cccji", 4, true},   {"icccc", 1, false}, {"", 0, false}};
  LassoCase l;
  counter_init(&l);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lasso_case_forget(&l);
    for (const char *at = cases[i].inputs; *at; at++) {
      uint8_t *inputs = circuit_trace_add(&l.trace, &l.circuit);
      inputs[0] = strchr("cjb", *at) != NULL;
      inputs[1] = *at == 'b';
      inputs[2] = strchr("ji", *at) != NULL;
    }
    l.question.loop_start = cases[i].loop_start;
    assert_int_equal(lasso_is_valid(&l.question), cases[i].is_one);
  }
  ByteVector_push(&l.trace.inputs, 0); // not a whole step
  l.trace.steps = 1;
  assert_false(lasso_is_valid(&l.question));
  lasso_case_free(&l);
}

// --- stopping ---

static void test_stopped_searches_know_nothing(void **state) {
  (void)state;
  static const char *const points[] = {"circuit-lasso-bmc", "solver-check"};
  for (size_t i = 0; i < 2; i++) {
    Account account = {.room = "test"};
    LassoCase l;
    lasso_case_init(&l, 1, &account);
    l.budget.force_at = points[i];
    assert_int_equal(method_answer(&method_bmc, &l.question), METHOD_UNKNOWN);
    assert_true(l.reason.length > 0);
    assert_int_equal(l.trace.steps, 0);
    lasso_case_free(&l);
    assert_int_equal(account.bytes, 0);
  }
}

static MethodAnswer stop_within_trace(Question *question) {
  circuit_trace_add(question->trace, question->circuit);
  return METHOD_UNKNOWN;
}

static void test_unfinished_traces_are_dropped(void **state) {
  (void)state;
  static const Method method = {.name = "stops", .reach = stop_within_trace, .lasso = stop_within_trace};
  Account account = {.room = "test"};
  LassoCase l;
  lasso_case_init(&l, 1, &account);
  l.question.bad = AIG_TRUE; // a method is not asked whether a constant false can be reached
  for (QuestionKind kind = QUESTION_REACH; kind <= QUESTION_LASSO; kind++) {
    l.question.kind = kind;
    assert_int_equal(method_answer(&method, &l.question), METHOD_UNKNOWN);
    assert_int_equal(l.trace.steps, 0);
    assert_int_equal(l.trace.inputs.count, 0);
  }
  lasso_case_free(&l);
  assert_int_equal(account.bytes, 0);
}

// --- circuits of programs ---

// Asks about the circuit of a program that ends.
static MethodAnswer ask_program(LassoCase *l, const Method *method, CircuitModel *m, AigLiteral constraint) {
  lasso_case_forget(l);
  l->question.circuit = &m->circuit;
  l->question.constraint = constraint;
  MethodAnswer answer = method_answer(method, &l->question);
  assert_int_equal(answer == METHOD_REACHED, lasso_is_valid(&l->question));
  return answer;
}

// A thread that cannot move may be selected although another one could: such a step counts here.
static void test_programs_idle_for_ever_or_end(void **state) {
  (void)state;
  static const Method *const methods[] = {&method_bmc, &method_pdr, &method_induction};
  Build b;
  make_counter(&b, true);
  LassoCase l;
  lasso_case_init(&l, 0, NULL);
  CircuitModel m;
  assert_null(circuit_model_init(&m, b.p, PROPERTY_UNREACH_CALL, BLOCK_LARGE, SCHEDULE_INTERLEAVED, false, &l.budget,
                                 &b.account));
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(ask_program(&l, methods[i], &m, aig_not(m.circuit.moves)), METHOD_REACHED);
    if (methods[i] == &method_bmc) assert_int_equal(l.trace.steps, 1);
  }
  for (size_t i = 0; i < 2; i++) assert_int_equal(ask_program(&l, methods[i], &m, m.circuit.moves), METHOD_UNREACHABLE);
  circuit_model_free(&m);
  lasso_case_free(&l);
  build_end(&b);
}

// --- files ---

typedef struct File {
  unsigned variables, inputs, latches, outputs, gates, bads, constraints, properties, fairness;
} File;

static unsigned read_number(const char **at) {
  char *end;
  unsigned value = (unsigned)strtoul(*at, &end, 10);
  assert_true(end > *at && (*end == ' ' || *end == '\n'));
  *at = end + 1;
  return value;
}

static File read_header(const char **at) {
  File file;
  unsigned *const fields[] = {&file.variables, &file.inputs,      &file.latches,    &file.outputs, &file.gates,
                              &file.bads,      &file.constraints, &file.properties, &file.fairness};
  assert_int_equal(strncmp(*at, "aag ", 4), 0);
  *at += 4;
  for (size_t i = 0; i < 9; i++) {
    *fields[i] = read_number(at);
    assert_int_equal((*at)[-1], i == 8 ? '\n' : ' ');
  }
  assert_int_equal(file.variables, file.inputs + file.latches + file.gates);
  assert_int_equal(file.outputs + file.bads, 0);
  assert_int_equal(file.properties, 1);
  return file;
}

static AigLiteral literal_of(const U32Vector *built, unsigned literal) {
  return aig_not_if(*U32Vector_at(built, literal / 2), literal & 1);
}

// Makes what a file asks a case of its own. Returns what comes after the gates.
static const char *read_case(const char *at, File *file, LassoCase *l) {
  *file = read_header(&at);
  lasso_case_init(l, 0, NULL);
  lasso_circuit_free(&l->circuit);
  lasso_circuit_init(&l->circuit, file->latches, file->inputs, NULL);
  U32Vector built, numbers; // per variable: its literal
  U32Vector_init(&built, NULL);
  U32Vector_init(&numbers, NULL);
  U32Vector_push(&built, AIG_FALSE);
  for (unsigned i = 0; i < file->inputs; i++) {
    assert_int_equal(read_number(&at), 2 * i + 2);
    U32Vector_push(&built, l->circuit.inputs.data[i].literal);
  }
  for (unsigned i = 0; i < file->latches; i++) {
    assert_int_equal(read_number(&at), 2 * (file->inputs + i) + 2);
    U32Vector_push(&numbers, read_number(&at));
    U32Vector_push(&built, l->circuit.latches.data[i].now);
  }
  assert_true(file->constraints <= 1);
  unsigned constraint = file->constraints ? read_number(&at) : 1, just = read_number(&at);
  for (unsigned i = 0; i < just + file->fairness; i++) U32Vector_push(&numbers, read_number(&at));
  for (unsigned i = 0; i < file->gates; i++) {
    assert_int_equal(read_number(&at), 2 * built.count);
    unsigned left = read_number(&at), right = read_number(&at);
    U32Vector_push(&built, aig_and(&l->circuit.aig, literal_of(&built, left), literal_of(&built, right)));
  }
  for (unsigned i = 0; i < file->latches; i++) l->circuit.latches.data[i].next = literal_of(&built, numbers.data[i]);
  l->question.constraint = literal_of(&built, constraint);
  for (size_t i = file->latches; i < numbers.count; i++)
    if (numbers.data[i] != 1) U32Vector_push(&l->question.justice, literal_of(&built, numbers.data[i]));
  U32Vector_free(&numbers);
  U32Vector_free(&built);
  return at;
}

static size_t count_names(const char *symbols, char kind) {
  size_t count = 0;
  for (const char *line = symbols; strncmp(line, "c\n", 2) != 0; line = strchr(line, '\n') + 1) count += *line == kind;
  return count;
}

// The first so many literals of justice are written as such, the others as fairness.
static void check_file(LassoCase *l, uint32_t just) {
  U32Vector justice, fairness;
  U32Vector_init(&justice, NULL);
  U32Vector_init(&fairness, NULL);
  for (uint32_t i = 0; i < l->question.justice.count; i++)
    U32Vector_push(i < just ? &justice : &fairness, l->question.justice.data[i]);
  Aiger aiger;
  Text text;
  text_init(&text, NULL);
  aiger_init_lasso(&aiger, &l->circuit, l->question.constraint, AIG_FALSE, &justice, &fairness, NULL);
  aiger_write(&aiger, false, &text);
  LassoCase read;
  File file;
  const char *symbols = read_case(text.data, &file, &read);
  assert_int_equal(file.fairness, fairness.count);
  assert_int_equal(file.constraints, l->question.constraint != AIG_TRUE);
  assert_int_equal(file.inputs, aiger.inputs.count);
  assert_int_equal(file.latches, aiger.latches.count);
  assert_int_equal(count_names(symbols, 'i'), file.inputs);
  assert_int_equal(count_names(symbols, 'l'), file.latches);
  assert_int_equal(count_names(symbols, 'c'), file.constraints);
  assert_int_equal(count_names(symbols, 'j'), 1);
  assert_int_equal(count_names(symbols, 'f'), file.fairness);
  assert_int_equal(lasso_case_exists(&read), lasso_case_exists(l));
  lasso_case_free(&read);
  text_free(&text);
  aiger_free(&aiger);
  U32Vector_free(&fairness);
  U32Vector_free(&justice);
}

static void test_files_ask_the_same(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300 / SHARE; seed++) {
    LassoCase l;
    lasso_case_init(&l, seed, NULL);
    for (uint32_t just = 0; just <= l.question.justice.count; just++) check_file(&l, just);
    lasso_case_free(&l);
  }
}

static void test_files_name_new_latches_and_inputs(void **state) {
  (void)state;
  LassoCase l;
  counter_init(&l);
  l.circuit.latches.data[0].kind = LATCH_PROMISE;
  l.circuit.latches.data[0].of = 7;
  l.circuit.inputs.data[0].kind = INPUT_GUESS;
  U32Vector_push(&l.question.justice, l.circuit.latches.data[1].now);
  Aiger aiger;
  Text text;
  text_init(&text, NULL);
  aiger_init_lasso(&aiger, &l.circuit, l.question.constraint, AIG_FALSE, &l.question.justice, NULL, NULL);
  aiger_write(&aiger, false, &text);
  static const char *const expected[] = {"\ni0 guess[0]\n", "\nl0 promise[7]\n", "\nl1 bit[1]\n", "\nc0 constraint\n"};
  for (size_t i = 0; i < 4; i++) assert_non_null(strstr(text.data, expected[i]));
  assert_int_equal(strncmp(text.data, "aag ", 4), 0);
  text_clear(&text);
  aiger_write(&aiger, true, &text);
  assert_int_equal(strncmp(text.data, "aig ", 4), 0);
  assert_non_null(strstr(text.data, " 0 1 1 0\n")); // the end of the header: no bad state, a constraint, a property
  text_free(&text);
  aiger_free(&aiger);
  lasso_case_free(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bmc_agrees_with_explicit_search),
      cmocka_unit_test(test_pdr_agrees_with_explicit_search),
      cmocka_unit_test(test_induction_agrees_with_explicit_search),
      cmocka_unit_test(test_the_judge_rejects_what_is_none),
      cmocka_unit_test(test_the_judge_looks_at_each_condition),
      cmocka_unit_test(test_stopped_searches_know_nothing),
      cmocka_unit_test(test_unfinished_traces_are_dropped),
      cmocka_unit_test(test_programs_idle_for_ever_or_end),
      cmocka_unit_test(test_files_ask_the_same),
      cmocka_unit_test(test_files_name_new_latches_and_inputs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
