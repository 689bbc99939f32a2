#include "program/facts/main_walk.h"

#include "base/map.h"

enum { MOST_WALKED_EDGES = 20000, MOST_FORGOTTEN = 4000000 };

typedef struct Walker {
  MainWalk *walk;
  const Program *program;
  Map values;       // variable of main -> its constant, or itself: any value
  bool created;     // some thread may run
  size_t forgotten; // cells whose value was lost because an address is not known: limits the time
  Account *account;
} Walker;

// --- cells ---

static ThreadId thread_of_edge(const Program *p, const Edge *edge) { return p->locations.data[edge->from].thread; }

// Calls for each cell that the step may write or make indeterminate. The lists in `done` are left out (NULL: none is);
// long ones are added to it.
typedef void WrittenCell(void *context, CellId cell);
static void each_written(const Program *p, const Step *step, Map *done, WrittenCell *call, void *context) {
  enum { SHORT_LIST = 16 };
  if (step->kind == STEP_ALLOCATE || step->kind == STEP_END) {
    const Object *object = &p->objects.data[step->target];
    for (uint32_t i = 0; i < object->cell_count; i++) call(context, object->first_cell + i);
  }
  if (step->access.address == TERM_NONE || !step->access.writes) return;
  uint32_t count;
  const CellId *cells = access_cells(p, &step->access, &count);
  uint64_t key = cell_set_key(step->access.cells);
  if (done && count > SHORT_LIST && map_contains(done, key)) return;
  if (done && count > SHORT_LIST) map_put(done, key, 1);
  for (uint32_t i = 0; i < count; i++) call(context, cells[i]);
}

static void mark_foreign(void *context, CellId cell) { ((MainWalk *)context)->cells[cell].foreign = true; }
static void mark_later(void *context, CellId cell) { ((MainWalk *)context)->cells[cell].later = true; }

// Do whole cells stand at these addresses, side by side?
static bool cells_fill(const Program *p, uint64_t address, unsigned bytes) {
  unsigned done = 0;
  while (done < bytes) {
    CellId cell = program_cell_at(p, address + done);
    if (cell == NO_ID) return false;
    done += p->cells.data[cell].bytes;
  }
  return done == bytes;
}

// The value of `bytes` bytes from a constant address on, or TERM_NONE.
static Term value_at(const MainWalk *walk, uint64_t address, unsigned bytes) {
  const Program *p = walk->program;
  if (!cells_fill(p, address, bytes)) return TERM_NONE;
  Bits value = 0;
  for (unsigned done = 0; done < bytes;) {
    CellId cell = program_cell_at(p, address + done);
    if (walk->cells[cell].value == TERM_NONE) return TERM_NONE;
    value |= term_constant_value(p->terms, walk->cells[cell].value) << 8 * done;
    done += p->cells.data[cell].bytes;
  }
  return term_constant(p->terms, 8 * bytes, value);
}

// --- steps of main ---

static Term value_of(const Walker *w, Term term) {
  const TermStore *terms = w->program->terms;
  if (term == TERM_NONE || value_is_fresh(term)) return TERM_NONE;
  Term value = term_is_constant(terms, term) ? term : term_substitute(w->program->terms, term, &w->values, NULL);
  return term_is_constant(terms, value) ? value : TERM_NONE;
}

static void set_variable(Walker *w, VariableId id, Term value) {
  Term variable = variable_term(w->program, id);
  map_put(&w->values, variable, value == TERM_NONE ? variable : value);
}

static void set_cell(Walker *w, CellId cell, Term value) {
  WalkedCell *walked = &w->walk->cells[cell];
  walked->value = w->created && walked->foreign ? TERM_NONE : value;
  walked->written = (uint32_t)w->walk->edges.count + 1;
}

static void forget_cell(void *context, CellId cell) {
  Walker *w = context;
  set_cell(w, cell, TERM_NONE);
  w->forgotten++;
}

// If the access's list has none of the cells at the address, the execution ends here, and nothing is said of it.
static void store(Walker *w, const Step *step, Term address, Term stored) {
  const Program *p = w->program;
  const Access *access = &step->access;
  uint64_t start = address == TERM_NONE ? 0 : (uint64_t)term_constant_value(p->terms, address);
  if (address == TERM_NONE || !cells_fill(p, start, access->bytes)) {
    each_written(p, step, NULL, forget_cell, w);
    return;
  }
  for (unsigned done = 0; done < access->bytes;) {
    CellId cell = program_cell_at(p, start + done);
    unsigned width = 8 * p->cells.data[cell].bytes;
    Term part = TERM_NONE;
    if (stored != TERM_NONE)
      part =
          term_constant(p->terms, width, term_constant_value(p->terms, stored) >> 8 * done & ~(Bits)0 >> (128 - width));
    set_cell(w, cell, part);
    done += p->cells.data[cell].bytes;
  }
}

static void assign(Walker *w, const Step *step) {
  TermVector right;
  TermVector_init(&right, w->account);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    TermVector_push(&right, value_of(w, step->assignments[i].value));
  for (uint32_t i = 0; i < step->assignment_count; i++) set_variable(w, step->assignments[i].variable, right.data[i]);
  TermVector_free(&right);
}

static Term loaded_value(const Walker *w, const Access *access) {
  Term address = value_of(w, access->address);
  if (address == TERM_NONE) return TERM_NONE;
  return value_at(w->walk, (uint64_t)term_constant_value(w->program->terms, address), access->bytes);
}

// May main take the edge now? Leaves what the step loads in its variable only until the next question.
static bool may_take(Walker *w, const Step *step) {
  VariableId into = step->access.into;
  if (into == NO_ID)
    return !term_is_false(w->program->terms, term_substitute(w->program->terms, step->guard, &w->values, NULL));
  Term variable = variable_term(w->program, into);
  Term before = (Term)map_get_or(&w->values, variable, variable);
  set_variable(w, into, loaded_value(w, &step->access));
  Term guard = term_substitute(w->program->terms, step->guard, &w->values, NULL);
  map_put(&w->values, variable, before);
  return !term_is_false(w->program->terms, guard);
}

// From now on other threads write.
static void begin_threads(Walker *w) {
  if (w->created) return;
  w->created = true;
  for (CellId c = 0; c < w->walk->cell_count; c++)
    if (w->walk->cells[c].foreign) w->walk->cells[c].value = TERM_NONE;
}

static void take(Walker *w, EdgeId edge) {
  MainWalk *walk = w->walk;
  const Step *step = edge_first_step(w->program, edge);
  Term address = value_of(w, step->access.address);
  Term loaded = step->access.into != NO_ID ? loaded_value(w, &step->access) : TERM_NONE;
  if (step->access.into != NO_ID) set_variable(w, step->access.into, loaded);
  Term stored = value_of(w, step->access.stored);
  if (step->access.address != TERM_NONE && step->access.writes)
    store(w, step, address, stored);
  else
    each_written(w->program, step, NULL, forget_cell, w);
  assign(w, step);
  if (step->kind == STEP_CREATE) {
    begin_threads(w);
    if (walk->starts[step->target] == NO_ID) walk->starts[step->target] = (uint32_t)walk->edges.count;
  }
  walk->taken[edge] = true;
  U32Vector_push(&walk->edges, edge);
  TermVector_push(&walk->loads, loaded);
  walk->stop = w->program->edges.data[edge].to;
}

// A step that chooses between lives of an object has several edges side by side (valid-memsafety). What they assign or
// write is not known behind them.
static void take_beside(Walker *w, EdgeId edge) {
  const Step *step = edge_first_step(w->program, edge);
  each_written(w->program, step, NULL, forget_cell, w);
  for (uint32_t i = 0; i < step->assignment_count; i++) set_variable(w, step->assignments[i].variable, TERM_NONE);
  w->walk->taken[edge] = true;
}

static bool may_stand_beside(const Step *step) {
  return (step->kind == STEP_PLAIN || step->kind == STEP_ALLOCATE) && step->access.address == TERM_NONE;
}

static void step_on(Walker *w, EdgeId first) {
  uint32_t count;
  const EdgeId *edges = location_edges(w->program, w->walk->stop, &count);
  EdgeId beside[2];
  uint32_t others = 0;
  for (uint32_t i = 0; i < count; i++)
    if (edges[i] != first && may_take(w, edge_first_step(w->program, edges[i]))) beside[others++] = edges[i];
  // The other edge assigns what the first one does: its values are lost afterwards.
  take(w, first);
  if (others > 0) {
    assert(others == 1);
    take_beside(w, beside[0]);
    const Step *step = edge_first_step(w->program, first);
    for (uint32_t i = 0; i < step->assignment_count; i++) set_variable(w, step->assignments[i].variable, TERM_NONE);
  }
}

// The only edge that main can take now, or the first of two that stand side by side, or NO_ID.
static EdgeId next_edge(Walker *w) {
  uint32_t count;
  const EdgeId *edges = location_edges(w->program, w->walk->stop, &count);
  EdgeId first = NO_ID;
  bool both = false;
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = &w->program->edges.data[edges[i]];
    const Step *step = edge_first_step(w->program, edges[i]);
    assert(edge->step_count == 1);
    if (!may_take(w, step)) continue;
    if (first != NO_ID) {
      const Edge *other = &w->program->edges.data[first];
      if (both || other->to != edge->to || !may_stand_beside(step)) return NO_ID;
      if (!may_stand_beside(edge_first_step(w->program, first))) return NO_ID;
      both = true;
    } else {
      first = edges[i];
    }
  }
  return first;
}

// --- what comes later ---

static void find_after(MainWalk *walk) {
  const Program *p = walk->program;
  Map done;
  map_init(&done, walk->account);
  U32Vector stack;
  U32Vector_init(&stack, walk->account);
  walk->after[walk->stop] = true;
  U32Vector_push(&stack, walk->stop);
  while (stack.count > 0) {
    uint32_t count;
    const EdgeId *edges = location_edges(p, U32Vector_pop(&stack), &count);
    for (uint32_t i = 0; i < count; i++) {
      each_written(p, edge_first_step(p, edges[i]), &done, mark_later, walk);
      LocationId to = p->edges.data[edges[i]].to;
      if (walk->after[to]) continue;
      walk->after[to] = true;
      U32Vector_push(&stack, to);
    }
  }
  U32Vector_free(&stack);
  map_free(&done);
}

static void find_foreign(MainWalk *walk) {
  const Program *p = walk->program;
  Map done;
  map_init(&done, walk->account);
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (thread_of_edge(p, &p->edges.data[e]) != 0) each_written(p, edge_first_step(p, e), &done, mark_foreign, walk);
  map_free(&done);
}

// A thread is not created before its creator is, or before the walk is over.
static void find_starts(MainWalk *walk) {
  const Program *p = walk->program;
  for (bool changed = true; changed;) {
    changed = false;
    for (EdgeId e = 0; e < p->edges.count; e++) {
      const Step *step = edge_first_step(p, e);
      if (step->kind != STEP_CREATE) continue;
      ThreadId creator = thread_of_edge(p, &p->edges.data[e]);
      uint32_t start = creator != 0 ? walk->starts[creator] : NO_ID;
      if (creator == 0 && walk->after[p->edges.data[e].from]) start = (uint32_t)walk->edges.count;
      if (start >= walk->starts[step->target]) continue;
      walk->starts[step->target] = start;
      changed = true;
    }
  }
}

// --- the walk ---

// Variables are zero at the entry of their thread.
static void begin_main(Walker *w) {
  const Program *p = w->program;
  for (VariableId v = 0; v < p->variables.count; v++)
    if (p->variables.data[v].thread == 0)
      set_variable(w, v, term_constant(p->terms, term_width(p->terms, variable_term(p, v)), 0));
}

static void allocate(MainWalk *walk) {
  const Program *p = walk->program;
  walk->edge_count = p->edges.count;
  walk->location_count = p->locations.count;
  walk->cell_count = p->cells.count;
  walk->thread_count = p->threads.count;
  walk->taken = memory_allocate_zeroed(walk->account, walk->edge_count * sizeof(bool));
  walk->after = memory_allocate_zeroed(walk->account, walk->location_count * sizeof(bool));
  walk->cells = memory_allocate_zeroed(walk->account, walk->cell_count * sizeof *walk->cells);
  walk->starts = memory_allocate(walk->account, walk->thread_count * sizeof *walk->starts);
  for (size_t t = 0; t < walk->thread_count; t++) walk->starts[t] = NO_ID;
  for (CellId c = 0; c < walk->cell_count; c++) walk->cells[c].value = p->cells.data[c].initial;
}

void main_walk_init(MainWalk *walk, const Program *p, Account *account) {
  *walk = (MainWalk){.program = p, .stop = p->threads.data[0].entry, .account = account};
  U32Vector_init(&walk->edges, account);
  TermVector_init(&walk->loads, account);
  allocate(walk);
  find_foreign(walk);
  Walker w = {.walk = walk, .program = p, .account = account};
  map_init(&w.values, account);
  begin_main(&w);
  EdgeId edge;
  while (walk->edges.count < MOST_WALKED_EDGES && w.forgotten < MOST_FORGOTTEN && (edge = next_edge(&w)) != NO_ID)
    step_on(&w, edge);
  map_free(&w.values);
  find_after(walk);
  find_starts(walk);
}

void main_walk_free(MainWalk *walk) {
  memory_free(walk->account, walk->starts, walk->thread_count * sizeof *walk->starts);
  memory_free(walk->account, walk->cells, walk->cell_count * sizeof *walk->cells);
  memory_free(walk->account, walk->after, walk->location_count * sizeof(bool));
  memory_free(walk->account, walk->taken, walk->edge_count * sizeof(bool));
  TermVector_free(&walk->loads);
  U32Vector_free(&walk->edges);
}

// A thread that is never created may be an observer, which reads at any time (transition/observers.h).
static bool is_settled(const MainWalk *walk, ThreadId thread, CellId cell) {
  const WalkedCell *walked = &walk->cells[cell];
  if (walk->starts[thread] == NO_ID) return false;
  return !walked->foreign && !walked->later && walked->value != TERM_NONE && walked->written <= walk->starts[thread];
}

Term main_walk_loaded(const MainWalk *walk, ThreadId thread, const Access *access) {
  const Program *p = walk->program;
  assert(thread != 0 && access->reads && !access->writes);
  uint32_t count;
  const CellId *cells = access_cells(p, access, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!is_settled(walk, thread, cells[i])) return TERM_NONE;
  if (term_is_constant(p->terms, access->address))
    return value_at(walk, (uint64_t)term_constant_value(p->terms, access->address), access->bytes);
  Term same = count > 0 ? walk->cells[cells[0]].value : TERM_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (p->cells.data[cells[i]].bytes != access->bytes || walk->cells[cells[i]].value != same) return TERM_NONE;
  return same;
}
