#include "reach/reduce/persistent_threads.h"

#include "base/bitset.h"
#include "reach/reduce/reduction.h"

// --- facts ---

static void note_control(PersistentFacts *facts, CellId cell) {
  uint32_t number = facts->activity.numbers[cell];
  if (number != NO_ID) facts->control[number / 64] |= UINT64_C(1) << number % 64;
}

static void facts_init(PersistentFacts *facts, const Transitions *transitions, const Barriers *barriers,
                       Account *account) {
  const Program *p = transitions->program;
  *facts = (PersistentFacts){.barriers = barriers, .account = account};
  activity_init(&facts->activity, transitions, account);
  facts->control = memory_allocate_zeroed(account, facts->activity.words * sizeof(uint64_t));
  for (ThreadId thread = 0; thread < p->threads.count; thread++) {
    CellId cell = program_cell_at(p, p->objects.data[p->threads.data[thread].control].address + CONTROL_STATUS);
    if (cell != NO_ID) note_control(facts, cell);
  }
  for (size_t i = 0; i < facts->barriers->cells.count; i++) note_control(facts, facts->barriers->cells.data[i]);
  map_init(&facts->behind, account);
  U64Vector_init(&facts->futures, account);
}

static void facts_free(PersistentFacts *facts) {
  U64Vector_free(&facts->futures);
  map_free(&facts->behind);
  memory_free(facts->account, facts->control, facts->activity.words * sizeof(uint64_t));
  activity_free(&facts->activity);
}

// --- what a thread may still do ---

static void go_to(LocationId location, Bitset *seen, U32Vector *open) {
  if (bitset_add(seen, location)) U32Vector_push(open, location);
}

// One step of follow_up_to: follows the edges of a location that take no closed lock.
static void pass_edges(const PersistentFacts *facts, LocationId at, LockMask closed, ThreadMask *started, Bitset *seen,
                       U32Vector *open, uint64_t *rows) {
  const Program *p = facts->activity.transitions->program;
  for (uint32_t i = 0; i < p->locations.data[at].out_count; i++) {
    EdgeId e = p->out_edges.data[p->locations.data[at].first_out + i], start;
    const Transition *transition = &facts->activity.transitions->edges.data[e];
    if (!activity_counts(facts->activity.transitions, e)) continue;
    // The access of an unforeseen pointer may come before the lock is taken, so such an edge still counts.
    if (facts->barriers->taken[e] & closed && transition->missed == TERM_NONE) continue;
    activity_note(&facts->activity, transition->reads, rows);
    activity_note(&facts->activity, transition->writes, rows + facts->activity.words);
    go_to(p->edges.data[e].to, seen, open);
    ThreadMask births = transitions_births(facts->activity.transitions, e) & ~*started;
    *started |= births;
    for (; births != 0; births &= births - 1) go_to(thread_beginning(p, first_thread(births), &start), seen, open);
  }
}

// The threads that may be created after `from`, directly or by threads that are created then. A thread is created once,
// so started threads are not among them.
static ThreadMask children_of(const PersistentFacts *facts, LocationId from, ThreadMask started) {
  ThreadMask children = facts->activity.creates[from] & ~started;
  for (ThreadMask open = children; open != 0;) {
    EdgeId start;
    LocationId at = thread_beginning(facts->activity.transitions->program, first_thread(open), &start);
    ThreadMask more = facts->activity.creates[at] & ~started & ~children;
    children |= more;
    open = (open & (open - 1)) | more;
  }
  return children;
}

// Adds all accesses that may follow `from`, and all accesses of the threads in `children`.
static void follow_freely(PersistentFacts *facts, LocationId from, ThreadMask children, uint64_t *rows) {
  activity_join(rows, activity_row(&facts->activity, from, LATER_READS), facts->activity.words);
  activity_join(rows + facts->activity.words, activity_row(&facts->activity, from, LATER_WRITES),
                facts->activity.words);
  for (; children != 0; children &= children - 1) {
    EdgeId start;
    LocationId at = thread_beginning(facts->activity.transitions->program, first_thread(children), &start);
    activity_join(rows, activity_row(&facts->activity, at, LATER_READS), facts->activity.words);
    activity_join(rows + facts->activity.words, activity_row(&facts->activity, at, LATER_WRITES),
                  facts->activity.words);
  }
}

// Adds the accesses that may follow `from`, and those of `children`, on paths that take no lock of `closed`.
static void follow_up_to(PersistentFacts *facts, LocationId from, ThreadMask children, LockMask closed,
                         uint64_t *rows) {
  ThreadMask started = ~children;
  Bitset seen;
  bitset_init(&seen, facts->activity.transitions->program->locations.count, facts->account);
  bitset_set(&seen, from);
  U32Vector open;
  U32Vector_init(&open, facts->account);
  U32Vector_push(&open, from);
  while (open.count > 0) pass_edges(facts, U32Vector_pop(&open), closed, &started, &seen, &open, rows);
  U32Vector_free(&open);
  bitset_free(&seen);
}

// A row of the reads, then a row of the writes, that may follow `from`, also by threads that are not started, on paths
// that take no lock of `closed`. Valid until the next call.
static const uint64_t *future_of(PersistentFacts *facts, LocationId from, ThreadMask started, LockMask closed) {
  ThreadMask children = children_of(facts, from, started);
  LockMask takeable = facts->barriers->takeable[from];
  for (ThreadMask rest = children; rest != 0; rest &= rest - 1) {
    ThreadId child = first_thread(rest);
    takeable |= facts->barriers->takeable[facts->activity.transitions->program->threads.data[child].entry];
  }
  closed &= takeable;
  const uint64_t parts[3] = {from, children, closed};
  uint64_t key = hash_bytes(parts, sizeof parts), known;
  if (map_get(&facts->behind, key, &known)) return facts->futures.data + known;
  known = facts->futures.count;
  map_put(&facts->behind, key, known);
  for (size_t i = 0; i < 2 * facts->activity.words; i++) U64Vector_push(&facts->futures, 0);
  uint64_t *rows = facts->futures.data + known;
  if (closed)
    follow_up_to(facts, from, children, closed, rows);
  else
    follow_freely(facts, from, children, rows);
  return rows;
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
  for (ThreadId t = 0; t < c->controls->thread_count; t++)
    if (control_at(c->controls, c->control, t) != NO_ID) c->started |= thread_bit(t);
  c->tracked = memory_allocate_zeroed(facts->account, facts->activity.words * sizeof(uint64_t));
  for (size_t i = 0; i < facts->activity.words; i++) c->tracked[i] = tracks ? facts->control[i] : UINT64_MAX;
  for (size_t i = 0; tracks && i < facts->activity.resources.count; i++)
    if (tracks->tracks(tracks, facts->activity.resources.data[i])) c->tracked[i / 64] |= UINT64_C(1) << i % 64;
}

static void closing_end(Closing *c) {
  memory_free(c->facts->account, c->tracked, c->facts->activity.words * sizeof(uint64_t));
}

// The locks that the threads of the set hold: no other thread can take them while these threads take no step.
static LockMask locks_of(const Closing *c, ThreadMask set) {
  LockMask locks = 0;
  for (; set != 0; set &= set - 1)
    locks |= c->facts->barriers->held[control_at(c->controls, c->control, first_thread(set))];
  return locks;
}

// The resources 64 * word to 64 * word + 63 over which the member's next action conflicts with this future.
static uint64_t conflicts(const Closing *c, ThreadId member, const uint64_t *future, size_t word) {
  LocationId at = control_at(c->controls, c->control, member);
  assert(at != NO_ID && word < c->facts->activity.words);
  uint64_t reads = activity_row(&c->facts->activity, at, NEXT_READS)[word],
           writes = activity_row(&c->facts->activity, at, NEXT_WRITES)[word];
  uint64_t read = future[word], written = future[c->facts->activity.words + word];
  if (c->enabled & thread_bit(member)) return (reads & written) | (writes & (read | written));
  return reads & written & c->facts->control[word];
}

// Must the other thread join the set? `all`: as if all resources were tracked.
static bool must_join(const Closing *c, ThreadMask set, ThreadId other, bool all) {
  LocationId at = control_at(c->controls, c->control, other);
  const uint64_t *future = future_of(c->facts, at, c->started, locks_of(c, set));
  for (ThreadMask members = set; members != 0; members &= members - 1)
    for (size_t word = 0; word < c->facts->activity.words; word++)
      if (conflicts(c, first_thread(members), future, word) & (all ? UINT64_MAX : c->tracked[word])) return true;
  return false;
}

// The closure of `initial`. More members hold more locks, so other threads may do less: a thread that joined early
// might not have to join later. It stays in the set all the same, which only makes the set larger.
static ThreadMask close_over(const Closing *c, ThreadMask initial, bool all) {
  ThreadMask set = initial;
  for (bool grown = true; grown;) {
    grown = false;
    for (ThreadMask others = c->started & ~set; others != 0; others &= others - 1) {
      ThreadId other = first_thread(others);
      if (!must_join(c, set, other, all)) continue;
      set |= thread_bit(other);
      grown = true;
    }
  }
  return set;
}

static bool has_member_that_goes_on(const Closing *c, ThreadMask set) {
  for (ThreadMask rest = set & c->enabled; rest != 0; rest &= rest - 1) {
    ThreadId member = first_thread(rest);
    if (c->facts->activity.goes_on[control_at(c->controls, c->control, member)]) return true;
  }
  return false;
}

// Appends the untracked cells over which a thread outside the set would have to join it.
static void list_ignored(const Closing *c, ThreadMask set, U32Vector *cells) {
  LockMask locks = locks_of(c, set);
  for (size_t word = 0; word < c->facts->activity.words; word++) {
    uint64_t ignored = 0;
    for (ThreadMask others = c->started & ~set; others != 0; others &= others - 1) {
      LocationId at = control_at(c->controls, c->control, first_thread(others));
      const uint64_t *future = future_of(c->facts, at, c->started, locks);
      for (ThreadMask members = set; members != 0; members &= members - 1)
        ignored |= conflicts(c, first_thread(members), future, word);
    }
    for (; ignored != 0; ignored &= ignored - 1)
      U32Vector_push(cells, c->facts->activity.resources.data[64 * word + (size_t)__builtin_ctzll(ignored)]);
  }
}

ThreadMask persistent_threads(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                              ThreadMask enabled, ThreadMask initial, const Tracks *tracks, U32Vector *validity) {
  if (!facts->activity.rows || control_holder(controls, control) != NO_ID) return enabled;
  assert((initial & ~enabled) == 0);
  Closing c = {.facts = facts, .controls = controls, .control = control, .enabled = enabled};
  closing_begin(&c, tracks);
  ThreadMask set = close_over(&c, initial, false);
  bool enough = has_member_that_goes_on(&c, set);
  if (enough && validity) list_ignored(&c, set, validity);
  closing_end(&c);
  return enough ? set & enabled : enabled;
}

ThreadMask persistent_choice(PersistentFacts *facts, const ControlTable *controls, ControlId control,
                             ThreadMask enabled, const Tracks *tracks) {
  if (!facts->activity.rows || control_holder(controls, control) != NO_ID) return enabled;
  Closing c = {.facts = facts, .controls = controls, .control = control, .enabled = enabled};
  closing_begin(&c, tracks);
  ThreadMask best = enabled; // stays if no closure is usable
  int best_count = __builtin_popcountll(enabled), best_later = best_count;
  // A usable set contains the closure of its member that goes on, so only closures of such threads are tried.
  for (ThreadMask rest = enabled; rest != 0; rest &= rest - 1) {
    ThreadMask initial = rest & (~rest + 1);
    if (!has_member_that_goes_on(&c, initial)) continue;
    ThreadMask set = close_over(&c, initial, false) & enabled;
    int count = __builtin_popcountll(set), later = count;
    if (tracks) later = __builtin_popcountll(close_over(&c, initial, true) & enabled);
    if (count > best_count || (count == best_count && later >= best_later)) continue;
    best = set;
    best_count = count;
    best_later = later;
  }
  closing_end(&c);
  assert(best != 0 || enabled == 0);
  return best;
}

// --- the reductions ---

static void open_facts(Reduction *r, Account *account) {
  r->facts = memory_allocate(account, sizeof *r->facts);
  facts_init(r->facts, r->transitions, &r->barriers, account);
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
