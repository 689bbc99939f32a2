#include "order/refine.h"

#include "order/pairs.h"

enum { REASONS_PER_ORDER = 4, REASONS_PER_GRAPH = 40, SWITCH_EFFORT = 20000, MOST_PAIRS = 4000000 };

bool refinement_open(Refinement *r, RefineMode mode, Events *events, const MustOrder *order,
                     RefineStatistics *statistics, Budget *budget, Account *account) {
  *r = (Refinement){.mode = mode, .events = events, .order = order, .statistics = statistics, .budget = budget};
  r->account = account;
  r->solver = solver_new(SOLVER_AUTOMATIC, events->program->terms, account, budget);
  counterexample_init(&r->counterexample, events, account);
  reasons_init(&r->reasons, account);
  U32Vector_init(&r->sequence, account);
  encode_abstraction(events, r->solver);
  if (mode != REFINE_SOLVER) encode_impossible_pairs(events, order, r->solver, MOST_PAIRS);
  statistics->abstraction_clauses = solver_statistics(r->solver).clauses;
  return mode != REFINE_EAGER || encode_order(events, order, r->solver, budget);
}

void refinement_close(Refinement *r) {
  U32Vector_free(&r->sequence);
  reasons_free(&r->reasons);
  counterexample_free(&r->counterexample);
  solver_free(r->solver);
}

static void learn(Refinement *r) {
  TermStore *terms = r->solver->store;
  TermVector clause;
  TermVector_init(&clause, r->account);
  for (size_t i = 0; i < reasons_count(&r->reasons); i++) {
    TermVector_clear(&clause);
    for (uint32_t k = r->reasons.starts.data[i]; k < r->reasons.starts.data[i + 1]; k++)
      TermVector_push(&clause, term_not(terms, r->reasons.literals.data[k]));
    solver_add_clause(r->solver, clause.data, clause.count);
    r->statistics->refinement_literals += clause.count;
  }
  r->statistics->refinements++;
  r->statistics->refinement_clauses += reasons_count(&r->reasons);
  TermVector_free(&clause);
}

// The node that must come last: the last node of the goal's thread, which ends the execution.
static GraphNode last_of_goal(const Refinement *r) {
  const Counterexample *c = &r->counterexample;
  ThreadId thread = r->events->goals.data[c->goal].thread;
  GraphNode last = NO_NODE;
  if (thread == NO_ID || goal_is_race(r->events->goals.data[c->goal].kind)) return last; // several threads end it
  for (GraphNode g = 1; g < c->nodes.count; g++)
    if (c->graph.threads.data[g] == thread + 1) last = g;
  return last;
}

static GraphAnswer order_exactly(Refinement *r) {
  const OrderGraph *graph = &r->counterexample.graph;
  GraphAnswer answer = graph_solve(graph, &r->sequence, &r->reasons, r->budget);
  if (answer == GRAPH_ORDERED) graph_reduce_switches(graph, last_of_goal(r), SWITCH_EFFORT, &r->sequence);
  return answer;
}

static GraphAnswer examine(Refinement *r) {
  static const GraphLimits limits = {.reasons_per_order = REASONS_PER_ORDER, .reasons = REASONS_PER_GRAPH};
  if (r->mode == REFINE_GRAPH && graph_infeasible(&r->counterexample.graph, &limits, &r->reasons))
    return GRAPH_IMPOSSIBLE;
  GraphAnswer answer = order_exactly(r);
  if (answer == GRAPH_IMPOSSIBLE) r->statistics->fallbacks++;
  return answer;
}

static Reachability reach(Refinement *r, unsigned kinds, bool certain) {
  Term assumptions[2] = {term_variable(r->solver->store, sort_bits(1), "goal")};
  if (!encode_goals(r->events, r->solver, kinds, assumptions[0])) return UNREACHABLE;
  size_t count = 1;
  if (certain && r->events->suppositions.count > 0) {
    assumptions[count++] = term_variable(r->solver->store, sort_bits(1), "certain");
    encode_no_suppositions(r->events, r->solver, assumptions[1]);
  }
  while (!budget_exhausted(r->budget, "order-refine")) {
    SolverAnswer answer = solver_check(r->solver, assumptions, count);
    if (answer == SOLVER_UNSAT) return UNREACHABLE;
    if (answer == SOLVER_UNKNOWN) return REACH_UNDECIDED;
    counterexample_read(&r->counterexample, r->solver, kinds);
    switch (examine(r)) {
    case GRAPH_ORDERED: return REACHABLE;
    case GRAPH_UNDECIDED: return REACH_UNDECIDED;
    case GRAPH_IMPOSSIBLE: learn(r); break;
    }
  }
  return REACH_UNDECIDED;
}

Reachability refinement_reach(Refinement *r, unsigned kinds) { return reach(r, kinds, false); }

Reachability refinement_reach_certain(Refinement *r, unsigned kinds) { return reach(r, kinds, true); }

const Supposition *refinement_supposition(const Refinement *r) {
  const Events *events = r->events;
  for (size_t i = 0; i < events->suppositions.count; i++) {
    const Supposition *supposition = &events->suppositions.data[i];
    if (solver_holds(r->solver, conjunction_term(&events->guards, supposition->guard))) return supposition;
  }
  return NULL;
}
