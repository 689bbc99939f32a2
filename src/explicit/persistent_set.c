#include "explicit/persistent_set.h"

#include "dependence/closure.h"
#include "program/settled.h"

void views_fill(ThreadViews *views, Mover *mover) {
  const Footprint *footprint = mover->footprint;
  const StateLayout *layout = mover->machine.layout;
  *views = (ThreadViews){.count = layout->component_count - 1};
  assert(views->count <= MOST_MASKED_THREADS);
  for (ThreadId t = 0; t < views->count; t++) {
    LocationId l = vector_location(layout, mover->machine.vector, t);
    ThreadMask bit = thread_bit(t);
    views->locations[t] = l;
    mover->waits = mover->assumes = false;
    Readiness readiness = mover_ready(mover, t);
    if (readiness == READY) views->enabled |= bit;
    if (readiness == READY_ENDS) views->ending |= bit;
    // A section is tried with all its choices. If the thread waits for some of them, it waits, although it ends the
    // process for others.
    bool waits =
        mover->waits && (readiness == READY_NOT || (readiness == READY_ENDS && footprint->locations[l].section));
    if (waits) views->waiting |= bit;
    if (readiness == READY_NOT && mover->assumes) views->assumed |= bit;
    if (!(views->enabled & bit) && !footprint->locations[l].memory_guard) views->dead |= bit;
  }
}

// What the thread's next transition touches. If its address is evaluated, the touches stand in `narrowed`.
static NextTouches next_touches(LocationId l, Mover *mover, ResourceTouch *narrowed) {
  const Footprint *f = mover->footprint;
  const StopInfo *info = &f->locations[l];
  NextTouches all = {.touches = f->next.data + info->first_next, .count = info->next_count};
  if (!info->narrow || machine_needs_resolve(&mover->machine, &f->code->locations[l])) return all;
  const EdgeCode *edge = &f->code->edges[f->code->locations[l].first_edge];
  CellId first;
  uint32_t count;
  if (!machine_locate(&mover->machine, edge, &first, &count)) return all; // it ends the process
  assert(count < MOST_NARROWED);
  const Program *p = mover->machine.program;
  uint32_t found = 0;
  uint32_t heap = f->heap_resource[p->cells.data[first].object];
  if (heap != NO_ID) narrowed[found++] = (ResourceTouch){.resource = heap, .reads = true};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t resource = f->cell_resource[first + i];
    if (resource == NO_ID) continue;
    bool chooses = edge->reads && !edge->carries && f->code->layout->cells[first + i].flag != NO_ID;
    bool reads = p->steps.data[edge->step].access.reads;
    narrowed[found++] = (ResourceTouch){.resource = resource, .reads = reads, .writes = edge->writes || chooses};
  }
  return (NextTouches){.touches = narrowed, .count = found};
}

// --- persistent sets ---

// The next touches of each thread are found when they are first asked for.
typedef struct Members {
  const ThreadViews *views;
  Mover *mover;
  ThreadMask known;
  NextTouches next[MOST_MASKED_THREADS];
  ResourceTouch narrowed[MOST_MASKED_THREADS][MOST_NARROWED];
} Members;

static NextTouches next_of_member(Members *members, ThreadId t) {
  if (!(members->known & thread_bit(t)))
    members->next[t] = next_touches(members->views->locations[t], members->mover, members->narrowed[t]);
  members->known |= thread_bit(t);
  return members->next[t];
}

// Does the other thread conflict with this member, or may it enable it?
static bool pulls_in(Members *members, ThreadId m, ThreadId other) {
  const ThreadViews *views = members->views;
  const Footprint *f = members->mover->footprint;
  if (m == 0 && views->awaited) return views->awaited & thread_bit(other); // each of them must finish
  if (other == 0 && views->awaited & thread_bit(m)) return false; // main stands still as long as this member does
  NextTouches next = next_of_member(members, m);
  LocationId at = views->locations[other];
  // A thread whose next step ends the process can still race.
  if ((views->enabled | views->ending) & thread_bit(m)) return touches_conflict_later(&f->later, next, at);
  bool only_locks = f->locations[views->locations[m]].only_locks;
  return touches_enabled_later(&f->later, next, only_locks ? LATER_RELEASES : LATER_WRITES, at);
}

static bool joins(void *context, ThreadMask set, ThreadMask members, ThreadId other) {
  (void)set; // what threads do later does not depend on the locks that the set holds
  for (; members != 0; members &= members - 1)
    if (pulls_in(context, first_thread(members), other)) return true;
  return false;
}

ThreadMask persistent_set(const ThreadViews *views, Mover *mover) {
  assert((views->enabled & (views->ending | views->dead)) == 0);
  if (!mover->footprint->later.rows) return views->enabled;
  Members members; // large: `next` and `narrowed` are set when they are needed
  members.views = views;
  members.mover = mover;
  members.known = 0;
  Closure closure = {.candidates = thread_mask_below(views->count) & ~views->dead, .joins = joins, .context = &members};
  return closure_smallest(&closure, NULL, views->enabled, views->enabled);
}

// --- sleep sets ---

ThreadMask independent_threads(Mover *mover, ThreadId thread, ThreadMask others) {
  assert((others & thread_bit(thread)) == 0);
  if (others == 0) return 0;
  const StateLayout *layout = mover->machine.layout;
  ResourceTouch own_narrowed[MOST_NARROWED], other_narrowed[MOST_NARROWED];
  NextTouches own = next_touches(vector_location(layout, mover->machine.vector, thread), mover, own_narrowed);
  ThreadMask result = 0;
  for (ThreadMask rest = others; rest != 0; rest &= rest - 1) {
    ThreadId t = first_thread(rest);
    NextTouches other = next_touches(vector_location(layout, mover->machine.vector, t), mover, other_narrowed);
    if (!touches_conflict_now(own, other)) result |= thread_bit(t);
  }
  return result;
}

bool views_violate(const Program *p, const ThreadViews *views) {
  if (!views_deadlocked(views)) return false;
  LocationId waiting[MOST_MASKED_THREADS];
  assert(p->threads.count <= MOST_MASKED_THREADS);
  for (ThreadId t = 0; t < p->threads.count; t++)
    waiting[t] = views->waiting & thread_bit(t) ? views->locations[t] : NO_ID;
  return !deadlock_is_settled(p, waiting);
}
