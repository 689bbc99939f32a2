#include "order/equal_starts.h"

typedef struct Finder {
  const EqualThreads *equal;
  const Events *events;
  const MustOrder *order;
  const Spawn *spawn[MOST_MASKED_THREADS]; // the only one of a thread, or NULL
  NodeId joined[MOST_MASKED_THREADS];      // main's node that reads whether the thread has ended, or NO_ID
  bool refused[MOST_MASKED_THREADS];
} Finder;

static NodeId first_node(const Events *events, ThreadId t) {
  return events->threads[t].nodes.count ? events->threads[t].nodes.data[0] : NO_ID;
}

static bool implies(const Finder *f, ConjunctionId strong, ConjunctionId weak) {
  return conjunction_implies(&f->events->guards, strong, weak);
}

// --- one thread ---

static void find_spawns(Finder *f) {
  const Events *events = f->events;
  for (size_t s = 0; s < events->spawns.count; s++) {
    const Spawn *spawn = &events->spawns.data[s];
    const Node *creator = &events->nodes.data[spawn->creator];
    if (f->spawn[spawn->thread] || (spawn->creator != 0 && creator->thread != 0)) f->refused[spawn->thread] = true;
    f->spawn[spawn->thread] = spawn;
  }
}

// All nodes of the thread come behind its first one.
static bool begins_once(const Finder *f, ThreadId t) {
  const Events *events = f->events;
  const NodeIdVector *nodes = &events->threads[t].nodes;
  for (size_t i = 0; i < nodes->count; i++)
    if (!implies(f, events->nodes.data[nodes->data[i]].guard, events->nodes.data[nodes->data[0]].guard)) return false;
  return nodes->count > 0;
}

// Does a step of the thread read its control block, but to start or to start again?
static void refuse_readers(Finder *f) {
  const Program *p = f->events->program;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    ThreadId t = p->locations.data[p->edges.data[e].from].thread;
    const Step *step = edge_first_step(p, e);
    if (step->access.address == TERM_NONE || !step->access.reads) continue;
    if (step->kind == STEP_START || step->kind == STEP_AGAIN) continue;
    uint32_t count;
    const CellId *cells = access_cells(p, &step->access, &count);
    for (uint32_t i = 0; i < count; i++)
      if (p->cells.data[cells[i]].object == p->threads.data[t].control) f->refused[t] = true;
  }
}

// --- main ---

// The thread whose control block has the cell, or NO_ID; `field`: where in it.
static ThreadId thread_of_control(const Program *p, CellId cell, uint64_t *field) {
  if (cell >= p->cells.count) return NO_ID; // the life of an object
  const Object *object = &p->objects.data[p->cells.data[cell].object];
  *field = p->cells.data[cell].address - object->address;
  return object->storage == STORAGE_CONTROL ? object->owner : NO_ID;
}

// What main does with control blocks: it creates a thread, or reads in one node whether it has ended.
static void note_access(Finder *f, const Event *event) {
  const Events *events = f->events;
  uint64_t field = 0;
  ThreadId t = thread_of_control(events->program, event->cell, &field);
  const Node *node = &events->nodes.data[event->node];
  if (t == NO_ID || event->node == 0 || node->thread == t) return;
  bool says_end = field == CONTROL_STATUS || field == CONTROL_ENDED;
  if (event->write) {
    bool creates = f->spawn[t] && f->spawn[t]->creator == event->node && field == CONTROL_STATUS;
    f->refused[t] |= node->thread != 0 || !creates;
    return;
  }
  f->refused[t] |= node->thread != 0 || !says_end || (f->joined[t] != NO_ID && f->joined[t] != event->node);
  f->joined[t] = event->node;
}

// A join touches nothing but the control block of the thread, which must have ended.
static bool is_join(const Finder *f, ThreadId t) {
  const Events *events = f->events;
  const Node *join = &events->nodes.data[f->joined[t]];
  for (uint32_t i = 0; i < join->event_count; i++) {
    uint64_t field = 0;
    if (thread_of_control(events->program, events->events.data[join->first_event + i].cell, &field) != t) return false;
  }
  const NodeIdVector *nodes = &events->threads[t].nodes;
  for (size_t i = 0; i < nodes->count; i++) {
    const Node *node = &events->nodes.data[nodes->data[i]];
    for (uint32_t k = 0; k < node->event_count; k++) {
      const Event *event = &events->events.data[node->first_event + k];
      uint64_t field = 0;
      if (!event->write || thread_of_control(events->program, event->cell, &field) != t || field != CONTROL_ENDED)
        continue;
      if (must_precede(events, f->order, nodes->data[i], f->joined[t])) return true;
    }
  }
  return false;
}

// --- groups ---

typedef struct Group {
  ThreadId threads[MOST_MASKED_THREADS]; // in the order of their creation
  unsigned count;
} Group;

static uint32_t creation(const Finder *f, ThreadId t) {
  NodeId creator = f->spawn[t]->creator;
  return creator == 0 ? 0 : 1 + f->events->nodes.data[creator].position;
}

static void add_in_order(const Finder *f, Group *group, ThreadId t) {
  unsigned at = group->count++;
  for (; at > 0 && creation(f, group->threads[at - 1]) > creation(f, t); at--)
    group->threads[at] = group->threads[at - 1];
  group->threads[at] = t;
}

// Is each thread created only if the one before is?
static bool created_in_order(const Finder *f, const Group *group) {
  for (unsigned k = 1; k < group->count; k++) {
    const Spawn *before = f->spawn[group->threads[k - 1]], *spawn = f->spawn[group->threads[k]];
    if (creation(f, group->threads[k - 1]) == creation(f, group->threads[k])) return false;
    if (!implies(f, spawn->guard, before->guard)) return false;
  }
  return true;
}

// Main's nodes and goals behind the first join are joins of the group or come behind all of them.
static bool nothing_between(const Finder *f, NodeId first, NodeId last) {
  const Events *events = f->events;
  const Node *a = &events->nodes.data[first], *b = &events->nodes.data[last];
  const NodeIdVector *nodes = &events->threads[0].nodes;
  for (size_t i = b->position; i < nodes->count; i++)
    if (!implies(f, events->nodes.data[nodes->data[i]].guard, b->guard)) return false;
  for (size_t g = 0; g < events->goals.count; g++) {
    const Goal *goal = &events->goals.data[g];
    if (goal->thread != 0 || goal_is_race(goal->kind) || goal->occurrence <= a->last_occurrence) continue;
    if (goal->occurrence <= b->last_occurrence || !implies(f, goal->guard, b->guard)) return false;
  }
  return true;
}

// Does main join all of the group, one directly behind the other, or none?
static bool joined_together(const Finder *f, const Group *group) {
  const Events *events = f->events;
  unsigned joins = 0;
  NodeId first = NO_ID, last = NO_ID;
  for (unsigned k = 0; k < group->count; k++) {
    ThreadId t = group->threads[k];
    NodeId node = f->joined[t];
    if (node == NO_ID) continue;
    if (!is_join(f, t)) return false;
    if (first == NO_ID || events->nodes.data[node].position < events->nodes.data[first].position) first = node;
    if (last == NO_ID || events->nodes.data[node].position > events->nodes.data[last].position) last = node;
    joins++;
  }
  if (joins == 0) return true;
  if (joins < group->count) return false;
  const NodeIdVector *nodes = &events->threads[0].nodes;
  uint32_t begin = events->nodes.data[first].position, end = events->nodes.data[last].position;
  if (end - begin + 1 != joins) return false; // different threads are joined by different nodes
  for (uint32_t i = begin + 1; i <= end; i++)
    if (!implies(f, events->nodes.data[nodes->data[i]].guard, events->nodes.data[nodes->data[i - 1]].guard))
      return false;
  return nothing_between(f, first, last);
}

static void find_group(const Finder *f, ThreadId like, EqualStarts *starts) {
  Group group = {.count = 0};
  for (ThreadId t = 0; t < f->events->thread_count; t++) {
    if (f->equal->like[t] != like || !f->spawn[t]) continue;
    if (f->refused[t] || !begins_once(f, t)) return;
    add_in_order(f, &group, t);
  }
  if (group.count < 2 || !created_in_order(f, &group) || !joined_together(f, &group)) return;
  for (unsigned k = 1; k < group.count; k++) starts->previous[group.threads[k]] = group.threads[k - 1];
  starts->any = true;
}

EqualStarts equal_starts_find(const EqualThreads *equal, const Events *events, const MustOrder *order) {
  assert(events->thread_count <= MOST_MASKED_THREADS && equal->program->threads.count == events->thread_count);
  EqualStarts starts = equal_starts_none();
  Finder f = {.equal = equal, .events = events, .order = order};
  for (ThreadId t = 0; t < events->thread_count; t++) f.joined[t] = NO_ID;
  find_spawns(&f);
  refuse_readers(&f);
  for (EventId e = 0; e < events->events.count; e++) note_access(&f, &events->events.data[e]);
  for (ThreadId t = 0; t < events->thread_count; t++)
    if (equal->like[t] == t) find_group(&f, t, &starts);
  return starts;
}

// --- what follows from it ---

static void guard_thread(Events *events, ThreadId t, ThreadId previous) {
  NodeId first = first_node(events, t), before = first_node(events, previous);
  assert(first != NO_ID && before != NO_ID);
  ConjunctionTable *guards = &events->guards;
  ConjunctionId begins = events->nodes.data[first].guard, begun = events->nodes.data[before].guard;
  Term follows = term_implies(guards->terms, conjunction_term(guards, begins), conjunction_term(guards, begun));
  TermVector_push(&events->facts, follows);
  const NodeIdVector *nodes = &events->threads[t].nodes;
  for (size_t i = 0; i < nodes->count; i++) {
    Node *node = &events->nodes.data[nodes->data[i]];
    node->guard = conjunction_both(guards, node->guard, begun);
    for (uint32_t k = 0; k < node->event_count; k++) {
      Event *event = &events->events.data[node->first_event + k];
      // What a thread reads while it waits at its first node does not say that it has begun.
      if (!conjunction_implies(guards, event->guard, begins)) continue;
      event->guard = conjunction_both(guards, event->guard, begun);
    }
  }
}

static void guard_chain(Events *events, const EqualStarts *starts, ThreadId t, bool *done) {
  ThreadId previous = starts->previous[t];
  if (done[t] || previous == NO_ID) return;
  done[t] = true;
  guard_chain(events, starts, previous, done);
  guard_thread(events, t, previous);
}

bool equal_starts_fit(const Events *events, const EqualStarts *starts) {
  for (ThreadId t = 0; t < events->thread_count && starts->any; t++) {
    ThreadId previous = starts->previous[t];
    if (previous != NO_ID && (first_node(events, t) == NO_ID || first_node(events, previous) == NO_ID)) return false;
  }
  return starts->any;
}

void equal_starts_guard(Events *events, const EqualStarts *starts) {
  bool done[MOST_MASKED_THREADS] = {false};
  assert(equal_starts_fit(events, starts));
  for (ThreadId t = 0; t < events->thread_count; t++) guard_chain(events, starts, t, done);
}
