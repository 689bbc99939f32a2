// Infeasibility by rules 1 to 3, with core kernel reasons (paper: sections 4.2 and 5.3).
//
// One pass applies the rules, finds contradictory sets of literals and makes them minimal. One contradiction may hide
// another, so there are further passes: each removes a literal of every reason found so far and examines the rest of
// the graph, so its reasons are new. The paper achieves the same by keeping all reasons of all orders, which are very
// many.
#include "order/graph/graph_internal.h"

enum {
  PASSES = 5,
  // If so many orders per reason that may be returned close cycles, later rounds would only add longer reasons.
  CYCLES_PER_REASON = 8,
  MINIMISED_PER_REASON = 4, // contradictory sets that are minimised for each reason that may be returned
  MINIMISED_AT_LEAST = 32
};

typedef struct Collector {
  const OrderGraph *graph;
  const GraphLimits *limits;
  size_t limit;
  View view;
  OrderClosure closure;
  Minimiser minimiser;
  LiteralSets found;   // contradictory sets of the current pass
  LiteralSets minimal; // of all passes
  U32Vector by_size;
  TermVector set;
  Map removed; // removed literals
  ByteVector link_on, write_on, edge_on;
} Collector;

static void collector_init(Collector *c, const OrderGraph *graph, const GraphLimits *limits) {
  Account *account = graph->account;
  *c = (Collector){.graph = graph, .limits = limits, .limit = limits->reasons > 0 ? limits->reasons : 1};
  view_init(&c->view, account);
  view_of_graph(&c->view, graph);
  closure_init(&c->closure, account);
  c->closure.recording = true;
  c->closure.enough = CYCLES_PER_REASON * c->limit;
  sets_init(&c->found, account);
  sets_init(&c->minimal, account);
  U32Vector_init(&c->by_size, account);
  TermVector_init(&c->set, account);
  map_init(&c->removed, account);
  ByteVector_init(&c->link_on, account);
  ByteVector_init(&c->write_on, account);
  ByteVector_init(&c->edge_on, account);
}

static void collector_free(Collector *c) {
  view_free(&c->view);
  closure_free(&c->closure);
  sets_free(&c->found);
  sets_free(&c->minimal);
  U32Vector_free(&c->by_size);
  TermVector_free(&c->set);
  map_free(&c->removed);
  ByteVector_free(&c->link_on);
  ByteVector_free(&c->write_on);
  ByteVector_free(&c->edge_on);
}

static bool contains_minimal(const Collector *c, LiteralSet set) {
  for (size_t i = 0; i < sets_count(&c->minimal); i++) {
    if (set_subset(sets_at(&c->minimal, i), set)) return true;
  }
  return false;
}

// Small sets first: they exclude the most.
static void minimise_found(Collector *c) {
  size_t attempts = MINIMISED_PER_REASON * c->limit;
  if (attempts < MINIMISED_AT_LEAST) attempts = MINIMISED_AT_LEAST;
  sets_by_size(&c->found, &c->by_size);
  for (size_t i = 0; i < c->by_size.count && attempts > 0; i++) {
    LiteralSet candidate = sets_at(&c->found, c->by_size.data[i]);
    if (contains_minimal(c, candidate)) continue;
    attempts--;
    TermVector_clear(&c->set);
    for (size_t k = 0; k < candidate.count; k++) TermVector_push(&c->set, candidate.data[k]);
    bool contradictory = minimise(&c->minimiser, &c->set);
    assert(contradictory);
    if (contradictory && !contains_minimal(c, set_of(&c->set))) sets_push(&c->minimal, set_of(&c->set));
  }
}

// Removes a literal of every minimal set that has no removed literal yet: the one that most sets contain.
static void remove_literals(Collector *c) {
  Map counts;
  map_init(&counts, c->graph->account);
  for (size_t i = 0; i < c->minimal.literals.count; i++) {
    Term literal = c->minimal.literals.data[i];
    map_put(&counts, literal, map_get_or(&counts, literal, 0) + 1);
  }
  for (size_t i = 0; i < sets_count(&c->minimal); i++) {
    LiteralSet set = sets_at(&c->minimal, i);
    Term best = TERM_NONE;
    bool hit = false;
    for (size_t k = 0; k < set.count && !hit; k++) {
      hit = map_contains(&c->removed, set.data[k]);
      if (best == TERM_NONE || map_get_or(&counts, set.data[k], 0) > map_get_or(&counts, best, 0)) best = set.data[k];
    }
    if (!hit) map_put(&c->removed, best, 1);
  }
  map_free(&counts);
}

static void enable_rest(Collector *c) {
  const OrderGraph *graph = c->graph;
  const View *view = &c->view;
  ByteVector_resize(&c->link_on, view->links.count);
  ByteVector_resize(&c->write_on, view->writes.count);
  ByteVector_resize(&c->edge_on, view->edges.count);
  for (size_t i = 0; i < view->links.count; i++) {
    c->link_on.data[i] = !map_contains(&c->removed, graph->links.data[view->links.data[i].item].literal);
  }
  for (size_t i = 0; i < view->writes.count; i++) {
    c->write_on.data[i] = !map_contains(&c->removed, graph->writes.data[view->writes.data[i].item].literal);
  }
  for (size_t i = 0; i < view->edges.count; i++) {
    c->edge_on.data[i] = !map_contains(&c->removed, graph->edges.data[view->edges.data[i].item].literal);
  }
  c->closure.link_on = c->link_on.data;
  c->closure.write_on = c->write_on.data;
  c->closure.edge_on = c->edge_on.data;
}

static void collect_passes(Collector *c) {
  for (size_t pass = 1;; pass++) {
    sets_clear(&c->found);
    explain_cycles(c->graph, &c->closure, c->limits, &c->found);
    minimise_found(c);
    size_t count = sets_count(&c->minimal);
    // An empty reason means that the graph is infeasible without any literal, so no other reason is needed.
    if (pass == PASSES || count >= c->limit || sets_at(&c->minimal, count - 1).count == 0) return;
    remove_literals(c);
    enable_rest(c);
    closure_start(&c->closure, &c->view);
    if (closure_run(&c->closure)) return;
  }
}

// Returns the reasons, the smallest first. A set that was found later may be a subset of an earlier one, because
// implications between literals are used.
static void give_back(Collector *c, Reasons *reasons) {
  sets_by_size(&c->minimal, &c->by_size);
  for (size_t i = 0; i < c->by_size.count && reasons_count(reasons) < c->limit; i++) {
    LiteralSet set = sets_at(&c->minimal, c->by_size.data[i]);
    bool redundant = false;
    for (size_t k = 0; k < i && !redundant; k++) redundant = set_subset(sets_at(&c->minimal, c->by_size.data[k]), set);
    if (!redundant) reasons_add(reasons, set);
  }
}

bool graph_infeasible(const OrderGraph *graph, const GraphLimits *limits, Reasons *reasons) {
  reasons_clear(reasons);
  Collector c;
  collector_init(&c, graph, limits);
  closure_start(&c.closure, &c.view);
  bool infeasible = !closure_run(&c.closure);
  if (infeasible) {
    minimiser_init(&c.minimiser, graph, &c.view);
    collect_passes(&c);
    minimiser_free(&c.minimiser);
    give_back(&c, reasons);
    assert(reasons_count(reasons) > 0);
  }
  collector_free(&c);
  return infeasible;
}
