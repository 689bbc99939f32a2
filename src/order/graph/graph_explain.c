// Kernel reasons of the cycles of a recorded closure (paper: section 5.3, algorithm 2).
//
// The paper keeps the reasons of every order, including transitive ones. Here only cross edges have reasons of their
// own. The reason of any other order is computed when it is needed, as a cheapest path over cross edges (chains cost
// nothing). A derived order rests on its link, its third write, and a path for its premise over edges of earlier
// rounds, so reasons are never circular. Reasons are computed only if there is a cycle, and only for edges that can
// matter to a cycle.
//
// Alternative reasons of an order come from detours around single edges of the cheapest path and from alternative
// reasons of these edges. Other derivations of the order are cross edges of their own. When the effort is spent, the
// search for better reasons stops, but the reasons that were found are still correct.
#include "order/graph/graph_internal.h"

enum {
  SLICE_LIMIT = 20000,          // with more cross edges than this, all count as needed
  ALTERNATIVE_EFFORT = 2000000, // after so many visited nodes, searches for alternatives stop
  CYCLE_EFFORT = 20000000,      // after so many visited nodes, searches for further cycles stop
  CANDIDATES_PER_REASON = 16,   // cycles that are collected for each reason that may be returned
};

typedef struct Explainer {
  const OrderGraph *graph;
  const View *view;
  const OrderClosure *closure;
  size_t alternatives;
  Paths paths;
  ByteVector blocked; // edges that premises must not use: closing ones, and those without reasons
  ByteVector needed;
  LiteralSets sets;               // the reasons of edges
  U32Vector first_set, set_count; // per edge; the best reason first
  U32Vector component;            // per node: nodes on common cycles have the same number
  LiteralSets scratch;
  U32Vector path, detour, by_size;
  TermVector set;
  Map seen; // hashes of the sets found
  size_t wanted;
} Explainer;

static void explainer_init(Explainer *x, const OrderGraph *graph, const OrderClosure *closure,
                           const GraphLimits *limits) {
  Account *account = graph->account;
  *x = (Explainer){.graph = graph, .view = closure->view, .closure = closure};
  x->alternatives = limits->reasons_per_order > 0 ? limits->reasons_per_order : 1;
  x->wanted = (size_t)CANDIDATES_PER_REASON * (limits->reasons > 0 ? limits->reasons : 1);
  paths_init(&x->paths, account);
  ByteVector_init(&x->blocked, account);
  ByteVector_init(&x->needed, account);
  sets_init(&x->sets, account);
  sets_init(&x->scratch, account);
  U32Vector *vectors[] = {&x->first_set, &x->set_count, &x->component, &x->path, &x->detour, &x->by_size};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  TermVector_init(&x->set, account);
  map_init(&x->seen, account);
  paths_start(&x->paths, x->view);
  ByteVector_resize(&x->blocked, closure->edges.count);
  ByteVector_resize(&x->needed, closure->edges.count);
  U32Vector_resize(&x->first_set, closure->edges.count);
  U32Vector_resize(&x->set_count, closure->edges.count);
}

static void explainer_free(Explainer *x) {
  paths_free(&x->paths);
  ByteVector_free(&x->blocked);
  ByteVector_free(&x->needed);
  sets_free(&x->sets);
  sets_free(&x->scratch);
  U32Vector *vectors[] = {&x->first_set, &x->set_count, &x->component, &x->path, &x->detour, &x->by_size};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  TermVector_free(&x->set);
  map_free(&x->seen);
}

// --- nodes on common cycles: Tarjan's algorithm, without recursion ---

typedef struct Components {
  Explainer *x;
  U32Vector low, number, stack, calls, edge; // `edge`: the next edge out of a node; chain_first: the chain is next
  uint32_t numbered, component_count;
} Components;

static const uint32_t chain_first = UINT32_MAX - 1;

static void enter_node(Components *c, uint32_t node) {
  c->low.data[node] = c->number.data[node] = ++c->numbered;
  c->edge.data[node] = chain_first;
  U32Vector_push(&c->stack, node);
  U32Vector_push(&c->calls, node);
}

// The next successor of `node` that was not returned yet, or NOTHING.
static uint32_t next_successor(Components *c, uint32_t node) {
  uint32_t *edge = &c->edge.data[node];
  if (*edge == chain_first) {
    *edge = c->x->paths.first_out.data[node];
    uint32_t next = c->x->view->next.data[node];
    if (next != NOTHING) return next;
  }
  if (*edge == NOTHING) return NOTHING;
  const PathEdge *taken = &c->x->paths.edges.data[*edge];
  *edge = taken->next;
  return taken->to;
}

static void leave_node(Components *c, uint32_t node) {
  c->calls.count--;
  if (c->calls.count > 0) {
    uint32_t caller = *U32Vector_last(&c->calls);
    if (c->low.data[node] < c->low.data[caller]) c->low.data[caller] = c->low.data[node];
  }
  if (c->low.data[node] != c->number.data[node]) return;
  uint32_t member;
  do {
    member = U32Vector_pop(&c->stack);
    c->x->component.data[member] = c->component_count;
  } while (member != node);
  c->component_count++;
}

static void find_components(Explainer *x) {
  uint32_t nodes = view_nodes(x->view);
  Components c = {.x = x};
  U32Vector *vectors[] = {&c.low, &c.number, &c.stack, &c.calls, &c.edge};
  for (size_t i = 0; i < 5; i++) {
    U32Vector_init(vectors[i], x->graph->account);
    if (i != 2 && i != 3) U32Vector_resize(vectors[i], nodes);
  }
  U32Vector_resize(&x->component, nodes);
  for (uint32_t n = 0; n < nodes; n++) x->component.data[n] = NOTHING;
  for (uint32_t root = 0; root < nodes; root++) {
    if (c.number.data[root] != 0) continue;
    enter_node(&c, root);
    while (c.calls.count > 0) {
      uint32_t node = *U32Vector_last(&c.calls), next = next_successor(&c, node);
      if (next == NOTHING) {
        leave_node(&c, node);
      } else if (c.number.data[next] == 0) {
        enter_node(&c, next);
      } else if (x->component.data[next] == NOTHING && c.number.data[next] < c.low.data[node]) {
        c.low.data[node] = c.number.data[next];
      }
    }
  }
  for (size_t i = 0; i < 5; i++) U32Vector_free(vectors[i]);
}

static bool on_cycle(const Explainer *x, const CrossEdge *edge) {
  return x->component.data[edge->from] == x->component.data[edge->to];
}

// --- edges that can matter to a cycle ---

static bool is_derived(const CrossEdge *edge) {
  return edge->rule == RULE_BEFORE_WRITE || edge->rule == RULE_AFTER_READ;
}

// The order that a derived edge rests on.
static void premise_of(const Explainer *x, const CrossEdge *edge, uint32_t *from, uint32_t *to) {
  const ViewLink *link = &x->view->links.data[edge->link];
  uint32_t third = x->view->writes.data[edge->write].node;
  *from = edge->rule == RULE_BEFORE_WRITE ? third : link->write;
  *to = edge->rule == RULE_BEFORE_WRITE ? link->read : third;
}

static bool at_or_before(const OrderClosure *c, uint32_t a, uint32_t b) { return a == b || comes_before(c, a, b); }

// Edges on cycles are needed, and all edges that may lie on a path for the premise of a needed edge.
static void mark_needed(Explainer *x) {
  const CrossEdgeVector *edges = &x->closure->edges;
  bool all = edges->count > SLICE_LIMIT;
  for (size_t i = edges->count; i-- > 0;) {
    const CrossEdge *edge = &edges->data[i];
    if (all || on_cycle(x, edge)) x->needed.data[i] = 1;
    if (all || !x->needed.data[i] || !is_derived(edge)) continue;
    uint32_t from, to;
    premise_of(x, edge, &from, &to);
    if (from == 0 || x->view->thread.data[from] == x->view->thread.data[to]) continue; // given by the chain
    for (size_t j = 0; j < i && edges->data[j].round < edge->round; j++) {
      const CrossEdge *other = &edges->data[j];
      if (x->needed.data[j] || other->closing) continue;
      x->needed.data[j] = at_or_before(x->closure, from, other->from) && at_or_before(x->closure, other->to, to);
    }
  }
}

// --- the reasons of edges ---

// Adds x->set to the alternatives in x->scratch unless it contains one of them.
static void add_alternative(Explainer *x) {
  set_sort(&x->set);
  for (size_t i = 0; i < sets_count(&x->scratch); i++) {
    if (set_subset(sets_at(&x->scratch, i), set_of(&x->set))) return;
  }
  sets_push(&x->scratch, set_of(&x->set));
}

static void add_literals(Explainer *x, LiteralSet set) {
  for (size_t i = 0; i < set.count; i++) TermVector_push(&x->set, set.data[i]);
}

// x->set := the literals of a derived edge itself and the reasons of `path`, the best ones but for edge `changed`.
static void set_along(Explainer *x, const Term *own, const U32Vector *path, size_t changed, uint32_t alternative) {
  TermVector_clear(&x->set);
  for (size_t i = 0; i < 2; i++) TermVector_push(&x->set, own[i]);
  for (size_t i = 0; i < path->count; i++) {
    uint32_t edge = path->data[i];
    add_literals(x, sets_at(&x->sets, x->first_set.data[edge] + (i == changed ? alternative : 0)));
  }
}

// Adds the alternatives that use another reason of one edge of x->path, and those that take a detour around one edge.
static void vary_path(Explainer *x, const Term *own, uint32_t from, uint32_t to, PathFilter *filter) {
  for (size_t i = 0; i < x->path.count; i++) {
    uint32_t edge = x->path.data[i];
    for (uint32_t a = 1; a < x->set_count.data[edge]; a++) {
      set_along(x, own, &x->path, i, a);
      add_alternative(x);
    }
    if (x->paths.effort > ALTERNATIVE_EFFORT) continue;
    filter->forbidden = edge;
    if (!paths_find(&x->paths, from, to, filter, &x->detour)) continue;
    set_along(x, own, &x->detour, NOTHING, 0);
    add_alternative(x);
  }
}

// Moves the smallest sets of x->scratch to the edge. A set that contains a smaller one is left out.
static void keep_alternatives(Explainer *x, uint32_t edge, size_t limit) {
  x->first_set.data[edge] = (uint32_t)sets_count(&x->sets);
  sets_by_size(&x->scratch, &x->by_size);
  for (size_t i = 0; i < x->by_size.count && x->set_count.data[edge] < limit; i++) {
    LiteralSet set = sets_at(&x->scratch, x->by_size.data[i]);
    bool redundant = false;
    for (uint32_t k = 0; k < x->set_count.data[edge] && !redundant; k++) {
      redundant = set_subset(sets_at(&x->sets, x->first_set.data[edge] + k), set);
    }
    if (redundant) continue;
    sets_push(&x->sets, set);
    x->set_count.data[edge]++;
  }
  sets_clear(&x->scratch);
}

static void explain_derived(Explainer *x, uint32_t index) {
  const CrossEdge *edge = &x->closure->edges.data[index];
  const OrderGraph *graph = x->graph;
  Term own[2] = {graph->links.data[x->view->links.data[edge->link].item].literal,
                 graph->writes.data[x->view->writes.data[edge->write].item].literal};
  uint32_t from, to;
  premise_of(x, edge, &from, &to);
  PathFilter filter = {.edge_limit = (uint32_t)x->paths.edges.count,
                       .forbidden = NOTHING,
                       .blocked = x->blocked.data,
                       .prefixes = before_row(x->closure, to)};
  bool found = paths_find(&x->paths, from, to, &filter, &x->path);
  assert(found);
  if (!found) return;
  set_along(x, own, &x->path, NOTHING, 0);
  add_alternative(x);
  if (x->alternatives > 1) vary_path(x, own, from, to, &filter);
  keep_alternatives(x, index, x->alternatives);
}

static void explain_given(Explainer *x, uint32_t index) {
  const CrossEdge *edge = &x->closure->edges.data[index];
  Term literal = edge->rule == RULE_LINK ? x->graph->links.data[x->view->links.data[edge->link].item].literal
                                         : x->graph->edges.data[x->view->edges.data[edge->link].item].literal;
  x->first_set.data[index] = (uint32_t)sets_count(&x->sets);
  x->set_count.data[index] = 1;
  sets_push(&x->sets, (LiteralSet){&literal, literal != TERM_NONE});
}

// Explains the edges in the order of their rounds. Searches use the edges of a round only after all of them are
// explained.
static void explain_edges(Explainer *x) {
  const CrossEdgeVector *edges = &x->closure->edges;
  for (size_t first = 0, end; first < edges->count; first = end) {
    for (end = first; end < edges->count && edges->data[end].round == edges->data[first].round; end++) {
      if (!x->needed.data[end]) continue;
      if (is_derived(&edges->data[end])) {
        explain_derived(x, (uint32_t)end);
      } else {
        explain_given(x, (uint32_t)end);
      }
    }
    for (size_t i = first; i < end; i++) {
      uint32_t cost = x->set_count.data[i] > 0 ? (uint32_t)sets_at(&x->sets, x->first_set.data[i]).count : 0;
      x->blocked.data[i] = edges->data[i].closing || x->set_count.data[i] == 0;
      paths_add(&x->paths, edges->data[i].from, edges->data[i].to, cost);
    }
  }
}

// --- cycles ---

static void found_set(Explainer *x, LiteralSets *found) {
  set_sort(&x->set);
  uint64_t hash = hash_bytes(x->set.data, x->set.count * sizeof(Term));
  if (map_contains(&x->seen, hash)) return;
  map_put(&x->seen, hash, 1);
  sets_push(found, set_of(&x->set));
}

// Collects the reason of the cheapest cycle through an edge, and the variants with another reason of one of its edges.
static void cycle_through(Explainer *x, uint32_t index, LiteralSets *found) {
  const CrossEdge *edge = &x->closure->edges.data[index];
  PathFilter filter = {.edge_limit = UINT32_MAX, .forbidden = NOTHING, .components = x->component.data};
  if (!paths_find(&x->paths, edge->to, edge->from, &filter, &x->path)) {
    assert(false); // its ends are in one component
    return;
  }
  U32Vector_push(&x->path, index);
  static const Term none[2] = {TERM_NONE, TERM_NONE};
  set_along(x, none, &x->path, NOTHING, 0);
  found_set(x, found);
  for (size_t i = 0; i < x->path.count; i++) {
    for (uint32_t a = 1; a < x->set_count.data[x->path.data[i]]; a++) {
      set_along(x, none, &x->path, i, a);
      found_set(x, found);
    }
  }
}

// Closing edges come first, because each of them is a contradiction of its own. Within both groups, edges are ordered
// by the size of their reasons.
static void collect_cycles(Explainer *x, LiteralSets *found) {
  const CrossEdgeVector *edges = &x->closure->edges;
  x->paths.effort = 0;
  for (int closing = 1; closing >= 0; closing--) {
    U32Vector_clear(&x->detour);
    for (uint32_t i = 0; i < edges->count; i++) {
      if (edges->data[i].closing != (closing == 1) || !on_cycle(x, &edges->data[i])) continue;
      assert(x->set_count.data[i] > 0);
      sets_push(&x->scratch, sets_at(&x->sets, x->first_set.data[i]));
      U32Vector_push(&x->detour, i);
    }
    sets_by_size(&x->scratch, &x->by_size);
    sets_clear(&x->scratch);
    for (size_t i = 0; i < x->by_size.count; i++) {
      bool enough = x->paths.effort > CYCLE_EFFORT || sets_count(found) >= x->wanted;
      if (enough && sets_count(found) > 0) break;
      cycle_through(x, x->detour.data[x->by_size.data[i]], found);
    }
  }
}

// The adjacency of all edges, for the components only.
static void add_all_edges(Explainer *x) {
  const CrossEdgeVector *edges = &x->closure->edges;
  for (size_t i = 0; i < edges->count; i++) paths_add(&x->paths, edges->data[i].from, edges->data[i].to, 0);
}

void explain_cycles(const OrderGraph *graph, const OrderClosure *closure, const GraphLimits *limits,
                    LiteralSets *found) {
  assert(closure->recording && closure->closing_count > 0);
  Explainer x;
  explainer_init(&x, graph, closure, limits);
  add_all_edges(&x);
  find_components(&x);
  paths_start(&x.paths, x.view);
  mark_needed(&x);
  explain_edges(&x);
  collect_cycles(&x, found);
  explainer_free(&x);
}
