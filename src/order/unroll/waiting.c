// Waiting: loop iterations that change nothing are not followed.
//
// Let a thread return to a location with the same values of its live variables and private cells, and let it have
// written nothing to shared memory in between, or only values that were there already (as a failed exchange does). Then
// this round can be dropped from any execution: without the reads of the round, the rest is an execution that leads to
// the same state. By induction over their length, executions without such rounds suffice. So at the second visit the
// state keeps only the cases in which something changed. A loop that only waits becomes its exit condition.
//
// The same holds for a round from one release of a lock to the next in which the thread only took and released that
// lock. The condition is that threads do nothing with the lock except take it and release it while they hold it. Then
// no other thread can observe that the lock was held in between. The waiting loop around a condition variable has this
// form.
#include "order/unroll/unroll_internal.h"

enum { MOST_DIFFERENCES = 8 };

// Finds the cells that, once there are several threads, are only locked, and unlocked by the thread that holds them. No
// other step reads them.
static void find_pure_locks(Unroller *u, bool *pure) {
  const Program *p = u->program;
  LockFacts facts;
  lock_facts(p, &facts, u->account);
  for (size_t i = 0; i < facts.locks.count; i++) pure[facts.locks.data[i]] = true;
  lock_facts_free(&facts);
  for (size_t s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    if (step->access.address == TERM_NONE || !step->access.reads || step->kind == STEP_LOCK) continue;
    for (uint32_t i = 0; i < step->access.cells.count; i++) pure[access_cell(p, &step->access, i)] = false;
  }
}

void waiting_prepare(Unroller *u) {
  const Program *p = u->program;
  bool *pure = memory_allocate_zeroed(u->account, p->cells.count * sizeof(bool));
  find_pure_locks(u, pure);
  for (LocationId l = 0; l < p->locations.count; l++) {
    const Location *location = &p->locations.data[l];
    u->lock_after[l] = NO_ID;
    for (uint32_t i = 0; i < location->in_count; i++) {
      const Step *step = edge_first_step(p, location_in_edge(p, location, i));
      bool fits = step->kind == STEP_UNLOCK && step->access.cells.count == 1;
      CellId cell = fits ? access_cell(p, &step->access, 0) : NO_ID;
      if (cell == NO_ID || !pure[cell] || (i > 0 && u->lock_after[l] != cell)) {
        u->lock_after[l] = NO_ID;
        break;
      }
      u->lock_after[l] = cell;
    }
  }
  memory_free(u->account, pure, p->cells.count * sizeof(bool));
}

void waiting_prepare_thread(Unroller *u) {
  uint32_t inside = 0; // end of the outermost loop around the place
  for (uint32_t i = 0; i < u->order.count; i++) {
    const NestingEntry *entry = &u->order.data[i];
    if (entry->end > inside) inside = entry->end;
    bool unlocked = i < inside && u->lock_after[entry->location] != NO_ID;
    u->checkpoint[entry->location] = entry->end > 0 || unlocked;
  }
}

// The condition under which the values are the same as then; false if too many values differ to be worth a formula.
static Term same_values(Unroller *u, LocationId location, const Snapshot *then, const State *now) {
  Term same = term_true(u->terms);
  unsigned differences = 0;
  for (uint32_t i = 0; (i = values_next_difference(&then->values, &now->values, i)) != UINT32_MAX; i++) {
    Term a = values_get(&then->values, i), b = values_get(&now->values, i);
    if (i < u->variable_count) {
      VariableId variable = u->first_variable + i;
      if (!live_at(&u->live, location, variable)) continue;
      Term zero = term_constant(u->terms, term_width(u->terms, variable_term(u->program, variable)), 0);
      a = a ? a : zero;
      b = b ? b : zero;
    } else {
      CellId cell = i - u->variable_count;
      assert(cell < u->cell_count); // only sections have conditions of writes
      a = a ? a : events_initial(u->events, cell);
      b = b ? b : events_initial(u->events, cell);
    }
    if (++differences > MOST_DIFFERENCES) return term_false(u->terms);
    same = term_and(u->terms, same, term_eq(u->terms, a, b));
    if (term_is_false(u->terms, same)) break;
  }
  return same;
}

// The condition under which no write since then changed a cell, except the released lock.
static Term nothing_written(Unroller *u, CellId released, const Snapshot *then, const State *now) {
  Term nothing = term_true(u->terms);
  unsigned considered = 0;
  for (size_t e = then->events; e < u->events->events.count; e++) {
    const Event *event = &u->events->events.data[e];
    if (!event->write || event->cell == released) continue;
    if (conjunction_excludes(guards_of(u), event->guard, now->guard)) continue;
    Term unseen = event->before ? term_eq(u->terms, event->value, event->before) : term_false(u->terms);
    Term happens = conjunction_difference(guards_of(u), event->guard, now->guard);
    nothing = term_and(u->terms, nothing, term_implies(u->terms, happens, unseen));
    if (++considered > MOST_DIFFERENCES) return term_false(u->terms);
    if (term_is_false(u->terms, nothing)) break;
  }
  return nothing;
}

void waiting_visit(Unroller *u, LocationId location, State *state) {
  Snapshot *then = &u->snapshots[u->place[location]];
  if (then->valid && then->alone == state->alone && conjunction_implies(guards_of(u), state->guard, then->guard)) {
    Term idle = same_values(u, location, then, state);
    if (!term_is_false(u->terms, idle))
      idle = term_and(u->terms, idle, nothing_written(u, u->lock_after[location], then, state));
    state->guard = conjunction_and(guards_of(u), state->guard, term_not(u->terms, idle));
  }
  if (then->valid) values_free(&then->values);
  *then = (Snapshot){.valid = true, .alone = state->alone, .guard = state->guard};
  then->events = u->events->events.count;
  values_copy(&then->values, &state->values);
}
