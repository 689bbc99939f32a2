#include "survey/lock_orders.h"

#include "survey/orders/order_graph.h"
#include "survey/orders/recursive_locks.h"

VECTOR(LockFindingVector, SurveyLockFinding);

enum { MOST_CYCLES = 20 }; // of one component

typedef struct Orders {
  Describe *d;
  Flow *flow;
  LockNodes nodes;
  MayHeld *held;
  WaitGraph graph;
  LockFindingVector findings;
  Map told;          // what was told already
  U32Vector cycles;  // per node, the first of its component: how many cycles were told
  Bitset deadlocked; // nodes from which a cycle was found, or could not be excluded
} Orders;

static NumberSets *sets(Orders *o) { return &o->d->facts->sets; }

static const Take *take_of(const Orders *o, const WaitEdge *e) { return TakeVector_at(o->graph.takes, e->take); }

static bool is_event(const Orders *o, uint32_t node) {
  return node < o->nodes.all.count && !bitset_get(&o->graph.locks, node);
}

static bool is_end(const Orders *o, uint32_t node) { return node >= o->nodes.all.count; }

static bool is_lock(const Orders *o, uint32_t node) { return bitset_get(&o->graph.locks, node); }

// --- words ---

static const char *node_name(Orders *o, uint32_t node) {
  if (node == NODE_OUTSIDE) return "a lock that outside code reaches";
  if (node == NODE_SECTION) return "atomic section";
  Text text;
  text_init(&text, o->d->facts->account);
  if (is_end(o, node))
    templates_name(o->d->facts->templates, node - (uint32_t)o->nodes.all.count, &text);
  else
    pointing_place_name(o->d->facts->pointing, LockNodeVector_at(&o->nodes.all, node)->place, &text);
  return describe_text(o->d, &text);
}

static const char *step_text(Orders *o, const WaitEdge *e, const char *held, const char *taken) {
  const char *before = is_end(o, e->from) ? "before it ends" : "before it signals";
  bool keeps = is_end(o, e->from) || is_event(o, e->from);
  const char *does = is_end(o, e->to) ? "waits for the end of" : is_event(o, e->to) ? "waits at" : "takes";
  Arena *arena = &o->d->survey->arena;
  if (!keeps && is_lock(o, e->to)) return NULL;
  if (!keeps) return arena_format(arena, "the thread %s %s while %s is held", does, taken, held);
  if (is_end(o, e->from)) return arena_format(arena, "%s %s %s %s", held, does, taken, before);
  return arena_format(arena, "a thread %s %s %s %s", does, taken, before, held);
}

static SurveyLockStep step_of(Orders *o, const WaitEdge *e) {
  const Take *t = take_of(o, e);
  const char *held = node_name(o, e->from), *taken = node_name(o, e->to);
  SurveyAccess at = describe_taking(o->d, t->statement, t->context, e->template_id, t->locks);
  if (!*at.locks && is_lock(o, e->from)) at.locks = arena_format(&o->d->survey->arena, "%s (possibly)", held);
  return (SurveyLockStep){held, taken, step_text(o, e, held, taken), at};
}

// --- findings ---

static void add_finding(Orders *o, SurveyLockFinding f, const SurveyLockStep *steps, uint32_t count) {
  f.step_count = count;
  f.steps = arena_copy(&o->d->survey->arena, steps, count * sizeof *steps);
  f.fingerprint = (uint64_t)f.kind;
  for (uint32_t i = 0; i < count; i++) {
    const char *parts[] = {steps[i].held, steps[i].taken, steps[i].at.function};
    for (size_t k = 0; k < 3; k++) f.fingerprint = hash_mix(f.fingerprint ^ survey_name_key(parts[k]));
  }
  LockFindingVector_push(&o->findings, f);
}

static bool told(Orders *o, uint64_t kind, uint64_t what) {
  uint64_t parts[] = {kind, what};
  uint64_t key = hash_bytes(parts, sizeof parts);
  if (map_contains(&o->told, key)) return true;
  map_put(&o->told, key, 1);
  return false;
}

// --- locked twice ---

static bool surely_held(Orders *o, const Take *t) {
  if (t->name == NO_CODE_ID) return false;
  return set_has(sets(o), t->locks, t->name) ||
         set_has(sets(o), t->locks, locks_other_side(o->d->facts->locks, t->name));
}

static void tell_twice(Orders *o, uint32_t take, Recursion recursion) {
  const Take *t = TakeVector_at(o->graph.takes, take);
  SetRange range = set_range(sets(o), t->nodes);
  if (range.count == 0) return;
  uint32_t node = range.data[0];
  bool sure = surely_held(o, t), reads = t->kind == TAKE_FOR_READING;
  SurveyLockFinding f = {.kind = SURVEY_TWICE, .status = SURVEY_WARNED};
  f.detail = sure ? "the mutex is surely held already; unless it is recursive, the thread waits for itself"
                  : "the mutex may be held already; unless it is recursive, the thread waits for itself";
  if (reads) f.detail = "the lock may be held already; a writer that waits between may stop the thread";
  if (reads || recursion == RECURSION_UNKNOWN) f.status = SURVEY_OPEN;
  WaitEdge e = {node, node, take, flow_context(o->flow, t->context)->template_id, false};
  SurveyLockStep step = step_of(o, &e);
  add_finding(o, f, &step, 1);
}

static void find_twice(Orders *o) {
  for (int sure = 1; sure >= 0; sure--)
    for (uint32_t i = 0; i < o->graph.takes->count; i++) {
      const Take *t = &o->graph.takes->data[i];
      if (!t->again || surely_held(o, t) != sure || told(o, SURVEY_TWICE, (uint64_t)t->nodes << 32 | t->statement))
        continue;
      Recursion recursion = recursion_of(&o->nodes, t->nodes);
      if (recursion != RECURSION_YES) tell_twice(o, i, recursion);
    }
}

// --- cycles ---

static bool both_read(Orders *o, const WaitEdge *waits, const WaitEdge *holds) {
  SetRange range = set_range(sets(o), take_of(o, holds)->locks);
  for (uint32_t i = 0; i < range.count && take_of(o, waits)->kind == TAKE_FOR_READING; i++) {
    const Lock *lock = locks_at(o->d->facts->locks, range.data[i]);
    if (!lock->shared || lock->kind != LOCK_PLACE) continue;
    if (set_has(sets(o), lock_nodes_of_lock(&o->nodes, range.data[i]), waits->to)) return true;
  }
  return false;
}

static SurveyLockKind kind_of(const Orders *o, const WaitEdge *const *cycle, size_t count) {
  SurveyLockKind kind = SURVEY_CYCLE;
  for (size_t i = 0; i < count; i++) {
    if (is_event(o, cycle[i]->to)) kind = SURVEY_WAIT_HELD;
    if (is_end(o, cycle[i]->to) && kind == SURVEY_CYCLE) kind = SURVEY_JOIN_HELD;
  }
  return kind;
}

static const char *detail_of(SurveyLockKind kind, bool loop) {
  if (kind == SURVEY_WAIT_HELD) return "a lock is held during the wait, and the thread that ends the wait may need it";
  if (kind == SURVEY_JOIN_HELD) return "a lock is held during the join, and the joined thread may need it";
  if (loop) return "several locks of one kind are taken one after the other, perhaps in different orders";
  return "two threads may take the locks in opposite orders";
}

static SurveyLockFinding judge(Orders *o, const WaitEdge *const *cycle, size_t count) {
  bool loop = cycle[0]->from == cycle[0]->to;
  SurveyLockFinding f = {.kind = kind_of(o, cycle, count), .status = SURVEY_WARNED};
  f.detail = detail_of(f.kind, loop);
  if (f.kind == SURVEY_CYCLE && count > 2) f.detail = "the threads may each hold a lock that another one waits for";
  for (size_t i = 0; i < count; i++) {
    const WaitEdge *next = cycle[(i + 1) % count];
    const char *open = NULL;
    if (cycle[i]->to == NODE_OUTSIDE) open = "code that is not understood may take or hold such a lock";
    if (cycle[i]->guessed) open = "which thread is joined is not known";
    if (both_read(o, cycle[i], next)) open = "both are for reading: one waits only if a writer waits between";
    if (!open) continue;
    f.status = SURVEY_OPEN;
    f.detail = open;
  }
  return f;
}

// Cycles of waits and joins are told once for each place that waits, and each lock that is held there.
static uint64_t cycle_key(const Orders *o, const WaitEdge *const *cycle, size_t count) {
  uint64_t key = 0; // whichever lock is first
  for (size_t i = 0; i < count; i++)
    if (is_lock(o, cycle[i]->from) && !is_lock(o, cycle[i]->to))
      return hash_mix((uint64_t)cycle[i]->from << 32 | take_of(o, cycle[i])->statement);
  for (size_t i = 0; i < count; i++) key += hash_mix((uint64_t)cycle[i]->from << 32 | cycle[i]->to);
  return key;
}

static void add_cycle(Orders *o, SurveyLockFinding f, const WaitEdge *const *cycle, size_t count) {
  SurveyLockStep *steps = memory_allocate_zeroed(o->d->facts->account, count * sizeof *steps);
  for (size_t i = 0; i < count; i++) steps[i] = step_of(o, cycle[i]);
  add_finding(o, f, steps, (uint32_t)count);
  memory_free(o->d->facts->account, steps, count * sizeof *steps);
}

// Why no threads can be in the cycle.
static const char *exclusion(Orders *o, const WaitEdge *const *cycle, size_t count) {
  const char *reason = NULL;
  for (size_t i = 0; i < count && !reason; i++)
    for (size_t k = i + 1; k < count && !reason; k++) {
      uint32_t gate;
      switch (order_meeting(&o->graph, cycle[i], cycle[k], &gate)) {
      case ORDER_MEET: break;
      case ORDER_GATE:
        reason = arena_format(&o->d->survey->arena, "no deadlock: %s is held at two of the steps",
                              describe_locks(o->d, set_with(sets(o), SET_EMPTY, gate)));
        break;
      case ORDER_ONE_THREAD: reason = "no deadlock: one thread takes them in both orders"; break;
      case ORDER_PHASES: reason = "no deadlock: the threads do not run at the same time"; break;
      }
    }
  return reason ? reason : "no deadlock: the steps exclude each other";
}

// In a component with many cycles, the first ones are told.
static bool is_enough(Orders *o, uint32_t node) {
  uint32_t first = 0;
  while (!order_same_component(&o->graph, node, first)) first++;
  return ++o->cycles.data[first] > MOST_CYCLES;
}

// With `any`, cycles that are excluded.
static void look_for_cycle(Orders *o, uint32_t arc, bool any) {
  const OrderArc *a = OrderArcVector_at(&o->graph.arcs, arc);
  if (!is_lock(o, a->from) || !order_same_component(&o->graph, a->from, a->to)) return;
  if (any && bitset_get(&o->deadlocked, a->from)) return;
  U32Vector path;
  U32Vector_init(&path, o->d->facts->account);
  CycleResult result = order_shortest_cycle(&o->graph, arc, any, &path);
  if (result == CYCLE_LIMIT)
    for (uint32_t n = 0; n < o->graph.node_count; n++)
      if (order_same_component(&o->graph, a->from, n)) bitset_set(&o->deadlocked, n);
  size_t count = path.count;
  const WaitEdge **cycle = memory_allocate_zeroed(o->d->facts->account, (count + 1) * sizeof *cycle);
  for (size_t i = 0; i < count; i++) cycle[i] = WaitEdgeVector_at(&o->graph.edges, path.data[i]);
  if (result == CYCLE_FOUND && !any)
    for (uint32_t n = 0; n < o->graph.node_count; n++)
      if (order_same_component(&o->graph, a->from, n)) bitset_set(&o->deadlocked, n);
  if (result == CYCLE_FOUND && !told(o, SURVEY_CYCLE + 100, cycle_key(o, cycle, count)) && !is_enough(o, a->from)) {
    SurveyLockFinding f = judge(o, cycle, count);
    if (any) f.status = SURVEY_PROVED, f.detail = exclusion(o, cycle, count);
    if (may_held_doubt(o->held) != NO_CODE_ID && any) f.status = SURVEY_OPEN;
    add_cycle(o, f, cycle, count);
  }
  memory_free(o->d->facts->account, cycle, (count + 1) * sizeof *cycle);
  U32Vector_free(&path);
}

// --- threads that end with a lock held ---

static bool others_take(const Orders *o, uint32_t node, const Take *ends) {
  for (size_t i = 0; i < o->graph.takes->count; i++) {
    const Take *t = &o->graph.takes->data[i];
    if ((t->kind != TAKE_LOCK && t->kind != TAKE_FOR_READING) || !set_has(&o->d->facts->sets, t->nodes, node)) continue;
    uint32_t a = flow_context(o->flow, t->context)->template_id, b = flow_context(o->flow, ends->context)->template_id;
    if (a != b || templates_at(o->d->facts->templates, a)->many) return true;
  }
  return false;
}

static void find_ends(Orders *o) {
  for (uint32_t i = 0; i < o->graph.takes->count; i++) {
    const Take *t = &o->graph.takes->data[i];
    for (uint32_t k = 0; t->kind == TAKE_LEAVE && k < set_range(sets(o), t->held).count; k++) {
      uint32_t name = set_range(sets(o), t->held).data[k];
      SetRange nodes = set_range(sets(o), lock_nodes_of_lock(&o->nodes, name));
      uint32_t node = nodes.count > 0 ? nodes.data[0] : NODE_OUTSIDE;
      if (node < FIRST_LOCK_NODE || !others_take(o, node, t)) continue;
      bool sure = set_has(sets(o), t->locks, name);
      if (told(o, SURVEY_END_HELD, (uint64_t)node << 32 | (sure ? t->statement : 0))) continue;
      SurveyLockFinding f = {.kind = SURVEY_END_HELD, .status = sure ? SURVEY_WARNED : SURVEY_OPEN};
      f.detail = sure ? "the lock is surely held when the thread ends, and other threads wait for it"
                      : "the lock may be held when the thread ends, and other threads wait for it";
      SurveyLockStep step = {.held = node_name(o, node), .taken = "the end of the thread"};
      step.text = arena_format(&o->d->survey->arena, "the thread ends while %s is held", step.held);
      step.at =
          describe_taking(o->d, t->statement, t->context, flow_context(o->flow, t->context)->template_id, t->locks);
      add_finding(o, f, &step, 1);
    }
  }
}

// --- orders ---

static void add_orders(Orders *o) {
  uint32_t doubt = may_held_doubt(o->held);
  for (uint32_t i = 0; i < o->graph.arcs.count; i++) {
    const OrderArc *a = &o->graph.arcs.data[i];
    if (!is_lock(o, a->from) || !is_lock(o, a->to) || a->from == NODE_OUTSIDE || a->to == NODE_OUTSIDE) continue;
    SurveyLockStep step = step_of(o, WaitEdgeVector_at(&o->graph.edges, a->first));
    SurveyLockFinding f = {.kind = SURVEY_ORDER, .status = SURVEY_PROVED, .detail = ""};
    bool in_cycle = order_same_component(&o->graph, a->from, a->to);
    if (in_cycle && bitset_get(&o->deadlocked, a->from)) {
      f.status = SURVEY_OPEN;
      f.detail = "it may be part of a deadlock";
    } else if (doubt != NO_CODE_ID) {
      f.status = SURVEY_OPEN;
      const CodeStatement *s = &o->d->facts->code->statements[doubt];
      f.detail = arena_format(&o->d->survey->arena, "%s is not understood", s->note ? s->note : "setjmp");
    }
    add_finding(o, f, &step, 1);
  }
}

static void find_all(Orders *o) {
  bitset_init(&o->deadlocked, o->graph.node_count, o->d->facts->account);
  U32Vector_init(&o->cycles, o->d->facts->account);
  U32Vector_resize(&o->cycles, o->graph.node_count);
  find_twice(o);
  for (uint32_t i = 0; i < o->graph.arcs.count; i++) look_for_cycle(o, i, false);
  for (uint32_t i = 0; i < o->graph.arcs.count; i++) look_for_cycle(o, i, true);
  find_ends(o);
  add_orders(o);
  bitset_free(&o->deadlocked);
  U32Vector_free(&o->cycles);
}

// Warned ones first, then open ones, then proved ones, each in the order in which they were found.
static void hand_over(const Orders *o) {
  static const SurveyStatus order[] = {SURVEY_WARNED, SURVEY_OPEN, SURVEY_PROVED};
  Survey *survey = o->d->survey;
  survey->locks = arena_allocate(&survey->arena, o->findings.count * sizeof *survey->locks);
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    for (size_t i = 0; i < o->findings.count; i++)
      if (o->findings.data[i].status == order[k]) survey->locks[survey->lock_count++] = o->findings.data[i];
  assert(survey->lock_count == o->findings.count);
}

bool lock_orders_report(Describe *d, Flow *flow) {
  Orders o = {.d = d, .flow = flow};
  LockFindingVector_init(&o.findings, d->facts->account);
  map_init(&o.told, d->facts->account);
  lock_nodes_init(&o.nodes, d->facts);
  o.held = may_held_new(d->facts, flow, &o.nodes);
  bool in_time = may_held_run(o.held);
  if (in_time) {
    order_graph_init(&o.graph, d->facts, flow, &o.nodes, may_held_takes(o.held));
    find_all(&o);
    order_graph_free(&o.graph);
  }
  hand_over(&o);
  may_held_free(o.held);
  lock_nodes_free(&o.nodes);
  LockFindingVector_free(&o.findings);
  map_free(&o.told);
  return in_time;
}
