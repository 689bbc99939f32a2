#include "explicit/race.h"

#include "program/settled.h"

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
  assert(a->count > 0 && b->count > 0);
  return a->cell < b->cell + b->count && b->cell < a->cell + a->count;
}

// The doubtful one of two conflicting accesses is remembered.
static void doubt(Mover *mover, const LoggedAccess *a, const LoggedAccess *b) {
  assert(a->doubtful || b->doubtful);
  const Program *p = mover->machine.program;
  bitset_set(&mover->doubted, p->edges.data[(a->doubtful ? a : b)->edge].first_step);
}

// Of two accesses that overlap: they are in one object.
static bool is_settled(const Program *p, const LoggedAccess *a, const LoggedAccess *b) {
  CellId common = a->cell > b->cell ? a->cell : b->cell;
  return race_is_settled(p, p->edges.data[a->edge].first_step, p->edges.data[b->edge].first_step,
                         p->cells.data[common].object);
}

// The event of the transition against another one.
static bool events_race(const RaceCheck *check, Mover *mover, const LoggedAccess *others, size_t count, bool section) {
  if (section && check->moved_section) return false;
  bool conflict = false;
  const LoggedAccess *first = NULL, *second = NULL; // a conflict that may not happen
  for (size_t i = 0; i < check->moved.count; i++) {
    const LoggedAccess *a = &check->moved.data[i];
    for (size_t j = 0; j < count; j++) {
      const LoggedAccess *b = &others[j];
      if (!overlap(a, b)) continue;
      if (a->synchronises && b->synchronises) return false; // ordered
      if (!a->writes && !b->writes) continue;
      if (is_settled(mover->machine.program, a, b)) continue;
      if (a->doubtful || b->doubtful)
        first = a, second = b;
      else
        conflict = true;
    }
  }
  if (!conflict && first != NULL) doubt(mover, first, second);
  return conflict;
}

// May the next event at this location touch what the transition touched, one of them writing? Judged by resources.
static bool may_conflict(const RaceCheck *check, const Footprint *f, const StopInfo *info) {
  assert((size_t)info->first_next + info->next_count <= f->next.count);
  const ResourceTouch *next = f->next.data + info->first_next;
  const Program *p = f->code->layout->program;
  for (size_t i = 0; i < check->moved.count; i++) {
    const LoggedAccess *a = &check->moved.data[i];
    uint32_t heap = f->heap_resource[p->cells.data[a->cell].object];
    for (uint32_t k = 0; heap != NO_ID && k < info->next_count; k++) {
      if (next[k].resource == heap && (a->frees || next[k].writes)) return true;
    }
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
  if (edge->access == ACCESS_NONE && edge->kind != STEP_FREE) return false;
  machine->testing = true;
  EdgeResult result = machine_begin(machine, edge);
  machine->testing = false;
  // A second deallocation is invalid, and races with the first one all the same.
  if (result == EDGE_BLOCKED || (result != EDGE_TAKEN && edge->kind != STEP_FREE)) return false;
  LoggedAccess access;
  if (edge->kind == STEP_FREE)
    return mover_access(mover, edge, &access) && events_race(check, mover, &access, 1, false);
  const Access *declared = &machine->program->steps.data[edge->step].access;
  access = (LoggedAccess){.edge = edge->edge, .writes = edge->writes};
  if (declared->innocent || !machine_locate(machine, edge, &access.cell, &access.count)) return false;
  access.synchronises = declared->synchronises;
  access.doubtful = declared->doubtful;
  return events_race(check, mover, &access, 1, false);
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
    found = happens && events_race(check, mover, mover->accesses.data, mover->accesses.count, mover->in_section);
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

// The doubt that hangs over this state: an attempt that was supposed to fail; NO_ID: none.
static CutId supposed_failure(const Mover *mover) {
  const Machine *machine = &mover->machine;
  const Program *p = machine->program;
  for (size_t i = 0; i < p->supposed.count; i++) {
    const Object *object = &p->objects.data[p->supposed.data[i]];
    const Place *place = object->cell_count ? &machine->layout->cells[object->first_cell] : NULL;
    uint64_t doubt = place && place->offset != NO_ID ? vector_read(machine->vector + place->offset, place->bytes) : 0;
    if (doubt) return (CutId)(doubt - 1);
  }
  return NO_ID;
}

static bool some_thread_races(RaceCheck *check, Mover *mover, ThreadId thread, FoundRace *race) {
  for (ThreadId t = 0; t < mover->machine.program->threads.count; t++)
    if (t != thread && thread_races(check, mover, t, race)) return true;
  return false;
}

bool race_after_move(RaceCheck *check, Mover *mover, ThreadId thread, FoundRace *race) {
  if (mover->accesses.count == 0) return false;
  check->moved.count = 0;
  for (size_t i = 0; i < mover->accesses.count; i++) LoggedAccessVector_push(&check->moved, mover->accesses.data[i]);
  check->moved_section = mover->in_section;
  if (!some_thread_races(check, mover, thread, race)) return false;
  assert(race->second != thread && race->second < mover->machine.program->threads.count);
  CutId doubt = supposed_failure(mover);
  if (doubt != NO_ID) mover->cuts_met[doubt] = true;
  return doubt == NO_ID;
}
