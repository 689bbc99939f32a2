#include "circuit/model/monitor.h"

#include "circuit/model/circuit_build.h"

static Aig *graph(const Monitor *m) { return &m->circuit->aig; }

// --- atoms ---

// Some thread is at a location that the atom observes.
static AigLiteral location_literal(const Monitor *m, uint32_t atom) {
  const Program *p = m->circuit->transitions->program;
  AigLiteral any = AIG_FALSE;
  for (LocationId l = 0; l < p->locations.count; l++)
    if (p->locations.data[l].observed >> atom & 1) any = aig_or(graph(m), any, circuit_at(m->circuit, l));
  return any;
}

static AigLiteral atom_literal(const Monitor *m, uint32_t atom) {
  assert(atom < m->circuit->transitions->program->observations.count);
  Term condition = m->circuit->transitions->program->observations.data[atom];
  if (condition == TERM_NONE) return location_literal(m, atom);
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

static AigLiteral latch_now(const Monitor *m, uint32_t latch) {
  assert(latch < m->circuit->latches.count);
  return m->circuit->latches.data[latch].now;
}

// --- the automaton ---

// Some thread is inside an atomic section. The end of the process ends the section.
static AigLiteral some_thread_inside(const Monitor *m) {
  const Circuit *c = m->circuit;
  AigLiteral inside = AIG_FALSE;
  for (size_t t = 0; t < c->threads.count; t++) inside = aig_or(graph(m), inside, c->threads.data[t].inside);
  return c->ended == NO_ID ? inside : aig_and(graph(m), inside, aig_not(latch_now(m, c->ended)));
}

// The step keeps what it must: the first step the whole formula, each step the promises that were made before it.
static AigLiteral keeps_promises(const Monitor *m, AigLiteral begun, const U32Vector *kept) {
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
  AigLiteral pauses = some_thread_inside(m);
  m->constraint = aig_or(graph(m), pauses, keeps_promises(m, latch_now(m, begun), &kept));
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

// Does the edge have a step that waits, and can the thread take the edge or get as far as that step?
static AigLiteral gets_to_waiting_step(const Monitor *m, EdgeId e) {
  const Transition *transition = &m->circuit->transitions->edges.data[e];
  return transition->waits ? circuit_condition(m->circuit, transition->open) : AIG_FALSE;
}

// The thread is allowed to move and is at a location of which every edge fails the condition and leads to no step that
// waits.
static AigLiteral no_edge_waits_or(const Monitor *m, const CircuitThread *thread, EdgeCondition condition) {
  const Program *p = m->circuit->transitions->program;
  AigLiteral somewhere = AIG_FALSE;
  for (size_t i = 0; i < thread->locations.count; i++) {
    LocationId id = thread->locations.data[i];
    if (id == NO_ID || p->locations.data[id].atomic || p->locations.data[id].final) continue;
    AigLiteral here = thread->at.data[i];
    for (uint32_t k = 0; k < p->locations.data[id].out_count; k++) {
      EdgeId e = location_out_edge(p, &p->locations.data[id], k);
      here = aig_and(graph(m), here, aig_not(aig_or(graph(m), gets_to_waiting_step(m, e), condition(m, e))));
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

// Can the thread take the first step of the edge, whatever follows? A section is entered as a whole. This
// over-approximates: circuit_condition drops conjuncts.
static AigLiteral first_step_may_be_possible(const Monitor *m, EdgeId e) {
  const Program *p = m->circuit->transitions->program;
  const Transition *transition = &m->circuit->transitions->edges.data[e];
  const Edge *edge = &p->edges.data[e];
  bool section = edge->step_count > 1 && edge_step(p, edge, 0)->kind == STEP_ATOMIC_BEGIN;
  return circuit_condition(m->circuit, section ? transition->guard : transition->first_guard);
}

// If this holds from some step on, the thread is disabled for ever: it can take no edge, and none of its edges waits. A
// thread that could take the first step of an edge may only not have been selected. It is known to be disabled if it
// would be selected: with fairness, or because no other thread moves. This under-approximates, so no execution of the
// program is excluded.
static AigLiteral must_be_disabled(const Monitor *m, const CircuitThread *thread, bool fair) {
  AigLiteral stuck = aig_and(graph(m), no_edge_waits_or(m, thread, never), aig_not(thread->may_be_enabled));
  if (fair) return stuck;
  AigLiteral alone = aig_and(graph(m), stuck, aig_not(m->circuit->moves));
  return aig_or(graph(m), alone, no_edge_waits_or(m, thread, first_step_may_be_possible));
}

static void add_justice(Monitor *m, AigLiteral infinitely_often) {
  if (infinitely_often != AIG_TRUE) U32Vector_push(&m->fairness, infinitely_often);
}

// While a thread is inside a section, the other threads cannot move for that reason alone. So justice counts only
// outside of sections.
static void add_executions(Monitor *m, bool fair) {
  Circuit *c = m->circuit;
  AigLiteral some_enabled = AIG_FALSE, outside = aig_not(some_thread_inside(m));
  for (size_t i = 0; i < c->threads.count; i++) {
    const CircuitThread *thread = &c->threads.data[i];
    some_enabled = aig_or(graph(m), some_enabled, thread->must_be_enabled_into_section);
    add_justice(m, aig_and(graph(m), outside, aig_not(must_be_disabled(m, thread, fair))));
    AigLiteral treated_fairly = aig_or(graph(m), thread->execute, aig_not(thread->must_be_enabled_through_section));
    if (fair) add_justice(m, aig_and(graph(m), outside, treated_fairly));
  }
  m->constraint = aig_and(graph(m), m->constraint, aig_or(graph(m), c->moves, aig_not(some_enabled)));
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
  assert(m->latches.count == m->guesses.count && m->untils.count == m->promises.untils.count);
}

void monitor_free(Monitor *m) {
  U32Vector_free(&m->fairness);
  U32Vector_free(&m->untils);
  U32Vector_free(&m->guesses);
  U32Vector_free(&m->latches);
  promises_free(&m->promises);
}
