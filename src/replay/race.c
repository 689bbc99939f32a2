#include "replay/race.h"

void race_init(RaceCheck *check, Account *account) {
  *check = (RaceCheck){0};
  PendingAccessVector_init(&check->pending, account);
}

void race_free(RaceCheck *check) { PendingAccessVector_free(&check->pending); }

static const Access *access_of(const Program *p, EdgeId edge) {
  return &p->steps.data[p->edges.data[edge].first_step].access;
}

// Adds the accesses that `thread` could make as its next step, outside atomic sections.
static void add_pending(RaceCheck *check, Mover *mover, ThreadId thread) {
  Machine *machine = &mover->machine;
  LocationId l = vector_location(machine->layout, machine->vector, thread);
  const StopInfo *info = &mover->footprint->locations[l];
  const LocationCode *location = &machine->code->locations[l];
  if (!info->stop || info->cut) return;
  bool unresolved = machine_needs_resolve(machine, location);
  for (uint32_t i = 0; i < location->edge_count; i++) {
    const EdgeCode *edge = &machine->code->edges[location->first_edge + i];
    if (edge->access == ACCESS_NONE || machine->program->locations.data[edge->to].atomic) continue;
    PendingAccess pending = {.thread = thread, .edge = edge->edge};
    if (unresolved) {
      check->imprecise = true;
      continue;
    }
    machine->testing = true;
    EdgeResult result = machine_begin(machine, edge);
    machine->testing = false;
    if (result != EDGE_TAKEN || !machine_locate(machine, edge, &pending.cell, &pending.count)) continue;
    pending.writes = edge->writes;
    pending.synchronises = access_of(machine->program, edge->edge)->synchronises;
    PendingAccessVector_push(&check->pending, pending);
  }
}

static bool conflict(const PendingAccess *a, const PendingAccess *b) {
  return a->thread != b->thread && (a->writes || b->writes) && !(a->synchronises && b->synchronises) &&
         a->cell < b->cell + b->count && b->cell < a->cell + a->count;
}

bool race_at_state(RaceCheck *check, Mover *mover, FoundRace *race) {
  check->pending.count = 0;
  for (ThreadId t = 0; t < mover->machine.program->threads.count; t++) add_pending(check, mover, t);
  for (size_t i = 0; i < check->pending.count; i++) {
    for (size_t j = i + 1; j < check->pending.count; j++) {
      const PendingAccess *a = &check->pending.data[i], *b = &check->pending.data[j];
      if (!conflict(a, b)) continue;
      *race = (FoundRace){a->thread, b->thread, a->edge, b->edge};
      return true;
    }
  }
  return false;
}

bool race_with_section(RaceCheck *check, Mover *mover, ThreadId thread, FoundRace *race) {
  const Program *p = mover->machine.program;
  check->pending.count = 0;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (t != thread) add_pending(check, mover, t);
  }
  for (size_t i = 0; i < mover->section_log.count; i++) {
    const SectionAccess *inside = &mover->section_log.data[i];
    const Access *access = access_of(p, inside->edge);
    PendingAccess a = {thread, inside->edge, inside->cell, inside->count, access->writes, access->synchronises};
    for (size_t j = 0; j < check->pending.count; j++) {
      const PendingAccess *b = &check->pending.data[j];
      if (!conflict(&a, b)) continue;
      *race = (FoundRace){thread, b->thread, NO_ID, b->edge};
      return true;
    }
  }
  return false;
}
