#include "circuit/model/monitor.h"

#include "circuit/model/circuit_build.h"

static Aig *graph(const Monitor *m) { return &m->circuit->aig; }

// --- atoms ---

static AigLiteral place_literal(const Monitor *m, uint32_t atom) {
  const Program *p = m->circuit->transitions->program;
  AigLiteral somebody = AIG_FALSE;
  for (LocationId l = 0; l < p->locations.count; l++)
    if (p->locations.data[l].observed >> atom & 1) somebody = aig_or(graph(m), somebody, circuit_at(m->circuit, l));
  return somebody;
}

static AigLiteral atom_literal(const Monitor *m, uint32_t atom) {
  Term condition = m->circuit->transitions->program->observations.data[atom];
  if (condition == TERM_NONE) return place_literal(m, atom);
  return circuit_literal(m->circuit, bitblast_bool(&m->circuit->words->blaster, condition));
}

// --- gates for promises ---

static PromiseValue gate_constant(void *context, bool value) {
  (void)context;
  return aig_constant(value);
}

static PromiseValue gate_atom(void *context, uint32_t atom, bool positive) {
  return aig_not_if(atom_literal(context, atom), !positive);
}

static PromiseValue gate_guess(void *context, uint32_t promise) { return ((Monitor *)context)->guesses.data[promise]; }

static PromiseValue gate_both(void *context, PromiseValue a, PromiseValue b) { return aig_and(graph(context), a, b); }

static PromiseValue gate_either(void *context, PromiseValue a, PromiseValue b) { return aig_or(graph(context), a, b); }

static const PromiseGates gates = {
    .constant = gate_constant, .atom = gate_atom, .guess = gate_guess, .both = gate_both, .either = gate_either};

static AigLiteral latch_now(const Monitor *m, uint32_t latch) { return m->circuit->latches.data[latch].now; }

// --- the automaton ---

// A section ends with the process.
static AigLiteral somebody_inside(const Monitor *m) {
  const Circuit *c = m->circuit;
  AigLiteral inside = AIG_FALSE;
  for (size_t t = 0; t < c->threads.count; t++) inside = aig_or(graph(m), inside, c->threads.data[t].inside);
  return c->ended == NO_ID ? inside : aig_and(graph(m), inside, aig_not(latch_now(m, c->ended)));
}

// What the step must keep: the whole formula in the first one, and then what was promised.
static AigLiteral keeps(const Monitor *m, AigLiteral begun, const U32Vector *kept) {
  AigLiteral all = aig_or(graph(m), begun, kept->data[m->promises.formula]);
  for (uint32_t i = 0; i < m->promises.promised.count; i++) {
    AigLiteral promised = latch_now(m, m->latches.data[i]), is_kept = kept->data[m->promises.promised.data[i]];
    all = aig_and(graph(m), all, aig_or(graph(m), aig_not(promised), is_kept));
  }
  return all;
}

static void add_automaton(Monitor *m) {
  Circuit *c = m->circuit;
  for (uint32_t i = 0; i < m->promises.promised.count; i++) {
    U32Vector_push(&m->latches, circuit_add_latch(c, LATCH_PROMISE, i, 0));
    U32Vector_push(&m->guesses, circuit_add_input(c, INPUT_GUESS, i));
  }
  uint32_t begun = circuit_add_latch(c, LATCH_PROMISE, (uint32_t)m->promises.promised.count, 0);
  U32Vector kept;
  U32Vector_init(&kept, m->account);
  promises_keep(&m->promises, &gates, m, &kept);
  AigLiteral pauses = somebody_inside(m);
  m->always = aig_or(graph(m), pauses, keeps(m, latch_now(m, begun), &kept));
  for (uint32_t i = 0; i < m->promises.promised.count; i++) {
    CircuitLatch *latch = &c->latches.data[m->latches.data[i]];
    latch->next = aig_ite(graph(m), pauses, latch->now, m->guesses.data[i]);
  }
  c->latches.data[begun].next = aig_or(graph(m), latch_now(m, begun), aig_not(pauses));
  for (size_t i = 0; i < m->promises.untils.count; i++) {
    uint32_t promise = m->promises.untils.data[i];
    const LtlNode *until = ltl_node(m->promises.store, m->promises.promised.data[promise]);
    AigLiteral promised = latch_now(m, m->latches.data[promise]);
    AigLiteral comes = aig_or(graph(m), aig_not(promised), kept.data[until->right]);
    U32Vector_push(&m->untils, aig_and(graph(m), aig_not(pauses), comes));
  }
  if (pauses != AIG_FALSE) U32Vector_push(&m->fairness, aig_not(pauses));
  U32Vector_free(&kept);
}

// --- executions ---

typedef AigLiteral (*EdgeCondition)(const Monitor *m, EdgeId edge);

// Does the thread come to a step of the edge that waits, or can it take it?
static AigLiteral comes_to_wait(const Monitor *m, EdgeId e) {
  const Transition *transition = &m->circuit->transitions->edges.data[e];
  return transition->waits ? circuit_condition(m->circuit, transition->open) : AIG_FALSE;
}

// The thread stands where it comes to no step that waits, and no edge fulfils the condition.
static AigLiteral stands_without(const Monitor *m, const CircuitThread *thread, EdgeCondition condition) {
  const Program *p = m->circuit->transitions->program;
  AigLiteral somewhere = AIG_FALSE;
  for (size_t i = 0; i < thread->locations.count; i++) {
    LocationId id = thread->locations.data[i];
    if (id == NO_ID || p->locations.data[id].atomic || p->locations.data[id].final) continue;
    AigLiteral here = thread->at.data[i];
    for (uint32_t k = 0; k < p->locations.data[id].out_count; k++) {
      EdgeId e = p->out_edges.data[p->locations.data[id].first_out + k];
      here = aig_and(graph(m), here, aig_not(aig_or(graph(m), comes_to_wait(m, e), condition(m, e))));
    }
    somewhere = aig_or(graph(m), somewhere, here);
  }
  return aig_and(graph(m), somewhere, thread->allowed);
}

static AigLiteral never(const Monitor *m, EdgeId edge) {
  (void)m;
  (void)edge;
  return AIG_FALSE;
}

// Can the first step of the edge be taken, whatever follows? A section is entered as a whole. In doubt it can.
static AigLiteral first_step_possible(const Monitor *m, EdgeId e) {
  const Program *p = m->circuit->transitions->program;
  const Transition *transition = &m->circuit->transitions->edges.data[e];
  const Edge *edge = &p->edges.data[e];
  bool section = edge->step_count > 1 && p->steps.data[edge->first_step].kind == STEP_ATOMIC_BEGIN;
  return circuit_condition(m->circuit, section ? transition->guard : transition->first_guard);
}

// The thread is stopped for ever, if that goes on: it cannot take an edge where none waits. Who could take the first step of
// an edge may just not have had its turn, unless it gets one: by fairness, or because nobody else moves.
static AigLiteral is_stopped(const Monitor *m, const CircuitThread *thread, bool fair) {
  AigLiteral stuck = aig_and(graph(m), stands_without(m, thread, never), aig_not(thread->maybe));
  if (fair) return stuck;
  AigLiteral alone = aig_and(graph(m), stuck, aig_not(m->circuit->moves));
  return aig_or(graph(m), alone, stands_without(m, thread, first_step_possible));
}

static void add_justice(Monitor *m, AigLiteral infinitely_often) {
  if (infinitely_often != AIG_TRUE) U32Vector_push(&m->fairness, infinitely_often);
}

// While somebody is inside a section, nobody else can move for that reason alone, which says nothing.
static void add_executions(Monitor *m, bool fair) {
  Circuit *c = m->circuit;
  AigLiteral somebody = AIG_FALSE, outside = aig_not(somebody_inside(m));
  for (size_t i = 0; i < c->threads.count; i++) {
    const CircuitThread *thread = &c->threads.data[i];
    somebody = aig_or(graph(m), somebody, thread->could);
    add_justice(m, aig_and(graph(m), outside, aig_not(is_stopped(m, thread, fair))));
    AigLiteral turn = aig_or(graph(m), thread->execute, aig_not(thread->able));
    if (fair) add_justice(m, aig_and(graph(m), outside, turn));
  }
  m->always = aig_and(graph(m), m->always, aig_or(graph(m), c->moves, aig_not(somebody)));
}

static void add_limit(Monitor *m) {
  Term unforeseen = m->circuit->transitions->program->unforeseen;
  m->limit = m->circuit->cut;
  if (unforeseen != TERM_NONE) m->limit = aig_or(graph(m), m->limit, circuit_condition(m->circuit, unforeseen));
}

void monitor_init(Monitor *m, Circuit *circuit, const LtlProperty *ltl, Account *account) {
  assert(circuit->words->infinite);
  *m = (Monitor){.circuit = circuit, .account = account};
  promises_init(&m->promises, &ltl->store, ltl->negation, account);
  U32Vector_init(&m->latches, account);
  U32Vector_init(&m->guesses, account);
  U32Vector_init(&m->untils, account);
  U32Vector_init(&m->fairness, account);
  add_automaton(m);
  add_executions(m, ltl->fair);
  add_limit(m);
}

void monitor_free(Monitor *m) {
  U32Vector_free(&m->fairness);
  U32Vector_free(&m->untils);
  U32Vector_free(&m->guesses);
  U32Vector_free(&m->latches);
  promises_free(&m->promises);
}
