// Small random circuits with questions about infinite executions, and their answers by explicit search.
//
// There is no program behind these circuits: only latches, inputs and a graph. The search visits every state with every
// input and looks for a strongly connected set of states with what is asked for; nothing here is shared with what is
// tested.
#ifndef HEDDLE_TEST_LASSO_CIRCUITS_H
#define HEDDLE_TEST_LASSO_CIRCUITS_H

#include "circuit/methods/lasso_check.h"
#include "random_term.h"

enum { LASSO_MOST_LATCHES = 5, LASSO_MOST_INPUTS = 3, LASSO_MOST_STATES = 1 << LASSO_MOST_LATCHES };

typedef struct LassoCase {
  Circuit circuit;
  Budget budget;
  Log log;
  CircuitTrace trace;
  Text reason, covered;
  Question question;
  uint64_t random;
  Account *account;
} LassoCase;

// --- making them ---

static inline uint32_t lasso_draw(LassoCase *l, uint32_t count) {
  return (uint32_t)(random_next(&l->random) >> 33) % count;
}

static inline AigLiteral lasso_pick(LassoCase *l, const U32Vector *pool) {
  AigLiteral literal = pool->data[lasso_draw(l, (uint32_t)pool->count)];
  return aig_not_if(literal, lasso_draw(l, 2));
}

// Latches, inputs, and some functions of them.
static inline void lasso_fill_pool(LassoCase *l, U32Vector *pool) {
  Aig *aig = &l->circuit.aig;
  for (size_t i = 0; i < l->circuit.latches.count; i++) U32Vector_push(pool, l->circuit.latches.data[i].now);
  for (size_t i = 0; i < l->circuit.inputs.count; i++) U32Vector_push(pool, l->circuit.inputs.data[i].literal);
  for (uint32_t more = 3 + lasso_draw(l, 10); more > 0; more--) {
    AigLiteral a = lasso_pick(l, pool), b = lasso_pick(l, pool), c = lasso_pick(l, pool), made;
    switch (lasso_draw(l, 4)) {
    case 0: made = aig_xor(aig, a, b); break;
    case 1: made = aig_ite(aig, a, b, c); break;
    default: made = aig_and(aig, a, b); break;
    }
    U32Vector_push(pool, made);
  }
}

// Either anything goes, or the latches count up now and then, so that loops can be long and far from the start.
static inline void lasso_draw_next(LassoCase *l, const U32Vector *pool) {
  Aig *aig = &l->circuit.aig;
  bool counts = lasso_draw(l, 3) == 0;
  AigLiteral carry = lasso_draw(l, 2) ? AIG_TRUE : lasso_pick(l, pool);
  AigLiteral clears = lasso_draw(l, 2) ? AIG_FALSE : aig_and(aig, lasso_pick(l, pool), lasso_pick(l, pool));
  for (size_t i = 0; i < l->circuit.latches.count; i++) {
    CircuitLatch *latch = &l->circuit.latches.data[i];
    latch->next = counts ? aig_and(aig, aig_xor(aig, latch->now, carry), aig_not(clears)) : lasso_pick(l, pool);
    carry = aig_and(aig, carry, latch->now);
  }
}

static inline void lasso_circuit_init(Circuit *c, uint32_t latches, uint32_t inputs, Account *account) {
  *c = (Circuit){.started = AIG_TRUE, .ended = NO_ID, .account = account};
  aig_init(&c->aig, account);
  CircuitLatchVector_init(&c->latches, account);
  CircuitInputVector_init(&c->inputs, account);
  for (uint32_t i = 0; i < latches; i++) {
    AigLiteral now = aig_input(&c->aig);
    CircuitLatchVector_push(&c->latches, (CircuitLatch){.now = now, .next = now, .kind = LATCH_BIT, .of = i});
  }
  for (uint32_t i = 0; i < inputs; i++)
    CircuitInputVector_push(&c->inputs, (CircuitInput){.literal = aig_input(&c->aig), .kind = INPUT_FRESH, .of = i});
}

static inline void lasso_circuit_free(Circuit *c) {
  CircuitInputVector_free(&c->inputs);
  CircuitLatchVector_free(&c->latches);
  aig_free(&c->aig);
}

// What the case asks is drawn from the seed; without latches' `next`, `constraint` and `justice` if there is none (seed
// 0).
static inline void lasso_case_init(LassoCase *l, uint64_t seed, Account *account) {
  *l = (LassoCase){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, .account = account};
  uint32_t latches = 1 + lasso_draw(l, LASSO_MOST_LATCHES), inputs = 1 + lasso_draw(l, LASSO_MOST_INPUTS);
  lasso_circuit_init(&l->circuit, seed ? latches : LASSO_MOST_LATCHES, seed ? inputs : LASSO_MOST_INPUTS, account);
  budget_init(&l->budget, 60, NULL);
  log_init(&l->log, LOG_QUIET);
  circuit_trace_init(&l->trace, account);
  text_init(&l->reason, account);
  text_init(&l->covered, account);
  l->question = (Question){.kind = QUESTION_LASSO,
                           .circuit = &l->circuit,
                           .constraint = AIG_TRUE,
                           .budget = &l->budget,
                           .log = &l->log,
                           .account = account,
                           .trace = &l->trace,
                           .reason = &l->reason,
                           .covered = &l->covered,
                           .result = result_new(PROPERTY_UNREACH_CALL, account)};
  U32Vector_init(&l->question.justice, account);
  if (seed == 0) return;
  U32Vector pool;
  U32Vector_init(&pool, account);
  lasso_fill_pool(l, &pool);
  lasso_draw_next(l, &pool);
  if (lasso_draw(l, 3) > 0) {
    l->question.constraint = lasso_pick(l, &pool);
    for (uint32_t more = lasso_draw(l, 3); more > 0; more--)
      l->question.constraint = aig_or(&l->circuit.aig, l->question.constraint, lasso_pick(l, &pool));
  }
  for (uint32_t more = lasso_draw(l, 4); more > 0; more--) {
    AigLiteral literal = lasso_pick(l, &pool);
    if (lasso_draw(l, 2)) literal = aig_and(&l->circuit.aig, literal, lasso_pick(l, &pool));
    U32Vector_push(&l->question.justice, literal);
  }
  U32Vector_free(&pool);
}

// What a method answered is forgotten, so that another one can be asked.
static inline void lasso_case_forget(LassoCase *l) {
  circuit_trace_free(&l->trace);
  circuit_trace_init(&l->trace, l->account);
  text_clear(&l->reason);
  text_clear(&l->covered);
  l->question.loop_start = 0;
  budget_init(&l->budget, 60, NULL);
}

static inline void lasso_case_free(LassoCase *l) {
  result_free(l->question.result);
  U32Vector_free(&l->question.justice);
  text_free(&l->covered);
  text_free(&l->reason);
  circuit_trace_free(&l->trace);
  lasso_circuit_free(&l->circuit);
}

// --- their answers ---

typedef struct LassoGraph {
  uint32_t steps[LASSO_MOST_STATES];   // per state: a mask of states one step away
  uint32_t reaches[LASSO_MOST_STATES]; // likewise, one step or more
  uint32_t just[3][LASSO_MOST_STATES]; // per justice and state: those steps in which it can hold
} LassoGraph;

static inline void lasso_explore(const LassoCase *l, LassoGraph *g) {
  const Circuit *c = &l->circuit;
  const U32Vector *justice = &l->question.justice;
  assert(c->latches.count <= LASSO_MOST_LATCHES && c->inputs.count <= LASSO_MOST_INPUTS && justice->count <= 3);
  *g = (LassoGraph){0};
  uint64_t *inputs = memory_allocate_zeroed(NULL, (c->aig.inputs.count + 1) * sizeof *inputs);
  uint64_t *nodes = memory_allocate_zeroed(NULL, aig_node_count(&c->aig) * sizeof *nodes);
  for (uint32_t state = 0; state < 1u << c->latches.count; state++)
    for (uint32_t input = 0; input < 1u << c->inputs.count; input++) {
      for (size_t i = 0; i < c->latches.count; i++)
        inputs[aig_input_index(&c->aig, aig_node(c->latches.data[i].now))] = state >> i & 1;
      for (size_t i = 0; i < c->inputs.count; i++)
        inputs[aig_input_index(&c->aig, aig_node(c->inputs.data[i].literal))] = input >> i & 1;
      aig_simulate(&c->aig, inputs, nodes);
      if (!(aig_simulated(nodes, l->question.constraint) & 1)) continue;
      uint32_t next = 0;
      for (size_t i = 0; i < c->latches.count; i++)
        next |= (uint32_t)(aig_simulated(nodes, c->latches.data[i].next) & 1) << i;
      g->steps[state] |= 1u << next;
      for (size_t i = 0; i < justice->count; i++)
        if (aig_simulated(nodes, justice->data[i]) & 1) g->just[i][state] |= 1u << next;
    }
  memory_free(NULL, nodes, aig_node_count(&c->aig) * sizeof *nodes);
  memory_free(NULL, inputs, (c->aig.inputs.count + 1) * sizeof *inputs);
}

// Does the strongly connected set of this state have a step for each justice? The state has a way back to itself.
static inline bool lasso_just_there(const LassoGraph *g, size_t justice_count, uint32_t state) {
  uint32_t together = 0;
  for (uint32_t other = 0; other < LASSO_MOST_STATES; other++)
    if ((g->reaches[state] >> other & 1) && (g->reaches[other] >> state & 1)) together |= 1u << other;
  for (size_t i = 0; i < justice_count; i++) {
    bool found = false;
    for (uint32_t other = 0; other < LASSO_MOST_STATES; other++)
      found |= (together >> other & 1) && (g->just[i][other] & together) != 0;
    if (!found) return false;
  }
  return true;
}

// Is there an execution as asked for? From the start, where all latches are 0.
static inline bool lasso_case_exists(const LassoCase *l) {
  LassoGraph g;
  lasso_explore(l, &g);
  memcpy(g.reaches, g.steps, sizeof g.reaches);
  for (uint32_t middle = 0; middle < LASSO_MOST_STATES; middle++)
    for (uint32_t state = 0; state < LASSO_MOST_STATES; state++)
      if (g.reaches[state] >> middle & 1) g.reaches[state] |= g.reaches[middle];
  for (uint32_t state = 0; state < LASSO_MOST_STATES; state++) {
    bool reachable = state == 0 || (g.reaches[0] >> state & 1);
    bool returns = g.reaches[state] >> state & 1;
    if (reachable && returns && lasso_just_there(&g, l->question.justice.count, state)) return true;
  }
  return false;
}

#endif
