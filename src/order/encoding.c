#include "order/encoding.h"

static void add_implication(Solver *solver, Term condition, Term consequence) {
  TermStore *terms = solver->store;
  if (term_is_true(terms, consequence)) return;
  Term clause[2] = {term_not(terms, condition), consequence};
  solver_add_clause(solver, clause, 2);
}

static void encode_link(const Events *events, Solver *solver, const EventLink *link) {
  TermStore *terms = solver->store;
  const ConjunctionTable *guards = &events->guards;
  const Event *write = &events->events.data[link->write], *read = &events->events.data[link->read];
  assert(write->write && !read->write && write->cell == read->cell);
  add_implication(solver, link->literal, conjunction_term(guards, read->guard));
  add_implication(solver, link->literal, conjunction_term(guards, write->guard));
  add_implication(solver, link->literal, term_eq(terms, read->value, write->value));
}

void encode_abstraction(const Events *events, Solver *solver) {
  TermStore *terms = solver->store;
  for (size_t i = 0; i < events->facts.count; i++) solver_assert(solver, events->facts.data[i]);
  for (size_t i = 0; i < events->links.count; i++) encode_link(events, solver, &events->links.data[i]);
  TermVector clause;
  TermVector_init(&clause, events->account);
  for (size_t e = 0; e < events->events.count; e++) {
    const Event *read = &events->events.data[e];
    if (read->write) continue;
    TermVector_clear(&clause);
    TermVector_push(&clause, term_not(terms, conjunction_term(&events->guards, read->guard)));
    for (uint32_t i = 0; i < read->link_count; i++)
      TermVector_push(&clause, events->links.data[read->first_link + i].literal);
    if (read->link_count != 1) solver_add_clause(solver, clause.data, clause.count);
  }
  TermVector_free(&clause);
}

bool encode_goals(const Events *events, Solver *solver, unsigned kinds, Term activation) {
  assert(kinds != 0 && term_width(solver->store, activation) == 1);
  TermVector clause;
  TermVector_init(&clause, events->account);
  TermVector_push(&clause, term_not(solver->store, activation));
  for (size_t g = 0; g < events->goals.count; g++)
    if (kinds >> events->goals.data[g].kind & 1 && !events->goals.data[g].settled)
      TermVector_push(&clause, conjunction_term(&events->guards, events->goals.data[g].guard));
  bool any = clause.count > 1;
  if (any) solver_add_clause(solver, clause.data, clause.count);
  TermVector_free(&clause);
  return any;
}

void encode_no_suppositions(const Events *events, Solver *solver, Term assumption) {
  TermStore *terms = solver->store;
  for (size_t i = 0; i < events->suppositions.count; i++)
    add_implication(solver, assumption,
                    term_not(terms, conjunction_term(&events->guards, events->suppositions.data[i].guard)));
}

// --- all order constraints ---

// Each node has a clock. Program order and creation are asserted unconditionally: nodes that do not happen can have
// clocks that satisfy them. The other constraints come from links. Comparisons that the must-order decides are left
// out.
typedef struct OrderEncoder {
  const Events *events;
  const MustOrder *order;
  Solver *solver;
  TermStore *terms;
  Term *clocks; // per node
  Account *account;
} OrderEncoder;

static Term precedes(const OrderEncoder *o, NodeId a, NodeId b) {
  if (a == 0) return term_true(o->terms);
  if (b == 0) return term_false(o->terms);
  if (o->events->nodes.data[a].thread == o->events->nodes.data[b].thread)
    return term_bool(o->terms, o->events->nodes.data[a].position < o->events->nodes.data[b].position);
  return term_binary(o->terms, TERM_ULT, o->clocks[a], o->clocks[b]);
}

static void order_link(const OrderEncoder *o, const EventLink *link, const U32Vector *writes) {
  const Events *events = o->events;
  NodeId from = events->events.data[link->write].node, to = events->events.data[link->read].node;
  add_implication(o->solver, link->literal, precedes(o, from, to));
  for (size_t i = 0; i < writes->count; i++) {
    const Event *other = &events->events.data[writes->data[i]];
    if (other->node == from || other->node == to || other->node == 0) continue;
    if (must_precede(events, o->order, other->node, from) || must_precede(events, o->order, to, other->node)) continue;
    Term clause[4] = {term_not(o->terms, link->literal),
                      term_not(o->terms, conjunction_term(&events->guards, other->guard)),
                      precedes(o, other->node, from), precedes(o, to, other->node)};
    solver_add_clause(o->solver, clause, 4);
  }
}

static void order_threads(const OrderEncoder *o) {
  const Events *events = o->events;
  for (size_t t = 0; t < events->thread_count; t++) {
    const NodeIdVector *nodes = &events->threads[t].nodes;
    for (size_t i = 0; i + 1 < nodes->count; i++)
      solver_assert(o->solver,
                    term_binary(o->terms, TERM_ULT, o->clocks[nodes->data[i]], o->clocks[nodes->data[i + 1]]));
  }
  for (size_t s = 0; s < events->spawns.count; s++) {
    const Spawn *spawn = &events->spawns.data[s];
    const NodeIdVector *nodes = &events->threads[spawn->thread].nodes;
    if (nodes->count > 0)
      add_implication(o->solver, conjunction_term(&events->guards, spawn->guard),
                      precedes(o, spawn->creator, nodes->data[0]));
  }
}

// The orders that a race rests on (race_goals.h). Clocks of one thread are ordered whether its nodes happen or not.
static void order_race(const OrderEncoder *o, const Goal *goal) {
  const Events *events = o->events;
  Term holds = conjunction_term(&events->guards, goal->guard);
  const Node *first = &events->nodes.data[goal->first_node], *second = &events->nodes.data[goal->second_node];
  const NodeIdVector *before = &events->threads[second->thread].nodes, *after = &events->threads[first->thread].nodes;
  add_implication(o->solver, holds, precedes(o, goal->first_node, goal->second_node));
  if (second->position > 0)
    add_implication(o->solver, holds, precedes(o, before->data[second->position - 1], goal->first_node));
  if (first->position + 1 < after->count)
    add_implication(o->solver, holds, precedes(o, goal->second_node, after->data[first->position + 1]));
}

// What other threads write comes before what a waiting thread reads (deadlock_goal.h).
static void order_deadlock(const OrderEncoder *o, const Goal *goal) {
  const Events *events = o->events;
  for (size_t i = 0; i < events->stops.count; i++) {
    const ThreadStop *stop = &events->stops.data[i];
    if (stop->node == NO_ID) continue;
    Term waits = term_and(o->terms, conjunction_term(&events->guards, goal->guard),
                          conjunction_term(&events->guards, stop->guard));
    for (EventId e = 0; e < events->events.count; e++) {
      const Event *write = &events->events.data[e];
      if (!write->write || write->node == 0 || events->nodes.data[write->node].thread == stop->thread) continue;
      Term both = term_and(o->terms, waits, conjunction_term(&events->guards, write->guard));
      add_implication(o->solver, both, precedes(o, write->node, stop->node));
    }
  }
}

bool encode_order(const Events *events, const MustOrder *order, Solver *solver, Budget *budget) {
  OrderEncoder o = {.events = events, .order = order, .solver = solver, .terms = solver->store};
  o.account = events->account;
  size_t nodes = events->nodes.count;
  unsigned width = 1;
  while ((size_t)1 << width < nodes + 1) width++;
  o.clocks = memory_allocate(o.account, nodes * sizeof(Term));
  for (size_t n = 0; n < nodes; n++) o.clocks[n] = term_variable(o.terms, sort_bits(width), "clock");
  order_threads(&o);
  for (size_t g = 0; g < events->goals.count; g++)
    if (goal_is_race(events->goals.data[g].kind))
      order_race(&o, &events->goals.data[g]);
    else if (events->goals.data[g].kind == GOAL_DEADLOCK)
      order_deadlock(&o, &events->goals.data[g]);
  uint32_t cells = events_cell_count(events->program);
  U32Vector *writes = memory_allocate_zeroed(o.account, cells * sizeof *writes);
  for (uint32_t c = 0; c < cells; c++) U32Vector_init(&writes[c], o.account);
  for (EventId e = 0; e < events->events.count; e++)
    if (events->events.data[e].write) U32Vector_push(&writes[events->events.data[e].cell], e);
  bool complete = true;
  for (size_t i = 0; i < events->links.count && complete; i++) {
    const EventLink *link = &events->links.data[i];
    complete = !budget_exhausted(budget, "order-eager");
    order_link(&o, link, &writes[events->events.data[link->read].cell]);
  }
  for (uint32_t c = 0; c < cells; c++) U32Vector_free(&writes[c]);
  memory_free(o.account, writes, cells * sizeof *writes);
  memory_free(o.account, o.clocks, nodes * sizeof(Term));
  return complete;
}
