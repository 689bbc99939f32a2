#include "replay/race.h"

void race_init(RaceCheck *check, const StateLayout *layout, Account *account) {
  *check = (RaceCheck){.account = account};
  LoggedAccessVector_init(&check->moved, account);
  DigitVector_init(&check->digits, account);
  check->saved = memory_allocate(account, layout->vector_bytes);
}

void race_free(RaceCheck *check, const StateLayout *layout) {
  LoggedAccessVector_free(&check->moved);
  DigitVector_free(&check->digits);
  memory_free(check->account, check->saved, layout->vector_bytes);
}

static bool overlap(const LoggedAccess *a, const LoggedAccess *b) {
  return a->cell < b->cell + b->count && b->cell < a->cell + a->count;
}

// The event of the transition against another one.
static bool events_race(const RaceCheck *check, const LoggedAccess *others, size_t count, bool section) {
  if (section && check->moved_section) return false;
  bool conflict = false;
  for (size_t i = 0; i < check->moved.count; i++) {
    const LoggedAccess *a = &check->moved.data[i];
    for (size_t j = 0; j < count; j++) {
      const LoggedAccess *b = &others[j];
      if (!overlap(a, b)) continue;
      if (a->synchronises && b->synchronises) return false; // ordered
      conflict |= a->writes || b->writes;
    }
  }
  return conflict;
}

// May the next event at this location touch what the transition touched, one of them writing? Judged by resources.
static bool may_conflict(const RaceCheck *check, const Footprint *f, const StopInfo *info) {
  const Touch *next = f->next.data + info->first_next;
  for (size_t i = 0; i < check->moved.count; i++) {
    const LoggedAccess *a = &check->moved.data[i];
    for (uint32_t c = 0; c < a->count; c++) {
      uint32_t resource = f->cell_resource[a->cell + c];
      for (uint32_t k = 0; resource != NO_ID && k < info->next_count; k++) {
        if (next[k].resource == resource && (a->writes || next[k].writes)) return true;
      }
    }
  }
  return false;
}

// A single step of thread `other` that races.
static bool step_races(RaceCheck *check, Mover *mover, const EdgeCode *edge) {
  Machine *machine = &mover->machine;
  if (edge->access == ACCESS_NONE) return false;
  machine->testing = true;
  EdgeResult result = machine_begin(machine, edge);
  machine->testing = false;
  LoggedAccess access = {.edge = edge->edge, .writes = edge->writes};
  if (result != EDGE_TAKEN || !machine_locate(machine, edge, &access.cell, &access.count)) return false;
  access.synchronises = machine->program->steps.data[edge->step].access.synchronises;
  return events_race(check, &access, 1, false);
}

// A section of thread `other` that races; its choices are kept in `digits`.
static bool section_races(RaceCheck *check, Mover *mover, ThreadId other) {
  Chooser *chooser = mover->machine.chooser;
  const StateLayout *layout = mover->machine.layout;
  size_t base = chooser->base, position = chooser->position, count = chooser->digits.count;
  bool random = chooser->random, found = false;
  memcpy(check->saved, mover->machine.vector, layout->state_bytes);
  chooser->base = chooser->position = count;
  chooser->random = false;
  do {
    TransitionResult result = mover_run(mover, other);
    bool happens = result == TRANSITION_DONE || result == TRANSITION_ENDS || result == TRANSITION_VIOLATES;
    found = happens && events_race(check, mover->accesses.data, mover->accesses.count, mover->in_section);
    memcpy(mover->machine.vector, check->saved, layout->state_bytes);
    if (!found) continue;
    check->digits.count = 0;
    for (size_t i = count; i < chooser->digits.count; i++) DigitVector_push(&check->digits, chooser->digits.data[i]);
  } while (!found && chooser_next(chooser));
  chooser->digits.count = count;
  chooser->base = base;
  chooser->position = position;
  chooser->random = random;
  return found;
}

static bool thread_races(RaceCheck *check, Mover *mover, ThreadId other, FoundRace *race) {
  Machine *machine = &mover->machine;
  LocationId l = vector_location(machine->layout, machine->vector, other);
  const StopInfo *info = &mover->footprint->locations[l];
  const LocationCode *location = &machine->code->locations[l];
  if (!info->stop || info->cut || !may_conflict(check, mover->footprint, info)) return false;
  *race = (FoundRace){.second = other, .edge = NO_ID};
  if (info->section || machine_needs_resolve(machine, location)) return section_races(check, mover, other);
  for (uint32_t i = 0; i < location->edge_count; i++) {
    const EdgeCode *edge = &machine->code->edges[location->first_edge + i];
    race->edge = edge->edge;
    if (step_races(check, mover, edge)) return true;
  }
  return false;
}

bool race_after_move(RaceCheck *check, Mover *mover, ThreadId thread, FoundRace *race) {
  if (mover->accesses.count == 0) return false;
  check->moved.count = 0;
  for (size_t i = 0; i < mover->accesses.count; i++) LoggedAccessVector_push(&check->moved, mover->accesses.data[i]);
  check->moved_section = mover->in_section;
  for (ThreadId t = 0; t < mover->machine.program->threads.count; t++) {
    if (t != thread && thread_races(check, mover, t, race)) return true;
  }
  return false;
}
