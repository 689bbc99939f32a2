// What one call does to the locks that may be held, and what it takes.
#include "survey/orders/held_internal.h"

#include "base/text.h"

enum { MOST_DEFERRED = 256 }; // takes of one context; more are looked at in it, not in its callers

static NumberSets *sets(MayHeld *h) { return &h->facts->sets; }

static bool is_section(const MayHeld *h, uint32_t function) {
  return starts_with(h->facts->code->functions[function].name, "__VERIFIER_atomic_");
}

HeldState held_join(MayHeld *h, HeldState a, HeldState b) {
  if (!a.reached) return b;
  if (!b.reached) return a;
  return (HeldState){true, set_unite(sets(h), a.may, b.may), set_intersection(sets(h), a.released, b.released)};
}

// --- takes ---

static uint64_t hash_take(uint32_t context, const Take *t) {
  uint64_t parts[] = {(uint64_t)t->kind << 32 | t->statement, (uint64_t)t->context << 32 | t->name,
                      (uint64_t)t->nodes << 32 | t->held,     (uint64_t)t->released << 32 | t->locks,
                      (uint64_t)t->running << 32 | context,   t->again};
  return hash_bytes(parts, sizeof parts);
}

// Is the lock itself, not another one of its node, possibly held?
static bool is_held_already(MayHeld *h, const Take *t) {
  if (t->kind != TAKE_LOCK && t->kind != TAKE_FOR_READING) return false;
  if (t->name != NO_CODE_ID && set_has(sets(h), t->held, t->name)) return true;
  for (uint32_t i = 0; i < set_range(sets(h), t->held).count; i++) {
    SetId both = set_intersection(sets(h), t->nodes, lock_nodes_of_lock(h->nodes, set_range(sets(h), t->held).data[i]));
    SetRange range = set_range(sets(h), both);
    for (uint32_t k = 0; k < range.count; k++)
      if (range.data[k] >= FIRST_LOCK_NODE && lock_nodes_is_one(h->nodes, range.data[k])) return true;
  }
  return false;
}

// Records what the context takes, or leaves it to its callers. `held` is what it took itself.
static void note(MayHeld *h, uint32_t context, Take t) {
  HeldContext *c = HeldContextVector_at(&h->contexts, context);
  bool parameter = t.name != NO_CODE_ID && held_is_parameter(h, t.name, flow_context(h->flow, context)->function);
  bool defer = parameter && !c->root && c->deferred.count < MOST_DEFERRED;
  if (!defer && !h->recording) return;
  if (!defer) {
    t.held = set_unite(sets(h), held_without(h, c->entry, t.released), t.held);
    t.released = SET_EMPTY;
    t.again = is_held_already(h, &t);
    context = NO_CODE_ID;
  }
  uint64_t key = hash_take(context, &t);
  if (map_contains(&h->known, key)) return;
  map_put(&h->known, key, 1);
  TakeVector_push(defer ? &c->deferred : &h->takes, t);
  h->changed |= defer;
}

static Take take_here(TakeKind kind, const HeldCall *call, const HeldState *state, SetId nodes) {
  return (Take){kind,       call->statement, call->context, NO_CODE_ID,    nodes,
                state->may, state->released, call->locks,   call->running, false};
}

static CodeOperand operand(const MayHeld *h, const HeldCall *call, uint32_t index) {
  return code_operand(h->facts->code, &h->facts->code->statements[call->statement], index);
}

// May a handler run while the context has a lock? A handler does not interrupt itself, but others.
static bool is_interrupted(const MayHeld *h, uint32_t context) {
  const Templates *templates = h->facts->templates;
  if (!templates_at(templates, flow_context(h->flow, context)->template_id)->any_time) return true;
  uint32_t count = 0;
  for (uint32_t i = 0; i < templates_count(templates); i++) count += templates_at(templates, i)->any_time;
  return count > 1;
}

static void note_taken(MayHeld *h, uint32_t context, SetId nodes) {
  if (!is_interrupted(h, context)) return;
  SetId taken = h->taken;
  for (uint32_t i = 0; i < set_range(sets(h), nodes).count; i++) {
    Lock some = {.kind = LOCK_SOME, .id = set_range(sets(h), nodes).data[i]};
    taken = set_with(sets(h), taken, locks_intern(h->facts->locks, some));
  }
  h->changed |= taken != h->taken;
  h->taken = taken;
}

// Waits for the lock. Adds nothing to the state.
static void take_lock(MayHeld *h, const HeldCall *call, const HeldState *state, uint32_t index, bool reads) {
  CodeOperand lock = operand(h, call, index);
  Take t = take_here(reads ? TAKE_FOR_READING : TAKE_LOCK, call, state, lock_nodes_of(h->nodes, lock));
  t.name = locks_named(h->facts->locks, lock, false);
  note(h, call->context, t);
}

static void add_lock(MayHeld *h, const HeldCall *call, HeldState *state, bool tries) {
  const CodeStatement *s = &h->facts->code->statements[call->statement];
  CodeOperand lock = operand(h, call, 1);
  uint32_t name = locks_named(h->facts->locks, lock, false);
  note_taken(h, call->context, lock_nodes_of(h->nodes, lock));
  if (name == NO_CODE_ID)
    state->may = held_of_nodes(h, state->may, lock_nodes_of(h->nodes, lock));
  else if (tries && s->result != NO_CODE_ID)
    state->may = held_add(h, state->may,
                          locks_intern(h->facts->locks, (Lock){.kind = LOCK_TRIED, .id = s->result, .offset = name}));
  else
    state->may = held_add(h, state->may, name);
}

static bool is_timed(const char *name) { return strstr(name, "timed") || strstr(name, "clock"); }

// The mutex is released, and taken again when the thread has been woken.
static void wait_for_signal(MayHeld *h, const HeldCall *call, HeldState state, bool timed) {
  HeldCall without = *call;
  held_unlock(h, h->contexts.data[call->context].entry, &state, operand(h, call, 2));
  SetId locks = call->locks;
  for (uint32_t i = 0; i < set_range(sets(h), locks).count; i++) {
    uint32_t lock = set_range(sets(h), locks).data[i];
    if (locks_may_be(h->facts->locks, lock, operand(h, call, 2)))
      without.locks = set_without(sets(h), without.locks, lock);
  }
  take_lock(h, &without, &state, 2, false);
  if (timed) return;
  note(h, call->context, take_here(TAKE_EVENT, &without, &state, lock_nodes_of(h->nodes, operand(h, call, 1))));
}

// --- callees ---

static void take_over(MayHeld *h, const HeldCall *call, uint32_t callee, bool arguments, const HeldState *state) {
  const CodeStatement *s = &h->facts->code->statements[call->statement];
  uint32_t function = flow_context(h->flow, callee)->function;
  for (size_t i = 0; i < h->contexts.data[callee].deferred.count; i++) {
    Take t = h->contexts.data[callee].deferred.data[i];
    SetId released = held_to_caller(h, s, function, arguments, t.released, true);
    SetId taken = held_to_caller(h, s, function, arguments, set_with(sets(h), SET_EMPTY, t.name), true);
    t.held = set_unite(sets(h), held_to_caller(h, s, function, arguments, t.held, false),
                       held_without(h, state->may, released));
    t.released = set_unite(sets(h), state->released, released);
    SetRange names = set_range(sets(h), taken);
    t.name = names.count == 1 ? names.data[0] : NO_CODE_ID;
    if (t.name != NO_CODE_ID) t.nodes = lock_nodes_of_lock(h->nodes, t.name);
    note(h, call->context, t);
  }
}

static HeldState through_context(MayHeld *h, const HeldCall *call, uint32_t callee, bool arguments, HeldState state) {
  const CodeStatement *s = &h->facts->code->statements[call->statement];
  uint32_t function = flow_context(h->flow, callee)->function;
  HeldContext *c = HeldContextVector_at(&h->contexts, callee);
  SetId all = held_united(h, h->contexts.data[call->context].entry, &state);
  SetId entry = set_unite(sets(h), c->entry, held_to_callee(h, s, function, arguments, all));
  h->changed |= entry != c->entry;
  c->entry = entry;
  take_over(h, call, callee, arguments, &state);
  if (!c->exit.reached) return (HeldState){.reached = false};
  SetId released = held_to_caller(h, s, function, arguments, c->exit.released, true);
  SetId taken = held_to_caller(h, s, function, arguments, c->exit.may, false);
  state.may = held_without(h, state.may, released);
  state.released = set_unite(sets(h), state.released, released);
  for (uint32_t i = 0; i < set_range(sets(h), taken).count; i++)
    state.may = held_add(h, state.may, set_range(sets(h), taken).data[i]);
  return state;
}

static HeldState through_function(MayHeld *h, const HeldCall *call, uint32_t function, bool arguments,
                                  HeldState state) {
  HeldState after = {.reached = false};
  for (uint32_t i = 0; i < call->callee_count; i++) {
    uint32_t callee = h->callees.data[call->first_callee + i];
    if (flow_context(h->flow, callee)->function == function)
      after = held_join(h, after, through_context(h, call, callee, arguments, state));
  }
  return after;
}

// --- sections and once ---

static uint32_t section(MayHeld *h) { return locks_intern(h->facts->locks, (Lock){.kind = LOCK_SECTION}); }

static HeldState begin_section(MayHeld *h, const HeldCall *call, HeldState state) {
  Take t = take_here(TAKE_LOCK, call, &state, set_with(sets(h), SET_EMPTY, NODE_SECTION));
  note(h, call->context, t);
  state.may = held_add(h, state.may, section(h));
  return state;
}

static HeldState through_body(MayHeld *h, const HeldCall *call, uint32_t function, HeldState state) {
  if (!is_section(h, function)) return through_function(h, call, function, true, state);
  state = through_function(h, call, function, true, begin_section(h, call, state));
  state.may = set_without(sets(h), state.may, section(h));
  return state;
}

// While one thread runs the routine of pthread_once, others wait at the control.
static HeldState through_once(MayHeld *h, const HeldCall *call, uint32_t function, HeldState state) {
  take_lock(h, call, &state, 1, false);
  HeldState inside = state;
  inside.may = held_of_nodes(h, inside.may, lock_nodes_of(h->nodes, operand(h, call, 1)));
  HeldState after = through_function(h, call, function, false, inside);
  SetRange nodes = set_range(sets(h), lock_nodes_of(h->nodes, operand(h, call, 1)));
  uint32_t node = nodes.count == 1 ? nodes.data[0] : NO_CODE_ID;
  if (node != NO_CODE_ID) {
    SetId control = set_with(sets(h), SET_EMPTY, locks_intern(h->facts->locks, (Lock){.kind = LOCK_ONE, .id = node}));
    control = set_with(sets(h), control, locks_intern(h->facts->locks, (Lock){.kind = LOCK_SOME, .id = node}));
    after.may = held_without(h, after.may, control);
  }
  return held_join(h, state, after);
}

// --- all of them ---

static void note_other(MayHeld *h, const HeldCall *call, TakeKind kind, SetId nodes, const HeldState *state) {
  note(h, call->context, take_here(kind, call, state, nodes));
}

// Is the function a point at which a thread that was cancelled ends? (It may be one at any of these.)
static bool may_be_cancelled(SynchronisationKind kind) {
  return kind == SYNC_NONE || kind == SYNC_WAIT || kind == SYNC_SEMAPHORE_WAIT || kind == SYNC_JOIN;
}

static HeldState synchronise(MayHeld *h, const HeldCall *call, uint32_t function, HeldState state) {
  const Effect *effect = calls_effect(h->facts->calls, function);
  if (h->cancels && may_be_cancelled(effect->synchronisation)) {
    Take t = take_here(TAKE_LEAVE, call, &state, SET_EMPTY);
    t.locks = SET_EMPTY;
    note(h, call->context, t);
  }
  bool timed = is_timed(effect->name);
  if (h->facts->code->statements[call->statement].operand_count < 2 && effect->synchronisation != SYNC_ATOMIC_BEGIN &&
      effect->synchronisation != SYNC_ATOMIC_END && effect->synchronisation != SYNC_EXIT_THREAD)
    return state;
  switch (effect->synchronisation) {
  case SYNC_LOCK:
  case SYNC_READ_LOCK:
    take_lock(h, call, &state, 1, effect->synchronisation == SYNC_READ_LOCK);
    add_lock(h, call, &state, false);
    break;
  case SYNC_TRY_LOCK:
  case SYNC_TIMED_LOCK:
  case SYNC_TRY_READ_LOCK: add_lock(h, call, &state, true); break;
  case SYNC_UNLOCK: held_unlock(h, h->contexts.data[call->context].entry, &state, operand(h, call, 1)); break;
  case SYNC_WAIT:
    if (h->facts->code->statements[call->statement].operand_count > 2) wait_for_signal(h, call, state, timed);
    break;
  case SYNC_SIGNAL:
  case SYNC_SEMAPHORE_POST:
    note_other(h, call, TAKE_SIGNAL, lock_nodes_of(h->nodes, operand(h, call, 1)), &state);
    break;
  case SYNC_SEMAPHORE_WAIT:
    note_other(h, call, TAKE_EVENT, lock_nodes_of(h->nodes, operand(h, call, 1)), &state);
    break;
  case SYNC_BARRIER_WAIT:
    note_other(h, call, TAKE_EVENT, lock_nodes_of(h->nodes, operand(h, call, 1)), &state);
    note_other(h, call, TAKE_SIGNAL, lock_nodes_of(h->nodes, operand(h, call, 1)), &state);
    break;
  case SYNC_JOIN:
    if (!timed && !strstr(effect->name, "try")) note_other(h, call, TAKE_END, SET_EMPTY, &state);
    break;
  case SYNC_ATOMIC_BEGIN: return begin_section(h, call, state);
  case SYNC_ATOMIC_END: state.may = set_without(sets(h), state.may, section(h)); break;
  case SYNC_EXIT_THREAD: note_other(h, call, TAKE_LEAVE, SET_EMPTY, &state); return (HeldState){.reached = false};
  case SYNC_EXIT_PROCESS: return (HeldState){.reached = false};
  default: break;
  }
  return state;
}

static HeldState through_unknown(MayHeld *h, const HeldCall *call, HeldState state) {
  SetId outside = set_with(sets(h), SET_EMPTY, NODE_OUTSIDE);
  note_other(h, call, TAKE_CALL, outside, &state);
  SetId all = held_united(h, h->contexts.data[call->context].entry, &state), back = h->called_back;
  for (uint32_t i = 0; i < set_range(sets(h), all).count; i++)
    back = held_some(h, back, set_range(sets(h), all).data[i], true);
  h->changed |= back != h->called_back;
  h->called_back = back;
  if (h->nodes->outside_is_used) state.may = held_of_nodes(h, held_of_nodes(h, state.may, outside), outside);
  return state;
}

HeldState held_step(MayHeld *h, const HeldCall *call, HeldState state) {
  CallTargets targets = calls_of(h->facts->calls, call->statement);
  HeldState after = {.reached = false}, before = state;
  for (uint32_t i = 0; i < targets.count; i++) { // what a library function calls
    HeldState called = {.reached = false};
    if (targets.data[i].kind == CALL_BACK) called = through_function(h, call, targets.data[i].function, false, before);
    if (targets.data[i].kind == CALL_ONCE) called = through_once(h, call, targets.data[i].function, before);
    before = held_join(h, before, called);
  }
  for (uint32_t i = 0; i < targets.count; i++) {
    HeldState one = {.reached = false};
    switch (targets.data[i].kind) {
    case CALL_BODY: one = through_body(h, call, targets.data[i].function, state); break;
    case CALL_LIBRARY: one = synchronise(h, call, targets.data[i].function, before); break;
    case CALL_KEPT:
    case CALL_UNKNOWN: one = through_unknown(h, call, state); break;
    default: break;
    }
    after = held_join(h, after, one);
  }
  if (!call->returns) after.reached = false;
  return after;
}
