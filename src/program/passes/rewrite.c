#include "program/passes/rewrite.h"

#include <stdlib.h>

// --- variables that steps read ---

void variable_walker_init(VariableWalker *walker, const Program *p, Account *account) {
  *walker = (VariableWalker){.program = p, .account = account};
  walker->seen_count = term_store_size(p->terms) + 1;
  walker->seen = memory_allocate_zeroed(account, walker->seen_count * sizeof *walker->seen);
  U32Vector_init(&walker->stack, account);
}

void variable_walker_free(VariableWalker *walker) {
  memory_free(walker->account, walker->seen, walker->seen_count * sizeof *walker->seen);
  U32Vector_free(&walker->stack);
}

void variable_walker_start(VariableWalker *walker) { walker->round++; }

static void walker_push(VariableWalker *walker, Term t) {
  if (t == TERM_NONE || value_is_fresh(t)) return;
  if (t >= walker->seen_count) { // made since the walker was
    size_t grown = term_store_size(walker->program->terms) + 1 + walker->seen_count / 2;
    walker->seen = memory_resize(walker->account, walker->seen, walker->seen_count * sizeof *walker->seen,
                                 grown * sizeof *walker->seen);
    memset(walker->seen + walker->seen_count, 0, (grown - walker->seen_count) * sizeof *walker->seen);
    walker->seen_count = grown;
  }
  if (walker->seen[t] == walker->round) return;
  walker->seen[t] = walker->round;
  U32Vector_push(&walker->stack, t);
}

void variable_walker_add(VariableWalker *walker, Term t, U32Vector *out) {
  const Program *p = walker->program;
  assert(walker->round > 0);
  walker_push(walker, t);
  while (walker->stack.count) {
    Term at = U32Vector_pop(&walker->stack);
    if (term_operator(p->terms, at) == TERM_VARIABLE) {
      VariableId variable = program_variable_of_term(p, at);
      if (variable != NO_ID) U32Vector_push(out, variable);
      continue;
    }
    unsigned arity = term_arity(p->terms, at);
    for (unsigned i = 0; i < arity; i++) walker_push(walker, term_child(p->terms, at, i));
  }
}

static void end_group(StepUses *uses, VariableWalker *walker) {
  U32Vector_push(&uses->group_start, (uint32_t)uses->variables.count);
  variable_walker_start(walker);
}

void step_uses_init(StepUses *uses, const Program *p, Account *account) {
  *uses = (StepUses){.step_count = p->steps.count, .account = account};
  uses->first_group = memory_allocate(account, p->steps.count * sizeof *uses->first_group);
  U32Vector_init(&uses->group_start, account);
  U32Vector_init(&uses->variables, account);
  VariableWalker walker;
  variable_walker_init(&walker, p, account);
  end_group(uses, &walker); // the start of the first group
  for (size_t s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    uses->first_group[s] = (uint32_t)uses->group_start.count - 1;
    variable_walker_add(&walker, step->access.address, &uses->variables);
    if (step->block) {
      variable_walker_add(&walker, step->block->destination, &uses->variables);
      variable_walker_add(&walker, step->block->source, &uses->variables);
    }
    end_group(uses, &walker);
    variable_walker_add(&walker, step->guard, &uses->variables);
    variable_walker_add(&walker, step->access.stored, &uses->variables);
    variable_walker_add(&walker, step->operand, &uses->variables);
    end_group(uses, &walker);
    for (uint32_t i = 0; i < step->assignment_count; i++) {
      variable_walker_add(&walker, step->assignments[i].value, &uses->variables);
      end_group(uses, &walker);
    }
  }
  variable_walker_free(&walker);
}

void step_uses_free(StepUses *uses) {
  memory_free(uses->account, uses->first_group, uses->step_count * sizeof *uses->first_group);
  U32Vector_free(&uses->group_start);
  U32Vector_free(&uses->variables);
}

// --- sweeping ---

// Does a false guard of the step mean something: waiting, an assumption, a thread that is not started?
static bool step_must_stay(const Step *step) {
  return step_may_block(step) || step->kind == STEP_ASSUME || step->kind == STEP_START;
}

typedef enum Fate { FATE_GONE, FATE_TOUCHED, FATE_REACHED } Fate; // touched: kept, but nothing leaves it

// Can the edge be taken, or does it at least have to stay?
static bool edge_stays(const Program *p, EdgeId edge, bool *passable) {
  *passable = true;
  uint32_t count;
  const Step *steps = edge_steps(p, edge, &count);
  bool stays = count > 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!term_is_false(p->terms, steps[i].guard)) continue;
    *passable = false;
    stays &= step_must_stay(&steps[i]);
  }
  return stays;
}

static void reach_from_entries(const Program *p, uint8_t *fate) {
  U32Vector stack;
  U32Vector_init(&stack, p->account);
  for (size_t i = 0; i < p->interrupts.count; i++) {
    fate[p->interrupts.data[i].entry] = FATE_REACHED;
    U32Vector_push(&stack, p->interrupts.data[i].entry);
  }
  for (size_t t = 0; t < p->threads.count; t++) {
    LocationId entry = p->threads.data[t].entry, final = p->threads.data[t].final;
    if (final != NO_ID && fate[final] == FATE_GONE) fate[final] = FATE_TOUCHED;
    if (entry == NO_ID || fate[entry] == FATE_REACHED) continue;
    fate[entry] = FATE_REACHED;
    U32Vector_push(&stack, entry);
  }
  while (stack.count) {
    uint32_t count;
    const EdgeId *edges = location_edges(p, U32Vector_pop(&stack), &count);
    for (uint32_t i = 0; i < count; i++) {
      const Edge *edge = &p->edges.data[edges[i]];
      bool passable;
      if (!edge_stays(p, edges[i], &passable)) continue;
      if (fate[edge->to] == FATE_GONE) fate[edge->to] = FATE_TOUCHED;
      if (!passable || fate[edge->to] == FATE_REACHED) continue;
      fate[edge->to] = FATE_REACHED;
      U32Vector_push(&stack, edge->to);
    }
  }
  U32Vector_free(&stack);
}

// Keeps the edges that leave a reached location, and their steps, in order.
static void keep_edges(Program *p, const uint8_t *fate, const LocationId *renumbered) {
  StepVector steps;
  StepVector_init(&steps, p->account);
  StepVector_reserve(&steps, p->steps.count);
  size_t kept = 0;
  for (size_t e = 0; e < p->edges.count; e++) {
    Edge edge = p->edges.data[e];
    bool passable;
    if (fate[edge.from] != FATE_REACHED || !edge_stays(p, (EdgeId)e, &passable)) continue;
    StepId first = (StepId)steps.count;
    uint32_t count;
    const Step *own = edge_steps(p, (EdgeId)e, &count);
    for (uint32_t i = 0; i < count; i++) StepVector_push(&steps, own[i]);
    edge.first_step = first;
    edge.from = renumbered[edge.from];
    edge.to = renumbered[edge.to];
    p->edges.data[kept++] = edge;
  }
  assert(kept <= p->edges.count && steps.count <= p->steps.count);
  p->edges.count = kept;
  StepVector_free(&p->steps);
  p->steps = steps;
}

void program_sweep(Program *p) {
  program_index(p);
  size_t count = p->locations.count;
  uint8_t *fate = memory_allocate_zeroed(p->account, count);
  LocationId *renumbered = memory_allocate(p->account, count * sizeof *renumbered);
  reach_from_entries(p, fate);
  LocationId kept = 0;
  for (size_t l = 0; l < count; l++) renumbered[l] = fate[l] == FATE_GONE ? NO_ID : kept++;
  keep_edges(p, fate, renumbered);
  for (size_t l = 0; l < count; l++)
    if (renumbered[l] != NO_ID) p->locations.data[renumbered[l]] = p->locations.data[l];
  p->locations.count = kept;
  for (size_t t = 0; t < p->threads.count; t++) {
    Thread *thread = &p->threads.data[t];
    if (thread->entry != NO_ID) thread->entry = renumbered[thread->entry];
    if (thread->final != NO_ID) thread->final = renumbered[thread->final];
  }
  for (size_t i = 0; i < p->interrupts.count; i++) {
    Interruption *interrupt = &p->interrupts.data[i];
    interrupt->entry = renumbered[interrupt->entry];
    if (interrupt->leave != NO_ID) interrupt->leave = renumbered[interrupt->leave];
    if (interrupt->exit != NO_ID) interrupt->exit = renumbered[interrupt->exit];
  }
  memory_free(p->account, fate, count);
  memory_free(p->account, renumbered, count * sizeof *renumbered);
  program_index(p);
}

void step_set_assignments(Program *p, Step *step, const Assignment *assignments, uint32_t count) {
  step->assignments = count ? arena_copy(&p->arena, assignments, count * sizeof *assignments) : NULL;
  step->assignment_count = count;
}

void step_set_constant(Program *p, Step *step, VariableId into, Term constant) {
  Map map;
  map_init(&map, p->account);
  map_put(&map, variable_term(p, into), constant);
  step->guard = term_substitute(p->terms, step->guard, &map, NULL);
  if (step->operand != TERM_NONE) step->operand = term_substitute(p->terms, step->operand, &map, NULL);
  uint32_t count = step->assignment_count;
  Assignment *assignments = arena_allocate(&p->arena, (count + 1) * sizeof *assignments);
  bool assigned = false;
  for (uint32_t i = 0; i < count; i++) {
    assignments[i] = step->assignments[i];
    assigned |= assignments[i].variable == into;
    if (!value_is_fresh(assignments[i].value))
      assignments[i].value = term_substitute(p->terms, assignments[i].value, &map, NULL);
  }
  if (!assigned) assignments[count++] = (Assignment){into, constant};
  step->assignments = assignments;
  step->assignment_count = count;
  map_free(&map);
}

void step_drop_access(Step *step) { step->access = (Access){.into = NO_ID}; }

void step_drop_check(Step *step) {
  assert(step->kind == STEP_CHECK && step->access.address == TERM_NONE);
  bool clears = step->check->subject == CHECK_SCOPE;
  step->kind = STEP_PLAIN;
  step->operand = TERM_NONE;
  step->check = NULL;
  step->target = NO_ID;
  if (clears) return; // what it does to variables stays
  step->assignments = NULL;
  step->assignment_count = 0;
}

Term step_narrow_input(Program *p, EdgeId edge, uint32_t which, unsigned bits) {
  Step *step = edge_only_step(p, edge);
  assert(which < step->assignment_count && value_is_fresh(step->assignments[which].value));
  VariableId wide = step->assignments[which].variable;
  VariableId narrow = program_add_variable(p, p->variables.data[wide].thread, bits, p->variables.data[wide].name, true);
  p->variables.data[narrow].guessed = p->variables.data[wide].guessed;
  p->variables.data[narrow].course = p->variables.data[wide].course;
  step_set_assignments(p, step, step->assignments, step->assignment_count);
  step->assignments[which].variable = narrow;
  return variable_term(p, narrow);
}

void edge_add_step_behind(Program *p, EdgeId edge, const Step *step) {
  LocationId from = p->edges.data[edge].from, to = p->edges.data[edge].to;
  LocationId between = program_add_location(p, p->locations.data[from].thread, step->position);
  p->locations.data[between].atomic = p->locations.data[from].atomic && p->locations.data[to].atomic;
  p->edges.data[edge].to = between;
  program_add_edge(p, between, to, step);
}

static void mark_mentioned(const Program *p, const StepUses *uses, bool *mentioned) {
  for (size_t i = 0; i < uses->variables.count; i++) mentioned[uses->variables.data[i]] = true;
  for (size_t s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    if (step->access.into != NO_ID) mentioned[step->access.into] = true;
    for (uint32_t i = 0; i < step->assignment_count; i++) mentioned[step->assignments[i].variable] = true;
  }
}

// New numbers for the variables that are mentioned, ordered by thread; NO_ID for the others.
static void renumber_variables(Program *p, const bool *mentioned, VariableId *renumbered) {
  size_t count = p->variables.count, thread_count = p->threads.count;
  uint32_t *next = memory_allocate_zeroed(p->account, (thread_count + 1) * sizeof *next);
  for (size_t v = 0; v < count; v++) next[p->variables.data[v].thread + 1] += mentioned[v];
  for (size_t t = 0; t < thread_count; t++) next[t + 1] += next[t];
  for (size_t v = 0; v < count; v++) renumbered[v] = mentioned[v] ? next[p->variables.data[v].thread]++ : NO_ID;
  memory_free(p->account, next, (thread_count + 1) * sizeof *next);
  VariableVector variables;
  VariableVector_init(&variables, p->account);
  for (size_t v = 0; v < count; v++) {
    p->variable_of.data[term_variable_index(p->terms, p->variables.data[v].term)] = renumbered[v];
    if (renumbered[v] == NO_ID) continue;
    if (variables.count <= renumbered[v]) VariableVector_resize(&variables, renumbered[v] + 1);
    variables.data[renumbered[v]] = p->variables.data[v];
  }
  VariableVector_free(&p->variables);
  p->variables = variables;
}

void program_drop_unused_variables(Program *p) {
  size_t count = p->variables.count;
  StepUses uses;
  step_uses_init(&uses, p, p->account);
  bool *mentioned = memory_allocate_zeroed(p->account, count * sizeof *mentioned);
  mark_mentioned(p, &uses, mentioned);
  step_uses_free(&uses);
  VariableId *renumbered = memory_allocate(p->account, count * sizeof *renumbered);
  renumber_variables(p, mentioned, renumbered);
  for (size_t s = 0; s < p->steps.count; s++) {
    Step *step = &p->steps.data[s];
    if (step->access.into != NO_ID) step->access.into = renumbered[step->access.into];
    if (step->assignment_count == 0) continue;
    step_set_assignments(p, step, step->assignments, step->assignment_count);
    for (uint32_t i = 0; i < step->assignment_count; i++)
      step->assignments[i].variable = renumbered[step->assignments[i].variable];
  }
  memory_free(p->account, mentioned, count * sizeof *mentioned);
  memory_free(p->account, renumbered, count * sizeof *renumbered);
}

// --- cells ---

void program_mark_cells(Program *p) {
  enum { NO_THREAD = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };
  uint32_t *touched = memory_allocate(p->account, p->cells.count * sizeof *touched);
  for (size_t c = 0; c < p->cells.count; c++) {
    touched[c] = NO_THREAD;
    p->cells.data[c].written = p->cells.data[c].shared = false;
  }
  Map done; // long lists that a thread has marked before
  map_init(&done, p->account);
  for (size_t e = 0; e < p->edges.count; e++) {
    ThreadId thread = p->locations.data[p->edges.data[e].from].thread;
    uint32_t step_count;
    const Step *steps = edge_steps(p, (EdgeId)e, &step_count);
    for (uint32_t i = 0; i < step_count; i++) {
      const Access *access = &steps[i].access;
      if (access->address == TERM_NONE) continue;
      if (access->cells.count > 16) {
        uint64_t key = hash_mix(cell_set_key(access->cells)) ^ ((uint64_t)thread << 1 | access->writes);
        if (map_contains(&done, key)) continue;
        map_put(&done, key, 1);
      }
      const uint32_t *cells = cell_set_cells(p, access->cells);
      for (uint32_t c = 0; c < access->cells.count; c++) {
        uint32_t *by = &touched[cells[c]];
        *by = *by == NO_THREAD || *by == thread ? thread : SEVERAL;
        p->cells.data[cells[c]].written |= access->writes;
      }
    }
  }
  for (size_t c = 0; c < p->cells.count; c++)
    p->cells.data[c].shared = p->cells.data[c].written && touched[c] == SEVERAL;
  map_free(&done);
  memory_free(p->account, touched, p->cells.count * sizeof *touched);
}

void cell_set_builder_init(CellSetBuilder *builder, Program *p) {
  assert(p->cell_lists.count >= p->cells.count);
  builder->program = p;
  map_init(&builder->known, p->account);
}

void cell_set_builder_free(CellSetBuilder *builder) { map_free(&builder->known); }

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void sort_unique(U32Vector *cells) {
  bool sorted = true;
  for (size_t i = 1; i < cells->count && sorted; i++) sorted = cells->data[i - 1] < cells->data[i];
  if (sorted) return;
  qsort(cells->data, cells->count, sizeof *cells->data, compare_ids);
  size_t kept = 1;
  for (size_t i = 1; i < cells->count; i++)
    if (cells->data[i] != cells->data[kept - 1]) cells->data[kept++] = cells->data[i];
  cells->count = kept;
}

CellSet cell_set_build(CellSetBuilder *builder, U32Vector *cells) {
  U32Vector *lists = &builder->program->cell_lists;
  if (cells->count == 0) return (CellSet){0, 0};
  sort_unique(cells);
  uint32_t count = (uint32_t)cells->count;
  // Neighbours are a range of the list of all cells, with which cell_lists begins.
  if (cells->data[count - 1] - cells->data[0] == count - 1) return (CellSet){cells->data[0], count};
  uint64_t hash = hash_bytes(cells->data, count * sizeof *cells->data), start;
  if (map_get(&builder->known, hash, &start) && start + count <= lists->count &&
      memcmp(lists->data + start, cells->data, count * sizeof *cells->data) == 0)
    return (CellSet){(uint32_t)start, count};
  start = lists->count;
  U32Vector_resize(lists, start + count);
  memcpy(lists->data + start, cells->data, count * sizeof *cells->data);
  map_put(&builder->known, hash, start);
  return (CellSet){(uint32_t)start, count};
}

static bool any_shared(const Program *p, CellSet set) {
  const uint32_t *cells = cell_set_cells(p, set);
  for (uint32_t i = 0; i < set.count; i++)
    if (p->cells.data[cells[i]].shared) return true;
  return false;
}

bool *program_shared_steps(const Program *p, Account *account) {
  bool *shared = memory_allocate_zeroed(account, p->steps.count * sizeof *shared);
  Map known;
  map_init(&known, account);
  for (size_t s = 0; s < p->steps.count; s++) {
    const Access *access = &p->steps.data[s].access;
    if (access->address == TERM_NONE) continue;
    uint64_t key = cell_set_key(access->cells), value;
    if (access->cells.count > 16 && map_get(&known, key, &value)) {
      shared[s] = value;
      continue;
    }
    shared[s] = any_shared(p, access->cells);
    if (access->cells.count > 16) map_put(&known, key, shared[s]);
  }
  map_free(&known);
  return shared;
}

bool access_is_certain(const Program *p, const Access *access) {
  if (access->address == TERM_NONE || access->invalid || access->cells.count == 0) return false;
  if (!term_is_constant(p->terms, access->address)) return false;
  uint64_t address = (uint64_t)term_constant_value(p->terms, access->address);
  ObjectId id = program_object_at(p, address);
  if (id == NO_ID) return false;
  const Object *object = &p->objects.data[id];
  if (object->storage == STORAGE_HEAP || object->storage == STORAGE_FUNCTION || object->dynamic) return false;
  return address - object->address + access->bytes <= object->size;
}

bool access_has_base(const Program *p, const Access *access) {
  if (access->address == TERM_NONE || access->cells.count == 0) return false;
  Term base = access->address;
  if (term_operator(p->terms, base) == TERM_ADD) base = term_child(p->terms, base, 1); // constants stand on the right
  if (!term_is_constant(p->terms, base)) return false;
  ObjectId object = program_object_at(p, (uint64_t)term_constant_value(p->terms, base));
  if (object == NO_ID) return false;
  const uint32_t *cells = cell_set_cells(p, access->cells);
  return p->cells.data[cells[0]].object == object && p->cells.data[cells[access->cells.count - 1]].object == object;
}
