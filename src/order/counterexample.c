#include "order/counterexample.h"

void counterexample_init(Counterexample *c, Events *events, Account *account) {
  *c = (Counterexample){.events = events, .guards = &events->guards, .account = account};
  graph_init(&c->graph, account);
  c->graph.inspection = term_store_inspection(events->program->terms);
  NodeIdVector_init(&c->nodes, account);
  U32Vector_init(&c->starts, account);
  NodeIdVector_init(&c->vain, account);
  map_init(&c->literal_guard, account);
  map_init(&c->literal_guard_2, account);
  c->graph_of = memory_allocate(account, events->nodes.count * sizeof(GraphNode));
}

void counterexample_free(Counterexample *c) {
  memory_free(c->account, c->graph_of, c->events->nodes.count * sizeof(GraphNode));
  map_free(&c->literal_guard_2);
  map_free(&c->literal_guard);
  U32Vector_free(&c->starts);
  NodeIdVector_free(&c->vain);
  NodeIdVector_free(&c->nodes);
  graph_free(&c->graph);
}

typedef struct Reader {
  Counterexample *c;
  const Events *events;
  Solver *solver;
  uint32_t *wanted; // per thread: how many of its first nodes belong to the past
  uint32_t *done;   // per thread: how many of these nodes were examined
  LinkId *seen;     // per event: the link that a read uses, or NO_ID
  // For a deadlock, per thread: where it stands (NULL: it was not created), and the node that holds the place of its
  // end.
  const ThreadStop **stops;
  GraphNode *ends;
} Reader;

static bool holds(const Reader *r, ConjunctionId guard) {
  return guard == CONJUNCTION_TRUE || solver_holds(r->solver, conjunction_term(&r->events->guards, guard));
}

static uint32_t choose_goal(const Reader *r, unsigned kinds) {
  for (uint32_t g = 0; g < r->events->goals.count; g++) {
    const Goal *goal = &r->events->goals.data[g];
    if (kinds >> goal->kind & 1 && !goal->settled && holds(r, goal->guard)) return g;
  }
  assert(false);
  return NO_ID;
}

static void want(Reader *r, NodeId node) {
  if (node == 0) return;
  const Node *n = &r->events->nodes.data[node];
  if (r->wanted[n->thread] < n->position + 1) r->wanted[n->thread] = n->position + 1;
}

static void want_creation(Reader *r, ThreadId thread) {
  for (size_t s = 0; s < r->events->spawns.count; s++) {
    const Spawn *spawn = &r->events->spawns.data[s];
    if (spawn->thread == thread && holds(r, spawn->guard)) want(r, spawn->creator);
  }
}

// Finds the link of each executed read of the node and adds the write's node to the past.
static void examine(Reader *r, NodeId id) {
  const Events *events = r->events;
  const Node *node = &events->nodes.data[id];
  for (uint32_t i = 0; i < node->event_count; i++) {
    EventId e = node->first_event + i;
    const Event *event = &events->events.data[e];
    r->seen[e] = NO_ID;
    if (event->write || !holds(r, event->guard)) continue;
    for (uint32_t k = 0; k < event->link_count && r->seen[e] == NO_ID; k++) {
      LinkId link = event->first_link + k;
      if (event->link_count == 1 || solver_holds(r->solver, events->links.data[link].literal)) r->seen[e] = link;
    }
    assert(r->seen[e] != NO_ID);
    want(r, events->events.data[events->links.data[r->seen[e]].write].node);
  }
}

// Closes the past: examines every wanted node, which may make further nodes wanted.
static void close_past(Reader *r) {
  bool more = true;
  while (more) {
    more = false;
    for (ThreadId t = 0; t < r->events->thread_count; t++) {
      if (r->done[t] == 0 && r->wanted[t] > 0) want_creation(r, t);
      while (r->done[t] < r->wanted[t]) {
        NodeId node = r->events->threads[t].nodes.data[r->done[t]++];
        if (holds(r, r->events->nodes.data[node].guard)) examine(r, node);
        more = true;
      }
    }
  }
}

static Term literal_of(const Reader *r, ConjunctionId guard) {
  if (guard == CONJUNCTION_TRUE) return TERM_NONE;
  Term literal = conjunction_term(&r->events->guards, guard);
  map_put(&r->c->literal_guard, literal, guard);
  return literal;
}

static GraphNode add_graph_node(Reader *r, NodeId node, uint32_t thread, ThreadId starts) {
  U32Vector_push(&r->c->graph.threads, thread);
  NodeIdVector_push(&r->c->nodes, node);
  U32Vector_push(&r->c->starts, starts);
  return (GraphNode)r->c->nodes.count - 1;
}

// For a race, two nodes that do nothing hold the places directly before the second access in its thread and directly
// after the first one: what comes before the second access comes before the first, what comes after the first after the
// second.
static void add_race_edges(Reader *r, const Goal *goal, GraphNode before_second, GraphNode after_first) {
  Counterexample *c = r->c;
  GraphNode first = c->graph_of[goal->first_node], second = c->graph_of[goal->second_node];
  assert(first != NO_NODE && second != NO_NODE && before_second != NO_NODE && after_first != NO_NODE);
  Term literal = literal_of(r, goal->guard);
  GraphEdgeVector_push(&c->graph.edges, (OrderEdge){.from = before_second, .to = first, .literal = literal});
  GraphEdgeVector_push(&c->graph.edges, (OrderEdge){.from = first, .to = second, .literal = literal});
  GraphEdgeVector_push(&c->graph.edges, (OrderEdge){.from = second, .to = after_first, .literal = literal});
}

static void add_nodes(Reader *r) {
  const Events *events = r->events;
  Counterexample *c = r->c;
  const Goal *goal = &events->goals.data[c->goal];
  bool race = goal_is_race(goal->kind), deadlock = goal->kind == GOAL_DEADLOCK;
  GraphNode before_second = NO_NODE, after_first = NO_NODE;
  for (size_t n = 0; n < events->nodes.count; n++) c->graph_of[n] = NO_NODE;
  c->graph_of[0] = add_graph_node(r, 0, 0, NO_ID);
  for (ThreadId t = 0; t < events->thread_count; t++) {
    if (r->wanted[t] == 0) continue;
    if (t > 0) add_graph_node(r, NO_ID, t + 1, t);
    for (uint32_t i = 0; i < r->wanted[t]; i++) {
      NodeId node = events->threads[t].nodes.data[i];
      if (!holds(r, events->nodes.data[node].guard)) continue;
      if (deadlock && r->stops[t] && r->stops[t]->node == node) r->ends[t] = add_graph_node(r, NO_ID, t + 1, NO_ID);
      if (race && node == goal->second_node) before_second = add_graph_node(r, NO_ID, t + 1, NO_ID);
      c->graph_of[node] = add_graph_node(r, node, t + 1, NO_ID);
      if (race && node == goal->first_node) after_first = add_graph_node(r, NO_ID, t + 1, NO_ID);
    }
    if (deadlock && r->ends[t] == NO_NODE) r->ends[t] = add_graph_node(r, NO_ID, t + 1, NO_ID);
  }
  if (race) add_race_edges(r, goal, before_second, after_first);
}

// For a deadlock: where each thread stands.
static void find_stops(Reader *r) {
  const Events *events = r->events;
  for (size_t i = 0; i < events->stops.count; i++) {
    const ThreadStop *stop = &events->stops.data[i];
    if (r->stops[stop->thread] || !holds(r, stop->guard)) continue;
    r->stops[stop->thread] = stop;
    if (stop->node != NO_ID) NodeIdVector_push(&r->c->vain, stop->node);
    r->wanted[stop->thread] = (uint32_t)events->threads[stop->thread].nodes.count;
  }
}

// All that a thread does, but for what it reads while it waits, comes before what the other waiting threads read. A
// node that does nothing holds the place of its end.
static void add_deadlock_edges(Reader *r, const Goal *goal) {
  Counterexample *c = r->c;
  for (ThreadId t = 0; t < r->events->thread_count; t++) {
    if (!r->stops[t] || r->ends[t] == NO_NODE) continue;
    for (ThreadId other = 0; other < r->events->thread_count; other++) {
      const ThreadStop *stop = r->stops[other];
      if (other == t || !stop || stop->node == NO_ID) continue;
      ConjunctionId stand = conjunction_both(c->guards, r->stops[t]->guard, stop->guard);
      Term literal = literal_of(r, conjunction_both(c->guards, goal->guard, stand));
      OrderEdge edge = {.from = r->ends[t], .to = c->graph_of[stop->node], .literal = literal};
      assert(edge.to != NO_NODE);
      GraphEdgeVector_push(&c->graph.edges, edge);
    }
  }
}

static void add_creations(Reader *r) {
  Counterexample *c = r->c;
  for (GraphNode g = 0; g < c->starts.count; g++) {
    if (c->starts.data[g] == NO_ID) continue;
    for (size_t s = 0; s < r->events->spawns.count; s++) {
      const Spawn *spawn = &r->events->spawns.data[s];
      if (spawn->thread != c->starts.data[g] || !holds(r, spawn->guard)) continue;
      OrderEdge edge = {.from = c->graph_of[spawn->creator], .to = g, .literal = literal_of(r, spawn->guard)};
      GraphEdgeVector_push(&c->graph.edges, edge);
    }
  }
}

static void add_link(Reader *r, EventId read_id, bool *linked) {
  Counterexample *c = r->c;
  const Events *events = r->events;
  const EventLink *link = &events->links.data[r->seen[read_id]];
  const Event *read = &events->events.data[read_id], *write = &events->events.data[link->write];
  linked[read->cell] = true;
  assert(!read->write && write->write && read->cell == write->cell);
  GraphLink graph_link = {.write = c->graph_of[write->node], .read = c->graph_of[read->node], .cell = read->cell};
  assert(graph_link.write != NO_NODE && graph_link.read != NO_NODE);
  if (read->link_count == 1) {
    graph_link.literal = literal_of(r, read->guard);
  } else {
    graph_link.literal = link->literal;
    map_put(&c->literal_guard, link->literal, read->guard);
  }
  if (graph_link.literal != TERM_NONE) map_put(&c->literal_guard_2, graph_link.literal, write->guard);
  GraphLinkVector_push(&c->graph.links, graph_link);
}

static void add_links_and_writes(Reader *r) {
  const Events *events = r->events;
  Counterexample *c = r->c;
  uint32_t cells = events_cell_count(events->program);
  bool *linked = memory_allocate_zeroed(c->account, cells * sizeof(bool));
  for (GraphNode g = 0; g < c->nodes.count; g++) {
    if (c->nodes.data[g] == NO_ID || c->nodes.data[g] == 0) continue;
    const Node *node = &events->nodes.data[c->nodes.data[g]];
    for (EventId e = node->first_event; e < node->first_event + node->event_count; e++)
      if (!events->events.data[e].write && r->seen[e] != NO_ID) add_link(r, e, linked);
  }
  for (GraphNode g = 0; g < c->nodes.count; g++) {
    if (c->nodes.data[g] == NO_ID) continue;
    const Node *node = &events->nodes.data[c->nodes.data[g]];
    for (EventId e = node->first_event; e < node->first_event + node->event_count; e++) {
      const Event *event = &events->events.data[e];
      if (!event->write || !linked[event->cell] || !holds(r, event->guard)) continue;
      GraphWriteVector_push(&c->graph.writes,
                            (GraphWrite){.node = g, .cell = event->cell, .literal = literal_of(r, event->guard)});
    }
  }
  memory_free(c->account, linked, cells * sizeof(bool));
}

// A literal that is a guard implies the guards whose conjuncts are a subset of its own. The literal of a link implies
// the guards of its read and of its write.
static bool literal_implies(void *context, Term strong, Term weak) {
  Counterexample *c = context;
  uint64_t goal, known;
  if (!map_get(&c->literal_guard, weak, &goal)) return false;
  if (conjunction_term(&c->events->guards, (ConjunctionId)goal) != weak) return false; // nothing implies a link
  ConjunctionId first = CONJUNCTION_TRUE, second = CONJUNCTION_TRUE;
  if (map_get(&c->literal_guard, strong, &known)) first = (ConjunctionId)known;
  if (map_get(&c->literal_guard_2, strong, &known)) second = (ConjunctionId)known;
  return conjunction_implied_by_two(&c->events->guards, first, second, (ConjunctionId)goal);
}

void counterexample_read(Counterexample *c, Solver *solver, unsigned kinds) {
  const Events *events = c->events;
  size_t threads = events->thread_count * sizeof(uint32_t), links = events->events.count * sizeof(LinkId);
  Reader r = {.c = c, .events = events, .solver = solver};
  r.wanted = memory_allocate_zeroed(c->account, threads);
  r.done = memory_allocate_zeroed(c->account, threads);
  r.seen = memory_allocate(c->account, links);
  size_t stops = events->thread_count * sizeof *r.stops, ends = events->thread_count * sizeof *r.ends;
  r.stops = memory_allocate_zeroed(c->account, stops);
  r.ends = memory_allocate(c->account, ends);
  for (size_t t = 0; t < events->thread_count; t++) r.ends[t] = NO_NODE;
  c->goal = choose_goal(&r, kinds);
  const Goal *goal = &events->goals.data[c->goal];
  graph_clear(&c->graph);
  c->graph.implies = literal_implies;
  c->graph.context = c;
  NodeIdVector_clear(&c->nodes);
  NodeIdVector_clear(&c->vain);
  U32Vector_clear(&c->starts);
  if (goal->kind == GOAL_DEADLOCK) {
    find_stops(&r);
  } else if (goal_is_race(goal->kind)) {
    want(&r, goal->first_node);
    want(&r, goal->second_node);
  } else {
    r.wanted[goal->thread] = (uint32_t)events->threads[goal->thread].nodes.count;
    want_creation(&r, goal->thread);
  }
  close_past(&r);
  add_nodes(&r);
  if (goal->kind == GOAL_DEADLOCK) add_deadlock_edges(&r, goal);
  add_creations(&r);
  add_links_and_writes(&r);
  memory_free(c->account, r.ends, ends);
  memory_free(c->account, r.stops, stops);
  memory_free(c->account, r.seen, links);
  memory_free(c->account, r.done, threads);
  memory_free(c->account, r.wanted, threads);
}
