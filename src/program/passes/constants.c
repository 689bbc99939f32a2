// Constants: loads of cells that no step writes, then sparse conditional constant propagation over each automaton, with
// the cell facts recomputed in between, until nothing changes.
#include "base/sorted.h"
#include "program/facts/facts.h"
#include "program/facts/targets.h"
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

enum { CONSTANT_ROUNDS = 6 };

// What is known at a location: variables with their constant values, ordered by variable.
typedef struct Known {
  VariableId variable;
  Term value;
} Known;

typedef struct Knowledge {
  Known *known;
  uint32_t count;
  bool reached, pending;
} Knowledge;

VECTOR(KnownVector, Known);

typedef struct Propagation {
  Program *program;
  StepUses uses;
  LiveRows live;
  Knowledge *at;    // per location; of locations other than roots of regions only while their region is walked
  Arena arena;      // knowledge at roots
  Arena scratch;    // knowledge in the region that is being walked
  KnownVector now;  // while walking along an edge
  Map substitution; // scratch
  bool changed;     // the program
} Propagation;

// --- loads of cells that no step changes ---

// What a cell always holds.
typedef enum CellState {
  CELL_UNTOUCHED,
  CELL_REWRITTEN,
  CELL_CHANGED
} CellState; // rewritten: with what it held anyway

// Does the access store into the cell what it held at the start?
static bool stores_initial(const Program *p, const Access *access, const Cell *cell) {
  if (cell->initial == TERM_NONE || !term_is_constant(p->terms, access->stored)) return false;
  Bits stored = term_constant_value(p->terms, access->stored), initial = term_constant_value(p->terms, cell->initial);
  if (cell->bytes == access->bytes) return stored == initial;
  // One of several byte cells; which byte it gets is known if the address is.
  if (!term_is_constant(p->terms, access->address)) return false;
  uint64_t byte = cell->address - (uint64_t)term_constant_value(p->terms, access->address);
  return byte < access->bytes && (stored >> 8 * byte & 0xff) == initial;
}

// Did the last store to the same long list of cells store the same value?
static bool seen_before(Map *done, const Access *access, bool constant) {
  if (access->cells.count <= 16) return false;
  uint64_t list = cell_set_key(access->cells);
  uint64_t value = (uint64_t)(constant ? access->stored : VALUE_INPUT) << 8 | (constant ? access->bytes : 0);
  if (map_get_or(done, list, UINT64_MAX) == value) return true;
  map_put(done, list, value);
  return false;
}

static uint8_t *find_changed_cells(const Program *p) {
  uint8_t *states = memory_allocate_zeroed(p->account, p->cells.count);
  Map done;
  map_init(&done, p->account);
  for (size_t s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    if (access->address == TERM_NONE || !access->writes) continue;
    bool constant = !value_is_fresh(access->stored) && term_is_constant(p->terms, access->stored);
    if (seen_before(&done, access, constant)) continue;
    const uint32_t *cells = cell_set_cells(p, access->cells);
    for (uint32_t i = 0; i < access->cells.count; i++) {
      uint8_t *cell = &states[cells[i]];
      if (*cell == CELL_CHANGED) continue;
      *cell = constant && stores_initial(p, access, &p->cells.data[cells[i]]) ? CELL_REWRITTEN : CELL_CHANGED;
    }
  }
  map_free(&done);
  return states;
}

// The constant that the step always loads, or TERM_NONE. A load of a cell that is rewritten with its initial value may
// race with that write. So such a load is removed only inside library models, whose accesses do not race (the kind of a
// mutex, for example).
static Term loaded_constant(Program *p, const Step *step, const uint8_t *states) {
  const Access *access = &step->access;
  if (!access->reads || access->writes || !access_is_certain(p, access)) return TERM_NONE;
  CellState most = access->synchronises && step->position.library ? CELL_REWRITTEN : CELL_UNTOUCHED;
  const uint32_t *cells = cell_set_cells(p, access->cells);
  Bits value = 0;
  unsigned shift = 0;
  for (uint32_t i = 0; i < access->cells.count; i++) {
    const Cell *cell = &p->cells.data[cells[i]];
    if (states[cells[i]] > most || cell->initial == TERM_NONE || shift >= 128) return TERM_NONE;
    value |= term_constant_value(p->terms, cell->initial) << shift;
    shift += 8 * cell->bytes;
  }
  return shift == 8u * access->bytes ? term_constant(p->terms, shift, value) : TERM_NONE;
}

static bool fold_loads(Program *p) {
  bool changed = false;
  uint8_t *states = find_changed_cells(p);
  for (size_t s = 0; s < p->steps.count; s++) {
    Step *step = &p->steps.data[s];
    // The START step of a thread keeps its read of the status.
    if (step->access.address == TERM_NONE || step->kind == STEP_START) continue;
    Term constant = loaded_constant(p, step, states);
    if (constant == TERM_NONE) continue;
    step_set_constant(p, step, step->access.into, constant);
    step_drop_access(step);
    changed = true;
  }
  memory_free(p->account, states, p->cells.count);
  return changed;
}

// --- knowledge ---

SORTED_FIND(find_known, Known, .variable, VariableId);

static void forget(KnownVector *known, VariableId variable) {
  size_t at = find_known(known->data, known->count, variable);
  if (at == known->count || known->data[at].variable != variable) return;
  memmove(known->data + at, known->data + at + 1, (known->count - at - 1) * sizeof *known->data);
  known->count--;
}

static void learn(KnownVector *known, VariableId variable, Term value) {
  assert(value != TERM_NONE && !value_is_fresh(value));
  size_t at = find_known(known->data, known->count, variable);
  if (at < known->count && known->data[at].variable == variable) {
    known->data[at].value = value;
    return;
  }
  KnownVector_push(known, (Known){0});
  memmove(known->data + at + 1, known->data + at, (known->count - 1 - at) * sizeof *known->data);
  known->data[at] = (Known){variable, value};
}

// `t` with what is known now put in; `group` lists its variables (perhaps more).
static Term simplify(Propagation *propagation, Term t, StepId step, uint32_t group) {
  Program *p = propagation->program;
  if (t == TERM_NONE || value_is_fresh(t)) return t;
  uint32_t count;
  const uint32_t *variables = step_uses(&propagation->uses, step, group, &count);
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    size_t at = find_known(propagation->now.data, propagation->now.count, variables[i]);
    if (at == propagation->now.count || propagation->now.data[at].variable != variables[i]) continue;
    if (!any) map_clear(&propagation->substitution);
    any = true;
    map_put(&propagation->substitution, variable_term(p, variables[i]), propagation->now.data[at].value);
  }
  return any ? term_substitute(p->terms, t, &propagation->substitution, NULL) : t;
}

// Learns from a guard that holds: `v == 3`, `v`, `!v`, and conjunctions of these.
static void learn_guard(Propagation *propagation, Term guard, unsigned depth) {
  Program *p = propagation->program;
  TermOperator op = term_operator(p->terms, guard);
  if (op == TERM_AND && depth < 8) {
    learn_guard(propagation, term_child(p->terms, guard, 0), depth + 1);
    learn_guard(propagation, term_child(p->terms, guard, 1), depth + 1);
    return;
  }
  Term variable = guard, value = term_true(p->terms);
  if (op == TERM_NOT) {
    variable = term_child(p->terms, guard, 0);
    value = term_false(p->terms);
  } else if (op == TERM_EQ) {
    variable = term_child(p->terms, guard, 0);
    value = term_child(p->terms, guard, 1);
    if (term_operator(p->terms, value) == TERM_VARIABLE) {
      Term other = variable;
      variable = value;
      value = other;
    }
  }
  if (term_operator(p->terms, variable) != TERM_VARIABLE || !term_is_constant(p->terms, value)) return;
  VariableId id = program_variable_of_term(p, variable);
  if (id != NO_ID) learn(&propagation->now, id, value);
}

// --- propagation ---

// Carries `now` over a step. False: the step cannot be taken.
static bool pass_step(Propagation *propagation, StepId id) {
  Program *p = propagation->program;
  const Step *step = &p->steps.data[id];
  if (step->access.into != NO_ID) forget(&propagation->now, step->access.into);
  Term guard = simplify(propagation, step->guard, id, USES_REST);
  if (term_is_false(p->terms, guard)) return false;
  learn_guard(propagation, guard, 0);
  uint32_t count = step->assignment_count;
  Term values[16];
  Term *all = count <= 16 ? values : memory_allocate(p->account, count * sizeof *all);
  for (uint32_t i = 0; i < count; i++)
    all[i] = simplify(propagation, step->assignments[i].value, id, USES_FIRST_ASSIGNMENT + i);
  for (uint32_t i = 0; i < count; i++) {
    bool constant = !value_is_fresh(all[i]) && term_is_constant(p->terms, all[i]);
    if (constant)
      learn(&propagation->now, step->assignments[i].variable, all[i]);
    else
      forget(&propagation->now, step->assignments[i].variable);
  }
  if (all != values) memory_free(p->account, all, count * sizeof *all);
  return true;
}

// What is known at `to`, when only one edge leads there or nothing was known before: `now`, as far as it is live.
static void copy_known(Propagation *propagation, LocationId to, Arena *arena) {
  Knowledge *there = &propagation->at[to];
  const KnownVector *now = &propagation->now;
  there->reached = true;
  there->count = 0;
  there->known = arena_allocate(arena, now->count * sizeof *there->known);
  for (size_t i = 0; i < now->count; i++)
    if (live_rows_get(&propagation->live, to, now->data[i].variable)) there->known[there->count++] = now->data[i];
}

// Intersects what is known at the root `to` with `now`. True if the root must be visited (again).
static bool meet(Propagation *propagation, LocationId to) {
  Knowledge *there = &propagation->at[to];
  const KnownVector *now = &propagation->now;
  if (!there->reached) {
    copy_known(propagation, to, &propagation->arena);
    return true;
  }
  assert(propagation->live.place[to] == 0);
  uint32_t kept = 0;
  size_t j = 0;
  for (uint32_t i = 0; i < there->count; i++) {
    while (j < now->count && now->data[j].variable < there->known[i].variable) j++;
    if (j < now->count && now->data[j].variable == there->known[i].variable &&
        now->data[j].value == there->known[i].value)
      there->known[kept++] = there->known[i];
  }
  bool shrank = kept < there->count;
  there->count = kept;
  return shrank;
}

static void start_from(Propagation *propagation, LocationId location) {
  const Knowledge *here = &propagation->at[location];
  KnownVector_clear(&propagation->now);
  KnownVector_reserve(&propagation->now, here->count + 4);
  if (here->count) memcpy(propagation->now.data, here->known, here->count * sizeof *here->known);
  propagation->now.count = here->count;
}

// Carries what is known over an edge. True if a root must be visited again.
static bool pass_edge(Propagation *propagation, const Edge *edge) {
  start_from(propagation, edge->from);
  for (uint32_t s = 0; s < edge->step_count; s++)
    if (!pass_step(propagation, edge->first_step + s)) return false;
  if (propagation->live.place[edge->to] > 0) { // inside the region: this is the only way to it
    copy_known(propagation, edge->to, &propagation->scratch);
    return false;
  }
  if (!meet(propagation, edge->to)) return false;
  propagation->at[edge->to].pending = true;
  return true;
}

static void rewrite_edge(Propagation *propagation, EdgeId id);

// Walks one region from its root down, and rewrites its edges if asked to. True if a root must be visited again.
static bool walk_region(Propagation *propagation, uint32_t region, bool rewrite) {
  const Program *p = propagation->program;
  LiveRows *live = &propagation->live;
  ArenaMark mark = arena_mark(&propagation->scratch);
  bool any = false;
  live_rows_load(live, region);
  uint32_t first = live->member_start.data[region], last = live->member_start.data[region + 1];
  propagation->at[live->members.data[first]].pending = false;
  for (uint32_t m = first + 1; m < last; m++) propagation->at[live->members.data[m]] = (Knowledge){0};
  for (uint32_t m = first; m < last; m++) {
    LocationId id = live->members.data[m];
    uint32_t count;
    const EdgeId *edges = location_edges(p, id, &count);
    for (uint32_t i = 0; i < count; i++) {
      EdgeId edge = edges[i];
      if (propagation->at[id].reached) any |= pass_edge(propagation, &p->edges.data[edge]);
      if (rewrite) rewrite_edge(propagation, edge);
    }
  }
  arena_rollback(&propagation->scratch, mark);
  return any;
}

static void propagate(Propagation *propagation) {
  const Program *p = propagation->program;
  const LiveRows *live = &propagation->live;
  for (size_t t = 0; t < p->threads.count; t++) {
    if (p->threads.data[t].entry == NO_ID) continue;
    Knowledge *entry = &propagation->at[p->threads.data[t].entry];
    entry->reached = entry->pending = true;
  }
  bool again = true;
  while (again) {
    again = false;
    for (uint32_t r = 0; r < live->region_count; r++) {
      LocationId root = live->members.data[live->member_start.data[r]];
      if (propagation->at[root].pending) again |= walk_region(propagation, r, false);
    }
  }
}

// --- rewriting ---

static void set_term(Propagation *propagation, Term *place, Term value) {
  propagation->changed |= *place != value;
  *place = value;
}

static void rewrite_step(Propagation *propagation, StepId id) {
  Program *p = propagation->program;
  Step *step = &p->steps.data[id];
  if (step->access.address != TERM_NONE)
    set_term(propagation, &step->access.address, simplify(propagation, step->access.address, id, USES_ADDRESS));
  if (step->access.into != NO_ID) forget(&propagation->now, step->access.into);
  Term guard = simplify(propagation, step->guard, id, USES_REST);
  if (step->access.stored != TERM_NONE)
    set_term(propagation, &step->access.stored, simplify(propagation, step->access.stored, id, USES_REST));
  if (step->operand != TERM_NONE)
    set_term(propagation, &step->operand, simplify(propagation, step->operand, id, USES_REST));
  bool differs = false;
  for (uint32_t i = 0; i < step->assignment_count && !differs; i++)
    differs =
        simplify(propagation, step->assignments[i].value, id, USES_FIRST_ASSIGNMENT + i) != step->assignments[i].value;
  if (differs) {
    step_set_assignments(p, step, step->assignments, step->assignment_count);
    for (uint32_t i = 0; i < step->assignment_count; i++)
      step->assignments[i].value = simplify(propagation, step->assignments[i].value, id, USES_FIRST_ASSIGNMENT + i);
    propagation->changed = true;
  }
  set_term(propagation, &step->guard, guard);
}

static void rewrite_edge(Propagation *propagation, EdgeId id) {
  Edge *edge = &propagation->program->edges.data[id];
  if (!propagation->at[edge->from].reached) {
    edge->step_count = 0;
    propagation->changed = true;
    return;
  }
  assert(edge->step_count == 1 && "before large blocks");
  start_from(propagation, edge->from);
  rewrite_step(propagation, edge->first_step);
}

static bool propagate_constants(Program *p) {
  Propagation propagation = {.program = p};
  step_uses_init(&propagation.uses, p, p->account);
  live_rows_init(&propagation.live, p, &propagation.uses, LIVE_MOST_IN_ROOTS, p->account);
  propagation.at = memory_allocate_zeroed(p->account, p->locations.count * sizeof *propagation.at);
  arena_init(&propagation.arena, p->account);
  arena_init(&propagation.scratch, p->account);
  KnownVector_init(&propagation.now, p->account);
  map_init(&propagation.substitution, p->account);
  size_t locations = p->locations.count;
  propagate(&propagation);
  for (uint32_t r = 0; r < propagation.live.region_count; r++) walk_region(&propagation, r, true);
  map_free(&propagation.substitution);
  KnownVector_free(&propagation.now);
  arena_free(&propagation.arena);
  arena_free(&propagation.scratch);
  memory_free(p->account, propagation.at, locations * sizeof *propagation.at);
  live_rows_free(&propagation.live);
  step_uses_free(&propagation.uses);
  program_sweep(p);
  return propagation.changed;
}

// --- facts that follow ---

// An access whose address became constant touches one place only.
static bool narrow_access(Program *p, Access *access) {
  if (access->address == TERM_NONE || access->cells.count == 0) return false;
  if (!term_is_constant(p->terms, access->address)) return false;
  CellId cell = program_cell_at(p, (uint64_t)term_constant_value(p->terms, access->address));
  bool inside = cell != NO_ID && cell_set_has(p, access->cells, cell);
  uint32_t count = inside && p->cells.data[cell].bytes == access->bytes ? 1 : access->bytes;
  if (inside && p->cells.data[cell].bytes != 1 && p->cells.data[cell].bytes != access->bytes) inside = false;
  CellSet narrow = {inside ? cell : 0, inside ? count : 0};
  if (narrow.first == access->cells.first && narrow.count == access->cells.count) return false;
  if (narrow.count == access->cells.count && cell_set_cells(p, access->cells)[0] == narrow.first) return false;
  access->cells = narrow;
  access->invalid = narrow.count == 0;
  return true;
}

// A thread that no step creates never starts.
static bool stop_uncreated(Program *p) {
  bool *created = memory_allocate_zeroed(p->account, p->threads.count * sizeof *created);
  bool changed = false;
  for (size_t s = 0; s < p->steps.count; s++)
    if (p->steps.data[s].kind == STEP_CREATE) created[p->steps.data[s].target] = true;
  for (size_t e = 0; e < p->edges.count; e++) {
    Step *step = edge_only_step(p, e);
    ThreadId thread = p->locations.data[p->edges.data[e].from].thread;
    if (step->kind != STEP_START || created[thread] || term_is_false(p->terms, step->guard)) continue;
    step->guard = term_false(p->terms);
    changed = true;
  }
  memory_free(p->account, created, p->threads.count * sizeof *created);
  return changed;
}

void pass_constants(Program *p) {
  for (unsigned round = 0; round < CONSTANT_ROUNDS; round++) {
    while (stop_uncreated(p)) program_sweep(p);
    bool changed = fold_loads(p);
    changed |= propagate_constants(p);
    for (size_t s = 0; s < p->steps.count; s++) changed |= narrow_access(p, &p->steps.data[s].access);
    if (!changed) break;
  }
  while (stop_uncreated(p)) program_sweep(p);
  program_mark_cells(p);
}
