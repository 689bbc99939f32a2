#include "circuit/model/lock_patterns.h"

#include "program/passes/rewrite.h"

static PatternSet *set_of(Patterns *patterns, LocationId location, uint32_t resource, bool written) {
  return &patterns->sets[(location * patterns->activity->resources.count + resource) * 2 + written];
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

// The locks that the edge takes. If it may dereference a pointer that was not foreseen, it may do so before it takes
// the lock.
static LockMask locks_of(const Patterns *patterns, EdgeId e) {
  bool missed = patterns->activity->transitions->edges.data[e].missed != TERM_NONE;
  return missed ? 0 : patterns->barriers.taken[e];
}

static bool add_touches(Patterns *patterns, EdgeId e, TouchSet touches, bool written) {
  const Activity *activity = patterns->activity;
  LocationId from = activity->transitions->program->edges.data[e].from;
  bool grown = false;
  for (uint32_t i = 0; i < touches.count; i++) {
    uint32_t resource = activity->numbers[activity->transitions->touches.data[touches.first + i].cell];
    if (resource != NO_ID) grown |= add_pattern(set_of(patterns, from, resource, written), locks_of(patterns, e));
  }
  return grown;
}

static bool spread_edge(Patterns *patterns, EdgeId e) {
  const Activity *activity = patterns->activity;
  const Transition *transition = &activity->transitions->edges.data[e];
  const Edge *edge = &activity->transitions->program->edges.data[e];
  bool grown = add_touches(patterns, e, transition->reads, false) | add_touches(patterns, e, transition->writes, true);
  for (uint32_t r = 0; r < activity->resources.count; r++)
    for (unsigned written = 0; written < 2; written++) {
      PatternSet after = *set_of(patterns, edge->to, r, written);
      for (uint32_t i = 0; i < after.count; i++)
        grown |= add_pattern(set_of(patterns, edge->from, r, written), after.masks[i] | locks_of(patterns, e));
    }
  return grown;
}

static void spread(Patterns *patterns) {
  const Program *p = patterns->activity->transitions->program;
  U32Vector order;
  U32Vector_init(&order, patterns->account);
  program_reverse_postorder(p, &order, NULL);
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = order.count; i-- > 0;) {
      const Location *location = &p->locations.data[order.data[i]];
      for (uint32_t k = 0; k < location->out_count; k++) {
        EdgeId e = p->out_edges.data[location->first_out + k];
        if (activity_counts(patterns->activity->transitions, e)) grown |= spread_edge(patterns, e);
      }
    }
  }
  U32Vector_free(&order);
}

void patterns_init(Patterns *patterns, const Activity *activity, Account *account) {
  enum { MOST_BYTES = 1 << 27 };
  const Program *p = activity->transitions->program;
  *patterns = (Patterns){.activity = activity, .account = account};
  barriers_init(&patterns->barriers, p, account);
  patterns->set_count = p->locations.count * activity->resources.count * 2;
  bool some = patterns->barriers.cells.count > 0 && patterns->set_count > 0;
  if (!some || patterns->set_count * sizeof(PatternSet) > MOST_BYTES) return;
  patterns->sets = memory_allocate_zeroed(account, patterns->set_count * sizeof(PatternSet));
  spread(patterns);
}

void patterns_free(Patterns *patterns) {
  if (patterns->sets) memory_free(patterns->account, patterns->sets, patterns->set_count * sizeof(PatternSet));
  barriers_free(&patterns->barriers);
}
