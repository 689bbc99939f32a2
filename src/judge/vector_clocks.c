#include "judge/vector_clocks.h"

#include "program/settled.h"

#include <assert.h>

void clocks_init(Clocks *clocks, const Program *program, Account *account) {
  size_t threads = program->threads.count, cells = program->cells.count;
  *clocks = (Clocks){.program = program, .thread_count = threads, .cell_count = cells, .account = account};
  clocks->threads = memory_allocate_zeroed(account, threads * threads * sizeof(uint32_t));
  clocks->cells = memory_allocate_zeroed(account, cells * threads * sizeof(uint32_t));
  clocks->section = memory_allocate_zeroed(account, threads * sizeof(uint32_t));
  clocks->times = memory_allocate_zeroed(account, cells * threads * TIME_KINDS * sizeof(AccessTime));
  for (size_t t = 0; t < threads; t++) clocks->threads[t * threads + t] = 1;
}

void clocks_free(Clocks *clocks) {
  size_t threads = clocks->thread_count, cells = clocks->cell_count;
  memory_free(clocks->account, clocks->threads, threads * threads * sizeof(uint32_t));
  memory_free(clocks->account, clocks->cells, cells * threads * sizeof(uint32_t));
  memory_free(clocks->account, clocks->section, threads * sizeof(uint32_t));
  memory_free(clocks->account, clocks->times, cells * threads * TIME_KINDS * sizeof(AccessTime));
}

static void join(uint32_t *into, const uint32_t *other, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (other[i] > into[i]) into[i] = other[i];
  }
}

static uint32_t *thread_clock(Clocks *clocks, ThreadId thread) {
  return clocks->threads + thread * clocks->thread_count;
}

static void acquire(Clocks *clocks, ThreadId thread, const uint32_t *from) {
  join(thread_clock(clocks, thread), from, clocks->thread_count);
}

static void release(Clocks *clocks, ThreadId thread, uint32_t *into) {
  join(into, thread_clock(clocks, thread), clocks->thread_count);
}

static bool is_settled(const Program *p, EdgeId first, EdgeId second, CellId cell) {
  return race_is_settled(p, p->edges.data[first].first_step, p->edges.data[second].first_step,
                         p->cells.data[cell].object);
}

// Is the last access of this kind to the cell by some other thread unordered with the present event of `thread`?
static bool unordered(Clocks *clocks, ThreadId thread, CellId cell, unsigned kind, Race *race) {
  const uint32_t *own = thread_clock(clocks, thread);
  for (ThreadId other = 0; other < clocks->thread_count; other++) {
    const AccessTime *earlier = &clocks->times[(cell * clocks->thread_count + other) * TIME_KINDS + kind];
    if (other == thread || earlier->time <= own[other]) continue;
    if (is_settled(clocks->program, earlier->edge, race->second, cell)) continue;
    race->cell = cell;
    race->first = earlier->edge;
    race->first_thread = other;
    return true;
  }
  return false;
}

static bool races(Clocks *clocks, ThreadId thread, const EventAccess *access, Race *race) {
  CellId cell = access->cell;
  assert(cell < clocks->cell_count);
  bool sync = access->synchronises;
  race->second = access->edge;
  race->second_thread = thread;
  return unordered(clocks, thread, cell, TIME_PLAIN_WRITE, race) ||
         (!sync && unordered(clocks, thread, cell, TIME_SYNC_WRITE, race)) ||
         (access->writes && unordered(clocks, thread, cell, TIME_PLAIN_READ, race)) ||
         (access->writes && !sync && unordered(clocks, thread, cell, TIME_SYNC_READ, race));
}

static void record_access(Clocks *clocks, ThreadId thread, const EventAccess *access) {
  assert(thread_clock(clocks, thread)[thread] > 0);
  AccessTime now = {.time = thread_clock(clocks, thread)[thread], .edge = access->edge};
  AccessTime *times = &clocks->times[(access->cell * clocks->thread_count + thread) * TIME_KINDS];
  if (access->reads) times[access->synchronises ? TIME_SYNC_READ : TIME_PLAIN_READ] = now;
  if (access->writes) times[access->synchronises ? TIME_SYNC_WRITE : TIME_PLAIN_WRITE] = now;
}

static uint32_t *cell_clock(Clocks *clocks, const EventAccess *access) {
  return clocks->cells + access->cell * clocks->thread_count;
}

static bool orders(const EventAccess *access) { return access->synchronises && !access->unordered; }

// Does a section with these accesses use the sections' clock? Not if it is an attempt to lock that failed.
static bool section_orders(const EventAccessVector *event) {
  bool failed_attempt = false;
  for (size_t i = 0; i < event->count; i++) {
    if (orders(&event->data[i])) return true;
    failed_attempt |= event->data[i].unordered;
  }
  return !failed_attempt;
}

bool clocks_event(Clocks *clocks, ThreadId thread, const EventAccessVector *event, bool section, Race *race) {
  assert(thread < clocks->thread_count);
  section = section && section_orders(event);
  if (section) acquire(clocks, thread, clocks->section);
  for (size_t i = 0; i < event->count; i++) {
    if (orders(&event->data[i])) acquire(clocks, thread, cell_clock(clocks, &event->data[i]));
  }
  bool found = false;
  for (size_t i = 0; i < event->count && !found; i++) found = races(clocks, thread, &event->data[i], race);
  for (size_t i = 0; i < event->count; i++) record_access(clocks, thread, &event->data[i]);
  if (section) release(clocks, thread, clocks->section);
  for (size_t i = 0; i < event->count; i++) {
    if (orders(&event->data[i])) release(clocks, thread, cell_clock(clocks, &event->data[i]));
  }
  thread_clock(clocks, thread)[thread]++; // later accesses of the thread are not ordered by these releases
  return found;
}
