#include "survey/orders/order_graph.h"

#include <stdlib.h>

typedef struct Building {
  WaitGraph *graph;
  U32Vector kept; // per template: a SetId, of what it holds beside locks
  Map known;
} Building;

static NumberSets *sets(const WaitGraph *g) { return &g->facts->sets; }

static uint32_t end_node(const WaitGraph *g, uint32_t template_id) {
  return (uint32_t)g->nodes->all.count + template_id;
}

static uint32_t template_of(const WaitGraph *g, const Take *t) {
  return flow_context(g->flow, t->context)->template_id;
}

static bool is_wait(TakeKind kind) { return kind != TAKE_SIGNAL && kind != TAKE_LEAVE; }

// --- edges ---

static SetId nodes_of_names(WaitGraph *g, SetId names) {
  SetId nodes = SET_EMPTY;
  for (uint32_t i = 0; i < set_range(sets(g), names).count; i++)
    nodes = set_unite(sets(g), nodes, lock_nodes_of_lock(g->nodes, set_range(sets(g), names).data[i]));
  return nodes;
}

// What the join may wait for.
static SetId joined(const WaitGraph *g, const Take *t, bool *guessed) {
  uint32_t creation = flow_joined(g->flow, t->statement);
  *guessed = creation == NO_CODE_ID;
  SetId nodes = SET_EMPTY;
  for (uint32_t i = 0; i < templates_count(g->facts->templates); i++) {
    const Template *x = templates_at(g->facts->templates, i);
    if (x->kind == TEMPLATE_CREATED && (*guessed || x->statement == creation))
      nodes = set_with(sets(g), nodes, end_node(g, i));
  }
  return nodes;
}

static void add_edge(Building *b, WaitEdge e) {
  WaitGraph *g = b->graph;
  bool lock = e.from < g->nodes->all.count && bitset_get(&g->locks, e.from);
  bool one = e.from == NODE_SECTION || !lock || lock_nodes_is_one(g->nodes, e.from);
  if (e.from == e.to && one) return;                                                  // of one thread
  if (e.from == e.to && e.from == NODE_OUTSIDE && !g->nodes->outside_is_used) return; // outside code's own locks
  const Take *t = &g->takes->data[e.take];
  uint64_t parts[] = {(uint64_t)e.from << 32 | e.to, (uint64_t)e.template_id << 32 | t->statement,
                      (uint64_t)t->locks << 32 | t->running, (uint64_t)t->kind << 1 | e.guessed};
  uint64_t key = hash_bytes(parts, sizeof parts);
  if (map_contains(&b->known, key)) return;
  map_put(&b->known, key, 1);
  WaitEdgeVector_push(&g->edges, e);
}

static void add_edges(Building *b, uint32_t take, SetId held) {
  WaitGraph *g = b->graph;
  const Take *t = &g->takes->data[take];
  bool guessed = false;
  SetId taken = t->kind == TAKE_END ? joined(g, t, &guessed) : t->nodes;
  for (uint32_t i = 0; i < set_range(sets(g), held).count; i++)
    for (uint32_t k = 0; k < set_range(sets(g), taken).count; k++)
      add_edge(b, (WaitEdge){set_range(sets(g), held).data[i], set_range(sets(g), taken).data[k], take,
                             template_of(g, t), guessed});
}

// --- what threads hold as long as they run ---

static bool waits_with_lock(WaitGraph *g) {
  for (size_t i = 0; i < g->takes->count; i++) {
    const Take *t = &g->takes->data[i];
    if ((t->kind == TAKE_EVENT || t->kind == TAKE_END) && t->held != SET_EMPTY) return true;
  }
  return false;
}

static void find_kept(Building *b) {
  WaitGraph *g = b->graph;
  uint32_t count = templates_count(g->facts->templates);
  U32Vector_resize(&b->kept, count);
  if (!waits_with_lock(g)) return;
  for (size_t i = 0; i < g->takes->count; i++) {
    const Take *t = &g->takes->data[i];
    if (t->kind != TAKE_SIGNAL) continue;
    for (uint32_t k = 0; k < count; k++) {
      bool signals =
          k == template_of(g, t) || bitset_get(templates_offspring(g->facts->templates, k), template_of(g, t));
      if (signals) b->kept.data[k] = set_unite(sets(g), b->kept.data[k], t->nodes);
    }
  }
  for (uint32_t k = 0; k < count; k++)
    if (templates_at(g->facts->templates, k)->kind == TEMPLATE_CREATED)
      b->kept.data[k] = set_with(sets(g), b->kept.data[k], end_node(g, k));
}

static void mark_locks(WaitGraph *g) {
  bitset_set(&g->locks, NODE_OUTSIDE);
  for (size_t i = 0; i < g->takes->count; i++) {
    const Take *t = &g->takes->data[i];
    SetId all = nodes_of_names(g, t->held);
    if (t->kind == TAKE_LOCK || t->kind == TAKE_FOR_READING) all = set_unite(sets(g), all, t->nodes);
    for (uint32_t k = 0; k < set_range(sets(g), all).count; k++) bitset_set(&g->locks, set_range(sets(g), all).data[k]);
  }
}

// --- arcs ---

static int compare_edges(const void *a, const void *b) {
  const WaitEdge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return (x->take > y->take) - (x->take < y->take);
}

static void find_arcs(WaitGraph *g) {
  if (g->edges.count > 0) qsort(g->edges.data, g->edges.count, sizeof *g->edges.data, compare_edges);
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const WaitEdge *e = &g->edges.data[i];
    OrderArc *last = g->arcs.count > 0 ? OrderArcVector_last(&g->arcs) : NULL;
    if (last && last->from == e->from && last->to == e->to)
      last->count++;
    else
      OrderArcVector_push(&g->arcs, (OrderArc){e->from, e->to, i, 1});
  }
}

static uint32_t first_arc(const WaitGraph *g, uint32_t from) {
  uint32_t low = 0, high = (uint32_t)g->arcs.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g->arcs.data[middle].from < from)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void find_reached(WaitGraph *g) {
  g->reached = memory_allocate_zeroed(g->facts->account, g->node_count * sizeof *g->reached);
  U32Vector work;
  U32Vector_init(&work, g->facts->account);
  for (uint32_t n = 0; n < g->node_count; n++) {
    bitset_init(&g->reached[n], g->node_count, g->facts->account);
    U32Vector_push(&work, n);
    while (work.count > 0) {
      uint32_t at = U32Vector_pop(&work);
      for (uint32_t i = first_arc(g, at); i < g->arcs.count && g->arcs.data[i].from == at; i++)
        if (bitset_add(&g->reached[n], g->arcs.data[i].to)) U32Vector_push(&work, g->arcs.data[i].to);
    }
  }
  U32Vector_free(&work);
}

void order_graph_init(WaitGraph *g, SurveyFacts *facts, Flow *flow, LockNodes *nodes, const TakeVector *takes) {
  *g = (WaitGraph){.facts = facts, .flow = flow, .nodes = nodes, .takes = takes};
  g->node_count = (uint32_t)nodes->all.count + templates_count(facts->templates);
  WaitEdgeVector_init(&g->edges, facts->account);
  OrderArcVector_init(&g->arcs, facts->account);
  bitset_init(&g->locks, g->node_count, facts->account);
  Building b = {.graph = g};
  U32Vector_init(&b.kept, facts->account);
  map_init(&b.known, facts->account);
  mark_locks(g);
  find_kept(&b);
  for (uint32_t i = 0; i < takes->count; i++) {
    const Take *t = &takes->data[i];
    if (!is_wait(t->kind)) continue;
    add_edges(&b, i, set_unite(sets(g), nodes_of_names(g, t->held), b.kept.data[template_of(g, t)]));
  }
  U32Vector_free(&b.kept);
  map_free(&b.known);
  find_arcs(g);
  find_reached(g);
}

void order_graph_free(WaitGraph *g) {
  for (uint32_t i = 0; i < g->node_count; i++) bitset_free(&g->reached[i]);
  memory_free(g->facts->account, g->reached, g->node_count * sizeof *g->reached);
  bitset_free(&g->locks);
  WaitEdgeVector_free(&g->edges);
  OrderArcVector_free(&g->arcs);
}

// --- cycles ---

static uint32_t common_gate(const WaitGraph *g, const Take *a, const Take *b) {
  SetRange range = set_range(sets(g), a->locks);
  for (uint32_t i = 0; i < range.count; i++) {
    const Lock *lock = locks_at(g->facts->locks, range.data[i]);
    if (lock->kind == LOCK_PLACE && !lock->shared && set_has(sets(g), b->locks, range.data[i])) return range.data[i];
  }
  return NO_CODE_ID;
}

OrderMeeting order_meeting(const WaitGraph *g, const WaitEdge *a, const WaitEdge *b, uint32_t *gate) {
  assert(a->take < g->takes->count && b->take < g->takes->count);
  const Take *x = &g->takes->data[a->take], *y = &g->takes->data[b->take];
  *gate = common_gate(g, x, y);
  if (*gate != NO_CODE_ID) return ORDER_GATE;
  if (flow_concurrent(g->flow, a->template_id, x->running, b->template_id, y->running)) return ORDER_MEET;
  return a->template_id == b->template_id ? ORDER_ONE_THREAD : ORDER_PHASES;
}

enum { MOST_STEPS = 100000 }; // of one search

typedef struct CycleSearch {
  const WaitGraph *graph;
  U32Vector *path; // edges
  bool any;
  uint32_t steps;
} CycleSearch;

static bool fits(CycleSearch *s, uint32_t edge) {
  const WaitEdge *e = &s->graph->edges.data[edge];
  uint32_t gate;
  for (size_t i = 0; i < s->path->count; i++) {
    const WaitEdge *other = &s->graph->edges.data[s->path->data[i]];
    if (i > 0 && other->from == e->from) return false;
    if (!s->any && order_meeting(s->graph, other, e, &gate) != ORDER_MEET) return false;
  }
  return true;
}

// Extends the path by `depth` more edges to a cycle.
static bool extend(CycleSearch *s, uint32_t depth) {
  const WaitGraph *g = s->graph;
  assert(s->path->count > 0);
  uint32_t start = g->edges.data[s->path->data[0]].from, at = g->edges.data[*U32Vector_last(s->path)].to;
  if (depth == 0) return at == start;
  if (at == start) return false;
  for (uint32_t i = first_arc(g, at); i < g->arcs.count && g->arcs.data[i].from == at; i++) {
    const OrderArc *arc = &g->arcs.data[i];
    if (arc->to == arc->from || !order_same_component(g, start, arc->to)) continue;
    if ((depth == 1) != (arc->to == start)) continue;
    for (uint32_t k = 0; k < (s->any ? 1 : arc->count); k++) {
      if (++s->steps > MOST_STEPS) return false;
      if (!fits(s, arc->first + k)) continue;
      U32Vector_push(s->path, arc->first + k);
      if (extend(s, depth - 1)) return true;
      U32Vector_pop(s->path);
    }
  }
  return false;
}

// Two threads each hold a lock of the class and wait for one.
static CycleResult loop(const WaitGraph *g, const OrderArc *arc, bool any, U32Vector *cycle) {
  assert(arc->from == arc->to && cycle->count == 0);
  uint32_t gate;
  for (uint32_t i = 0; i < arc->count; i++)
    for (uint32_t k = i; k < arc->count; k++) {
      const WaitEdge *a = &g->edges.data[arc->first + i], *b = &g->edges.data[arc->first + k];
      if (!any && order_meeting(g, a, b, &gate) != ORDER_MEET) continue;
      U32Vector_push(cycle, arc->first + i);
      if (k != i) U32Vector_push(cycle, arc->first + k);
      return CYCLE_FOUND;
    }
  return CYCLE_NONE;
}

CycleResult order_shortest_cycle(const WaitGraph *g, uint32_t index, bool any, U32Vector *cycle) {
  const OrderArc *arc = OrderArcVector_at(&g->arcs, index);
  U32Vector_clear(cycle);
  if (!order_same_component(g, arc->from, arc->to)) return CYCLE_NONE;
  if (arc->from == arc->to) return loop(g, arc, any, cycle);
  CycleSearch s = {.graph = g, .path = cycle, .any = any};
  uint32_t size = 0;
  for (uint32_t n = 0; n < g->node_count; n++) size += order_same_component(g, arc->from, n);
  for (uint32_t depth = 1; depth < size; depth++)
    for (uint32_t k = 0; k < arc->count; k++) {
      U32Vector_clear(cycle);
      U32Vector_push(cycle, arc->first + k);
      if (extend(&s, depth)) return CYCLE_FOUND;
      if (s.steps > MOST_STEPS) return CYCLE_LIMIT;
    }
  U32Vector_clear(cycle);
  return CYCLE_NONE;
}
