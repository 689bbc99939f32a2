#include "explicit/successors.h"

enum {
  MOST_LOCAL_TURNS = 100,       // of back edges in one transition
  MOST_SECTION_STEPS = 1000000, // of one atomic section
  MOST_BRANCHES = 4096          // out-edges of a location
};

void mover_init(Mover *mover, const Footprint *footprint, Property property, Chooser *chooser, Account *account) {
  const MachineCode *code = footprint->code;
  *mover = (Mover){.footprint = footprint};
  machine_init(&mover->machine, code, property, chooser, account);
  mover->snapshot = memory_allocate(account, code->layout->vector_bytes);
  mover->trial = memory_allocate(account, code->layout->vector_bytes);
  mover->cuts_met = memory_allocate_zeroed(account, code->layout->program->cuts.count * sizeof(bool));
  mover->enabled_edges = memory_allocate(account, MOST_BRANCHES * sizeof(uint32_t));
  LoggedAccessVector_init(&mover->accesses, account);
  bitset_init(&mover->doubted, code->layout->program->steps.count, account);
}

void mover_free(Mover *mover) {
  Account *account = mover->machine.account;
  memory_free(account, mover->snapshot, mover->machine.layout->vector_bytes);
  memory_free(account, mover->trial, mover->machine.layout->vector_bytes);
  memory_free(account, mover->cuts_met, mover->machine.program->cuts.count * sizeof(bool));
  memory_free(account, mover->enabled_edges, MOST_BRANCHES * sizeof(uint32_t));
  LoggedAccessVector_free(&mover->accesses);
  bitset_free(&mover->doubted);
  machine_free(&mover->machine);
}

// A thread at an excused wait is not part of a deadlock; nor is one at a false assumption.
static void note_blocked(Mover *mover, const EdgeCode *edge) {
  bool waits = step_kind_waits(edge->kind);
  bool excused = waits && mover->machine.program->steps.data[edge->step].excused;
  if (waits && !excused) mover->waits = true;
  if (edge->kind == STEP_ASSUME || excused) mover->assumes = true;
}

// Collects the edges of a location that can be tried, without choosing anything.
static uint32_t collect_enabled(Mover *mover, const LocationCode *location) {
  Machine *machine = &mover->machine;
  const EdgeCode *edges = machine->code->edges + location->first_edge;
  uint32_t count = 0;
  if (location->edge_count > MOST_BRANCHES) mover->bounded = true;
  machine->testing = true;
  for (uint32_t i = 0; i < location->edge_count && count < MOST_BRANCHES; i++) {
    if (machine_begin(machine, &edges[i]) != EDGE_BLOCKED)
      mover->enabled_edges[count++] = i;
    else
      note_blocked(mover, &edges[i]);
  }
  machine->testing = false;
  assert(count <= location->edge_count && count <= MOST_BRANCHES);
  return count;
}

static void record_attempt(Mover *mover, const EdgeCode *edge) {
  Recorder *recorder = mover->machine.chooser->recorder;
  if (recorder != NULL) recorder->attempt(recorder, edge->edge);
}

// Begins the edge that is taken at this location; NULL: none can be.
static const EdgeCode *begin_some(Mover *mover, const LocationCode *location, EdgeResult *result) {
  Machine *machine = &mover->machine;
  const EdgeCode *edges = machine->code->edges + location->first_edge;
  if (location->resolve_count > 0) machine_resolve(machine, location);
  if (location->exclusive) {
    for (uint32_t i = 0; i < location->edge_count; i++) {
      record_attempt(mover, &edges[i]);
      *result = machine_begin(machine, &edges[i]);
      if (*result != EDGE_BLOCKED) return &edges[i];
      note_blocked(mover, &edges[i]);
    }
    return NULL;
  }
  uint32_t count = collect_enabled(mover, location);
  if (count == 0) return NULL;
  const EdgeCode *edge = &edges[mover->enabled_edges[chooser_option(machine->chooser, count)]];
  record_attempt(mover, edge);
  *result = machine_begin(machine, edge);
  return *result == EDGE_BLOCKED ? NULL : edge;
}

static void commit(Mover *mover, ThreadId thread, const EdgeCode *edge) {
  assert(vector_location(mover->machine.layout, mover->machine.vector, thread) == edge->from);
  machine_commit(&mover->machine, edge, thread);
  Recorder *recorder = mover->machine.chooser->recorder;
  if (recorder != NULL) recorder->taken(recorder, thread, edge->edge);
}

// A violating step is the last one: its effect does not matter, and an invalid access has none.
static TransitionResult violate(Mover *mover, ThreadId thread, const EdgeCode *edge) {
  Recorder *recorder = mover->machine.chooser->recorder;
  if (recorder != NULL) recorder->taken(recorder, thread, edge->edge);
  return TRANSITION_VIOLATES;
}

static void note_cut(Mover *mover, const EdgeCode *edge) {
  assert(edge->kind == STEP_CUT || edge->kind == STEP_CHECK);
  mover->cuts_met[mover->machine.program->steps.data[edge->step].target] = true;
}

bool mover_access(const Mover *mover, const EdgeCode *edge, LoggedAccess *logged) {
  const Machine *machine = &mover->machine;
  if (edge->kind == STEP_FREE) {
    CellId cell;
    uint32_t count;
    if (machine->program->steps.data[edge->step].excused) return false;
    bool any = program_block_cells(machine->program, machine->registers[edge->operand_register], &cell, &count);
    *logged = (LoggedAccess){.edge = edge->edge, .cell = cell, .count = count, .writes = true, .frees = true};
    return any;
  }
  if (edge->access == ACCESS_NONE) return false;
  const Access *access = &machine->program->steps.data[edge->step].access;
  if (access->innocent) return false;
  *logged = (LoggedAccess){.edge = edge->edge, .cell = edge->cell, .count = 1, .writes = edge->writes};
  logged->synchronises = access->synchronises;
  logged->doubtful = access->doubtful;
  if (edge->access == ACCESS_DIRECT && !edge->wide) return true;
  logged->cell = machine->cell;
  logged->count = machine->cell_count;
  return true;
}

static void log_access(Mover *mover, const EdgeCode *edge) {
  LoggedAccess access;
  if (mover->log_accesses && mover_access(mover, edge, &access)) LoggedAccessVector_push(&mover->accesses, access);
}

// Takes steps until the atomic section is left. A section that goes round for ever repeats a state; this is found by
// comparing with an earlier state (Brent). What can be reached from the repeated state can be reached from its first
// occurrence.
static TransitionResult finish_section(Mover *mover, ThreadId thread) {
  Machine *machine = &mover->machine;
  const Program *p = machine->program;
  size_t next_snapshot = 64;
  for (size_t steps = 1;; steps++) {
    LocationId l = vector_location(machine->layout, machine->vector, thread);
    if (!p->locations.data[l].atomic) return TRANSITION_DONE;
    EdgeResult result;
    const EdgeCode *edge = begin_some(mover, &machine->code->locations[l], &result);
    if (edge == NULL) return TRANSITION_BLOCKED;
    if (result == EDGE_ENDS) return TRANSITION_ENDS;
    if (result == EDGE_CUT) {
      note_cut(mover, edge);
      return TRANSITION_ENDS;
    }
    if (result == EDGE_VIOLATES) return violate(mover, thread, edge);
    log_access(mover, edge);
    commit(mover, thread, edge);
    if (steps > MOST_SECTION_STEPS) {
      mover->bounded = true;
      return TRANSITION_ENDLESS;
    }
    if (steps < 64) continue;
    if (steps == next_snapshot) {
      memcpy(mover->snapshot, machine->vector, machine->layout->state_bytes);
      next_snapshot *= 2;
    } else if (memcmp(mover->snapshot, machine->vector, machine->layout->state_bytes) == 0)
      return TRANSITION_ENDLESS;
  }
}

// Takes steps that no other thread can observe.
static TransitionResult run_local(Mover *mover, ThreadId thread, bool moved) {
  Machine *machine = &mover->machine;
  unsigned turns = 0;
  for (;;) {
    LocationId l = vector_location(machine->layout, machine->vector, thread);
    const StopInfo *info = &mover->footprint->locations[l];
    const LocationCode *location = &machine->code->locations[l];
    if (info->stop || info->cut || location->edge_count == 0) break;
    if (moved && location->chooses && chooser_has_chosen(machine->chooser)) break;
    EdgeResult result;
    const EdgeCode *edge = begin_some(mover, location, &result);
    if (edge == NULL || result == EDGE_ENDS) {
      if (moved) break; // the thread stays here, and other threads take steps
      return edge == NULL ? TRANSITION_BLOCKED : TRANSITION_ENDS;
    }
    if (result == EDGE_VIOLATES) return violate(mover, thread, edge);
    commit(mover, thread, edge);
    moved = true;
    if (result == EDGE_CUT) {
      note_cut(mover, edge);
      break;
    }
    if (edge->back && ++turns > MOST_LOCAL_TURNS) break;
  }
  return moved ? TRANSITION_DONE : TRANSITION_BLOCKED;
}

TransitionResult mover_run(Mover *mover, ThreadId thread) {
  Machine *machine = &mover->machine;
  const Program *p = machine->program;
  mover->accesses.count = 0;
  mover->in_section = false;
  LocationId l = vector_location(machine->layout, machine->vector, thread);
  const StopInfo *info = &mover->footprint->locations[l];
  if (info->cut) return TRANSITION_ENDS; // the real program goes on
  if (!info->stop) return run_local(mover, thread, false);
  EdgeResult result;
  const EdgeCode *edge = begin_some(mover, &machine->code->locations[l], &result);
  if (edge == NULL) return TRANSITION_BLOCKED;
  if (result == EDGE_ENDS) return TRANSITION_ENDS;
  if (result == EDGE_VIOLATES) return violate(mover, thread, edge);
  mover->in_section = p->locations.data[edge->to].atomic;
  log_access(mover, edge);
  commit(mover, thread, edge);
  if (result == EDGE_CUT) {
    note_cut(mover, edge);
    return p->locations.data[edge->to].atomic ? TRANSITION_ENDS : TRANSITION_DONE;
  }
  if (p->locations.data[edge->to].atomic) {
    TransitionResult section = finish_section(mover, thread);
    if (section != TRANSITION_DONE) return section;
  }
  return run_local(mover, thread, true);
}

// --- readiness ---

static void save(const Mover *mover, ThreadId thread, uint8_t *to) {
  const StateLayout *layout = mover->machine.layout;
  assert(layout->size[0] + layout->size[1 + thread] <= layout->vector_bytes);
  memcpy(to, mover->machine.vector + layout->base[0], layout->size[0]);
  memcpy(to + layout->size[0], mover->machine.vector + layout->base[1 + thread], layout->size[1 + thread]);
}

static void restore(Mover *mover, ThreadId thread, const uint8_t *from) {
  const StateLayout *layout = mover->machine.layout;
  memcpy(mover->machine.vector + layout->base[0], from, layout->size[0]);
  memcpy(mover->machine.vector + layout->base[1 + thread], from + layout->size[0], layout->size[1 + thread]);
}

// Tries all paths of the transition until one can be taken.
static Readiness ready_by_trial(Mover *mover, ThreadId thread) {
  Chooser *chooser = mover->machine.chooser;
  Chooser saved = *chooser;
  assert(!mover->machine.testing);
  save(mover, thread, mover->trial);
  chooser->base = chooser->position = chooser->digits.count;
  chooser->random = false;
  chooser->recorder = NULL;
  Readiness readiness = READY_NOT;
  do {
    TransitionResult result = mover_run(mover, thread);
    if (result == TRANSITION_DONE || result == TRANSITION_VIOLATES)
      readiness = READY;
    else if (result == TRANSITION_ENDS || result == TRANSITION_ENDLESS)
      readiness = READY_ENDS;
    restore(mover, thread, mover->trial);
  } while (readiness != READY && chooser_next(chooser));
  chooser->digits.count = chooser->base;
  assert(chooser->digits.count == saved.digits.count);
  chooser->base = saved.base;
  chooser->position = saved.position;
  chooser->random = saved.random;
  chooser->recorder = saved.recorder;
  return readiness;
}

Readiness mover_ready(Mover *mover, ThreadId thread) {
  Machine *machine = &mover->machine;
  LocationId l = vector_location(machine->layout, machine->vector, thread);
  const StopInfo *info = &mover->footprint->locations[l];
  const LocationCode *location = &machine->code->locations[l];
  if (info->cut) return READY_ENDS;
  if (location->edge_count == 0) return READY_NOT;
  if (info->never_blocks) return READY;
  if (info->section || machine_needs_resolve(machine, location)) return ready_by_trial(mover, thread);
  Readiness readiness = READY_NOT;
  machine->testing = true;
  for (uint32_t i = 0; i < location->edge_count && readiness != READY; i++) {
    const EdgeCode *edge = &machine->code->edges[location->first_edge + i];
    EdgeResult result = machine_begin(machine, edge);
    if (result == EDGE_BLOCKED)
      note_blocked(mover, edge);
    else
      readiness = result == EDGE_ENDS ? READY_ENDS : READY;
  }
  machine->testing = false;
  return readiness;
}
