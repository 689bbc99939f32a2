// Liveness to safety: a lasso becomes a bad state that can be reached (Biere, Artho, Schuppan, "Liveness checking as
// safety checking", FMICS 2002).
//
// A second circuit is built. It has the latches and inputs of the question's circuit, with the same numbers. Behind
// these it has:
//
//   - an input `save`. When it is first set, the state before the step is saved as the beginning of the loop;
//   - a shadow for each latch, which keeps the saved value;
//   - flags: a state was saved; `constraint` failed in some step; and for each justice, it held in some step since the
//     save.
//
// The bad states are those that equal the saved one, at least one step after the save, if each justice was seen since
// the save and `constraint` held in all steps so far. Whether a state is bad depends on latches only. So the step in
// which the bad state is seen is not part of the lasso any more, and the second circuit needs no constraint.
#include "circuit/methods/lasso_check.h"
#include "circuit/model/simulation.h"

typedef struct LassoSafety {
  const Question *question;
  Circuit circuit; // has a graph, latches and inputs only
  AigLiteral bad;
  uint32_t save; // the number of the input
} LassoSafety;

// --- the circuit ---

static AigLiteral add_latch(Circuit *c, CircuitLatch latch) {
  latch.now = latch.next = aig_input(&c->aig);
  CircuitLatchVector_push(&c->latches, latch);
  return latch.now;
}

// Copies the latches and inputs of the question's circuit, then `next` of its latches.
static void copy_circuit(LassoSafety *s, AigCopy *copy) {
  const Circuit *from = s->question->circuit;
  for (size_t i = 0; i < from->latches.count; i++)
    aig_copy_put(copy, from->latches.data[i].now, add_latch(&s->circuit, from->latches.data[i]));
  for (size_t i = 0; i < from->inputs.count; i++) {
    CircuitInput input = from->inputs.data[i];
    input.literal = aig_input(&s->circuit.aig);
    aig_copy_put(copy, from->inputs.data[i].literal, input.literal);
    CircuitInputVector_push(&s->circuit.inputs, input);
  }
  for (size_t i = 0; i < from->latches.count; i++)
    s->circuit.latches.data[i].next = aig_copy_literal(copy, from->latches.data[i].next);
}

// Adds a latch that remembers an event; the caller sets its `next`. The pointer is valid until the next latch is added.
static CircuitLatch *add_flag(Circuit *c, uint32_t number) {
  add_latch(c, (CircuitLatch){.kind = LATCH_FLAG, .of = number});
  return CircuitLatchVector_last(&c->latches);
}

// Adds a shadow for each latch of the state, which are the first `state` latches. Pushes the conditions under which the
// state equals the saved one.
static void add_shadows(Circuit *c, uint32_t state, AigLiteral saving, U32Vector *conditions) {
  for (uint32_t i = 0; i < state; i++) {
    AigLiteral kept = add_latch(c, (CircuitLatch){.kind = LATCH_SHADOW, .of = i}), now = c->latches.data[i].now;
    CircuitLatchVector_last(&c->latches)->next = aig_ite(&c->aig, saving, now, kept);
    U32Vector_push(conditions, aig_equal(&c->aig, now, kept));
  }
}

static void build(LassoSafety *s, AigCopy *copy, U32Vector *conditions) {
  Circuit *c = &s->circuit;
  copy_circuit(s, copy);
  s->save = (uint32_t)c->inputs.count;
  AigLiteral save = aig_input(&c->aig);
  CircuitInputVector_push(&c->inputs, (CircuitInput){.literal = save, .kind = INPUT_GUESS, .of = s->save});
  uint32_t state = (uint32_t)c->latches.count, flags = 0;
  CircuitLatch *kept = add_flag(c, flags++);
  AigLiteral saved = kept->now, inside = kept->next = aig_or(&c->aig, saved, save);
  U32Vector_push(conditions, saved);
  add_shadows(c, state, aig_and(&c->aig, save, aig_not(saved)), conditions);
  CircuitLatch *broken = add_flag(c, flags++);
  broken->next = aig_or(&c->aig, broken->now, aig_not(aig_copy_literal(copy, s->question->constraint)));
  U32Vector_push(conditions, aig_not(broken->now));
  for (size_t i = 0; i < s->question->justice.count; i++) {
    CircuitLatch *seen = add_flag(c, flags++);
    AigLiteral just = aig_copy_literal(copy, s->question->justice.data[i]);
    seen->next = aig_or(&c->aig, seen->now, aig_and(&c->aig, inside, just));
    U32Vector_push(conditions, seen->now);
  }
  s->bad = aig_and_all(&c->aig, conditions->data, conditions->count);
}

static void safety_init(LassoSafety *s, const Question *question) {
  Account *account = question->account;
  *s = (LassoSafety){.question = question, .circuit = {.started = AIG_TRUE, .ended = NO_ID, .account = account}};
  aig_init(&s->circuit.aig, account);
  CircuitLatchVector_init(&s->circuit.latches, account);
  CircuitInputVector_init(&s->circuit.inputs, account);
  AigCopy copy;
  U32Vector conditions;
  aig_copy_init(&copy, &question->circuit->aig, &s->circuit.aig, account);
  U32Vector_init(&conditions, account);
  build(s, &copy, &conditions);
  U32Vector_free(&conditions);
  aig_copy_free(&copy);
}

static void safety_free(LassoSafety *s) {
  CircuitInputVector_free(&s->circuit.inputs);
  CircuitLatchVector_free(&s->circuit.latches);
  aig_free(&s->circuit.aig);
}

// --- the lasso ---

// The number of steps before the first bad state; NO_ID: there is none.
static uint32_t count_steps(const LassoSafety *s, const CircuitTrace *found) {
  Simulation simulation;
  simulation_init(&simulation, &s->circuit, found);
  uint32_t steps = 0;
  while (simulation_next(&simulation) && !simulation_holds(&simulation, s->bad)) steps++;
  simulation_free(&simulation);
  return steps < found->steps ? steps : NO_ID;
}

// Turns a trace of this circuit to a bad state into the question's lasso. False: the trace reaches no bad state.
static bool to_lasso(const LassoSafety *s, const CircuitTrace *found, Question *question) {
  uint32_t steps = count_steps(s, found), begin = NO_ID;
  if (steps == NO_ID) return false;
  size_t width = s->circuit.inputs.count;
  assert(width == question->circuit->inputs.count + 1);
  for (uint32_t step = 0; step < steps; step++) {
    const uint8_t *given = found->inputs.data + step * width;
    uint8_t *inputs = circuit_trace_add(question->trace, question->circuit);
    for (size_t i = 0; i < question->circuit->inputs.count; i++) inputs[i] = given[i];
    if (begin == NO_ID && given[s->save]) begin = step;
  }
  assert(begin != NO_ID);
  question->loop_start = begin;
  assert(lasso_is_valid(question));
  return true;
}

// --- the methods ---

static MethodAnswer run_on_safety(Question *question, const Method *method) {
  LassoSafety s;
  CircuitTrace found;
  safety_init(&s, question);
  circuit_trace_init(&found, question->account);
  result_count(question->result, "safety_latches", (double)s.circuit.latches.count);
  Question safety = *question;
  safety.kind = QUESTION_REACH;
  safety.circuit = &s.circuit;
  safety.bad = s.bad;
  safety.trace = &found;
  MethodAnswer answer = method_answer(method, &safety);
  question->broken = safety.broken;
  if (answer == METHOD_REACHED && !to_lasso(&s, &found, question)) {
    question_break(question, "the counterexample is no lasso", NULL);
    answer = METHOD_UNKNOWN;
  }
  circuit_trace_free(&found);
  safety_free(&s);
  return answer;
}

MethodAnswer pdr_lasso(Question *question) { return run_on_safety(question, &method_pdr); }

MethodAnswer induction_lasso(Question *question) { return run_on_safety(question, &method_induction); }
