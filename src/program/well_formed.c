// The validator: every invariant of the program model, checked one by one.
#include "program/passes/rewrite.h"

typedef struct Checker {
  const Program *program;
  VariableWalker walker;
  U32Vector variables;
  const char *error;
} Checker;

// The first failure wins; `what` and `number` name the thing that is wrong.
static bool check(Checker *checker, bool holds, const char *what, size_t number, const char *rule) {
  if (holds || checker->error) return holds;
  // The message lives in the program's interner, which is not part of what the program means.
  Interner *strings = (Interner *)&checker->program->strings;
  checker->error = intern_format(strings, "%s %zu: %s", what, number, rule);
  return false;
}

static bool is_variable_term(const Program *p, Term t, unsigned width) {
  return t != TERM_NONE && t <= term_store_size(p->terms) && term_operator(p->terms, t) == TERM_VARIABLE &&
         (width == 0 || term_sort(p->terms, t) == width);
}

static void check_variables(Checker *checker) {
  const Program *p = checker->program;
  for (size_t v = 0; v < p->variables.count; v++) {
    const Variable *variable = &p->variables.data[v];
    if (!check(checker, is_variable_term(p, variable->term, 0), "variable", v, "its term is not a variable")) return;
    check(checker, variable->thread < p->threads.count, "variable", v, "it belongs to no thread");
    check(checker, program_variable_of_term(p, variable->term) == v, "variable", v,
          "its term leads to another variable");
    check(checker, variable->name != NULL, "variable", v, "it has no name");
  }
}

static void check_objects(Checker *checker) {
  const Program *p = checker->program;
  uint64_t limit = p->pointer_width == 32 ? UINT32_MAX : INT64_MAX;
  for (size_t o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    check(checker, object->address % 16 == 0, "object", o, "its address is not aligned");
    check(checker, object->address <= limit && object->size <= limit - object->address, "object", o,
          "it does not fit into the address space");
    check(checker, !object->sized || object->dynamic, "object", o, "it has a size of its own and is always there");
    check(checker, object->owner == NO_ID || object->owner < p->threads.count, "object", o, "its owner does not exist");
    if (o > 0)
      check(checker, object->address >= object[-1].address + object[-1].size + 32, "object", o,
            "it is too near to the one before it");
    if (object->cell_count == 0) continue;
    check(checker, object->storage != STORAGE_FUNCTION, "object", o, "a function has cells");
    check(checker, (uint64_t)object->first_cell + object->cell_count <= p->cells.count, "object", o,
          "its cells do not exist");
  }
}

static void check_cell(Checker *checker, size_t c) {
  const Program *p = checker->program;
  const Cell *cell = &p->cells.data[c];
  bool size = cell->bytes == 1 || cell->bytes == 2 || cell->bytes == 4 || cell->bytes == 8 || cell->bytes == 16;
  if (!check(checker, size, "cell", c, "its size is none of 1, 2, 4, 8, 16")) return;
  if (!check(checker, cell->object < p->objects.count, "cell", c, "its object does not exist")) return;
  const Object *object = &p->objects.data[cell->object];
  check(checker, c >= object->first_cell && c - object->first_cell < object->cell_count, "cell", c,
        "its object does not list it");
  check(checker, cell->address >= object->address && cell->address + cell->bytes <= object->address + object->size,
        "cell", c, "it lies outside its object");
  if (c > 0)
    check(checker, cell->address >= cell[-1].address + cell[-1].bytes, "cell", c, "it overlaps the one before it");
  if (!check(checker, is_variable_term(p, cell->term, 8 * cell->bytes), "cell", c, "its term does not fit")) return;
  uint32_t index = term_variable_index(p->terms, cell->term);
  check(checker, index < p->cell_of.count && p->cell_of.data[index] == c, "cell", c, "its term leads to another cell");
  if (cell->initial != TERM_NONE)
    check(checker, term_is_constant(p->terms, cell->initial) && term_width(p->terms, cell->initial) == 8 * cell->bytes,
          "cell", c, "its initial value does not fit");
  check(checker, !cell->shared || cell->written, "cell", c, "it is shared but never written");
}

static void check_threads(Checker *checker) {
  const Program *p = checker->program;
  for (size_t t = 0; t < p->threads.count; t++) {
    const Thread *thread = &p->threads.data[t];
    check(checker, (thread->parent == NO_ID) == (t == 0), "thread", t, "only main has no parent");
    check(checker, thread->parent == NO_ID || thread->parent < t, "thread", t, "its parent comes after it");
    bool entry = thread->entry < p->locations.count && p->locations.data[thread->entry].thread == t;
    if (!check(checker, entry, "thread", t, "its entry is not a location of its own")) return;
    bool final = thread->final < p->locations.count && p->locations.data[thread->final].thread == t;
    if (!check(checker, final, "thread", t, "its final location is not a location of its own")) return;
    check(checker, p->locations.data[thread->final].final, "thread", t, "its final location is not marked final");
    check(checker, !p->locations.data[thread->entry].atomic, "thread", t, "it starts inside an atomic section");
    check(checker, thread->control == NO_ID || thread->control < p->objects.count, "thread", t,
          "its control block does not exist");
  }
}

// --- steps ---

// All variables of `t` belong to the thread, and no cell's term is mentioned.
static void check_term(Checker *checker, Term t, unsigned width, ThreadId thread, StepId step, const char *rule) {
  const Program *p = checker->program;
  bool exists = t != TERM_NONE && t <= term_store_size(p->terms);
  if (!check(checker, exists && term_sort(p->terms, t) == width, "step", step, rule)) return;
  U32Vector_clear(&checker->variables);
  variable_walker_start(&checker->walker);
  variable_walker_add(&checker->walker, t, &checker->variables);
  for (size_t i = 0; i < checker->variables.count; i++)
    check(checker, p->variables.data[checker->variables.data[i]].thread == thread, "step", step,
          "it reads a variable of another thread");
}

static void check_access(Checker *checker, const Access *access, ThreadId thread, StepId id) {
  const Program *p = checker->program;
  if (access->address == TERM_NONE) {
    check(checker, !access->reads && !access->writes && access->into == NO_ID && access->stored == TERM_NONE, "step",
          id, "it reads or writes without an address");
    return;
  }
  check_term(checker, access->address, p->pointer_width, thread, id,
             "its address does not have the width of a pointer");
  check(checker, access->bytes >= 1 && access->bytes <= 16, "step", id, "its access has an odd size");
  check(checker, access->reads || access->writes, "step", id, "its access neither reads nor writes");
  check(checker, access->reads == (access->into != NO_ID), "step", id,
        "it reads into nothing, or loads without reading");
  if (access->into != NO_ID && check(checker, access->into < p->variables.count, "step", id, "it loads into nothing")) {
    const Variable *into = &p->variables.data[access->into];
    check(checker, into->thread == thread, "step", id, "it loads into a variable of another thread");
    check(checker, term_sort(p->terms, into->term) == 8u * access->bytes, "step", id,
          "it loads into a variable of another width");
  }
  check(checker, access->writes == (access->stored != TERM_NONE), "step", id,
        "it writes nothing, or stores without writing");
  if (access->stored != TERM_NONE && access->stored != VALUE_INDETERMINATE)
    check_term(checker, access->stored, 8u * access->bytes, thread, id, "what it stores has another width");
  if (!check(checker, (uint64_t)access->cells.first + access->cells.count <= p->cell_lists.count, "step", id,
             "its cell set does not exist"))
    return;
  const uint32_t *cells = cell_set_cells(p, access->cells);
  for (uint32_t i = 0; i < access->cells.count; i++)
    check(checker, cells[i] < p->cells.count && (i == 0 || cells[i - 1] < cells[i]), "step", id,
          "its cell set is not sorted");
  if (p->cells.count > 0)
    check(checker, access->invalid == (access->cells.count == 0), "step", id, "`invalid` does not fit its cell set");
}

static bool mentions(const Program *p, Term t, VariableId variable) {
  return t != TERM_NONE && !value_is_fresh(t) && term_mentions(p->terms, t, variable_term(p, variable));
}

// A fresh variable is not mentioned in the step that makes it fresh.
static void check_fresh(Checker *checker, const Step *step, StepId id, VariableId fresh) {
  const Program *p = checker->program;
  bool mentioned = mentions(p, step->guard, fresh) || mentions(p, step->access.stored, fresh) ||
                   mentions(p, step->access.address, fresh) || mentions(p, step->operand, fresh) ||
                   step->access.into == fresh;
  for (uint32_t i = 0; i < step->assignment_count; i++) mentioned |= mentions(p, step->assignments[i].value, fresh);
  check(checker, !mentioned, "step", id, "it mentions a variable that it makes fresh");
}

static void check_assignments(Checker *checker, const Step *step, ThreadId thread, StepId id) {
  const Program *p = checker->program;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    if (!check(checker, assignment->variable < p->variables.count, "step", id, "it assigns to no variable")) return;
    const Variable *variable = &p->variables.data[assignment->variable];
    check(checker, variable->thread == thread, "step", id, "it assigns to a variable of another thread");
    for (uint32_t j = 0; j < i && step->assignment_count <= 64; j++)
      check(checker, step->assignments[j].variable != assignment->variable, "step", id,
            "it assigns to a variable twice");
    if (value_is_fresh(assignment->value))
      check_fresh(checker, step, id, assignment->variable);
    else
      check_term(checker, assignment->value, term_sort(p->terms, variable->term), thread, id,
                 "a right side has another width than its variable");
  }
}

static void check_kind(Checker *checker, const Edge *edge, const Step *step, StepId id) {
  const Program *p = checker->program;
  const Location *from = &p->locations.data[edge->from];
  bool block =
      step->kind == STEP_COPY || step->kind == STEP_FILL || step->kind == STEP_READ || step->kind == STEP_HAVOC;
  check(checker, block == (step->block != NULL), "step", id, "only block operations have a block, and all of them do");
  check(checker, !block || p->cells.count == 0, "step", id, "a block operation survived the layout");
  check(checker, (step->kind == STEP_CHECK) == (step->check != NULL), "step", id,
        "only checks say what they check, and all of them do");
  size_t targets = 0;
  switch (step->kind) {
  case STEP_CREATE: targets = p->threads.count; break;
  case STEP_CUT: targets = p->cuts.count; break;
  case STEP_ALLOCATE:
    targets = p->objects.count;
    check(checker, step->target >= targets || p->objects.data[step->target].sized == (step->operand != TERM_NONE),
          "step", id, "it has an operand and its object no size of its own, or the other way round");
    break;
  case STEP_START:
    check(checker, edge->from == p->threads.data[from->thread].entry && from->thread != 0, "step", id,
          "a start that is not the first step of a created thread");
    break;
  case STEP_EXIT:
    check(checker, p->locations.data[edge->to].final, "step", id, "an exit does not lead to the final location");
    break;
  case STEP_FAULT:
    check(checker, (step->operand != TERM_NONE) != (step->access.address != TERM_NONE), "step", id,
          "a fault is of an access or of a free");
    check(checker, step->assignment_count == 0, "step", id, "a fault assigns");
    break;
  case STEP_FREE:
  case STEP_CHECK:
  case STEP_DIVIDE: check(checker, step->operand != TERM_NONE, "step", id, "its operand is missing"); break;
  default: break;
  }
  if (targets > 0 || step->kind == STEP_CREATE || step->kind == STEP_CUT || step->kind == STEP_ALLOCATE)
    check(checker, step->target < targets, "step", id, "its target does not exist");
  if (step->operand != TERM_NONE && step->operand <= term_store_size(p->terms))
    check_term(checker, step->operand, term_sort(p->terms, step->operand), from->thread, id, "its operand is no term");
}

static void check_edge(Checker *checker, size_t e, uint8_t *taken) {
  const Program *p = checker->program;
  const Edge *edge = &p->edges.data[e];
  if (!check(checker, edge->from < p->locations.count && edge->to < p->locations.count, "edge", e, "an end is missing"))
    return;
  const Location *from = &p->locations.data[edge->from], *to = &p->locations.data[edge->to];
  check(checker, from->thread == to->thread, "edge", e, "it leads to another thread");
  check(checker, !from->final, "edge", e, "it leaves a final location");
  check(checker, !edge->back || to->loop_head, "edge", e, "it is a back edge, but leads to no loop head");
  bool steps = edge->step_count > 0 && (uint64_t)edge->first_step + edge->step_count <= p->steps.count;
  if (!check(checker, steps, "edge", e, "its steps do not exist")) return;
  for (uint32_t i = 0; i < edge->step_count && !checker->error; i++) {
    StepId id = edge->first_step + i;
    const Step *step = &p->steps.data[id];
    check(checker, !taken[id], "edge", e, "it shares a step with another edge");
    taken[id] = 1;
    check(checker, step->kind < STEP_KIND_COUNT, "step", id, "its kind does not exist");
    check_term(checker, step->guard, 1, from->thread, id, "its guard is missing or is not a truth value");
    check_access(checker, &step->access, from->thread, id);
    check_assignments(checker, step, from->thread, id);
    check_kind(checker, edge, step, id);
  }
}

// If the program is indexed, the index is right.
static void check_index(Checker *checker) {
  const Program *p = checker->program;
  if (p->out_edges.count == 0 && p->in_edges.count == 0) return;
  if (!check(checker, p->out_edges.count == p->edges.count && p->in_edges.count == p->edges.count, "index", 0,
             "it is out of date"))
    return;
  for (size_t l = 0; l < p->locations.count; l++) {
    const Location *location = &p->locations.data[l];
    bool inside = (uint64_t)location->first_out + location->out_count <= p->edges.count &&
                  (uint64_t)location->first_in + location->in_count <= p->edges.count;
    if (!check(checker, inside, "location", l, "its index is out of date")) return;
    for (uint32_t i = 0; i < location->out_count; i++)
      check(checker, p->edges.data[location_out_edge(p, location, i)].from == l, "location", l,
            "its index is out of date");
    for (uint32_t i = 0; i < location->in_count; i++)
      check(checker, p->edges.data[location_in_edge(p, location, i)].to == l, "location", l,
            "its index is out of date");
  }
}

const char *program_validate(const Program *p) {
  Checker checker = {.program = p};
  variable_walker_init(&checker.walker, p, p->account);
  U32Vector_init(&checker.variables, p->account);
  check_variables(&checker);
  check_objects(&checker);
  for (size_t c = 0; c < p->cells.count && !checker.error; c++) check_cell(&checker, c);
  for (size_t l = 0; l < p->locations.count && !checker.error; l++)
    check(&checker, p->locations.data[l].thread < p->threads.count, "location", l, "it belongs to no thread");
  if (!checker.error) check_threads(&checker);
  uint8_t *taken = memory_allocate_zeroed(p->account, p->steps.count);
  for (size_t e = 0; e < p->edges.count && !checker.error; e++) check_edge(&checker, e, taken);
  memory_free(p->account, taken, p->steps.count);
  if (!checker.error) check_index(&checker);
  U32Vector_free(&checker.variables);
  variable_walker_free(&checker.walker);
  return checker.error;
}
