// The exact order constraints, solved by a SAT solver (paper: sections 4.3 and 5.2).
//
// The paper gives each event a clock. Here a variable says which of two nodes comes first, for the pairs that occur in
// a constraint. Cycles are excluded when a model contains them (each time the shortest cycles that were found), which
// needs few clauses and no arithmetic. Monotonicity along chains is asserted from the beginning.
//
// Each literal of the graph has a selector, which is assumed. Links, edges and writes are constrained under their
// selectors. The order is read from a model constraint by constraint, and only orders that a constraint needs are taken
// from it: if both sides of a disjunction hold, a side that fits the order found so far is taken.
#include "order/graph/graph_internal.h"
#include "solver/solver.h"

#include <stdlib.h>

// `w3 before w, or r before w3`, under the selectors of the link and of the third write.
typedef struct Disjunction {
  uint32_t link, write;
} Disjunction;
VECTOR(DisjunctionVector, Disjunction);

typedef struct Pair {
  uint32_t fixed, thread, position; // `fixed` before the node at this place
  Term term;
} Pair;
VECTOR(PairVector, Pair);

typedef struct Exact {
  const OrderGraph *graph;
  const View *view;
  Budget *budget;
  TermStore *store;
  Solver *solver;
  Map selectors; // literal -> its selector
  Map literals;  // selector -> its literal
  TermVector all_selectors;
  TermVector present; // per write: the term that says that it happens, or TERM_NONE if it always happens
  Map pairs;          // smaller node << 32 | larger node -> variable: the smaller one is first
  PairVector chains;
  DisjunctionVector disjunctions;
  OrderClosure closure;
  Paths paths;
  TermVector path_terms; // per edge of `paths`
  U32Vector path, postponed;
  TermVector clause;
} Exact;

static void exact_init(Exact *x, const OrderGraph *graph, const View *view, Budget *budget) {
  Account *account = graph->account;
  *x = (Exact){.graph = graph, .view = view, .budget = budget};
  x->store = term_store_new(account);
  term_store_inspect(x->store, graph->inspection);
  x->solver = solver_new(SOLVER_CADICAL, x->store, account, budget);
  map_init(&x->selectors, account);
  map_init(&x->literals, account);
  map_init(&x->pairs, account);
  TermVector *vectors[] = {&x->all_selectors, &x->present, &x->path_terms, &x->clause};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) TermVector_init(vectors[i], account);
  PairVector_init(&x->chains, account);
  DisjunctionVector_init(&x->disjunctions, account);
  closure_init(&x->closure, account);
  paths_init(&x->paths, account);
  U32Vector_init(&x->path, account);
  U32Vector_init(&x->postponed, account);
}

static void exact_free(Exact *x) {
  solver_free(x->solver);
  term_store_free(x->store);
  map_free(&x->selectors);
  map_free(&x->literals);
  map_free(&x->pairs);
  TermVector *vectors[] = {&x->all_selectors, &x->present, &x->path_terms, &x->clause};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) TermVector_free(vectors[i]);
  PairVector_free(&x->chains);
  DisjunctionVector_free(&x->disjunctions);
  closure_free(&x->closure);
  paths_free(&x->paths);
  U32Vector_free(&x->path);
  U32Vector_free(&x->postponed);
}

// --- terms ---

static Term selector_of(Exact *x, Term literal) {
  if (literal == TERM_NONE) return term_true(x->store);
  uint64_t known;
  if (map_get(&x->selectors, literal, &known)) return (Term)known;
  Term selector = term_variable(x->store, sort_bits(1), "selected");
  map_put(&x->selectors, literal, selector);
  map_put(&x->literals, selector, literal);
  TermVector_push(&x->all_selectors, selector);
  return selector;
}

static Term link_selector(Exact *x, uint32_t link) {
  return selector_of(x, x->graph->links.data[x->view->links.data[link].item].literal);
}

static void note_pair(Exact *x, uint32_t fixed, uint32_t node, Term term) {
  PairVector_push(&x->chains, (Pair){fixed, x->view->thread.data[node], x->view->position.data[node], term});
}

// `a before b`.
static Term order_term(Exact *x, uint32_t a, uint32_t b) {
  const View *view = x->view;
  if (a == 0 || b == 0) return term_bool(x->store, a == 0);
  if (view->thread.data[a] == view->thread.data[b]) return term_bool(x->store, a < b);
  uint32_t small = a < b ? a : b, large = a < b ? b : a;
  uint64_t key = (uint64_t)small << 32 | large, known;
  if (!map_get(&x->pairs, key, &known)) {
    Term variable = term_variable(x->store, sort_bits(1), "before");
    map_put(&x->pairs, key, variable);
    note_pair(x, small, large, variable);
    note_pair(x, large, small, term_not(x->store, variable));
    known = variable;
  }
  return a < b ? (Term)known : term_not(x->store, (Term)known);
}

static void add_clause(Exact *x, const Term *terms, size_t count) { solver_add_clause(x->solver, terms, count); }

static Term negation(Exact *x, Term term) { return term_not(x->store, term); }

// --- constraints ---

// A write happens if its own literal is true, or the literal of a link from it.
static void constrain_presence(Exact *x) {
  TermVector_resize(&x->present, x->view->writes.count);
  for (uint32_t i = 0; i < x->view->writes.count; i++) {
    const ViewWrite *write = &x->view->writes.data[i];
    if (write->unconditional) continue;
    Term own = selector_of(x, x->graph->writes.data[write->item].literal);
    x->present.data[i] = own;
    bool through_link = false;
    for (uint32_t l = x->view->first_from.data[write->node]; l != NOTHING; l = x->view->next_from.data[l]) {
      if (x->view->links.data[l].cell != write->cell) continue;
      if (!through_link) {
        x->present.data[i] = term_variable(x->store, sort_bits(1), "present");
        add_clause(x, (Term[]){negation(x, own), x->present.data[i]}, 2);
        through_link = true;
      }
      add_clause(x, (Term[]){negation(x, link_selector(x, l)), x->present.data[i]}, 2);
    }
  }
}

static void constrain_orders(Exact *x) {
  const View *view = x->view;
  for (uint32_t i = 0; i < view->edges.count; i++) {
    const ViewEdge *edge = &view->edges.data[i];
    Term selector = selector_of(x, x->graph->edges.data[edge->item].literal);
    add_clause(x, (Term[]){negation(x, selector), order_term(x, edge->from, edge->to)}, 2);
  }
  for (uint32_t i = 0; i < view->links.count; i++) {
    const ViewLink *link = &view->links.data[i];
    Term selected = link_selector(x, i);
    add_clause(x, (Term[]){negation(x, selected), order_term(x, link->write, link->read)}, 2);
    for (uint32_t g = view->cell_group.data[link->cell]; g < view->cell_group.data[link->cell + 1]; g++) {
      for (uint32_t k = view->groups.data[g].first; k < view->groups.data[g].end; k++) {
        uint32_t third = view->writes.data[k].node;
        if (third == link->write || third == link->read) continue;
        Term sooner = order_term(x, third, link->write), later = order_term(x, link->read, third);
        if (term_is_true(x->store, sooner) || term_is_true(x->store, later)) continue;
        Term present = x->present.data[k] == TERM_NONE ? term_true(x->store) : x->present.data[k];
        add_clause(x, (Term[]){negation(x, selected), negation(x, present), sooner, later}, 4);
        DisjunctionVector_push(&x->disjunctions, (Disjunction){i, k});
      }
    }
  }
}

static int compare_pairs(const void *left, const void *right) {
  const Pair *a = left, *b = right;
  if (a->fixed != b->fixed) return a->fixed < b->fixed ? -1 : 1;
  if (a->thread != b->thread) return a->thread < b->thread ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

// A node that comes before another node comes before the later nodes of that node's thread.
static void constrain_chains(Exact *x) {
  if (x->chains.count > 0) qsort(x->chains.data, x->chains.count, sizeof(Pair), compare_pairs);
  for (size_t i = 1; i < x->chains.count; i++) {
    const Pair *a = &x->chains.data[i - 1], *b = &x->chains.data[i];
    if (a->fixed != b->fixed || a->thread != b->thread) continue;
    add_clause(x, (Term[]){negation(x, a->term), b->term}, 2);
  }
}

// --- models ---

// Inserts the order `from` before `to`, or excludes the cycle that it would close. True: it was inserted.
static bool put_order(Exact *x, uint32_t from, uint32_t to) {
  Term term = order_term(x, from, to);
  if (closure_insert(&x->closure, from, to)) {
    if (from == 0 || x->view->thread.data[from] == x->view->thread.data[to]) return true;
    paths_add(&x->paths, from, to, 1);
    TermVector_push(&x->path_terms, term);
    return true;
  }
  PathFilter filter = {.edge_limit = UINT32_MAX, .forbidden = NOTHING, .prefixes = before_row(&x->closure, from)};
  bool found = paths_find(&x->paths, to, from, &filter, &x->path);
  assert(found);
  (void)found;
  TermVector_clear(&x->clause);
  TermVector_push(&x->clause, negation(x, term));
  for (size_t i = 0; i < x->path.count; i++) {
    TermVector_push(&x->clause, negation(x, x->path_terms.data[x->path.data[i]]));
  }
  add_clause(x, x->clause.data, x->clause.count);
  return false;
}

static bool holds(Exact *x, Term term) { return term == TERM_NONE || solver_holds(x->solver, term); }

// Inserts an order that satisfies the disjunction. If both sides hold in the model, the orders found so far decide, or
// else the disjunction is postponed. False: the order closes a cycle.
static bool put_disjunction(Exact *x, uint32_t index, bool last_chance) {
  const ViewLink *link = &x->view->links.data[x->disjunctions.data[index].link];
  uint32_t write = x->disjunctions.data[index].write, third = x->view->writes.data[write].node;
  if (!holds(x, link_selector(x, x->disjunctions.data[index].link)) || !holds(x, x->present.data[write])) return true;
  const OrderClosure *c = &x->closure;
  bool sooner = solver_holds(x->solver, order_term(x, third, link->write));
  bool later = solver_holds(x->solver, order_term(x, link->read, third));
  assert(sooner || later);
  if (sooner && later) {
    if (comes_before(c, third, link->write) || comes_before(c, link->read, third)) return true;
    if (!last_chance) {
      U32Vector_push(&x->postponed, index);
      return true;
    }
    sooner = !comes_before(c, link->write, third);
  }
  return sooner ? put_order(x, third, link->write) : put_order(x, link->read, third);
}

// Reads the order from the model. False: it has cycles, which are now excluded.
static bool read_model(Exact *x) {
  const View *view = x->view;
  bool acyclic = true;
  closure_start(&x->closure, view);
  paths_start(&x->paths, view);
  TermVector_clear(&x->path_terms);
  U32Vector_clear(&x->postponed);
  for (uint32_t i = 0; i < view->edges.count; i++) {
    const ViewEdge *edge = &view->edges.data[i];
    if (!holds(x, selector_of(x, x->graph->edges.data[edge->item].literal))) continue;
    if (!put_order(x, edge->from, edge->to)) acyclic = false;
  }
  for (uint32_t i = 0; i < view->links.count; i++) {
    if (!holds(x, link_selector(x, i))) continue;
    if (!put_order(x, view->links.data[i].write, view->links.data[i].read)) acyclic = false;
  }
  for (uint32_t i = 0; i < x->disjunctions.count; i++) {
    if (!put_disjunction(x, i, false)) acyclic = false;
  }
  for (size_t i = 0; i < x->postponed.count; i++) {
    if (!put_disjunction(x, x->postponed.data[i], true)) acyclic = false;
  }
  return acyclic;
}

// SAT: the closure holds an order for the assumptions.
static SolverAnswer check(Exact *x, const TermVector *assumptions) {
  for (;;) {
    if (x->budget && budget_exhausted(x->budget, "graph-solve")) return SOLVER_UNKNOWN;
    SolverAnswer answer = solver_check(x->solver, assumptions->data, assumptions->count);
    if (answer != SOLVER_SAT || read_model(x)) return answer;
  }
}

// --- cores ---

// Removes assumptions that are not needed. Models are checked for cycles, which solver_shrink_core would not do. If the
// budget ends, the assumptions that are left are still a core.
static void shrink(Exact *x, TermVector *core) {
  TermVector fewer;
  TermVector_init(&fewer, core->account);
  for (size_t i = 0; i < core->count;) {
    TermVector_clear(&fewer);
    for (size_t k = 0; k < core->count; k++) {
      if (k != i) TermVector_push(&fewer, core->data[k]);
    }
    SolverAnswer answer = check(x, &fewer);
    if (answer == SOLVER_UNKNOWN) break;
    if (answer == SOLVER_SAT) {
      i++;
      continue;
    }
    // A core keeps the order of the assumptions, so the first `i` assumptions, which are all needed, stay in front.
    const TermVector *found = solver_core(x->solver);
    TermVector_clear(core);
    for (size_t k = 0; k < found->count; k++) TermVector_push(core, found->data[k]);
  }
  TermVector_free(&fewer);
}

static void core_reason(Exact *x, TermVector *core, Reasons *reasons) {
  const OrderGraph *graph = x->graph;
  for (size_t i = 0; i < core->count; i++) core->data[i] = (Term)map_get_or(&x->literals, core->data[i], TERM_NONE);
  set_sort(core);
  for (size_t i = core->count; graph->implies && i-- > 0;) {
    bool implied = false;
    for (size_t k = 0; k < core->count && !implied; k++) {
      implied = k != i && graph->implies(graph->context, core->data[k], core->data[i]);
    }
    if (!implied) continue;
    memmove(&core->data[i], &core->data[i + 1], (core->count - i - 1) * sizeof(Term));
    core->count--;
  }
  reasons_add(reasons, set_of(core));
}

GraphAnswer exact_order(const OrderGraph *graph, const View *view, U32Vector *order, Reasons *reasons, Budget *budget) {
  Exact x;
  exact_init(&x, graph, view, budget);
  constrain_presence(&x);
  constrain_orders(&x);
  constrain_chains(&x);
  SolverAnswer answer = check(&x, &x.all_selectors);
  if (answer == SOLVER_SAT) {
    closure_order(&x.closure, order);
  } else if (answer == SOLVER_UNSAT) {
    TermVector core;
    TermVector_init(&core, graph->account);
    const TermVector *found = solver_core(x.solver);
    for (size_t i = 0; i < found->count; i++) TermVector_push(&core, found->data[i]);
    shrink(&x, &core);
    core_reason(&x, &core, reasons);
    TermVector_free(&core);
  }
  exact_free(&x);
  return answer == SOLVER_SAT ? GRAPH_ORDERED : answer == SOLVER_UNSAT ? GRAPH_IMPOSSIBLE : GRAPH_UNDECIDED;
}
