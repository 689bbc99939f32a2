// Explanations of data races: the two accesses with the locks that are held there, and the lock that is missing.
#include "program/facts/facts.h"
#include "program/facts/targets.h"
#include "report/explain_parts.h"
#include "report/units.h"

#include <assert.h>

static uint32_t last_execution(const Explainer *e, ThreadId thread, EdgeId edge) {
  for (size_t i = e->trace->steps.count; i-- > 0;)
    if (e->trace->steps.data[i].thread == thread && e->trace->steps.data[i].edge == edge) return (uint32_t)i;
  return NO_ID;
}

static bool holds_at(const HeldLock *held, ThreadId thread, uint32_t step) {
  return held->thread == thread && held->taken < step && (held->released == NO_ID || held->released > step);
}

static void add_locks_at(const Explainer *e, uint32_t step) {
  assert(step < e->trace->steps.count);
  const char *before = " holding ";
  for (size_t i = 0; i < e->index->locks.count; i++) {
    const HeldLock *held = &e->index->locks.data[i];
    if (!holds_at(held, thread_of(e, step), step)) continue;
    text_add(e->out, before);
    words_lock(e->program, held->cell, e->out);
    before = ", ";
  }
  if (*before == ' ') text_add(e->out, " holding no lock");
}

static void add_access(const Explainer *e, uint32_t step) {
  explain_add_thread(e, thread_of(e, step));
  const Step *row = trace_step_row(e->index, step);
  text_add(e->out, row->kind == STEP_FREE ? " frees it" : row->access.writes ? " writes it" : " reads it");
  explain_add_place(e, step);
  words_calls(&trace_step_row(e->index, step)->position, e->out);
  add_locks_at(e, step);
}

// --- the lock that is missing ---

// A line with accesses to the cell of the race, and the locks that are held at all of them.
typedef struct AccessPlace {
  const Position *position;
  Bitset held;
} AccessPlace;
VECTOR(AccessPlaceVector, AccessPlace);

static void add_access_place(AccessPlaceVector *places, const Position *position, const Bitset *held) {
  for (size_t i = 0; i < places->count; i++) {
    if (!position_is_same_line(places->data[i].position, position)) continue;
    bitset_intersect(&places->data[i].held, held);
    return;
  }
  AccessPlace *place = AccessPlaceVector_push(places, (AccessPlace){.position = position});
  bitset_init(&place->held, held->bits, NULL);
  bitset_copy(&place->held, held);
}

static void find_accesses(const Explainer *e, const LockFacts *facts, AccessPlaceVector *places) {
  const Program *p = e->program;
  for (EdgeId i = 0; i < p->edges.count; i++) {
    const Step *step = edge_first_step(p, i);
    if (step->access.address == TERM_NONE || step->access.synchronises || !step->position.file) continue;
    if (cell_set_has(p, step->access.cells, e->trace->race.cell))
      add_access_place(places, &step->position, &facts->held[p->edges.data[i].from]);
  }
}

// Is the lock held at the place? At the two accesses of the race the trace says so.
static bool is_held(const Explainer *e, const AccessPlace *place, size_t lock, CellId cell, const uint32_t *steps) {
  bool held = bitset_get(&place->held, lock);
  for (unsigned k = 0; k < 2; k++) {
    if (!position_is_same_line(place->position, &trace_step_row(e->index, steps[k])->position)) continue;
    bool there = false;
    for (size_t i = 0; i < e->index->locks.count; i++) {
      const HeldLock *row = &e->index->locks.data[i];
      there |= row->cell == cell && holds_at(row, thread_of(e, steps[k]), steps[k]);
    }
    held = there;
    if (!held) break;
  }
  return held;
}

static void tell_missing(const Explainer *e, CellId lock, size_t held, size_t count, const uint32_t *steps,
                         const bool *missing) {
  bool twice = missing[0] && missing[1] &&
               !position_is_same_line(&trace_step_row(e->index, steps[0])->position,
                                      &trace_step_row(e->index, steps[1])->position);
  text_add(e->out, "; ");
  words_lock(e->program, lock, e->out);
  if (held == count - 1 - twice)
    text_format(e->out, " is held at %s of ", held == 1 ? "the other access" : "all other accesses");
  else
    text_format(e->out, " is held at %zu of %zu accesses of ", held, count);
  explain_add_cell(e, e->trace->race.cell);
  text_add(e->out, ", but not");
  const char *before = "";
  for (unsigned k = 0; k < 2; k++) {
    if (!missing[k] || (k && missing[0] && !twice)) continue;
    text_add(e->out, before);
    explain_add_place(e, steps[k]);
    before = " and";
  }
}

// Names the lock that is held at most accesses of the cell, if one of the racing accesses does not hold it.
static void choose_missing(const Explainer *e, const LockFacts *facts, const AccessPlaceVector *places,
                           const uint32_t *steps) {
  size_t best = 0, lock = facts->locks.count;
  for (size_t l = 0; l < facts->locks.count; l++) {
    size_t held = 0;
    for (size_t i = 0; i < places->count; i++) held += is_held(e, &places->data[i], l, facts->locks.data[l], steps);
    if (held > best) best = held, lock = l;
  }
  if (lock == facts->locks.count) return;
  bool missing[2] = {false, false};
  for (unsigned k = 0; k < 2; k++)
    for (size_t i = 0; i < places->count; i++)
      if (position_is_same_line(places->data[i].position, &trace_step_row(e->index, steps[k])->position))
        missing[k] = !is_held(e, &places->data[i], lock, facts->locks.data[lock], steps);
  if (missing[0] || missing[1]) tell_missing(e, facts->locks.data[lock], best, places->count, steps, missing);
}

static void add_missing_lock(const Explainer *e, uint32_t first, uint32_t second) {
  const uint32_t steps[] = {first, second};
  LockFacts facts;
  lock_facts(e->program, &facts, NULL);
  AccessPlaceVector places = {0};
  find_accesses(e, &facts, &places);
  choose_missing(e, &facts, &places, steps);
  for (size_t i = 0; i < places.count; i++) bitset_free(&places.data[i].held);
  AccessPlaceVector_free(&places);
  lock_facts_free(&facts);
}

void explain_race(const Explainer *e) {
  const TraceRace *race = &e->trace->race;
  if (race->first_thread == race->second_thread) return;
  uint32_t first = last_execution(e, race->first_thread, race->first_edge);
  uint32_t second = last_execution(e, race->second_thread, race->second_edge);
  if (first == NO_ID || second == NO_ID) return;
  text_add(e->out, "nothing orders the two accesses of ");
  explain_add_cell(e, race->cell);
  text_add(e->out, ": ");
  add_access(e, first);
  text_add(e->out, ", ");
  add_access(e, second);
  add_missing_lock(e, first, second);
}
