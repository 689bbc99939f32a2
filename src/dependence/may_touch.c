#include "dependence/may_touch.h"

#include "program/passes/rewrite.h"

// --- resources ---

typedef struct Sharing {
  ThreadMask thread;              // of the edge at hand
  ThreadMask *touchers, *writers; // per thing
  size_t thing_count;
} Sharing;

static void note_sharing(void *to, uint32_t thing, bool reads, bool writes) {
  Sharing *sharing = to;
  (void)reads;
  assert(thing < sharing->thing_count);
  sharing->touchers[thing] |= sharing->thread;
  if (writes) sharing->writers[thing] |= sharing->thread;
}

// Numbers the things over which two threads can conflict.
static void find_resources(MayTouch *touch) {
  const TouchSource *source = &touch->source;
  const Program *p = source->program;
  size_t bytes = source->thing_count * sizeof(ThreadMask);
  Sharing sharing = {.touchers = memory_allocate_zeroed(touch->account, bytes),
                     .writers = memory_allocate_zeroed(touch->account, bytes),
                     .thing_count = source->thing_count};
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (!may_touch_counts(touch, e)) continue;
    sharing.thread = thread_bit(p->locations.data[p->edges.data[e].from].thread);
    source->each_touch(source->context, e, note_sharing, &sharing);
  }
  touch->numbers = memory_allocate(touch->account, source->thing_count * sizeof(uint32_t));
  for (uint32_t thing = 0; thing < source->thing_count; thing++) {
    bool shared = sharing.writers[thing] && sharing.touchers[thing] & (sharing.touchers[thing] - 1);
    touch->numbers[thing] = shared ? (uint32_t)touch->resources.count : NO_ID;
    if (shared) U32Vector_push(&touch->resources, thing);
  }
  touch->resource_count = touch->resources.count;
  memory_free(touch->account, sharing.writers, bytes);
  memory_free(touch->account, sharing.touchers, bytes);
}

// --- rows ---

typedef struct RowPair {
  const MayTouch *touch;
  uint64_t *reads, *writes;
} RowPair;

static void note_in_rows(void *to, uint32_t thing, bool reads, bool writes) {
  RowPair *pair = to;
  uint32_t resource = may_touch_resource(pair->touch, thing);
  if (resource == NO_ID) return;
  assert(resource < pair->touch->resource_count);
  uint64_t bit = UINT64_C(1) << resource % 64;
  if (reads && pair->reads) pair->reads[resource / 64] |= bit;
  if (writes && pair->writes) pair->writes[resource / 64] |= bit;
}

void may_touch_add_edge(const MayTouch *touch, EdgeId edge, uint64_t *reads, uint64_t *writes) {
  RowPair pair = {.touch = touch, .reads = reads, .writes = writes};
  touch->source.each_touch(touch->source.context, edge, note_in_rows, &pair);
}

bool touch_row_join(uint64_t *into, const uint64_t *from, size_t words) {
  uint64_t grown = 0;
  for (size_t i = 0; i < words; i++) {
    grown |= from[i] & ~into[i];
    into[i] |= from[i];
  }
  return grown != 0;
}

static bool has_row(const MayTouch *touch, TouchRow which) { return which >= touch->first && which <= touch->last; }

// The resource that the edge takes as a lock, or NO_ID.
static uint32_t lock_of(const MayTouch *touch, EdgeId edge) {
  assert(touch->source.locks != NULL);
  uint32_t thing = touch->source.locks(touch->source.context, edge);
  return thing == NO_ID ? NO_ID : may_touch_resource(touch, thing);
}

// Puts what the edge itself touches into the rows of its source.
static void start_edge(const MayTouch *touch, EdgeId e) {
  LocationId from = touch->source.program->edges.data[e].from;
  if (has_row(touch, NEXT_READS))
    may_touch_add_edge(touch, e, may_touch_row(touch, from, NEXT_READS), may_touch_row(touch, from, NEXT_WRITES));
  if (has_row(touch, LATER_READS))
    may_touch_add_edge(touch, e, may_touch_row(touch, from, LATER_READS), may_touch_row(touch, from, LATER_WRITES));
  if (has_row(touch, LATER_RELEASES) && lock_of(touch, e) == NO_ID)
    may_touch_add_edge(touch, e, NULL, may_touch_row(touch, from, LATER_RELEASES));
}

static bool spread_releases(const MayTouch *touch, EdgeId e) {
  const Edge *edge = &touch->source.program->edges.data[e];
  uint64_t *into = may_touch_row(touch, edge->from, LATER_RELEASES);
  const uint64_t *from = may_touch_row(touch, edge->to, LATER_RELEASES);
  uint32_t locked = lock_of(touch, e);
  uint64_t grown = 0;
  for (size_t i = 0; i < touch->words; i++) {
    uint64_t more = from[i] & ~into[i];
    if (locked != NO_ID && locked / 64 == i) more &= ~(UINT64_C(1) << locked % 64);
    grown |= more;
    into[i] |= more;
  }
  return grown != 0;
}

// Adds what follows an edge to its source: all of it as later, the rest of a section as next.
static bool spread_edge(const MayTouch *touch, EdgeId e) {
  const Program *p = touch->source.program;
  const Edge *edge = &p->edges.data[e];
  bool grown = false;
  TouchRow first = p->locations.data[edge->to].atomic ? NEXT_READS : LATER_READS;
  for (TouchRow which = first; which <= LATER_WRITES; which++)
    if (has_row(touch, which))
      grown |=
          touch_row_join(may_touch_row(touch, edge->from, which), may_touch_row(touch, edge->to, which), touch->words);
  if (has_row(touch, LATER_RELEASES)) grown |= spread_releases(touch, e);
  if (!touch->creates) return grown;
  ThreadMask creates = touch->creates[edge->to] | touch->source.creates(touch->source.context, e);
  grown |= (creates & ~touch->creates[edge->from]) != 0;
  touch->creates[edge->from] |= creates;
  return grown;
}

// The least fixed point, backward along the edges.
static void fill_rows(MayTouch *touch) {
  const Program *p = touch->source.program;
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (may_touch_counts(touch, e)) start_edge(touch, e);
  U32Vector order;
  U32Vector_init(&order, touch->account);
  program_reverse_postorder(p, &order, NULL);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.count; i-- > 0;) {
      uint32_t count;
      const EdgeId *edges = location_edges(p, order.data[i], &count);
      for (uint32_t k = 0; k < count; k++)
        if (may_touch_counts(touch, edges[k])) changed |= spread_edge(touch, edges[k]);
    }
  }
  U32Vector_free(&order);
}

// --- all ---

static size_t row_bytes(const MayTouch *touch) {
  return touch->source.program->locations.count * may_touch_row_count(touch) * touch->words * sizeof(uint64_t);
}

void may_touch_init(MayTouch *touch, const TouchSource *source, TouchRowRange range, Account *account) {
  assert(source->program->threads.count <= MOST_MASKED_THREADS && source->each_touch);
  assert(range.first <= range.last && range.last < TOUCH_ROWS);
  assert(range.first % 2 == 0 && range.first < LATER_RELEASES && range.last != NEXT_READS && range.last != LATER_READS);
  *touch = (MayTouch){.source = *source, .first = range.first, .last = range.last, .account = account};
  U32Vector_init(&touch->resources, account);
  touch->resource_count = source->thing_count;
  if (!source->all_shared) find_resources(touch);
  touch->words = bitset_words(touch->resource_count);
  size_t locations = source->program->locations.count;
  if (source->creates) touch->creates = memory_allocate_zeroed(account, locations * sizeof(ThreadMask));
  if (row_bytes(touch) > range.most_bytes) return;
  touch->rows = memory_allocate_zeroed(account, row_bytes(touch) + sizeof(uint64_t)); // never of size 0
  fill_rows(touch);
}

void may_touch_free(MayTouch *touch) {
  size_t locations = touch->source.program->locations.count;
  if (touch->rows) memory_free(touch->account, touch->rows, row_bytes(touch) + sizeof(uint64_t));
  if (touch->creates) memory_free(touch->account, touch->creates, locations * sizeof(ThreadMask));
  if (touch->numbers) memory_free(touch->account, touch->numbers, touch->source.thing_count * sizeof(uint32_t));
  U32Vector_free(&touch->resources);
}
