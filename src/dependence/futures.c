#include "dependence/futures.h"

#include "base/bitset.h"

void futures_init(Futures *futures, const MayTouch *touch, const HeldLocks *locks, Account *account) {
  assert(touch->source.program == locks->program && touch->creates);
  *futures = (Futures){.touch = touch, .locks = locks, .account = account};
  map_init(&futures->known, account);
  U64Vector_init(&futures->rows, account);
}

void futures_free(Futures *futures) {
  U64Vector_free(&futures->rows);
  map_free(&futures->known);
}

static const Program *program_of(const Futures *futures) { return futures->touch->source.program; }

static LocationId beginning_of(const Futures *futures, ThreadId thread) {
  EdgeId start;
  return thread_beginning(program_of(futures), thread, &start);
}

// The threads that may be started after `from`, directly or by threads that are started then.
static ThreadMask children_of(const Futures *futures, LocationId from, ThreadMask started) {
  const ThreadMask *creates = futures->touch->creates;
  ThreadMask children = creates[from] & ~started;
  for (ThreadMask open = children; open != 0;) {
    ThreadMask more = creates[beginning_of(futures, first_thread(open))] & ~started & ~children;
    children |= more;
    open = (open & (open - 1)) | more;
  }
  assert((children & started) == 0);
  return children;
}

// --- without locks in the way ---

static void add_all_after(const Futures *futures, LocationId from, uint64_t *reads, uint64_t *writes) {
  const MayTouch *touch = futures->touch;
  touch_row_join(reads, may_touch_row(touch, from, LATER_READS), touch->words);
  touch_row_join(writes, may_touch_row(touch, from, LATER_WRITES), touch->words);
}

// Adds all accesses that may follow `from`, and all accesses of the threads in `children`.
static void follow_freely(const Futures *futures, LocationId from, ThreadMask children, uint64_t *reads,
                          uint64_t *writes) {
  add_all_after(futures, from, reads, writes);
  for (; children != 0; children &= children - 1)
    add_all_after(futures, beginning_of(futures, first_thread(children)), reads, writes);
}

// --- up to the locks ---

// A walk over all paths that take no closed lock.
typedef struct Walk {
  const Futures *futures;
  LockMask closed;
  ThreadMask started;
  Bitset seen;
  U32Vector open;
  uint64_t *reads, *writes;
} Walk;

static void go_to(Walk *walk, LocationId location) {
  if (bitset_add(&walk->seen, location)) U32Vector_push(&walk->open, location);
}

static void pass_edges(Walk *walk, LocationId at) {
  const MayTouch *touch = walk->futures->touch;
  const Program *p = touch->source.program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, at, &count);
  for (uint32_t i = 0; i < count; i++) {
    EdgeId e = edges[i];
    if (!may_touch_counts(touch, e)) continue;
    // An access that strays may come before the lock is taken, so such an edge still counts.
    if (walk->futures->locks->taken[e] & walk->closed && !may_touch_strays(touch, e)) continue;
    may_touch_add_edge(touch, e, walk->reads, walk->writes);
    go_to(walk, p->edges.data[e].to);
    ThreadMask births = touch->source.creates(touch->source.context, e) & ~walk->started;
    walk->started |= births;
    for (; births != 0; births &= births - 1) go_to(walk, beginning_of(walk->futures, first_thread(births)));
  }
}

// Adds the accesses that may follow `from`, and those of `children`, on paths that take no lock of `closed`.
static void follow_up_to(const Futures *futures, LocationId from, ThreadMask children, LockMask closed, uint64_t *reads,
                         uint64_t *writes) {
  Walk walk = {.futures = futures, .closed = closed, .started = ~children, .reads = reads, .writes = writes};
  bitset_init(&walk.seen, program_of(futures)->locations.count, futures->account);
  U32Vector_init(&walk.open, futures->account);
  go_to(&walk, from);
  while (walk.open.count > 0) pass_edges(&walk, U32Vector_pop(&walk.open));
  U32Vector_free(&walk.open);
  bitset_free(&walk.seen);
}

// --- all ---

// The locks that may be taken after `from`, by the thread there or by `children`.
static LockMask takeable_after(const Futures *futures, LocationId from, ThreadMask children) {
  LockMask takeable = futures->locks->takeable[from];
  for (; children != 0; children &= children - 1)
    takeable |= futures->locks->takeable[program_of(futures)->threads.data[first_thread(children)].entry];
  return takeable;
}

static Future future_at(const Futures *futures, uint64_t index) {
  assert(index + 2 * futures->touch->words <= futures->rows.count);
  const uint64_t *rows = futures->rows.data + index;
  return (Future){.reads = rows, .writes = rows + futures->touch->words};
}

Future futures_of(Futures *futures, LocationId from, ThreadMask started, LockMask closed) {
  assert(futures->touch->rows && from < program_of(futures)->locations.count);
  ThreadMask children = children_of(futures, from, started);
  closed &= takeable_after(futures, from, children);
  const uint64_t parts[3] = {from, children, closed};
  uint64_t key = hash_bytes(parts, sizeof parts), known;
  if (map_get(&futures->known, key, &known)) return future_at(futures, known);
  known = futures->rows.count;
  map_put(&futures->known, key, known);
  size_t words = futures->touch->words;
  for (size_t i = 0; i < 2 * words; i++) U64Vector_push(&futures->rows, 0);
  uint64_t *rows = futures->rows.data + known;
  if (closed)
    follow_up_to(futures, from, children, closed, rows, rows + words);
  else
    follow_freely(futures, from, children, rows, rows + words);
  return future_at(futures, known);
}
