// Random sets of events against all their executions: whatever happens must be a link, respect the must-order, satisfy
// the abstraction and the pairs that exclude each other; and a goal is reached by a refinement of any mode just when an
// execution reaches it.
#include "order/encoding.h"
#include "order/pairs.h"
#include "test_order_support.h"

enum {
  THREADS = 3,
  CELLS = 2,
  MOST_NODES = 12,
  MOST_READS = 12,
  MOST_INPUTS = 6, // free conditions, all values of which are tried
  MOST_SHARED = 3, // of which so many may be used more than once
  RUNS = 300
};

typedef struct Random {
  Build b;
  Events events;
  MustOrder order;
  Budget budget;
  CellId cells[CELLS];
  uint64_t seed;
  Term inputs[MOST_INPUTS];
  unsigned input_count;
  Term shared[MOST_SHARED];
  unsigned shared_count;
  // of the thread that is being made
  ConjunctionId running;
  Term available[MOST_READS]; // values that are read whenever `running` holds
  unsigned available_count;
} Random;

static uint32_t below(Random *r, uint32_t limit) {
  r->seed = r->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(r->seed >> 33) % limit;
}

// --- making events ---

// Three threads that may touch two cells: what the events need of a program.
static void make_program(Random *r) {
  Build *b = &r->b;
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "first", 0);
  build_thread(b, "second", 0);
  ObjectId objects[CELLS] = {build_int(b, "x"), build_int(b, "y")};
  build_create(b, 0, 1);
  build_create(b, 0, 2);
  for (ThreadId t = 0; t < THREADS; t++) {
    VariableId v = build_variable(b, t, 32, "v");
    for (unsigned c = 0; c < CELLS; c++) {
      build_load(b, t, v, objects[c]);
      build_store_at(b, t, build_address(b, objects[c], 0), term_add_constant(b->p->terms, build_value(b, v), 1));
    }
    build_exit(b, t);
  }
  passes_prepare(b->p, NULL);
  for (unsigned c = 0; c < CELLS; c++) r->cells[c] = program_cell_at(b->p, b->p->objects.data[objects[c]].address);
}

static Term small_constant(Random *r) { return build_constant(&r->b, 32, below(r, 3)); }

static Term new_input(Random *r) {
  assert_true(r->input_count < MOST_INPUTS);
  r->inputs[r->input_count] = term_variable(r->b.p->terms, sort_bits(1), "input");
  return r->inputs[r->input_count++];
}

static Term random_input(Random *r) {
  if (r->shared_count < MOST_SHARED && r->input_count < MOST_INPUTS) return r->shared[r->shared_count++] = new_input(r);
  return r->shared_count ? r->shared[below(r, r->shared_count)] : term_true(r->b.p->terms);
}

static Term random_condition(Random *r) {
  TermStore *terms = r->b.p->terms;
  Term condition;
  if (r->available_count > 0 && below(r, 3))
    condition = term_eq(terms, r->available[below(r, r->available_count)], small_constant(r));
  else
    condition = random_input(r);
  return below(r, 2) ? condition : term_not(terms, condition);
}

static NodeId add_node(Random *r, ThreadId thread, ConjunctionId guard) {
  NodeIdVector *nodes = &r->events.threads[thread].nodes;
  NodeVector_push(&r->events.nodes, (Node){.thread = thread, .position = (uint32_t)nodes->count, .guard = guard});
  NodeIdVector_push(nodes, (NodeId)r->events.nodes.count - 1);
  return (NodeId)r->events.nodes.count - 1;
}

static Term add_read(Random *r, NodeId node, ConjunctionId guard, unsigned cell) {
  Event event = {.node = node, .cell = r->cells[cell], .guard = guard};
  event.key = r->events.events.count;
  event.value = term_variable(r->b.p->terms, sort_bits(32), "read");
  EventVector_push(&r->events.events, event);
  return event.value;
}

static void add_write(Random *r, NodeId node, ConjunctionId guard, unsigned cell, Term before) {
  Event event = {.node = node, .cell = r->cells[cell], .guard = guard, .write = true, .before = before};
  event.value = small_constant(r);
  if (before != TERM_NONE && below(r, 2))
    event.value = term_add_constant(r->b.p->terms, before, below(r, 2));
  else if (r->available_count > 0 && below(r, 3) == 0)
    event.value = r->available[below(r, r->available_count)];
  EventVector_push(&r->events.events, event);
}

static void make_available(Random *r, Term value) {
  if (r->available_count < MOST_READS) r->available[r->available_count++] = value;
}

// A node that waits for a value; the thread goes on only if it gets it, and whether it does so depends on nothing else.
// The waiting may be in a branch (then others need not wait), or only in a part of the node.
static void add_waiting(Random *r, ThreadId thread) {
  TermStore *terms = r->b.p->terms;
  ConjunctionTable *guards = &r->events.guards;
  if (r->input_count == MOST_INPUTS) return;
  Term passes = new_input(r), condition = term_true(terms);
  bool branch = below(r, 3) == 0, part = !branch && below(r, 3) == 0;
  if (branch || part) condition = random_condition(r);
  ConjunctionId inside =
      conjunction_and(guards, conjunction_and(guards, r->running, passes), branch ? condition : term_true(terms));
  ConjunctionId waits = conjunction_and(guards, inside, condition);
  if (waits == CONJUNCTION_FALSE) return;
  NodeId node = add_node(r, thread, inside);
  unsigned cell = below(r, CELLS);
  Term value = add_read(r, node, waits, cell), needed = term_eq(terms, value, small_constant(r));
  r->events.events.data[r->events.events.count - 1].needed = needed;
  TermVector_push(&r->events.facts, term_implies(terms, conjunction_term(guards, waits), needed));
  if (below(r, 2)) add_write(r, node, waits, cell, value);
  r->running = branch ? conjunction_and(guards, r->running, term_implies(terms, condition, passes)) : inside;
  if (conjunction_implies(guards, r->running, waits)) make_available(r, value);
}

// Reads and writes under a guard that may be narrower than the thread's, as in a branch or behind a pointer.
static void add_accesses(Random *r, ThreadId thread) {
  ConjunctionTable *guards = &r->events.guards;
  ConjunctionId guard = below(r, 3) ? r->running : conjunction_and(guards, r->running, random_condition(r));
  if (guard == CONJUNCTION_FALSE) return;
  NodeId node = add_node(r, thread, guard);
  unsigned cell = below(r, CELLS), kind = below(r, 6);
  Term value = TERM_NONE;
  if (kind != 0 && kind != 1) {
    value = add_read(r, node, guard, cell);
    if (conjunction_implies(guards, r->running, guard)) make_available(r, value);
  }
  ConjunctionId narrow = below(r, 4) ? guard : conjunction_and(guards, guard, random_condition(r));
  if (kind == 5 && narrow != CONJUNCTION_FALSE) add_read(r, node, narrow, 1 - cell); // a section that reads both
  if (narrow != CONJUNCTION_FALSE && kind <= 3)
    add_write(r, node, narrow, kind == 3 ? 1 - cell : cell, kind == 3 ? TERM_NONE : value);
}

static void add_creation(Random *r, ThreadId creator, ThreadId created) {
  NodeId node = add_node(r, creator, r->running);
  SpawnVector_push(&r->events.spawns, (Spawn){.creator = node, .thread = created, .guard = r->running});
}

static void make_thread(Random *r, ThreadId thread, unsigned nodes, bool creates_first, bool creates_second) {
  ConjunctionTable *guards = &r->events.guards;
  r->available_count = 0;
  unsigned first_at = below(r, 2), second_at = below(r, nodes + 1);
  for (unsigned i = 0; i <= nodes && r->running != CONJUNCTION_FALSE; i++) {
    if (creates_first && i == first_at) add_creation(r, thread, 1);
    if (creates_second && i == second_at) add_creation(r, thread, 2);
    if (i == nodes) break;
    switch (below(r, 8)) {
    case 0: r->running = conjunction_and(guards, r->running, random_condition(r)); break; // may stop here
    case 1:
    case 2: add_waiting(r, thread); break;
    default: add_accesses(r, thread);
    }
  }
  if (r->running == CONJUNCTION_FALSE) return;
  ConjunctionId reached = conjunction_and(guards, r->running, random_condition(r));
  if (reached == CONJUNCTION_FALSE) return;
  GoalVector_push(&r->events.goals, (Goal){.kind = (OrderGoalKind)thread, .thread = thread, .guard = reached});
}

static ConjunctionId creation_of(const Random *r, ThreadId thread) {
  for (size_t s = 0; s < r->events.spawns.count; s++)
    if (r->events.spawns.data[s].thread == thread) return r->events.spawns.data[s].guard;
  return CONJUNCTION_FALSE;
}

static void make_events(Random *r) {
  events_init(&r->events, r->b.p, &r->b.account);
  budget_init(&r->budget, 0, NULL);
  r->input_count = r->shared_count = 0;
  bool nested = below(r, 4) == 0; // the first thread creates the second
  r->running = CONJUNCTION_TRUE;
  make_thread(r, 0, 2 + below(r, 3), true, !nested);
  r->running = creation_of(r, 1);
  make_thread(r, 1, 2 + below(r, 3), false, nested);
  r->running = creation_of(r, 2);
  make_thread(r, 2, 2 + below(r, 3), false, false);
  links_find(&r->events, &r->order, NULL, &r->budget);
}

// --- a solver that only writes down ---

typedef struct Written {
  TermVector terms; // clauses, each ended by TERM_NONE
} Written;

static bool supports_all(Solver *solver, Term t) {
  (void)solver;
  (void)t;
  return true;
}

static void write_clause(Solver *solver, const Term *literals, size_t count) {
  Written *written = solver->state;
  for (size_t i = 0; i < count; i++) TermVector_push(&written->terms, literals[i]);
  TermVector_push(&written->terms, TERM_NONE);
}

static void write_term(Solver *solver, Term t) { write_clause(solver, &t, 1); }

static void free_nothing(Solver *solver) { (void)solver; }

static const SolverOps writing = {.name = "writing",
                                  .supports = supports_all,
                                  .assert_term = write_term,
                                  .add_clause = write_clause,
                                  .free = free_nothing};

// --- all executions ---

typedef struct Execution {
  Random *r;
  unsigned inputs;        // values of the free conditions, as bits
  uint32_t next[THREADS]; // position of the next node
  bool created[THREADS];
  EventId writer[CELLS]; // the last write
  Bits content[CELLS];
  EventId *seen; // per event: the write that an executed read saw, or NO_ID
  Bits *value;   // per event
  NodeId trace[MOST_NODES * 2];
  unsigned length;
} Execution;

typedef struct Findings {
  const TermVector *abstraction, *pairs;
  bool goal[THREADS];
  bool *together; // links * links: seen in one execution
  size_t executions, looked_at;
} Findings;

static Bits value_of(void *context, Term variable) {
  const Execution *x = context;
  const Events *events = &x->r->events;
  for (unsigned i = 0; i < x->r->input_count; i++)
    if (x->r->inputs[i] == variable) return x->inputs >> i & 1;
  for (EventId e = 0; e < events->events.count; e++) {
    const Event *event = &events->events.data[e];
    if (!event->write && event->value == variable) return x->value[e];
  }
  for (size_t l = 0; l < events->links.count; l++)
    if (events->links.data[l].literal == variable)
      return x->seen[events->links.data[l].read] == events->links.data[l].write;
  fail_msg("an unknown variable");
  return 0;
}

static Bits evaluate(Execution *x, Term t) {
  TermValuation valuation = {.value_of = value_of, .context = x};
  return term_evaluate(x->r->b.p->terms, t, &valuation);
}

static bool holds(Execution *x, ConjunctionId guard) {
  return evaluate(x, conjunction_term(&x->r->events.guards, guard));
}

static unsigned cell_of(const Random *r, const Event *event) { return event->cell == r->cells[1]; }

// False: a waiting node does not get what it waits for.
static bool execute_node(Execution *x, NodeId id) {
  const Events *events = &x->r->events;
  const Node *node = &events->nodes.data[id];
  for (EventId e = node->first_event; e < node->first_event + node->event_count; e++) {
    const Event *read = &events->events.data[e];
    if (read->write || !holds(x, read->guard)) continue;
    x->seen[e] = x->writer[cell_of(x->r, read)];
    x->value[e] = x->content[cell_of(x->r, read)];
    if (read->needed != TERM_NONE && !evaluate(x, read->needed)) return false;
  }
  for (EventId e = node->first_event; e < node->first_event + node->event_count; e++) {
    const Event *write = &events->events.data[e];
    if (!write->write || !holds(x, write->guard)) continue;
    x->value[e] = evaluate(x, write->value);
    x->writer[cell_of(x->r, write)] = e;
    x->content[cell_of(x->r, write)] = x->value[e];
  }
  for (size_t s = 0; s < events->spawns.count; s++) {
    const Spawn *spawn = &events->spawns.data[s];
    if (spawn->creator == id && holds(x, spawn->guard)) x->created[spawn->thread] = true;
  }
  x->trace[x->length++] = id;
  return true;
}

static void check_clauses(Execution *x, const TermVector *clauses) {
  bool satisfied = false;
  for (size_t i = 0; i < clauses->count; i++) {
    if (clauses->data[i] != TERM_NONE) {
      satisfied = satisfied || evaluate(x, clauses->data[i]);
      continue;
    }
    assert_true(satisfied);
    satisfied = false;
  }
}

static void check_execution(Execution *x, Findings *findings) {
  const Events *events = &x->r->events;
  for (unsigned i = 0; i < x->length; i++)
    for (unsigned k = 0; k <= i; k++) assert_false(must_precede(events, &x->r->order, x->trace[i], x->trace[k]));
  for (EventId e = 0; e < events->events.count; e++) {
    const Event *read = &events->events.data[e];
    if (read->write || x->seen[e] == NO_ID) continue;
    bool linked = false;
    for (uint32_t i = 0; i < read->link_count; i++)
      linked |= events->links.data[read->first_link + i].write == x->seen[e];
    assert_true(linked);
  }
  for (size_t g = 0; g < events->goals.count; g++)
    if (holds(x, events->goals.data[g].guard)) findings->goal[events->goals.data[g].thread] = true;
  size_t links = events->links.count;
  for (size_t a = 0; a < links; a++)
    for (size_t b = 0; b < a; b++) {
      const EventLink *first = &events->links.data[a], *second = &events->links.data[b];
      if (x->seen[first->read] == first->write && x->seen[second->read] == second->write)
        findings->together[a * links + b] = true;
    }
  if (findings->executions++ % 97 != 0) return; // terms take their time
  findings->looked_at++;
  check_clauses(x, findings->abstraction);
  check_clauses(x, findings->pairs);
}

static void explore(const Execution *from, Findings *findings);

static void step(const Execution *from, ThreadId thread, Findings *findings) {
  const Events *events = &from->r->events;
  size_t count = events->events.count;
  Execution x = *from;
  EventId seen[64];
  Bits value[64];
  assert_true(count <= 64);
  memcpy(seen, from->seen, count * sizeof *seen);
  memcpy(value, from->value, count * sizeof *value);
  x.seen = seen;
  x.value = value;
  if (execute_node(&x, events->threads[thread].nodes.data[x.next[thread]++])) explore(&x, findings);
}

// Every thread that can goes on; nodes whose guard does not hold are passed over.
static void explore(const Execution *from, Findings *findings) {
  const Events *events = &from->r->events;
  Execution x = *from;
  bool ended = true;
  for (ThreadId t = 0; t < THREADS; t++) {
    if (!x.created[t]) continue;
    const NodeIdVector *nodes = &events->threads[t].nodes;
    while (x.next[t] < nodes->count && !holds(&x, events->nodes.data[nodes->data[x.next[t]]].guard)) x.next[t]++;
  }
  for (ThreadId t = 0; t < THREADS; t++) {
    if (!x.created[t] || x.next[t] == events->threads[t].nodes.count) continue;
    ended = false;
    step(&x, t, findings);
  }
  if (ended) check_execution(&x, findings);
}

static void explore_all(Random *r, Findings *findings) {
  EventId seen[64];
  Bits value[64] = {0};
  for (unsigned inputs = 0; inputs < 1u << r->input_count; inputs++) {
    Execution x = {.r = r, .inputs = inputs, .created = {true}, .seen = seen, .value = value};
    for (unsigned e = 0; e < 64; e++) seen[e] = NO_ID;
    const Node *initial = &r->events.nodes.data[0];
    for (EventId e = initial->first_event; e < initial->first_event + initial->event_count; e++)
      x.writer[cell_of(r, &r->events.events.data[e])] = e;
    explore(&x, findings);
  }
}

// --- comparing ---

static LinkId link_with(const Events *events, Term literal) {
  for (LinkId l = 0; l < events->links.count; l++)
    if (events->links.data[l].literal == literal) return l;
  fail_msg("no link has the literal");
  return NO_ID;
}

// No two links that a clause excludes were seen together.
static size_t check_pairs(Random *r, const Findings *findings) {
  size_t links = r->events.links.count, count = 0;
  for (size_t i = 0; i + 2 < findings->pairs->count; i += 3, count++) {
    assert_int_equal(findings->pairs->data[i + 2], TERM_NONE);
    LinkId a = link_with(&r->events, term_not(r->b.p->terms, findings->pairs->data[i]));
    LinkId b = link_with(&r->events, term_not(r->b.p->terms, findings->pairs->data[i + 1]));
    assert_false(findings->together[(a > b ? a * links + b : b * links + a)]);
  }
  return count;
}

static void check_goals(Random *r, const Findings *findings, unsigned *reached, unsigned *refinements) {
  static const RefineMode modes[] = {REFINE_GRAPH, REFINE_SOLVER, REFINE_EAGER};
  for (size_t i = 0; i < 3; i++) {
    Refinement refinement;
    RefineStatistics statistics = {0};
    assert_true(refinement_open(&refinement, modes[i], &r->events, &r->order, &statistics, &r->budget, &r->b.account));
    for (unsigned kind = 0; kind < THREADS; kind++) {
      Reachability answer = refinement_reach(&refinement, 1u << kind);
      assert_int_equal(answer, findings->goal[kind] ? REACHABLE : UNREACHABLE);
      if (answer == REACHABLE) {
        ++*reached;
        assert_true(graph_is_order(&refinement.counterexample.graph, &refinement.sequence));
      }
    }
    *refinements += (unsigned)statistics.refinements;
    refinement_close(&refinement);
  }
}

static void test_random_executions(void **state) {
  (void)state;
  Random r = {.seed = 5};
  make_program(&r);
  unsigned reached = 0, refinements = 0;
  size_t pairs = 0, looked_at = 0;
  for (unsigned run = 0; run < RUNS; run++) {
    make_events(&r);
    Written abstraction, excluded;
    TermVector_init(&abstraction.terms, NULL);
    TermVector_init(&excluded.terms, NULL);
    Solver *solver = solver_make(&writing, &abstraction, r.b.p->terms, &r.b.account, NULL);
    encode_abstraction(&r.events, solver);
    solver->state = &excluded;
    encode_impossible_pairs(&r.events, &r.order, solver, 100000);
    solver_free(solver);
    size_t square = r.events.links.count * r.events.links.count;
    Findings findings = {.abstraction = &abstraction.terms, .pairs = &excluded.terms};
    findings.together = memory_allocate_zeroed(NULL, square + 1);
    explore_all(&r, &findings);
    pairs += check_pairs(&r, &findings);
    check_goals(&r, &findings, &reached, &refinements);
    looked_at += findings.looked_at;
    memory_free(NULL, findings.together, square + 1);
    TermVector_free(&excluded.terms);
    TermVector_free(&abstraction.terms);
    must_order_free(&r.order);
    events_free(&r.events);
  }
  build_end(&r.b);
  // The sets are worth their time only if all of this happens.
  print_message("%u goals reached, %u refinements, %zu pairs, %zu executions looked at closely\n", reached, refinements,
                pairs, looked_at);
  assert_true(reached > RUNS && refinements > RUNS / 4 && pairs > RUNS / 2 && looked_at > RUNS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_executions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
