#include "dependence/lock_patterns.h"

#include "program/passes/rewrite.h"

static PatternSet *set_of(Patterns *patterns, LocationId location, uint32_t resource, bool written) {
  assert(patterns->sets && resource < patterns->touch->resource_count);
  size_t at = ((size_t)location * patterns->touch->resource_count + resource) * 2 + written;
  assert(at < patterns->set_count);
  return &patterns->sets[at];
}

// Adds a path that takes these locks. Returns whether the set changed.
static bool add_pattern(PatternSet *set, LockMask locks) {
  assert(set->count <= MOST_PATTERNS);
  for (uint32_t i = 0; i < set->count; i++)
    if ((set->masks[i] & ~locks) == 0) return false;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < set->count; i++)
    if ((locks & ~set->masks[i]) != 0) set->masks[kept++] = set->masks[i];
  set->count = kept;
  if (set->count == MOST_PATTERNS) {
    for (uint32_t i = 0; i < set->count; i++) locks &= set->masks[i];
    set->count = 0;
  }
  set->masks[set->count++] = locks;
  return true;
}

// The locks that the edge takes. If an access of the edge may stray, it may do so before the lock is taken.
static LockMask locks_of(const Patterns *patterns, EdgeId e) {
  return may_touch_strays(patterns->touch, e) ? 0 : patterns->locks.taken[e];
}

typedef struct EdgeTouches {
  Patterns *patterns;
  LocationId from;
  LockMask locks;
  bool grown;
} EdgeTouches;

static void add_touch(void *to, uint32_t thing, bool reads, bool writes) {
  EdgeTouches *edge = to;
  uint32_t resource = may_touch_resource(edge->patterns->touch, thing);
  if (resource == NO_ID) return;
  if (reads) edge->grown |= add_pattern(set_of(edge->patterns, edge->from, resource, false), edge->locks);
  if (writes) edge->grown |= add_pattern(set_of(edge->patterns, edge->from, resource, true), edge->locks);
}

static bool spread_edge(Patterns *patterns, EdgeId e) {
  const TouchSource *source = &patterns->touch->source;
  const Edge *edge = &source->program->edges.data[e];
  EdgeTouches own = {.patterns = patterns, .from = edge->from, .locks = locks_of(patterns, e)};
  source->each_touch(source->context, e, add_touch, &own);
  bool grown = own.grown;
  for (uint32_t r = 0; r < patterns->touch->resource_count; r++)
    for (unsigned written = 0; written < 2; written++) {
      PatternSet after = *set_of(patterns, edge->to, r, written);
      for (uint32_t i = 0; i < after.count; i++)
        grown |= add_pattern(set_of(patterns, edge->from, r, written), after.masks[i] | own.locks);
    }
  return grown;
}

static void spread(Patterns *patterns) {
  const Program *p = patterns->touch->source.program;
  U32Vector order;
  U32Vector_init(&order, patterns->account);
  program_reverse_postorder(p, &order, NULL);
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = order.count; i-- > 0;) {
      uint32_t count;
      const EdgeId *edges = location_edges(p, order.data[i], &count);
      for (uint32_t k = 0; k < count; k++)
        if (may_touch_counts(patterns->touch, edges[k])) grown |= spread_edge(patterns, edges[k]);
    }
  }
  U32Vector_free(&order);
}

void patterns_init(Patterns *patterns, const MayTouch *touch, Account *account) {
  enum { MOST_BYTES = 1 << 27 };
  const Program *p = touch->source.program;
  *patterns = (Patterns){.touch = touch, .account = account};
  held_locks_init(&patterns->locks, p, account);
  patterns->set_count = p->locations.count * touch->resource_count * 2;
  bool some = patterns->locks.cells.count > 0 && patterns->set_count > 0;
  if (!some || patterns->set_count * sizeof(PatternSet) > MOST_BYTES) return;
  patterns->sets = memory_allocate_zeroed(account, patterns->set_count * sizeof(PatternSet));
  spread(patterns);
}

void patterns_free(Patterns *patterns) {
  if (patterns->sets) memory_free(patterns->account, patterns->sets, patterns->set_count * sizeof(PatternSet));
  held_locks_free(&patterns->locks);
}
