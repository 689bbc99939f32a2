#include "survey/orders/held_internal.h"

#include "survey/flow/conditions.h"

#include "base/budget.h"

enum { MOST_ROUNDS = 200 };

static NumberSets *sets(MayHeld *h) { return &h->facts->sets; }

// --- what the flow met ---

static void collect(void *argument, uint32_t context, uint32_t statement, const FlowState *before,
                    const FlowState *after) {
  MayHeld *h = argument;
  const CodeStatement *s = &h->facts->code->statements[statement];
  if (calls_is_return_twice(h->facts->calls, statement) && h->doubt == NO_CODE_ID) h->doubt = statement;
  if (s->kind != CODE_CALL) return;
  HeldCall call = {.context = context,
                   .statement = statement,
                   .locks = before->locks,
                   .running = before->running,
                   .first_callee = (uint32_t)h->callees.count,
                   .returns = after->reached};
  const uint32_t *entered = flow_entered(h->flow, &call.callee_count);
  for (uint32_t i = 0; i < call.callee_count; i++) U32Vector_push(&h->callees, entered[i]);
  HeldContext *c = HeldContextVector_at(&h->contexts, context);
  assert(c->call_count == 0 || h->calls.data[h->calls.count - 1].statement < statement); // for find_call
  if (c->call_count++ == 0) c->first_call = (uint32_t)h->calls.count;
  HeldCallVector_push(&h->calls, call);
}

MayHeld *may_held_new(SurveyFacts *facts, Flow *flow, LockNodes *nodes) {
  MayHeld *h = memory_allocate_zeroed(facts->account, sizeof *h);
  *h = (MayHeld){.facts = facts, .flow = flow, .nodes = nodes, .doubt = NO_CODE_ID};
  HeldCallVector_init(&h->calls, facts->account);
  U32Vector_init(&h->callees, facts->account);
  HeldContextVector_init(&h->contexts, facts->account);
  TakeVector_init(&h->takes, facts->account);
  map_init(&h->known, facts->account);
  map_init(&h->memo, facts->account);
  h->cancels = templates_cut_short(facts->templates);
  bitset_init(&h->sticky, nodes->all.count, facts->account);
  for (uint32_t i = 0; i < flow_context_count(flow); i++) {
    HeldContext c = {.root = flow_context(flow, i)->caller == NO_CODE_ID};
    TakeVector_init(&c.deferred, facts->account);
    HeldContextVector_push(&h->contexts, c);
  }
  flow_visit(flow, collect, h);
  return h;
}

void may_held_free(MayHeld *h) {
  if (!h) return;
  for (size_t i = 0; i < h->contexts.count; i++) TakeVector_free(&h->contexts.data[i].deferred);
  HeldContextVector_free(&h->contexts);
  HeldCallVector_free(&h->calls);
  U32Vector_free(&h->callees);
  TakeVector_free(&h->takes);
  map_free(&h->known);
  map_free(&h->memo);
  bitset_free(&h->sticky);
  memory_free(h->facts->account, h, sizeof *h);
}

const TakeVector *may_held_takes(const MayHeld *held) { return &held->takes; }

uint32_t may_held_doubt(const MayHeld *held) { return held->doubt; }

// --- one context ---

typedef struct Walk {
  MayHeld *h;
  uint32_t context;
  const CodeFunction *function;
  HeldState *states; // at the beginnings of blocks
  Bitset changed;
  HeldState exit;
} Walk;

// Names by a register that gets its next value in the block mean nothing there.
static HeldState entering(MayHeld *h, uint32_t block, HeldState state) {
  SetId may = state.may;
  for (uint32_t i = 0; i < set_range(sets(h), may).count; i++) {
    uint32_t name = set_range(sets(h), may).data[i];
    Lock lock = *locks_at(h->facts->locks, name);
    Lock tried = lock.kind == LOCK_TRIED ? *locks_at(h->facts->locks, (uint32_t)lock.offset) : lock;
    uint32_t made = lock.kind == LOCK_TRIED || lock.kind == LOCK_RELATIVE ? h->facts->code->register_statements[lock.id]
                                                                          : NO_CODE_ID;
    uint32_t inner = tried.kind == LOCK_RELATIVE ? h->facts->code->register_statements[tried.id] : NO_CODE_ID;
    const CodeStatement *all = h->facts->code->statements;
    bool renewed =
        (made != NO_CODE_ID && all[made].block == block) || (inner != NO_CODE_ID && all[inner].block == block);
    if (renewed) state.may = held_some(h, set_without(sets(h), state.may, name), name, false);
  }
  return state;
}

// What attempts have come to.
static HeldState on_edge(MayHeld *h, const CodeBlock *block, const CodeEdge *edge, HeldState state) {
  assert(state.reached);
  SetId may = state.may;
  uint32_t nonzero = may == SET_EMPTY ? NO_CODE_ID : condition_nonzero(h->facts->code, block, edge);
  for (uint32_t i = 0; nonzero != NO_CODE_ID && i < set_range(sets(h), may).count; i++) {
    uint32_t name = set_range(sets(h), may).data[i];
    const Lock *lock = locks_at(h->facts->locks, name);
    if (lock->kind == LOCK_TRIED && lock->id == nonzero) state.may = set_without(sets(h), state.may, name);
  }
  return state;
}

static void leave_block(Walk *w, const CodeBlock *block, HeldState state) {
  const Code *code = w->h->facts->code;
  for (uint32_t i = block->first_edge; i < block->first_edge + block->edge_count; i++) {
    const CodeEdge *edge = &code->edges[i];
    uint32_t target = edge->target - w->function->first_block;
    HeldState next = entering(w->h, edge->target, on_edge(w->h, block, edge, state));
    HeldState old = w->states[target], joined = held_join(w->h, old, next);
    if (old.reached && old.may == joined.may && old.released == joined.released) continue;
    w->states[target] = joined;
    bitset_set(&w->changed, target);
  }
}

static const HeldCall *find_call(const MayHeld *h, uint32_t context, uint32_t statement) {
  const HeldContext *c = HeldContextVector_at(&h->contexts, context);
  uint32_t low = c->first_call, high = c->first_call + c->call_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (h->calls.data[middle].statement < statement)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < c->first_call + c->call_count && h->calls.data[low].statement == statement;
  return found ? &h->calls.data[low] : NULL;
}

// The routine of a thread returns.
static void note_end(Walk *w, uint32_t statement, HeldState state) {
  MayHeld *h = w->h;
  assert(state.reached);
  if (!h->recording || !h->contexts.data[w->context].root) return;
  const FlowContext *c = flow_context(h->flow, w->context);
  if (templates_at(h->facts->templates, c->template_id)->kind != TEMPLATE_CREATED) return;
  SetId held = held_united(h, h->contexts.data[w->context].entry, &state);
  if (held == SET_EMPTY) return;
  Take t = {.kind = TAKE_LEAVE, .statement = statement, .context = w->context, .name = NO_CODE_ID, .held = held};
  t.locks = c->exit.locks;
  TakeVector_push(&h->takes, t);
}

static void through_block(Walk *w, uint32_t index) {
  const Code *code = w->h->facts->code;
  const CodeBlock *block = &code->blocks[w->function->first_block + index];
  HeldState state = w->states[index];
  for (uint32_t i = block->first_statement; state.reached && i < block->first_statement + block->statement_count; i++) {
    if (code->statements[i].kind == CODE_RETURN) {
      w->exit = held_join(w->h, w->exit, state);
      note_end(w, i, state);
    }
    if (code->statements[i].kind != CODE_CALL) continue;
    const HeldCall *call = find_call(w->h, w->context, i);
    if (call)
      state = held_step(w->h, call, state);
    else
      state.reached = false; // the flow did not come here
  }
  if (state.reached) leave_block(w, block, state);
}

static void walk(MayHeld *h, uint32_t context) {
  const CodeFunction *f = &h->facts->code->functions[flow_context(h->flow, context)->function];
  Walk w = {.h = h, .context = context, .function = f};
  w.states = memory_allocate_zeroed(h->facts->account, f->block_count * sizeof *w.states);
  bitset_init(&w.changed, f->block_count, h->facts->account);
  w.states[0].reached = true;
  bitset_set(&w.changed, 0);
  for (size_t i = 0; i < f->block_count; i = bitset_next(&w.changed, 0)) {
    bitset_reset(&w.changed, i);
    through_block(&w, (uint32_t)i);
  }
  bitset_free(&w.changed);
  memory_free(h->facts->account, w.states, f->block_count * sizeof *w.states);
  HeldState *exit = &h->contexts.data[context].exit;
  h->changed |= exit->reached != w.exit.reached || exit->may != w.exit.may || exit->released != w.exit.released;
  *exit = w.exit;
}

// --- all contexts ---

// Handlers of signals, and routines at the end of a thread or the process, run in a thread that may hold anything.
static bool interrupts(const MayHeld *h, uint32_t function) {
  for (uint32_t i = 0; i < templates_count(h->facts->templates); i++) {
    const Template *t = templates_at(h->facts->templates, i);
    if (t->routine == function && (t->kind == TEMPLATE_HANDLER || t->kind == TEMPLATE_AT_THE_END)) return true;
  }
  return false;
}

// Outside code calls back with what was held when it was called.
static void enter_from_outside(MayHeld *h) {
  SetId outside = set_with(sets(h), SET_EMPTY, NODE_OUTSIDE);
  for (uint32_t i = 0; i < h->contexts.count; i++) {
    HeldContext *c = &h->contexts.data[i];
    uint32_t function = flow_context(h->flow, i)->function;
    if (!c->root) continue;
    SetId entry = c->entry;
    if (pointing_called_from_outside(h->facts->pointing, function))
      entry = set_unite(sets(h), entry, held_of_nodes(h, h->called_back, outside));
    if (interrupts(h, function)) entry = set_unite(sets(h), entry, h->taken);
    h->changed |= entry != c->entry;
    c->entry = entry;
  }
}

static bool settle(MayHeld *h) {
  uint32_t rounds = 0;
  do {
    h->changed = false;
    enter_from_outside(h);
    for (uint32_t i = (uint32_t)h->contexts.count; i-- > 0;) {
      if (h->facts->deadline > 0 && clock_now() > h->facts->deadline) return false;
      walk(h, i);
    }
  } while (h->changed && ++rounds < MOST_ROUNDS);
  return !h->changed;
}

static void begin_again(MayHeld *h) {
  for (size_t i = 0; i < h->contexts.count; i++) {
    HeldContext *c = &h->contexts.data[i];
    c->exit = (HeldState){.reached = false};
    c->entry = SET_EMPTY;
    TakeVector_clear(&c->deferred);
  }
  map_free(&h->known);
  map_init(&h->known, h->facts->account);
  h->called_back = SET_EMPTY;
  h->taken = SET_EMPTY;
  TakeVector_clear(&h->takes);
  h->recording = false;
}

// Locks that may be taken twice, as recursive ones are, are not surely released by one release.
static bool make_sticky(MayHeld *h) {
  bool grown = false;
  for (size_t i = 0; i < h->takes.count; i++) {
    const Take *t = &h->takes.data[i];
    for (uint32_t k = 0; t->again && k < set_range(sets(h), t->nodes).count; k++)
      grown |= bitset_add(&h->sticky, set_range(sets(h), t->nodes).data[k]);
  }
  return grown;
}

bool may_held_run(MayHeld *h) {
  do {
    begin_again(h);
    if (!settle(h)) return false;
    h->recording = true;
    for (uint32_t i = 0; i < h->contexts.count; i++) walk(h, i);
  } while (make_sticky(h));
  return true;
}
