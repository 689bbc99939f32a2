#include "transition/activity.h"

#include "program/passes/rewrite.h"

static size_t cell_limit(const Program *p) { return p->cells.count + p->objects.count; }

bool activity_counts(const Transitions *t, EdgeId edge) {
  const Transition *transition = &t->edges.data[edge];
  return transition->missed != TERM_NONE || !term_is_false(t->program->terms, transition->guard);
}

static void note_touchers(const Transitions *t, TouchSet set, ThreadMask thread, ThreadMask *touchers) {
  for (uint32_t i = 0; i < set.count; i++) touchers[t->touches.data[set.first + i].cell] |= thread;
}

// Finds the cells over which two threads can conflict.
static void find_resources(Activity *activity) {
  const Transitions *t = activity->transitions;
  const Program *p = t->program;
  size_t limit = cell_limit(p), bytes = limit * sizeof(ThreadMask);
  ThreadMask *touchers = memory_allocate_zeroed(activity->account, bytes);
  ThreadMask *writers = memory_allocate_zeroed(activity->account, bytes);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (!activity_counts(t, e)) continue;
    ThreadMask thread = thread_bit(p->locations.data[p->edges.data[e].from].thread);
    note_touchers(t, t->edges.data[e].reads, thread, touchers);
    note_touchers(t, t->edges.data[e].writes, thread, touchers);
    note_touchers(t, t->edges.data[e].writes, thread, writers);
  }
  for (uint32_t cell = 0; cell < limit; cell++) {
    bool shared = writers[cell] && touchers[cell] & (touchers[cell] - 1);
    activity->numbers[cell] = shared ? (uint32_t)activity->resources.count : NO_ID;
    if (shared) U32Vector_push(&activity->resources, cell);
  }
  memory_free(activity->account, writers, bytes);
  memory_free(activity->account, touchers, bytes);
}

void activity_note(const Activity *activity, TouchSet set, uint64_t *row) {
  assert(set.first + set.count <= activity->transitions->touches.count);
  for (uint32_t i = 0; i < set.count; i++) {
    uint32_t number = activity->numbers[activity->transitions->touches.data[set.first + i].cell];
    if (number != NO_ID) row[number / 64] |= UINT64_C(1) << number % 64;
  }
}

bool activity_join(uint64_t *into, const uint64_t *from, size_t words) {
  uint64_t grown = 0;
  for (size_t i = 0; i < words; i++) {
    grown |= from[i] & ~into[i];
    into[i] |= from[i];
  }
  return grown != 0;
}

// Adds what follows an edge to its source: all of it as later, the rest of a section as next.
static bool spread_edge(const Activity *activity, EdgeId e) {
  const Program *p = activity->transitions->program;
  const Edge *edge = &p->edges.data[e];
  bool grown = false;
  for (unsigned which = p->locations.data[edge->to].atomic ? NEXT_READS : LATER_READS; which < ROWS; which++)
    grown |= activity_join(activity_row(activity, edge->from, which), activity_row(activity, edge->to, which),
                           activity->words);
  ThreadMask creates = activity->creates[edge->to] | transitions_births(activity->transitions, e);
  grown |= (creates & ~activity->creates[edge->from]) != 0;
  activity->creates[edge->from] |= creates;
  return grown;
}

static void fill_rows(Activity *activity) {
  const Transitions *t = activity->transitions;
  const Program *p = t->program;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (!activity_counts(t, e)) continue;
    for (unsigned which = 0; which < ROWS; which++) {
      bool reads = which == NEXT_READS || which == LATER_READS;
      TouchSet set = reads ? t->edges.data[e].reads : t->edges.data[e].writes;
      activity_note(activity, set, activity_row(activity, p->edges.data[e].from, which));
    }
  }
  U32Vector order;
  U32Vector_init(&order, activity->account);
  program_reverse_postorder(p, &order, NULL);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.count; i-- > 0;) {
      uint32_t count;
      const EdgeId *edges = location_edges(p, order.data[i], &count);
      for (uint32_t k = 0; k < count; k++) {
        EdgeId e = edges[k];
        if (activity_counts(t, e)) changed |= spread_edge(activity, e);
      }
    }
  }
  U32Vector_free(&order);
}

// Activity.goes_on of a location.
static bool goes_on_at(const Transitions *t, LocationId at) {
  const Program *p = t->program;
  const Location *location = &p->locations.data[at];
  Term possible = term_false(p->terms);
  uint32_t count;
  const EdgeId *edges = location_edges(p, at, &count);
  for (uint32_t i = 0; i < count; i++) {
    EdgeId e = edges[i];
    const Transition *transition = &t->edges.data[e];
    if (term_is_false(p->terms, transition->guard)) continue;
    if (p->edges.data[e].back || p->locations.data[p->edges.data[e].to].atomic) return false;
    if (transition->end == ENDS_THE_PROCESS || transition->end == ENDS_IN_CUT) return false;
    possible = term_or(p->terms, possible, transition->guard);
  }
  return !location->atomic && term_is_true(p->terms, possible);
}

void activity_init(Activity *activity, const Transitions *transitions, Account *account) {
  enum { MOST_BYTES = 1 << 28 };
  const Program *p = transitions->program;
  assert(p->threads.count <= MOST_MASKED_THREADS);
  *activity = (Activity){.transitions = transitions, .account = account};
  U32Vector_init(&activity->resources, account);
  activity->numbers = memory_allocate(account, cell_limit(p) * sizeof(uint32_t));
  find_resources(activity);
  activity->words = (activity->resources.count + 63) / 64;
  size_t row = activity->words * sizeof(uint64_t);
  activity->creates = memory_allocate_zeroed(account, p->locations.count * sizeof(ThreadMask));
  activity->goes_on = memory_allocate(account, p->locations.count);
  for (LocationId at = 0; at < p->locations.count; at++) activity->goes_on[at] = goes_on_at(transitions, at);
  if (p->locations.count * ROWS * row > MOST_BYTES) return;
  activity->rows = memory_allocate_zeroed(account, p->locations.count * ROWS * row + sizeof(uint64_t));
  fill_rows(activity);
}

void activity_free(Activity *activity) {
  size_t locations = activity->transitions->program->locations.count, row = activity->words * sizeof(uint64_t);
  if (activity->rows) memory_free(activity->account, activity->rows, locations * ROWS * row + sizeof(uint64_t));
  memory_free(activity->account, activity->goes_on, locations);
  memory_free(activity->account, activity->creates, locations * sizeof(ThreadMask));
  memory_free(activity->account, activity->numbers, cell_limit(activity->transitions->program) * sizeof(uint32_t));
  U32Vector_free(&activity->resources);
}
