#include "reach/reduce/persistent_threads.h"

#include "base/bitset.h"
#include "dependence/closure.h"
#include "dependence/conflict.h"
#include "reach/reduce/reduction.h"

// --- facts ---

static void note_control(PersistentFacts *facts, CellId cell) {
  uint32_t resource = may_touch_resource(&facts->touch, cell);
  if (resource != NO_ID) facts->control[resource / 64] |= UINT64_C(1) << resource % 64;
}

static void find_control(PersistentFacts *facts) {
  const Program *p = facts->transitions->program;
  facts->control = memory_allocate_zeroed(facts->account, facts->touch.words * sizeof(uint64_t));
  for (ThreadId thread = 0; thread < p->threads.count; thread++) {
    CellId cell = program_cell_at(p, p->objects.data[p->threads.data[thread].control].address + CONTROL_STATUS);
    if (cell != NO_ID) note_control(facts, cell);
  }
  for (size_t i = 0; i < facts->locks->cells.count; i++) note_control(facts, facts->locks->cells.data[i]);
}

// Can the thread take some edge in every state, and is none of the edges one that a thread that goes on must not have?
static bool goes_on_at(const Transitions *t, LocationId at) {
  const Program *p = t->program;
  Term possible = term_false(p->terms);
  uint32_t count;
  const EdgeId *edges = location_edges(p, at, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    const Transition *transition = &t->edges.data[edges[i]];
    if (term_is_false(p->terms, transition->guard)) continue;
    if (edge->back || p->locations.data[edge->to].atomic) return false;
    if (transition->end == ENDS_THE_PROCESS || transition->end == ENDS_IN_CUT) return false;
    possible = term_or(p->terms, possible, transition->guard);
  }
  return !p->locations.data[at].atomic && term_is_true(p->terms, possible);
}

static void facts_init(PersistentFacts *facts, const Transitions *transitions, const HeldLocks *locks,
                       const BeginOrder *begins, Account *account) {
  enum { MOST_BYTES = 1 << 28 };
  const Program *p = transitions->program;
  *facts = (PersistentFacts){.transitions = transitions, .locks = locks, .begins = begins, .account = account};
  TouchSource source = transitions_touches(transitions);
  may_touch_init(&facts->touch, &source, (TouchRowRange){NEXT_READS, LATER_WRITES, MOST_BYTES}, account);
  futures_init(&facts->futures, &facts->touch, locks, account);
  find_control(facts);
  facts->goes_on = memory_allocate(account, p->locations.count);
  for (LocationId at = 0; at < p->locations.count; at++) facts->goes_on[at] = goes_on_at(transitions, at);
}

static void facts_free(PersistentFacts *facts) {
  memory_free(facts->account, facts->goes_on, facts->transitions->program->locations.count);
  memory_free(facts->account, facts->control, facts->touch.words * sizeof(uint64_t));
  futures_free(&facts->futures);
  may_touch_free(&facts->touch);
}

// --- sets ---

typedef struct Closing {
  PersistentFacts *facts;
  const ControlTable *controls;
  ControlId control;
  ThreadMask enabled, started;
  uint64_t *tracked; // bit set of resources
} Closing;

static void closing_begin(Closing *c, const Tracks *tracks) {
  const PersistentFacts *facts = c->facts;
  const MayTouch *touch = &facts->touch;
  for (ThreadId t = 0; t < c->controls->thread_count; t++)
    if (control_at(c->controls, c->control, t) != NO_ID) c->started |= thread_bit(t);
  assert((c->enabled & ~c->started) == 0);
  c->tracked = memory_allocate_zeroed(facts->account, touch->words * sizeof(uint64_t));
  for (size_t i = 0; i < touch->words; i++) c->tracked[i] = tracks ? facts->control[i] : UINT64_MAX;
  for (uint32_t i = 0; tracks && i < touch->resource_count; i++)
    if (tracks->tracks(tracks, may_touch_thing(touch, i))) c->tracked[i / 64] |= UINT64_C(1) << i % 64;
}

static void closing_end(Closing *c) {
  memory_free(c->facts->account, c->tracked, c->facts->touch.words * sizeof(uint64_t));
}

// The locks that the threads of the set hold: no other thread can take them while these threads take no step.
static LockMask locks_of(const Closing *c, ThreadMask set) {
  LockMask locks = 0;
  for (; set != 0; set &= set - 1)
    locks |= c->facts->locks->held[control_at(c->controls, c->control, first_thread(set))];
  return locks;
}

// What the other thread, which no member holds, may do as long as the threads of the set take no step.
static Future future_beside(const Closing *c, ThreadMask set, ThreadId other) {
  assert(!(set & thread_bit(other)));
  return futures_of(&c->facts->futures, control_at(c->controls, c->control, other), c->started, locks_of(c, set));
}

// The resources 64 * word to 64 * word + 63 over which the member's next action conflicts with this future. What a
// blocked member waits for is a function of control, because control alone says that it is blocked.
static uint64_t conflicts(const Closing *c, ThreadId member, Future future, size_t word) {
  LocationId at = control_at(c->controls, c->control, member);
  assert(at != NO_ID && word < c->facts->touch.words);
  uint64_t reads = may_touch_row(&c->facts->touch, at, NEXT_READS)[word];
  uint64_t writes = may_touch_row(&c->facts->touch, at, NEXT_WRITES)[word];
  if (c->enabled & thread_bit(member))
    return conflict_of_enabled(reads, writes, future.reads[word], future.writes[word]);
  return conflict_of_blocked(reads, future.writes[word]) & c->facts->control[word];
}

// `mask`: the resources that count; NULL: all.
static bool conflicts_with_some(const Closing *c, ThreadMask members, Future future, const uint64_t *mask) {
  for (; members != 0; members &= members - 1)
    for (size_t word = 0; word < c->facts->touch.words; word++)
      if (conflicts(c, first_thread(members), future, word) & (mask ? mask[word] : UINT64_MAX)) return true;
  return false;
}

static bool is_held(const Closing *c, ThreadId t) {
  return begin_order_holds(c->facts->begins, control_locations(c->controls, c->control), t);
}

static bool is_held_by(const Closing *c, ThreadMask set, ThreadId t) {
  return begin_order_held_by(c->facts->begins, control_locations(c->controls, c->control), set) & thread_bit(t);
}

// Has the other thread to begin before one of the members?
static bool holds_some(const Closing *c, ThreadMask members, ThreadId other) {
  for (; members != 0; members &= members - 1)
    if (c->facts->begins->previous[first_thread(members)] == other && is_held(c, first_thread(members))) return true;
  return false;
}

// The members that are not held.
static ThreadMask without_held(const Closing *c, ThreadMask members) {
  for (ThreadMask rest = members; rest != 0; rest &= rest - 1)
    if (is_held(c, first_thread(rest))) members &= ~thread_bit(first_thread(rest));
  return members;
}

static bool joins_if_tracked(void *context, ThreadMask set, ThreadMask members, ThreadId other) {
  const Closing *c = context;
  if (holds_some(c, members, other)) return true;
  if (is_held_by(c, set, other)) return false;
  members = without_held(c, members);
  return conflicts_with_some(c, members, future_beside(c, set, other), c->tracked);
}

// The same, as if all resources were tracked.
static bool joins_in_any_case(void *context, ThreadMask set, ThreadMask members, ThreadId other) {
  const Closing *c = context;
  if (holds_some(c, members, other)) return true;
  if (is_held_by(c, set, other)) return false;
  members = without_held(c, members);
  return conflicts_with_some(c, members, future_beside(c, set, other), NULL);
}

static bool has_member_that_goes_on(const Closing *c, ThreadMask set) {
  for (ThreadMask rest = set & c->enabled; rest != 0; rest &= rest - 1)
    if (c->facts->goes_on[control_at(c->controls, c->control, first_thread(rest))]) return true;
  return false;
}

// Appends the untracked cells over which a thread outside the set would have to join it.
static void list_ignored(const Closing *c, ThreadMask set, U32Vector *cells) {
  ThreadMask still = begin_order_held_by(c->facts->begins, control_locations(c->controls, c->control), set);
  ThreadMask moving = without_held(c, set);
  for (size_t word = 0; word < c->facts->touch.words; word++) {
    uint64_t ignored = 0;
    for (ThreadMask others = c->started & ~set & ~still; others != 0; others &= others - 1) {
      Future future = future_beside(c, set, first_thread(others));
      for (ThreadMask members = moving; members != 0; members &= members - 1)
        ignored |= conflicts(c, first_thread(members), future, word);
    }
    for (; ignored != 0; ignored &= ignored - 1) {
      uint32_t resource = (uint32_t)(64 * word + (size_t)__builtin_ctzll(ignored));
      U32Vector_push(cells, may_touch_thing(&c->facts->touch, resource));
    }
  }
}

ThreadMask persistent_threads(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                              ThreadMask enabled, ThreadMask initial, const Tracks *tracks, U32Vector *validity) {
  if (!facts->touch.rows || control_holder(controls, control) != NO_ID) return enabled;
  assert((initial & ~enabled) == 0);
  if (initial == 0) return enabled;
  Closing c = {.facts = facts, .controls = controls, .control = control, .enabled = enabled};
  closing_begin(&c, tracks);
  Closure closure = {.candidates = c.started, .joins = joins_if_tracked, .context = &c};
  ThreadMask set = closure_of(&closure, initial, enabled, NO_CLOSURE_LIMIT);
  bool enough = has_member_that_goes_on(&c, set);
  if (enough && validity) list_ignored(&c, set, validity);
  closing_end(&c);
  return enough ? set & enabled : enabled;
}

ThreadMask persistent_choice(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                             ThreadMask enabled, const Tracks *tracks) {
  if (!facts->touch.rows || control_holder(controls, control) != NO_ID) return enabled;
  Closing c = {.facts = facts, .controls = controls, .control = control, .enabled = enabled};
  closing_begin(&c, tracks);
  ThreadMask seeds = 0; // a usable set contains the closure of its member that goes on
  for (ThreadMask rest = enabled; rest != 0; rest &= rest - 1)
    if (has_member_that_goes_on(&c, thread_bit(first_thread(rest)))) seeds |= thread_bit(first_thread(rest));
  Closure closure = {.candidates = c.started, .joins = joins_if_tracked, .context = &c};
  Closure all = {.candidates = c.started, .joins = joins_in_any_case, .context = &c};
  ThreadMask best = closure_smallest(&closure, tracks ? &all : NULL, seeds, enabled);
  closing_end(&c);
  return best;
}

// --- the reductions ---

static void open_facts(Reduction *r, Account *account) {
  r->facts = memory_allocate(account, sizeof *r->facts);
  facts_init(r->facts, r->transitions, &r->locks, &r->begins, account);
}

static void close_facts(Reduction *r) {
  Account *account = r->facts->account;
  facts_free(r->facts);
  memory_free(account, r->facts, sizeof *r->facts);
}

// Is the choice still a persistent set, although more cells may be tracked now?
static bool is_valid(const ValidChoices *valid, ValidChoice *choice, const Tracks *tracks) {
  if (!tracks || choice->stamp == tracks->stamp) return true;
  for (uint32_t i = 0; i < choice->count; i++)
    if (tracks->tracks(tracks, valid->cells.data[choice->first + i])) return false;
  choice->stamp = tracks->stamp;
  return true;
}

// If the node was expanded when fewer cells were tracked, its expanded threads are kept and completed to a persistent
// set (paper 003, algorithm 4).
static ThreadMask choose_persistent(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled) {
  ControlId control = tree_node(tree, node)->control;
  assert(r->facts != NULL);
  ThreadMask expanded = r->tracks ? tree_node(tree, node)->expanded & enabled : 0;
  const uint64_t parts[2] = {control, expanded};
  uint64_t key = hash_bytes(parts, sizeof parts), known;
  bool old = map_get(&r->valid.known, key, &known);
  if (old && is_valid(&r->valid, &r->valid.choices.data[known], r->tracks)) return r->valid.choices.data[known].threads;
  ThreadMask initial = expanded ? expanded : persistent_choice(r->facts, r->controls, control, enabled, r->tracks);
  ValidChoice choice = {.first = (uint32_t)r->valid.cells.count, .stamp = r->tracks ? r->tracks->stamp : 0};
  choice.threads =
      r->tracks ? persistent_threads(r->facts, r->controls, control, enabled, initial, r->tracks, &r->valid.cells)
                : initial;
  choice.count = (uint32_t)r->valid.cells.count - choice.first;
  if (!old) map_put(&r->valid.known, key, known = r->valid.choices.count);
  if (!old) ValidChoiceVector_push(&r->valid.choices, choice);
  r->valid.choices.data[known] = choice;
  return choice.threads;
}

void valid_choices_init(ValidChoices *valid, Account *account) {
  map_init(&valid->known, account);
  ValidChoiceVector_init(&valid->choices, account);
  U32Vector_init(&valid->cells, account);
}

void valid_choices_free(ValidChoices *valid) {
  U32Vector_free(&valid->cells);
  ValidChoiceVector_free(&valid->choices);
  map_free(&valid->known);
}

const ReductionKind reduction_persistent = {.name = "persistent",
                                            .claim = CLAIMS_PERSISTENT,
                                            .by_control = true,
                                            .open = open_facts,
                                            .close = close_facts,
                                            .choose = choose_persistent};
const ReductionKind reduction_aware = {.name = "aware",
                                       .claim = CLAIMS_PERSISTENT,
                                       .by_control = true,
                                       .looks_at_precision = true,
                                       .open = open_facts,
                                       .close = close_facts,
                                       .choose = choose_persistent};
