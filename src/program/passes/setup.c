// What main sets up before it creates its threads (facts/main_walk.h): edges that main never takes go, and loads of
// cells that are settled give their constants. So a thread that is created with `&slot[i]` knows its slot, and two
// threads with different slots touch different cells.
//
// A slot that no step uses again is used once: the thread has no way back to its beginning.
//
// If a thread is created on the walk, and the walk is not too long, it becomes a straight line: its loops are
// unrolled. So each creation and each join is a place of its own, with its thread as a constant, and reductions see
// which thread main waits for.
//
// The access of such a load stays, because it may race with another one or be invalid. In a library model it goes: its
// accesses do not race, and what it reads was written before its thread was created. The same holds for the control
// block, which no program accesses but through the library.
//
// Formulas read cells in every state, by observers that no step creates, and their at() names steps that a constant
// condition would remove. So a program of infinite executions stays as it is.
#include "program/facts/main_walk.h"
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

enum { SETUP_ROUNDS = 4, MOST_STRAIGHT = 2000 }; // accesses of the straight line, without loads of constants

static bool drop_untaken(Program *p, const MainWalk *walk) {
  bool changed = false;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (p->locations.data[p->edges.data[e].from].thread != 0 || main_walk_may_take(walk, e)) continue;
    p->edges.data[e].step_count = 0;
    changed = true;
  }
  return changed;
}

// Is the load only one because of its value?
static bool may_drop_access(const Program *p, const Step *step) {
  const Access *access = &step->access;
  uint32_t count;
  const CellId *cells = access_cells(p, access, &count);
  if (!access_is_certain(p, access)) return false;
  if (access->synchronises && step->position.library) return true;
  return count > 0 && p->objects.data[p->cells.data[cells[0]].object].storage == STORAGE_CONTROL;
}

static bool assigns(const Step *step, VariableId variable) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].variable == variable) return true;
  return false;
}

// Puts the constant in the place of what the step loads. False: there is nothing to change.
static bool give_constant(Program *p, Step *step, Term constant) {
  assert(term_is_constant(p->terms, constant) && !step->access.writes);
  VariableId into = step->access.into;
  if (!may_drop_access(p, step)) {
    if (assigns(step, into)) return false; // it gets another value, or the constant already
    step_set_constant(p, step, into, constant);
    return true;
  }
  step_set_constant(p, step, into, constant);
  step_drop_access(step);
  return true;
}

static bool fold_settled(Program *p, const MainWalk *walk) {
  bool changed = false;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    ThreadId thread = p->locations.data[p->edges.data[e].from].thread;
    if (thread == 0) continue;
    Step *step = &p->steps.data[p->edges.data[e].first_step];
    const Access *access = &step->access;
    // The START step of a thread keeps its read of the status.
    if (access->address == TERM_NONE || !access->reads || access->writes || step->kind == STEP_START) continue;
    Term constant = main_walk_loaded(walk, thread, access);
    if (constant != TERM_NONE) changed |= give_constant(p, step, constant);
  }
  return changed;
}

// The locations from which main may come to the end of the walk.
static bool *find_before_stop(const Program *p, const MainWalk *walk) {
  bool *before = memory_allocate_zeroed(p->account, p->locations.count * sizeof(bool));
  U32Vector stack;
  U32Vector_init(&stack, p->account);
  U32Vector_push(&stack, walk->stop);
  while (stack.count > 0) {
    const Location *location = &p->locations.data[U32Vector_pop(&stack)];
    for (uint32_t i = 0; i < location->in_count; i++) {
      LocationId from = p->edges.data[p->in_edges.data[location->first_in + i]].from;
      if (before[from]) continue;
      before[from] = true;
      U32Vector_push(&stack, from);
    }
  }
  U32Vector_free(&stack);
  return before;
}

// How many edges of the walk become a straight line. It ends neither inside a section nor in a loop that goes on.
static size_t straight_length(const Program *p, const MainWalk *walk) {
  bool *before = find_before_stop(p, walk), creates = false;
  size_t length = 0, accesses = 0;
  for (size_t i = 0; i < walk->edges.count; i++) {
    const Edge *edge = &p->edges.data[walk->edges.data[i]];
    if (before[edge->from] && walk->after[edge->from]) break;
    const Step *step = edge_first_step(p, walk->edges.data[i]);
    accesses += step->access.address != TERM_NONE && (step->access.writes || walk->loads.data[i] == TERM_NONE);
    creates |= step->kind == STEP_CREATE;
    if (!p->locations.data[edge->to].atomic) length = i + 1;
  }
  memory_free(p->account, before, p->locations.count * sizeof(bool));
  return creates && accesses <= MOST_STRAIGHT ? length : 0;
}

static LocationId copy_location(Program *p, LocationId location) {
  Location copy = p->locations.data[location];
  LocationId id = program_add_location(p, copy.thread, copy.position);
  Location *there = &p->locations.data[id];
  there->atomic = copy.atomic;
  there->observed = copy.observed;
  return id;
}

// The other edge of the walk between the same locations, or NO_ID.
static EdgeId edge_beside(const Program *p, const MainWalk *walk, EdgeId edge) {
  const Edge *one = &p->edges.data[edge];
  uint32_t count;
  const EdgeId *edges = location_edges(p, one->from, &count);
  for (uint32_t i = 0; i < count; i++)
    if (edges[i] != edge && walk->taken[edges[i]] && p->edges.data[edges[i]].to == one->to) return edges[i];
  return NO_ID;
}

static void straighten(Program *p, const MainWalk *walk) {
  size_t length = straight_length(p, walk);
  if (length == 0) return;
  LocationId at = p->threads.data[0].entry = copy_location(p, p->threads.data[0].entry);
  for (size_t i = 0; i < length; i++) {
    Edge edge = p->edges.data[walk->edges.data[i]];
    Step step = p->steps.data[edge.first_step];
    EdgeId beside = edge_beside(p, walk, walk->edges.data[i]);
    LocationId to = i + 1 < length ? copy_location(p, edge.to) : edge.to;
    EdgeId copy = program_add_edge(p, at, to, &step);
    if (walk->loads.data[i] != TERM_NONE && !step.access.writes)
      give_constant(p, &p->steps.data[p->edges.data[copy].first_step], walk->loads.data[i]);
    if (beside != NO_ID) {
      step = p->steps.data[p->edges.data[beside].first_step];
      program_add_edge(p, at, to, &step);
    }
    at = to;
  }
  program_index(p);
}

// --- slots that are used once ---

static CellId ended_cell(const Program *p, ThreadId thread) {
  return program_cell_at(p, p->objects.data[p->threads.data[thread].control].address + CONTROL_ENDED);
}

// Is the edge a step that stores a constant other than zero in the cell, and nothing else?
static bool sets(const Program *p, EdgeId edge, CellId cell) {
  const Access *access = &edge_first_step(p, edge)->access;
  if (access->address == TERM_NONE || !access->writes || access->cells.count != 1) return false;
  if (cell_set_cells(p, access->cells)[0] != cell || !access_is_certain(p, access)) return false;
  return term_is_constant(p->terms, access->stored) && term_constant_value(p->terms, access->stored) != 0;
}

// Does a step write the cell that is none of these?
static bool *find_reset(const Program *p) {
  bool *reset = memory_allocate_zeroed(p->account, p->cells.count * sizeof(bool));
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Access *access = &edge_first_step(p, e)->access;
    if (access->address == TERM_NONE || !access->writes) continue;
    uint32_t count;
    const CellId *cells = access_cells(p, access, &count);
    for (uint32_t i = 0; i < count; i++) {
      const Object *object = &p->objects.data[p->cells.data[cells[i]].object];
      if (object->storage == STORAGE_CONTROL && !sets(p, e, cells[i])) reset[cells[i]] = true;
    }
  }
  return reset;
}

// Does each way to the location end with a step that sets the cell?
static bool comes_after_set(const Program *p, LocationId location, CellId cell) {
  const Location *l = &p->locations.data[location];
  for (uint32_t i = 0; i < l->in_count; i++)
    if (!sets(p, p->in_edges.data[l->first_in + i], cell)) return false;
  return l->in_count > 0;
}

// A thread that has ended waits for ever for another use of its slot if no step says that there is one.
static bool stop_reuse(Program *p) {
  bool changed = false, *reset = find_reset(p);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    Step *step = &p->steps.data[p->edges.data[e].first_step];
    if (step->kind != STEP_AGAIN || term_is_false(p->terms, step->guard)) continue;
    CellId cell = ended_cell(p, p->locations.data[p->edges.data[e].from].thread);
    bool reads_it = cell != NO_ID && step->access.cells.count == 1 && step->access.reads &&
                    cell_set_cells(p, step->access.cells)[0] == cell;
    if (!reads_it || reset[cell] || !comes_after_set(p, p->edges.data[e].from, cell)) continue;
    step->guard = term_false(p->terms);
    changed = true;
  }
  memory_free(p->account, reset, p->cells.count * sizeof(bool));
  return changed;
}

void pass_setup(Program *p) {
  if (p->infinite) return;
  for (unsigned round = 0; round < SETUP_ROUNDS && p->threads.count > 1; round++) {
    MainWalk walk;
    main_walk_init(&walk, p, p->account);
    bool changed = fold_settled(p, &walk);
    changed |= drop_untaken(p, &walk);
    if (round == 0) straighten(p, &walk);
    main_walk_free(&walk);
    program_sweep(p);
    changed |= stop_reuse(p);
    if (!changed) break;
    program_sweep(p);
    pass_constants(p);
  }
}
