#include "order/read_links.h"

bool must_precede(const Events *events, const MustOrder *order, NodeId a, NodeId b) {
  assert(a < events->nodes.count && b < events->nodes.count);
  if (a == b) return false;
  if (a == 0) return true;
  if (b == 0) return false;
  const Node *first = &events->nodes.data[a], *second = &events->nodes.data[b];
  if (first->thread == second->thread) return first->position < second->position;
  return order->before[b * order->thread_count + first->thread] > first->position;
}

void must_order_free(MustOrder *order) {
  memory_free(order->account, order->before, order->node_count * order->thread_count * sizeof(uint32_t));
  *order = (MustOrder){0};
}

typedef struct Linker {
  Events *events;
  MustOrder *order;
  EventId *first_of;         // per cell + 1: start in `by_cell`
  U32Vector by_cell;         // events grouped by cell
  const EqualStarts *starts; // NULL: threads begin in any order
  NodeId *forced;            // per node: a node that must come before it if it happens, or NO_ID (found from its reads)
  U32Vector pairs;           // read, write, read, write ...
  bool changed;
  Budget *budget;
  Account *account;
} Linker;

// --- must-order ---

static bool learn_order(Linker *l, NodeId node, NodeId earlier) {
  Events *events = l->events;
  size_t threads = l->order->thread_count;
  uint32_t *to = l->order->before + node * threads, *from = l->order->before + earlier * threads;
  const Node *source = &events->nodes.data[earlier];
  bool grew = false;
  for (size_t t = 0; t < threads; t++) {
    uint32_t value = t == source->thread ? source->position + 1 : from[t];
    if (value > to[t]) {
      to[t] = value;
      grew = true;
    }
  }
  return grew;
}

// Orders known for a node also hold for later nodes of its thread whose guards imply the node's guard.
static bool spread_thread(Linker *l, ThreadId thread) {
  Events *events = l->events;
  const NodeIdVector *nodes = &events->threads[thread].nodes;
  bool grew = false;
  ThreadId previous = l->starts ? l->starts->previous[thread] : NO_ID;
  for (size_t i = 0; previous != NO_ID && i < nodes->count; i++)
    grew |= learn_order(l, nodes->data[i], events->threads[previous].nodes.data[0]);
  U32Vector sources; // nodes with an order from another thread
  U32Vector_init(&sources, l->account);
  for (size_t s = 0; s < events->spawns.count; s++) {
    const Spawn *spawn = &events->spawns.data[s];
    if (spawn->thread != thread) continue;
    for (size_t i = 0; i < nodes->count; i++)
      if (conjunction_implies(&events->guards, events->nodes.data[nodes->data[i]].guard, spawn->guard))
        grew |= learn_order(l, nodes->data[i], spawn->creator);
  }
  for (size_t i = 0; i < nodes->count; i++) {
    NodeId node = nodes->data[i];
    if (l->forced[node] != NO_ID) grew |= learn_order(l, node, l->forced[node]);
    ConjunctionId guard = events->nodes.data[node].guard;
    for (size_t k = 0; k < sources.count; k++)
      if (conjunction_implies(&events->guards, guard, events->nodes.data[sources.data[k]].guard))
        grew |= learn_order(l, node, sources.data[k]);
    if (l->forced[node] != NO_ID) U32Vector_push(&sources, node);
  }
  U32Vector_free(&sources);
  return grew;
}

static void spread(Linker *l) {
  bool grew = true;
  while (grew && !budget_exhausted(l->budget, "order-links")) {
    grew = false;
    for (ThreadId t = 0; t < l->events->thread_count; t++) grew |= spread_thread(l, t);
  }
}

// --- candidates ---

// Can the read's node be executed if the read sees this write? Decided only if the write stores a constant.
static bool fits_need(Linker *l, const Event *read, const Event *write) {
  TermStore *terms = l->events->program->terms;
  if (read->needed == TERM_NONE || !term_is_constant(terms, write->value)) return true;
  if (term_operator(terms, read->value) != TERM_VARIABLE) return true;
  if (term_dag_size(terms, read->needed) > 40) return true;
  Map map;
  map_init(&map, l->account);
  map_put(&map, read->value, write->value);
  Term condition = term_substitute(terms, read->needed, &map, NULL);
  map_free(&map);
  return !term_is_false(terms, condition);
}

// May the read see the write?
static bool may_see(Linker *l, const Event *read, const Event *write) {
  Events *events = l->events;
  if (write->node == read->node || must_precede(events, l->order, read->node, write->node)) return false;
  // Guards of different threads have hardly a literal in common.
  bool same_thread = events->nodes.data[write->node].thread == events->nodes.data[read->node].thread;
  if (same_thread && conjunction_excludes(&events->guards, read->guard, write->guard)) return false;
  return fits_need(l, read, write);
}

// Finds the candidates of one read and returns their number. `killers` are writes that must come before the read
// whenever the read happens: a write that must precede a killer is no candidate.
static uint32_t find_candidates(Linker *l, EventId read_id, U32Vector *candidates, U32Vector *killers) {
  Events *events = l->events;
  const Event *read = &events->events.data[read_id];
  U32Vector_clear(candidates);
  U32Vector_clear(killers);
  for (EventId i = l->first_of[read->cell]; i < l->first_of[read->cell + 1]; i++) {
    EventId id = l->by_cell.data[i];
    const Event *write = &events->events.data[id];
    if (!write->write || write->node == read->node) continue;
    bool earlier = must_precede(events, l->order, write->node, read->node);
    if (earlier && conjunction_implies(&events->guards, read->guard, write->guard)) U32Vector_push(killers, id);
    if (may_see(l, read, write)) U32Vector_push(candidates, id);
  }
  uint32_t kept = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    NodeId node = events->events.data[candidates->data[i]].node;
    bool killed = false;
    for (size_t k = killers->count; k-- > 0 && !killed;)
      killed = must_precede(events, l->order, node, events->events.data[killers->data[k]].node);
    if (!killed) candidates->data[kept++] = candidates->data[i];
  }
  candidates->count = kept;
  return kept;
}

static void find_pairs(Linker *l) {
  Events *events = l->events;
  U32Vector candidates, killers;
  U32Vector_init(&candidates, l->account);
  U32Vector_init(&killers, l->account);
  U32Vector_clear(&l->pairs);
  l->changed = false;
  for (EventId e = 0; e < events->events.count; e++) {
    const Event *event = &events->events.data[e];
    if (event->write || budget_exhausted(l->budget, "order-links")) continue;
    uint32_t count = find_candidates(l, e, &candidates, &killers);
    for (uint32_t i = 0; i < count; i++) {
      U32Vector_push(&l->pairs, e);
      U32Vector_push(&l->pairs, candidates.data[i]);
    }
    if (count != 1) continue;
    NodeId source = events->events.data[candidates.data[0]].node;
    bool certain = conjunction_implies(&events->guards, events->nodes.data[event->node].guard, event->guard);
    if (source == 0 || !certain || l->forced[event->node] != NO_ID) continue;
    if (must_precede(events, l->order, source, event->node)) continue;
    l->forced[event->node] = source;
    l->changed = true;
  }
  U32Vector_free(&candidates);
  U32Vector_free(&killers);
}

// --- setting up ---

static void add_initial_writes(Events *events) {
  uint32_t cells = events_cell_count(events->program);
  bool *read = memory_allocate_zeroed(events->account, cells * sizeof(bool));
  for (size_t e = 0; e < events->events.count; e++)
    if (!events->events.data[e].write) read[events->events.data[e].cell] = true;
  for (CellId cell = 0; cell < cells; cell++) {
    if (!read[cell]) continue;
    Event event = {.node = 0, .cell = cell, .guard = CONJUNCTION_TRUE, .write = true};
    event.value = events_initial(events, cell);
    EventVector_push(&events->events, event);
  }
  memory_free(events->account, read, cells * sizeof(bool));
  events_group(events);
}

static void group_by_cell(Linker *l) {
  Events *events = l->events;
  uint32_t cells = events_cell_count(events->program);
  l->first_of = memory_allocate_zeroed(l->account, (cells + 1) * sizeof(EventId));
  for (size_t e = 0; e < events->events.count; e++) l->first_of[events->events.data[e].cell + 1]++;
  for (uint32_t c = 0; c < cells; c++) l->first_of[c + 1] += l->first_of[c];
  U32Vector_resize(&l->by_cell, events->events.count);
  U32Vector next;
  U32Vector_init(&next, l->account);
  U32Vector_resize(&next, cells + 1);
  memcpy(next.data, l->first_of, (cells + 1) * sizeof(EventId));
  for (EventId e = 0; e < events->events.count; e++) l->by_cell.data[next.data[events->events.data[e].cell]++] = e;
  U32Vector_free(&next);
}

static void make_links(Linker *l) {
  Events *events = l->events;
  TermStore *terms = events->program->terms;
  for (size_t i = 0; i < l->pairs.count; i += 2) {
    Event *read = &events->events.data[l->pairs.data[i]];
    if (read->link_count++ == 0) read->first_link = (uint32_t)events->links.count;
    LinkVector_push(&events->links, (EventLink){.read = l->pairs.data[i], .write = l->pairs.data[i + 1]});
  }
  for (EventId e = 0; e < events->events.count; e++) {
    const Event *event = &events->events.data[e];
    if (event->write) continue;
    for (uint32_t i = 0; i < event->link_count; i++)
      events->links.data[event->first_link + i].literal = event->link_count == 1
                                                              ? conjunction_term(&events->guards, event->guard)
                                                              : term_variable(terms, sort_bits(1), "link");
  }
}

void links_find(Events *events, MustOrder *order, const EqualStarts *starts, Budget *budget) {
  enum { MOST_ROUNDS = 4 };
  // Where threads begin in order, each round may settle what the next thread reads.
  size_t rounds = MOST_ROUNDS + (starts ? events->thread_count : 0);
  assert(events->links.count == 0);
  add_initial_writes(events);
  Account *account = events->account;
  *order = (MustOrder){.thread_count = events->thread_count, .node_count = events->nodes.count, .account = account};
  order->before = memory_allocate_zeroed(account, order->node_count * order->thread_count * sizeof(uint32_t));
  Linker l = {.events = events, .order = order, .starts = starts, .budget = budget, .account = account};
  size_t nodes = events->nodes.count;
  l.forced = memory_allocate(account, nodes * sizeof(NodeId));
  for (size_t n = 0; n < nodes; n++) l.forced[n] = NO_ID;
  U32Vector_init(&l.by_cell, account);
  U32Vector_init(&l.pairs, account);
  group_by_cell(&l);
  l.changed = true;
  for (size_t round = 0; round < rounds && l.changed; round++) {
    spread(&l);
    find_pairs(&l);
  }
  make_links(&l);
  U32Vector_free(&l.pairs);
  U32Vector_free(&l.by_cell);
  memory_free(account, l.first_of, (events_cell_count(events->program) + 1) * sizeof(EventId));
  memory_free(account, l.forced, nodes * sizeof(NodeId));
}

// Is this the only read of its node? Several reads of one node happen at once. An assumption about one of them could
// influence which writes the others may see, and then the assumptions would confirm each other.
static bool reads_alone(const Events *events, const Event *read) {
  const Node *node = &events->nodes.data[read->node];
  unsigned reads = 0;
  for (uint32_t i = 0; i < node->event_count; i++) reads += !events->events.data[node->first_event + i].write;
  return reads == 1;
}

bool links_learn_constants(const Events *events, Map *constants, Map *refuted, bool *learned) {
  const TermStore *terms = events->program->terms;
  bool valid = true;
  *learned = false;
  for (EventId e = 0; e < events->events.count; e++) {
    const Event *read = &events->events.data[e];
    if (read->write) continue;
    Term common = read->link_count ? events->events.data[events->links.data[read->first_link].write].value : TERM_NONE;
    for (uint32_t i = 1; i < read->link_count; i++)
      if (events->events.data[events->links.data[read->first_link + i].write].value != common) common = TERM_NONE;
    bool constant = common != TERM_NONE && term_is_constant(terms, common) && reads_alone(events, read);
    if (read->assumed) {
      bool never = read->link_count == 0 && reads_alone(events, read);
      if (never || (constant && common == read->value)) continue;
      valid = false;
      map_put(refuted, read->key, 1);
    } else if (constant && read->needed == TERM_NONE && !map_contains(refuted, read->key) &&
               !map_contains(constants, read->key)) {
      map_put(constants, read->key, common);
      *learned = true;
    }
  }
  return valid;
}
