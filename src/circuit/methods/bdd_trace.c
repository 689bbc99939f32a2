#include "circuit/methods/bdd_trace.h"

#include "solver/aig_sat.h"

VECTOR(EdgePathVector, const CircuitEdge *);

typedef struct TracePath {
  BddSystem *y;
  const Question *question;
  const Circuit *c;
  U32Vector states;     // before each step: a conjunction of literals
  EdgePathVector edges; // between them
  AigSat sat;
  ByteVector latches; // their values before the present step
  U32Vector assumed;
  ByteVector wanted; // per variable of the diagrams: 0, 1, or ANY
  uint64_t *inputs, *nodes;
  Account *account;
} TracePath;

enum { ANY = 2 };

// --- backward ---

static bool go_back(TracePath *w, const U32Vector *rings, Bdd bad) {
  w->states.data[rings->count - 1] = (uint32_t)bdd_states_pick(bad);
  for (size_t i = rings->count - 1; i-- > 0;) {
    Bdd after = (Bdd)w->states.data[i + 1];
    Bdd before = bdd_system_before(w->y, (Bdd)rings->data[i], after, &w->edges.data[i]);
    if (before == BDD_FALSE || bdd_system_flaw(w->y)) return false;
    w->states.data[i] = (uint32_t)bdd_states_pick(before);
    bdd_space_drop(before);
  }
  return true;
}

// --- forward ---

// Notes the values of variables in a conjunction of literals.
static void want(TracePath *w, Bdd state) {
  memset(w->wanted.data, ANY, w->wanted.count);
  for (Bdd at = state; at != BDD_TRUE;) {
    bool positive = bdd_space_low(at) == BDD_FALSE;
    w->wanted.data[bdd_space_top(at)] = positive;
    at = positive ? bdd_space_high(at) : bdd_space_low(at);
  }
}

static uint32_t place_now(const TracePath *w, ThreadId thread) {
  const CircuitThread *t = circuit_thread(w->c, thread);
  uint32_t place = 0;
  for (uint32_t k = 0; k < t->latch_count; k++) place |= (uint32_t)w->latches.data[t->first_latch + k] << k;
  return place;
}

// May the word be read after the edge?
static bool is_live(const TracePath *w, const CircuitEdge *edge, uint32_t word) {
  const LiveWords *live = &w->y->states.live;
  if (live_words_dead_after(live, edge->edge, word)) return false;
  ThreadId reader = live->reader.data[word];
  if (reader == NO_ID || reader == edge->thread) return true;
  if (transitions_births(w->c->transitions, edge->edge) & thread_bit(reader)) return true;
  LocationId location = circuit_thread(w->c, reader)->locations.data[place_now(w, reader)];
  return location == NO_ID || bitset_get(&live->at[location], word);
}

static void assume(TracePath *w, AigLiteral literal, bool value) {
  U32Vector_push(&w->assumed, aig_not_if(literal, !value));
}

static void assume_latches(TracePath *w) {
  U32Vector_clear(&w->assumed);
  for (size_t i = 0; i < w->c->latches.count; i++) assume(w, w->c->latches.data[i].now, w->latches.data[i]);
}

// Bits without an initial value have their values of the first state.
static void assume_start(TracePath *w) {
  want(w, (Bdd)w->states.data[0]);
  for (size_t i = 0; i < w->c->inputs.count; i++) {
    const CircuitInput *input = &w->c->inputs.data[i];
    if (input->kind != INPUT_INITIAL) continue;
    uint8_t value = w->wanted.data[w->c->words->bits.data[input->of].variable];
    if (value != ANY) assume(w, input->literal, value);
  }
}

// The step takes the edge, and live words have their values of the state after it.
static void assume_step(TracePath *w, const CircuitEdge *edge, Bdd after) {
  want(w, after);
  assume(w, edge->taken, true);
  for (size_t i = 0; i < w->c->latches.count; i++) {
    const CircuitLatch *latch = &w->c->latches.data[i];
    if (latch->kind != LATCH_BIT) continue;
    const WordBit *bit = &w->c->words->bits.data[latch->of];
    uint8_t value = w->wanted.data[bit->variable];
    bool inverted = w->c->value_of_bit.data[latch->of] == aig_not(latch->now);
    if (value != ANY && is_live(w, edge, bit->word)) assume(w, aig_not_if(latch->next, inverted), value);
  }
}

// Simulates the step with the inputs that were found.
static void step(TracePath *w, const uint8_t *inputs) {
  const Circuit *c = w->c;
  for (size_t i = 0; i < c->latches.count; i++)
    w->inputs[aig_input_index(&c->aig, aig_node(c->latches.data[i].now))] = w->latches.data[i];
  for (size_t i = 0; i < c->inputs.count; i++)
    w->inputs[aig_input_index(&c->aig, aig_node(c->inputs.data[i].literal))] = inputs[i];
  aig_simulate(&c->aig, w->inputs, w->nodes);
  for (size_t i = 0; i < c->latches.count; i++)
    w->latches.data[i] = aig_simulated(w->nodes, c->latches.data[i].next) & 1;
}

// Finds the inputs of one step with the solver, and takes the step.
static bool find_inputs(TracePath *w) {
  if (aig_sat_check(&w->sat, w->assumed.data, w->assumed.count) != SOLVER_SAT) return false;
  uint8_t *inputs = circuit_trace_add(w->question->trace, w->c);
  for (size_t i = 0; i < w->c->inputs.count; i++) inputs[i] = aig_sat_input(&w->sat, w->c->inputs.data[i].literal);
  step(w, inputs);
  return true;
}

static bool go_forward(TracePath *w) {
  bool found = true;
  for (size_t i = 0; i < w->states.count && found; i++) {
    assume_latches(w);
    if (i == 0) assume_start(w);
    if (i + 1 < w->states.count)
      assume_step(w, w->edges.data[i], (Bdd)w->states.data[i + 1]);
    else
      assume(w, w->question->bad, true);
    found = find_inputs(w);
  }
  return found;
}

bool bdd_trace_find(BddSystem *y, const U32Vector *rings, Bdd bad, const Question *question) {
  TracePath w = {.y = y, .question = question, .c = y->c, .account = y->account};
  U32Vector_init(&w.states, w.account);
  EdgePathVector_init(&w.edges, w.account);
  ByteVector_init(&w.latches, w.account);
  U32Vector_init(&w.assumed, w.account);
  ByteVector_init(&w.wanted, w.account);
  U32Vector_resize(&w.states, rings->count);
  EdgePathVector_resize(&w.edges, rings->count);
  ByteVector_resize(&w.latches, w.c->latches.count);
  ByteVector_resize(&w.wanted, bdd_space_variables());
  size_t input_bytes = (w.c->aig.inputs.count + 1) * sizeof(uint64_t);
  size_t node_bytes = aig_node_count(&w.c->aig) * sizeof(uint64_t);
  w.inputs = memory_allocate_zeroed(w.account, input_bytes);
  w.nodes = memory_allocate_zeroed(w.account, node_bytes);
  aig_sat_init(&w.sat, &w.c->aig, question->budget, w.account);
  assert(rings->count > 0 && bad != BDD_FALSE);
  bool found = go_back(&w, rings, bad) && go_forward(&w);
  aig_sat_free(&w.sat);
  memory_free(w.account, w.nodes, node_bytes);
  memory_free(w.account, w.inputs, input_bytes);
  ByteVector_free(&w.wanted);
  U32Vector_free(&w.assumed);
  ByteVector_free(&w.latches);
  EdgePathVector_free(&w.edges);
  U32Vector_free(&w.states);
  return found;
}
