#include "circuit/model/scheduler.h"

#include "circuit/model/circuit_build.h"
#include "dependence/lock_patterns.h"
#include "program/passes/joint_edges.h"

typedef struct Scheduler {
  Circuit *c;
  MayTouch touch; // rows NEXT_* and LATER_*
  Patterns patterns;
  bool transactions;
  uint32_t resources; // those of `touch`, and behind them the start of each thread
  ByteVector matters; // per resource of `touch`: it is a word
  Map observed;       // cells (and behind them, objects) that atoms, or assume steps that may disable a thread, read
  // Per thread, resource, and whether it is written: the thread touches it now; it may touch it now or later.
  U32Vector now, later;
  U32Vector holds;    // per thread and lock: the thread holds it
  U32Vector conflict; // per pair of threads; becomes its closure
  U32Vector operands;
} Scheduler;

static Aig *graph(Scheduler *s) { return &s->c->aig; }

static uint32_t thread_count(const Scheduler *s) { return (uint32_t)s->c->threads.count; }

static size_t at(const Scheduler *s, uint32_t thread, uint32_t resource, bool written) {
  assert(thread < thread_count(s) && resource < s->resources);
  return ((size_t)thread * s->resources + resource) * 2 + written;
}

static uint32_t start_of(const Scheduler *s, ThreadId thread) { return (uint32_t)s->touch.resource_count + thread; }

static bool in_row(const Scheduler *s, LocationId location, TouchRow row, uint32_t resource) {
  return may_touch_has(&s->touch, location, row, resource);
}

static EdgeId out_edge(const Scheduler *s, LocationId location, uint32_t i) {
  const Program *p = s->c->transitions->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, location, &count);
  assert(i < count);
  return edges[i];
}

// The location from which a thread at this place continues.
static LocationId location_of(const Scheduler *s, ThreadId thread, uint32_t place) {
  LocationId location = s->c->threads.data[thread].locations.data[place];
  EdgeId start;
  return location == NO_ID ? thread_beginning(s->c->transitions->program, thread, &start) : location;
}

static bool is_started(const Scheduler *s, ThreadId thread, uint32_t place) {
  return s->c->threads.data[thread].locations.data[place] != NO_ID;
}

// --- resources ---

// Accesses that race conflict also over cells on whose values nothing depends.
static void find_relevant(Scheduler *s) {
  const Program *p = s->c->transitions->program;
  Bitset raced;
  joint_cells(p, &raced, s->c->account);
  for (uint32_t i = 0; i < s->touch.resource_count; i++) {
    uint32_t cell = may_touch_thing(&s->touch, i);
    Term word = cell < p->cells.count ? p->cells.data[cell].term : s->c->transitions->alive[cell - p->cells.count];
    bool races = cell < p->cells.count && bitset_get(&raced, cell);
    ByteVector_push(&s->matters, races || words_find(s->c->words, word) != NO_ID);
  }
  bitset_free(&raced);
}

// --- what threads touch now ---

// When does an edge of the location touch the resource? A thread that enters a section touches all that the section may
// touch.
static AigLiteral touches_when(Scheduler *s, LocationId location, uint32_t resource, bool written) {
  const Program *p = s->c->transitions->program;
  AigLiteral when = AIG_FALSE;
  for (uint32_t i = 0; i < p->locations.data[location].out_count; i++) {
    EdgeId e = out_edge(s, location, i);
    const Transition *transition = &s->c->transitions->edges.data[e];
    if (!may_touch_counts(&s->touch, e)) continue;
    if (p->locations.data[p->edges.data[e].to].atomic) return AIG_TRUE;
    TouchSet set = written ? transition->writes : transition->reads;
    for (uint32_t k = 0; k < set.count; k++) {
      const Touch *touch = &s->c->transitions->touches.data[set.first + k];
      if (may_touch_resource(&s->touch, touch->cell) == resource)
        when = aig_or(graph(s), when, circuit_condition(s->c, touch->when));
    }
  }
  return when;
}

static void find_now(Scheduler *s, ThreadId thread, uint32_t resource, bool written) {
  const CircuitThread *t = &s->c->threads.data[thread];
  U32Vector_clear(&s->operands);
  for (uint32_t place = 0; place < t->locations.count; place++) {
    LocationId location = t->locations.data[place];
    if (location == NO_ID || !in_row(s, location, written ? NEXT_WRITES : NEXT_READS, resource)) continue;
    AigLiteral when = touches_when(s, location, resource, written);
    U32Vector_push(&s->operands, aig_and(graph(s), t->at.data[place], when));
  }
  s->now.data[at(s, thread, resource, written)] = aig_or_all(graph(s), s->operands.data, s->operands.count);
}

// --- what threads may touch now or later ---

static void find_later(Scheduler *s, ThreadId thread, uint32_t resource, bool written) {
  const CircuitThread *t = &s->c->threads.data[thread];
  U32Vector_clear(&s->operands);
  for (uint32_t place = 0; place < t->locations.count; place++)
    if (in_row(s, location_of(s, thread, place), written ? LATER_WRITES : LATER_READS, resource))
      U32Vector_push(&s->operands, t->at.data[place]);
  s->later.data[at(s, thread, resource, written)] = aig_or_all(graph(s), s->operands.data, s->operands.count);
}

// A thread that is not started reads its start now; a thread that may create it may write that.
static void find_starts(Scheduler *s, ThreadId thread) {
  const Program *p = s->c->transitions->program;
  const CircuitThread *t = &s->c->threads.data[thread];
  if (thread > 0) s->now.data[at(s, thread, start_of(s, thread), false)] = t->at.data[0];
  for (ThreadId child = 1; child < thread_count(s); child++) {
    size_t now = at(s, thread, start_of(s, child), true);
    s->now.data[now] = s->later.data[now] = AIG_FALSE;
    for (uint32_t place = 0; place < t->locations.count; place++) {
      LocationId location = location_of(s, thread, place);
      if (s->touch.creates[location] & thread_bit(child))
        s->later.data[now] = aig_or(graph(s), s->later.data[now], t->at.data[place]);
      for (uint32_t i = 0; i < p->locations.data[location].out_count && is_started(s, thread, place); i++)
        if (transitions_births(s->c->transitions, out_edge(s, location, i)) & thread_bit(child))
          s->now.data[now] = aig_or(graph(s), s->now.data[now], t->at.data[place]);
    }
  }
}

static void find_touches(Scheduler *s, ThreadId thread) {
  for (uint32_t r = 0; r < s->touch.resource_count; r++)
    for (unsigned written = 0; written < 2 && s->matters.data[r]; written++) {
      find_now(s, thread, r, written);
      find_later(s, thread, r, written);
    }
  find_starts(s, thread);
}

// --- transactions ---

static void find_holds(Scheduler *s, ThreadId thread) {
  const CircuitThread *t = &s->c->threads.data[thread];
  for (size_t lock = 0; lock < s->patterns.locks.cells.count; lock++) {
    U32Vector_clear(&s->operands);
    for (uint32_t place = 0; place < t->locations.count; place++)
      if (is_started(s, thread, place) && s->patterns.locks.held[t->locations.data[place]] >> lock & 1)
        U32Vector_push(&s->operands, t->at.data[place]);
    U32Vector_push(&s->holds, aig_or_all(graph(s), s->operands.data, s->operands.count));
  }
}

// Some pattern contains no lock that the holder holds.
static AigLiteral is_open(Scheduler *s, ThreadId holder, const PatternSet *set) {
  size_t locks = s->patterns.locks.cells.count;
  AigLiteral open = AIG_FALSE;
  for (uint32_t i = 0; i < set->count; i++) {
    AigLiteral free = AIG_TRUE;
    for (LockMask rest = set->masks[i]; rest != 0; rest &= rest - 1)
      free = aig_and(graph(s), free, aig_not(s->holds.data[holder * locks + (size_t)__builtin_ctzll(rest)]));
    open = aig_or(graph(s), open, free);
  }
  return open;
}

// The thread may touch the resource, now or later, without taking a lock that the holder holds.
static AigLiteral later_past(Scheduler *s, ThreadId holder, ThreadId thread, uint32_t resource, bool written) {
  AigLiteral later = s->later.data[at(s, thread, resource, written)];
  if (later == AIG_FALSE || resource >= s->touch.resource_count || !s->patterns.sets) return later;
  const CircuitThread *t = &s->c->threads.data[thread];
  U32Vector_clear(&s->operands);
  for (uint32_t place = 0; place < t->locations.count; place++) {
    LocationId location = location_of(s, thread, place);
    if (!in_row(s, location, written ? LATER_WRITES : LATER_READS, resource)) continue;
    AigLiteral open = is_open(s, holder, patterns_of(&s->patterns, location, resource, written));
    U32Vector_push(&s->operands, aig_and(graph(s), t->at.data[place], open));
  }
  return aig_or_all(graph(s), s->operands.data, s->operands.count);
}

// --- conflicts ---

// Which conflicts of thread i count: if it is not enabled, only those over what it reads; if it must be enabled, with
// `transactions`, those past the locks that it holds; else all.
typedef enum Strictness { AS_BLOCKED, AS_ANY, AS_TRANSACTION } Strictness;

static AigLiteral conflict_over(Scheduler *s, ThreadId i, ThreadId j, uint32_t resource, Strictness strictness) {
  AigLiteral reads = s->now.data[at(s, i, resource, false)], writes = s->now.data[at(s, i, resource, true)];
  if (strictness == AS_BLOCKED) writes = AIG_FALSE;
  if (reads == AIG_FALSE && writes == AIG_FALSE) return AIG_FALSE;
  AigLiteral read = s->later.data[at(s, j, resource, false)], written = s->later.data[at(s, j, resource, true)];
  if (strictness == AS_TRANSACTION) {
    written = later_past(s, i, j, resource, true);
    if (writes != AIG_FALSE) read = later_past(s, i, j, resource, false);
  }
  AigLiteral any = aig_or(graph(s), read, written);
  return aig_or(graph(s), aig_and(graph(s), reads, written), aig_and(graph(s), writes, any));
}

static AigLiteral conflict_of(Scheduler *s, ThreadId i, ThreadId j, Strictness strictness) {
  AigLiteral conflict = AIG_FALSE;
  for (uint32_t r = 0; r < s->resources; r++)
    conflict = aig_or(graph(s), conflict, conflict_over(s, i, j, r, strictness));
  return conflict;
}

// --- what formulas see ---

// May an assume step disable a thread for ever here? A thread that gets to a step that waits is not disabled for ever.
static bool may_disable_for_ever(const Scheduler *s, LocationId location) {
  const Program *p = s->c->transitions->program;
  Term any = term_false(p->terms);
  for (uint32_t i = 0; i < p->locations.data[location].out_count; i++) {
    const Transition *transition = &s->c->transitions->edges.data[out_edge(s, location, i)];
    any = term_or(p->terms, any, transition->open);
  }
  return !p->locations.data[location].final && !term_is_true(p->terms, any);
}

static void note_observed(void *context, Term variable) {
  Scheduler *s = context;
  const Program *p = s->c->transitions->program;
  CellId cell = program_cell_of_term(p, variable);
  if (cell != NO_ID) map_put(&s->observed, cell, 1);
  for (ObjectId o = 0; o < p->objects.count && cell == NO_ID; o++)
    if (s->c->transitions->alive[o] == variable) map_put(&s->observed, p->cells.count + o, 1);
}

static void note_all_observed(Scheduler *s, Term condition) {
  if (condition != TERM_NONE) term_each_variable(s->c->transitions->program->terms, condition, note_observed, s);
}

// A formula sees its atoms. Whether a thread is disabled for ever decides which executions there are, so that counts,
// too.
static void find_observed(Scheduler *s) {
  const Program *p = s->c->transitions->program;
  for (size_t i = 0; i < p->observations.count; i++) note_all_observed(s, p->observations.data[i]);
  note_all_observed(s, p->unforeseen);
  for (LocationId l = 0; l < p->locations.count && s->c->words->infinite; l++) {
    if (!may_disable_for_ever(s, l)) continue;
    for (uint32_t i = 0; i < p->locations.data[l].out_count; i++) {
      const Transition *transition = &s->c->transitions->edges.data[out_edge(s, l, i)];
      note_all_observed(s, transition->open);
    }
  }
}

// Can a formula see the edge?
static bool is_seen(const Scheduler *s, const CircuitEdge *edge) {
  const Program *p = s->c->transitions->program;
  const Edge *e = &p->edges.data[edge->edge];
  const Transition *transition = &s->c->transitions->edges.data[edge->edge];
  EdgeId start;
  bool seen = edge->ends_process || p->locations.data[e->from].observed != p->locations.data[e->to].observed;
  for (uint32_t i = 0; i < transition->writes.count && !seen; i++)
    seen = map_contains(&s->observed, s->c->transitions->touches.data[transition->writes.first + i].cell);
  ThreadMask births = transitions_births(s->c->transitions, edge->edge);
  for (; births != 0 && !seen; births &= births - 1) {
    LocationId beginning = thread_beginning(p, first_thread(births), &start);
    seen = p->locations.data[beginning].observed != 0 || may_disable_for_ever(s, beginning);
  }
  return seen || may_disable_for_ever(s, e->to);
}

// The thread can take a sticky edge: one that goes back, that enters a section, in which it might stay, or that is
// seen.
static AigLiteral is_sticky(Scheduler *s, ThreadId thread) {
  const Program *p = s->c->transitions->program;
  AigLiteral sticky = AIG_FALSE;
  for (size_t i = 0; i < s->c->edges.count; i++) {
    const CircuitEdge *edge = &s->c->edges.data[i];
    const Edge *e = &p->edges.data[edge->edge];
    bool seen = s->c->words->infinite && is_seen(s, edge);
    if (edge->thread != thread || (!e->back && !p->locations.data[e->to].atomic && !seen)) continue;
    if (p->locations.data[e->from].atomic) continue; // no other thread is allowed to run
    AigLiteral may = edge->depends_on_fresh ? AIG_TRUE : edge->guard;
    sticky = aig_or(graph(s), sticky, aig_and(graph(s), circuit_at(s->c, e->from), may));
  }
  return sticky;
}

// While thread i stands still, so does thread j.
static AigLiteral is_held_by(Scheduler *s, ThreadId i, ThreadId j) {
  AigLiteral held = AIG_TRUE;
  for (ThreadId t = j; s->c->begins.previous[t] != NO_ID; t = s->c->begins.previous[t]) {
    held = aig_and(graph(s), held, s->c->threads.data[t].held);
    if (s->c->begins.previous[t] == i) return held;
  }
  return AIG_FALSE;
}

// A thread that is held waits for the one before it, and for nothing else. What it holds itself does nothing.
static AigLiteral with_begin_order(Scheduler *s, ThreadId i, ThreadId j, AigLiteral conflict) {
  AigLiteral held = s->c->threads.data[i].held, waits = s->c->begins.previous[i] == j ? AIG_TRUE : AIG_FALSE;
  conflict = aig_and(graph(s), conflict, aig_not(is_held_by(s, i, j)));
  return aig_ite(graph(s), held, waits, conflict);
}

static void find_conflicts(Scheduler *s) {
  for (ThreadId i = 0; i < thread_count(s); i++) {
    const CircuitThread *thread = &s->c->threads.data[i];
    AigLiteral sticky = is_sticky(s, i);
    for (ThreadId j = 0; j < thread_count(s); j++) {
      AigLiteral blocked = conflict_of(s, i, j, AS_BLOCKED), any = conflict_of(s, i, j, AS_ANY);
      AigLiteral conflict = aig_ite(graph(s), thread->may_be_enabled, any, blocked);
      if (s->transactions)
        conflict = aig_ite(graph(s), thread->must_be_enabled, conflict_of(s, i, j, AS_TRANSACTION), conflict);
      conflict = with_begin_order(s, i, j, aig_or(graph(s), sticky, conflict));
      U32Vector_push(&s->conflict, i == j ? AIG_TRUE : conflict);
    }
  }
}

// --- the smallest closure ---

static AigLiteral *pair(Scheduler *s, uint32_t i, uint32_t j) {
  assert(i < thread_count(s) && j < thread_count(s));
  return &s->conflict.data[i * thread_count(s) + j];
}

static void close_conflicts(Scheduler *s) {
  for (uint32_t k = 0; k < thread_count(s); k++)
    for (uint32_t i = 0; i < thread_count(s); i++)
      for (uint32_t j = 0; j < thread_count(s); j++)
        *pair(s, i, j) = aig_or(graph(s), *pair(s, i, j), aig_and(graph(s), *pair(s, i, k), *pair(s, k, j)));
}

enum { COUNT_BITS = 7 }; // at most 64 threads

// In binary, how many members of the closure of i may be enabled.

static void count_members(Scheduler *s, uint32_t i, AigLiteral *count) {
  for (unsigned k = 0; k < COUNT_BITS; k++) count[k] = AIG_FALSE;
  for (uint32_t j = 0; j < thread_count(s); j++) {
    AigLiteral carry = aig_and(graph(s), *pair(s, i, j), s->c->threads.data[j].may_be_enabled);
    for (unsigned k = 0; k < COUNT_BITS && carry != AIG_FALSE; k++) {
      AigLiteral sum = aig_xor(graph(s), count[k], carry);
      carry = aig_and(graph(s), count[k], carry);
      count[k] = sum;
    }
  }
}

// Compares two numbers, lowest bit first.
static AigLiteral is_less(Scheduler *s, const AigLiteral *a, const AigLiteral *b) {
  AigLiteral less = AIG_FALSE;
  for (unsigned k = 0; k < COUNT_BITS; k++) less = aig_ite(graph(s), aig_xor(graph(s), a[k], b[k]), b[k], less);
  return less;
}

static AigLiteral has_enabled(Scheduler *s, uint32_t i) {
  AigLiteral any = AIG_FALSE;
  for (uint32_t j = 0; j < thread_count(s); j++)
    any = aig_or(graph(s), any, aig_and(graph(s), *pair(s, i, j), s->c->threads.data[j].enabled));
  return any;
}

// Of the closures that have an enabled thread, the first with the fewest members becomes the stubborn set.
static void choose_smallest(Scheduler *s) {
  assert(thread_count(s) <= MOST_MASKED_THREADS);
  AigLiteral best[COUNT_BITS], count[COUNT_BITS], have = AIG_FALSE;
  for (unsigned k = 0; k < COUNT_BITS; k++) best[k] = AIG_TRUE;
  for (uint32_t i = 0; i < thread_count(s); i++) {
    count_members(s, i, count);
    AigLiteral better = aig_or(graph(s), aig_not(have), is_less(s, count, best));
    AigLiteral take = aig_and(graph(s), has_enabled(s, i), better);
    have = aig_or(graph(s), have, take);
    for (unsigned k = 0; k < COUNT_BITS; k++) best[k] = aig_ite(graph(s), take, count[k], best[k]);
    for (uint32_t j = 0; j < thread_count(s); j++) {
      CircuitThread *member = &s->c->threads.data[j];
      member->stubborn = aig_ite(graph(s), take, *pair(s, i, j), member->stubborn);
    }
  }
}

// --- all ---

static const char *reduce(Scheduler *s, Budget *budget) {
  find_relevant(s);
  find_observed(s);
  U32Vector_resize(&s->now, (size_t)thread_count(s) * s->resources * 2);
  U32Vector_resize(&s->later, (size_t)thread_count(s) * s->resources * 2);
  for (ThreadId t = 0; t < thread_count(s); t++) {
    if (budget_exhausted(budget, "circuit-scheduler")) return stop_reason_text(budget->reason);
    find_touches(s, t);
    find_holds(s, t);
  }
  find_conflicts(s);
  assert(s->conflict.count == (size_t)thread_count(s) * thread_count(s));
  close_conflicts(s);
  for (ThreadId t = 0; t < thread_count(s); t++) s->c->threads.data[t].stubborn = AIG_FALSE;
  choose_smallest(s);
  return NULL;
}

enum { MOST_ROW_BYTES = 1 << 28 };

static void leave_out_held(Circuit *c) {
  for (size_t t = 0; t < c->threads.count; t++) {
    CircuitThread *thread = &c->threads.data[t];
    thread->stubborn = aig_and(&c->aig, thread->stubborn, aig_not(thread->held));
  }
}

const char *scheduler_build(Circuit *c, Scheduling scheduling, Budget *budget) {
  for (size_t t = 0; t < c->threads.count; t++) c->threads.data[t].stubborn = AIG_TRUE;
  if (scheduling == SCHEDULE_INTERLEAVED || c->threads.count == 1) {
    leave_out_held(c);
    return NULL;
  }
  Scheduler s = {.c = c, .transactions = scheduling == SCHEDULE_TRANSACTIONS};
  TouchSource source = transitions_touches(c->transitions);
  may_touch_init(&s.touch, &source, (TouchRowRange){NEXT_READS, LATER_WRITES, MOST_ROW_BYTES}, c->account);
  patterns_init(&s.patterns, &s.touch, c->account);
  s.resources = (uint32_t)(s.touch.resource_count + c->threads.count);
  ByteVector_init(&s.matters, c->account);
  map_init(&s.observed, c->account);
  U32Vector *const vectors[] = {&s.now, &s.later, &s.holds, &s.conflict, &s.operands};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], c->account);
  const char *flaw = s.touch.rows ? reduce(&s, budget) : NULL; // too large: every enabled thread runs
  leave_out_held(c);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  map_free(&s.observed);
  ByteVector_free(&s.matters);
  patterns_free(&s.patterns);
  may_touch_free(&s.touch);
  return flaw;
}
