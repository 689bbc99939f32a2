#include "survey/lock_orders.h"

// `taken` is taken while `held` is held, and all of `locks`.
typedef struct TakenWhileHeld {
  uint32_t held, taken; // locks of one instance, not for reading
  uint32_t statement, context, template_id;
  SetId locks, running;
} TakenWhileHeld;
VECTOR(TakenVector, TakenWhileHeld);
VECTOR(LockFindingVector, SurveyLockFinding);

typedef struct Orders {
  Describe *d;
  Flow *flow;
  TakenVector edges;
  Map known; // a hash of the edge
  LockFindingVector findings;
} Orders;

static bool takes(const SurveyFacts *facts, uint32_t statement) {
  CallTargets targets = calls_of(facts->calls, statement);
  bool all = targets.count > 0;
  for (uint32_t i = 0; i < targets.count; i++)
    all &= targets.data[i].kind == CALL_LIBRARY &&
           calls_effect(facts->calls, targets.data[i].function)->synchronisation == SYNC_LOCK;
  return all;
}

static void add_edge(Orders *o, TakenWhileHeld edge) {
  uint64_t parts[] = {(uint64_t)edge.held << 32 | edge.taken, (uint64_t)edge.template_id << 32 | edge.statement,
                      (uint64_t)edge.locks << 32 | edge.running};
  uint64_t key = hash_bytes(parts, sizeof parts);
  if (map_contains(&o->known, key)) return;
  map_put(&o->known, key, 1);
  TakenVector_push(&o->edges, edge);
}

static void visit(void *argument, uint32_t context, uint32_t statement, const FlowState *before,
                  const FlowState *after) {
  (void)after;
  Orders *o = argument;
  SurveyFacts *facts = o->d->facts;
  const CodeStatement *s = &facts->code->statements[statement];
  if (s->kind != CODE_CALL || before->locks == SET_EMPTY || s->operand_count < 2 || !takes(facts, statement)) return;
  uint32_t taken = locks_named(facts->locks, code_operand(facts->code, s, 1), false);
  if (taken == NO_CODE_ID || locks_at(facts->locks, taken)->kind != LOCK_PLACE) return;
  for (uint32_t i = 0; i < set_range(&facts->sets, before->locks).count; i++) {
    uint32_t held = set_range(&facts->sets, before->locks).data[i];
    const Lock *lock = locks_at(facts->locks, held);
    if (lock->kind != LOCK_PLACE || lock->shared) continue;
    add_edge(o, (TakenWhileHeld){held, taken, statement, context, flow_context(o->flow, context)->template_id,
                                 before->locks, before->running});
  }
}

// --- findings ---

static SurveyLockStep step_of(const Orders *o, const TakenWhileHeld *e) {
  return (SurveyLockStep){describe_locks(o->d, set_with(&o->d->facts->sets, SET_EMPTY, e->held)),
                          describe_locks(o->d, set_with(&o->d->facts->sets, SET_EMPTY, e->taken)),
                          describe_taking(o->d, e->statement, e->context, e->template_id, e->locks)};
}

static void add_finding(Orders *o, SurveyLockKind kind, const char *detail, const TakenWhileHeld *a,
                        const TakenWhileHeld *b) {
  SurveyLockFinding f = {.kind = kind, .status = SURVEY_WARNED, .detail = detail, .step_count = b ? 2 : 1};
  f.steps = arena_allocate(&o->d->survey->arena, 2 * sizeof *f.steps);
  f.steps[0] = step_of(o, a);
  if (b) f.steps[1] = step_of(o, b);
  f.fingerprint = (uint64_t)kind;
  for (uint32_t i = 0; i < f.step_count; i++) {
    const char *parts[] = {f.steps[i].held, f.steps[i].taken, f.steps[i].at.function};
    for (size_t k = 0; k < 3; k++) f.fingerprint = hash_mix(f.fingerprint ^ survey_name_key(parts[k]));
  }
  LockFindingVector_push(&o->findings, f);
}

static void find_twice(Orders *o) {
  for (size_t i = 0; i < o->edges.count; i++) {
    const TakenWhileHeld *e = &o->edges.data[i];
    bool told = e->held != e->taken;
    for (size_t k = 0; k < i && !told; k++)
      told = o->edges.data[k].held == e->held && o->edges.data[k].taken == e->taken &&
             o->edges.data[k].statement == e->statement;
    if (!told)
      add_finding(o, SURVEY_TWICE,
                  "the mutex is surely held already; unless it is recursive, the thread waits for itself", e, NULL);
  }
}

// A lock beside the two of the cycle that is held at both places.
static bool has_gate(const Orders *o, const TakenWhileHeld *a, const TakenWhileHeld *b) {
  SetRange range = set_range(&o->d->facts->sets, a->locks);
  for (uint32_t i = 0; i < range.count; i++) {
    uint32_t lock = range.data[i];
    bool counts = locks_at(o->d->facts->locks, lock)->kind == LOCK_PLACE && !locks_at(o->d->facts->locks, lock)->shared;
    if (counts && lock != a->held && lock != b->held && set_has(&o->d->facts->sets, b->locks, lock)) return true;
  }
  return false;
}

static bool may_meet(const Orders *o, const TakenWhileHeld *a, const TakenWhileHeld *b) {
  return flow_concurrent(o->flow, a->template_id, a->running, b->template_id, b->running);
}

// Two locks that are taken in both orders: once for each pair of locks, with the first places that may meet.
static void find_cycle(Orders *o, size_t index) {
  const TakenWhileHeld *e = &o->edges.data[index];
  for (size_t k = 0; k < index; k++) // told by an earlier edge
    if (o->edges.data[k].held == e->held && o->edges.data[k].taken == e->taken) return;
  for (size_t i = index; i < o->edges.count; i++) {
    const TakenWhileHeld *a = &o->edges.data[i];
    for (size_t k = 0; k < o->edges.count && a->held == e->held && a->taken == e->taken; k++) {
      const TakenWhileHeld *b = &o->edges.data[k];
      if (b->held != e->taken || b->taken != e->held) continue;
      if (has_gate(o, a, b) || !may_meet(o, a, b)) continue;
      add_finding(o, SURVEY_CYCLE, "two threads may take the locks in opposite orders", a, b);
      return;
    }
  }
}

void lock_orders_report(Describe *d, Flow *flow) {
  Orders o = {.d = d, .flow = flow};
  TakenVector_init(&o.edges, d->facts->account);
  LockFindingVector_init(&o.findings, d->facts->account);
  map_init(&o.known, d->facts->account);
  flow_visit(flow, visit, &o);
  find_twice(&o);
  for (size_t i = 0; i < o.edges.count; i++)
    if (o.edges.data[i].held < o.edges.data[i].taken) find_cycle(&o, i);
  d->survey->lock_count = (uint32_t)o.findings.count;
  d->survey->locks = arena_allocate(&d->survey->arena, (o.findings.count + 1) * sizeof *d->survey->locks);
  if (o.findings.count > 0) memcpy(d->survey->locks, o.findings.data, o.findings.count * sizeof *d->survey->locks);
  TakenVector_free(&o.edges);
  LockFindingVector_free(&o.findings);
  map_free(&o.known);
}
