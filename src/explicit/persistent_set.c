#include "explicit/persistent_set.h"

void views_fill(ThreadViews *views, Mover *mover) {
  const Footprint *footprint = mover->footprint;
  const StateLayout *layout = mover->machine.layout;
  *views = (ThreadViews){.count = layout->component_count - 1};
  assert(views->count <= MOST_THREADS);
  for (ThreadId t = 0; t < views->count; t++) {
    LocationId l = vector_location(layout, mover->machine.vector, t);
    uint64_t bit = UINT64_C(1) << t;
    views->locations[t] = l;
    mover->waits = mover->assumes = false;
    Readiness readiness = mover_ready(mover, t);
    if (readiness == READY) views->enabled |= bit;
    if (readiness == READY_ENDS) views->ending |= bit;
    // A section is tried with all its choices: that one of them ends the execution does not help where another waits.
    bool waits =
        mover->waits && (readiness == READY_NOT || (readiness == READY_ENDS && footprint->locations[l].section));
    if (waits) views->waiting |= bit;
    if (readiness == READY_NOT && mover->assumes) views->assumed |= bit;
    if (!(views->enabled & bit) && !footprint->locations[l].memory_guard) views->dead |= bit;
  }
}

// What a thread's next transition touches, with the address evaluated where that helps.
typedef struct NextTouches {
  const Touch *touches;
  uint32_t count;
  Touch narrowed[MOST_NARROWED];
} NextTouches;

static void next_touches(NextTouches *next, LocationId l, Mover *mover) {
  const Footprint *f = mover->footprint;
  const StopInfo *info = &f->locations[l];
  next->touches = f->next.data + info->first_next;
  next->count = info->next_count;
  if (!info->narrow || machine_needs_resolve(&mover->machine, &f->code->locations[l])) return;
  const EdgeCode *edge = &f->code->edges[f->code->locations[l].first_edge];
  CellId first;
  uint32_t count;
  if (!machine_locate(&mover->machine, edge, &first, &count)) return; // ends the process: the static set will do
  const Program *p = mover->machine.program;
  uint32_t found = 0;
  uint32_t heap = f->heap_resource[p->cells.data[first].object];
  if (heap != NO_ID) next->narrowed[found++] = (Touch){.resource = heap, .reads = true};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t resource = f->cell_resource[first + i];
    if (resource == NO_ID) continue;
    bool chooses = edge->reads && !edge->carries && f->code->layout->cells[first + i].flag != NO_ID;
    bool reads = p->steps.data[edge->step].access.reads;
    next->narrowed[found++] = (Touch){.resource = resource, .reads = reads, .writes = edge->writes || chooses};
  }
  next->touches = next->narrowed;
  next->count = found;
}

// May a thread at location `other` later do something that matters to these touches?
static bool conflicts(const Footprint *f, const NextTouches *next, LocationId other) {
  for (uint32_t i = 0; i < next->count; i++) {
    const Touch *touch = &next->touches[i];
    if (footprint_in(f, f->writes, other, touch->resource)) return true;
    if (touch->writes && footprint_in(f, f->reads, other, touch->resource)) return true;
  }
  return false;
}

// May a thread at location `other` later let a blocked thread with these touches go on?
static bool may_enable(const Footprint *f, const NextTouches *next, bool only_locks, LocationId other) {
  const uint64_t *sets = only_locks ? f->releases : f->writes;
  for (uint32_t i = 0; i < next->count; i++) {
    if (next->touches[i].reads && footprint_in(f, sets, other, next->touches[i].resource)) return true;
  }
  return false;
}

// All threads that member `m` pulls in, of those in `others`.
static uint64_t pulled(const ThreadViews *views, Mover *mover, ThreadId m, uint64_t others) {
  const Footprint *f = mover->footprint;
  NextTouches next;
  next_touches(&next, views->locations[m], mover);
  bool enabled = (views->enabled | views->ending) >> m & 1; // what ends the process can still race
  bool only_locks = f->locations[views->locations[m]].only_locks;
  uint64_t result = 0;
  for (uint64_t rest = others; rest != 0; rest &= rest - 1) {
    ThreadId t = (ThreadId)__builtin_ctzll(rest);
    LocationId at = views->locations[t];
    bool matters = enabled ? conflicts(f, &next, at) : may_enable(f, &next, only_locks, at);
    if (matters) result |= UINT64_C(1) << t;
  }
  return result;
}

static uint64_t closure(const ThreadViews *views, Mover *mover, ThreadId seed, uint64_t candidates, int most) {
  uint64_t set = UINT64_C(1) << seed, work = set;
  while (work != 0) {
    ThreadId m = (ThreadId)__builtin_ctzll(work);
    work &= work - 1;
    uint64_t more = pulled(views, mover, m, candidates & ~set);
    set |= more;
    work |= more;
    if (__builtin_popcountll(set & views->enabled) >= most) break; // no better than what is known
  }
  return set & views->enabled;
}

uint64_t persistent_set(const ThreadViews *views, Mover *mover) {
  uint64_t best = views->enabled;
  int best_count = __builtin_popcountll(best);
  uint64_t all = views->count == 64 ? UINT64_MAX : (UINT64_C(1) << views->count) - 1;
  uint64_t candidates = all & ~views->dead;
  if (!mover->footprint->has_sets) return best;
  for (uint64_t rest = views->enabled; rest != 0 && best_count > 1; rest &= rest - 1) {
    ThreadId seed = (ThreadId)__builtin_ctzll(rest);
    uint64_t set = closure(views, mover, seed, candidates, best_count);
    int count = __builtin_popcountll(set);
    if (count >= best_count) continue;
    best = set;
    best_count = count;
  }
  return best;
}

static bool touches_conflict(const NextTouches *a, const NextTouches *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t j = 0; j < b->count; j++) {
      if (a->touches[i].resource == b->touches[j].resource && (a->touches[i].writes || b->touches[j].writes))
        return true;
    }
  }
  return false;
}

uint64_t independent_threads(Mover *mover, ThreadId thread, uint64_t others) {
  if (others == 0) return 0;
  const StateLayout *layout = mover->machine.layout;
  NextTouches own, other;
  next_touches(&own, vector_location(layout, mover->machine.vector, thread), mover);
  uint64_t result = 0;
  for (uint64_t rest = others; rest != 0; rest &= rest - 1) {
    ThreadId t = (ThreadId)__builtin_ctzll(rest);
    next_touches(&other, vector_location(layout, mover->machine.vector, t), mover);
    if (!touches_conflict(&own, &other)) result |= UINT64_C(1) << t;
  }
  return result;
}
