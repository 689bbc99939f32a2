#include "transition/observers.h"

#include "program/passes/rewrite.h"
#include "transition/transition.h"

enum { MOST_PATHS = 512 };

typedef struct Observers {
  Program *program, *view; // the view gets an edge for each path
  U32Vector path;          // the edges of the path that is followed
  U32Vector thread_of;     // per path: its observer
  EdgeId first;            // the edge of the first path in the view
  Text *error;
} Observers;

// Keeps the first reason. Returns false.
static bool complain(Observers *o, const char *what) {
  if (!o->error->length) text_add(o->error, what);
  return false;
}

static CellId result_cell(const Program *p, ThreadId observer) {
  return program_cell_at(p, p->objects.data[p->threads.data[observer].control].address + CONTROL_RESULT);
}

// Do the cells belong to the observer: its automatic objects and its result? No other thread reads these.
static bool is_own(const Program *p, ThreadId observer, CellSet cells) {
  const CellId *list = cell_set_cells(p, cells);
  for (uint32_t i = 0; i < cells.count; i++)
    if (p->objects.data[p->cells.data[list[i]].object].owner != observer) return false;
  return true;
}

static bool only_looks(Observers *o, ThreadId observer, const Step *step) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].value == VALUE_INPUT) return complain(o, "it chooses an input");
  if (step->access.address != TERM_NONE && step->access.writes && !is_own(o->program, observer, step->access.cells))
    return complain(o, "it changes a variable");
  switch (step->kind) {
  case STEP_PLAIN:
  case STEP_ASSUME:
  case STEP_DIVIDE:
  case STEP_CHECK:
  case STEP_ATOMIC_BEGIN:
  case STEP_ATOMIC_END: return true;
  case STEP_ALLOCATE:
  case STEP_END:
    if (o->program->objects.data[step->target].owner == observer) return true;
    return complain(o, "it allocates memory");
  case STEP_CUT: return complain(o, o->program->cuts.data[step->target].what);
  default: return complain(o, "it does more than to look at variables");
  }
}

static void add_path(Observers *o, ThreadId observer) {
  const Program *p = o->program;
  Edge path = {.from = p->threads.data[observer].entry,
               .to = p->threads.data[observer].final,
               .first_step = (StepId)o->view->steps.count,
               .step_count = (uint32_t)o->path.count};
  for (size_t i = 0; i < o->path.count; i++) StepVector_push(&o->view->steps, *edge_first_step(p, o->path.data[i]));
  EdgeVector_push(&o->view->edges, path);
  U32Vector_push(&o->thread_of, observer);
}

// Adds all paths from the location to the observer's end.
static bool follow(Observers *o, ThreadId observer, LocationId at) {
  const Program *p = o->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, at, &count);
  if (at == p->threads.data[observer].final) {
    add_path(o, observer);
    return o->thread_of.count <= MOST_PATHS || complain(o, "it has too many cases");
  }
  for (uint32_t i = 0; i < count; i++) {
    EdgeId e = edges[i];
    if (p->edges.data[e].back) return complain(o, "it has a loop");
    if (!only_looks(o, observer, edge_first_step(p, e))) return false;
    U32Vector_push(&o->path, e);
    bool good = follow(o, observer, p->edges.data[e].to);
    U32Vector_pop(&o->path);
    if (!good) return false;
  }
  return true;
}

static bool looks_at_freed(const Observers *o, const Transitions *t, Term term) {
  for (size_t i = 0; i < o->program->objects.count; i++)
    if (t->alive[i] != TERM_NONE && term_mentions(o->program->terms, term, t->alive[i])) return true;
  return false;
}

// Adds to the condition: this path is taken, and the result after it is not 0.
static bool add_case(Observers *o, const Transitions *t, EdgeId path, ThreadId observer, Term *condition) {
  TermStore *terms = o->program->terms;
  const Transition *transition = &t->edges.data[path];
  CellId cell = result_cell(o->program, observer);
  if (cell == NO_ID || transition->fresh_count > 0) return complain(o, "its value is not determined");
  Term value = o->program->cells.data[cell].initial;
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = &t->updates.data[transition->first_update + i];
    if (update->variable == o->program->cells.data[cell].term) value = update->value;
  }
  if (value == TERM_NONE) return complain(o, "its value is not determined");
  Term zero = term_constant(terms, term_width(terms, value), 0);
  if (looks_at_freed(o, t, transition->guard) || looks_at_freed(o, t, value))
    return complain(o, "it looks at memory that may be freed");
  if (transition->missed != TERM_NONE) {
    Term before = o->program->unforeseen;
    o->program->unforeseen = before == TERM_NONE ? transition->missed : term_or(terms, before, transition->missed);
  }
  Term holds = term_and(terms, transition->guard, term_not(terms, term_eq(terms, value, zero)));
  *condition = term_or(terms, *condition, holds);
  return true;
}

// Removes the observers. Variables are ordered by thread, and observers are the last threads; program_sweep removes the
// rest.
static void remove_observers(Program *p, size_t count) {
  ThreadId first = (ThreadId)(p->threads.count - count);
  for (size_t e = 0; e < p->edges.count; e++)
    if (p->locations.data[p->edges.data[e].from].thread >= first) p->edges.data[e].step_count = 0;
  while (p->variables.count && VariableVector_last(&p->variables)->thread >= first) {
    uint32_t index = term_variable_index(p->terms, VariableVector_last(&p->variables)->term);
    p->variable_of.data[index] = NO_ID;
    p->variables.count--;
  }
  for (size_t i = 0; i < p->objects.count; i++)
    if (p->objects.data[i].owner != NO_ID && p->objects.data[i].owner >= first) p->objects.data[i].owner = 0;
  p->threads.count = first;
  program_sweep(p);
  for (size_t i = 0; i < p->steps.count; i++) p->steps.data[i].origin = (StepId)i;
  for (size_t v = 0; v < p->variables.count; v++) assert(p->variables.data[v].thread < first);
  for (size_t l = 0; l < p->locations.count; l++) assert(p->locations.data[l].thread < first);
  assert(!program_validate(p));
}

static bool compose(Observers *o, size_t count, TermVector *conditions, size_t *bad, Account *account) {
  Program *p = o->program;
  ThreadId first = (ThreadId)(p->threads.count - count);
  for (*bad = 0; *bad < count; ++*bad)
    if (!follow(o, first + (ThreadId)*bad, p->threads.data[first + *bad].entry)) return false;
  program_index(o->view);
  Transitions t;
  transitions_init(&t, o->view, account);
  size_t path = 0;
  bool good = true;
  for (*bad = 0; *bad < count && good; *bad += good) {
    Term condition = term_false(p->terms);
    for (; good && path < o->thread_of.count && o->thread_of.data[path] == first + *bad; path++)
      good = add_case(o, &t, o->first + (EdgeId)path, first + (ThreadId)*bad, &condition);
    if (good) TermVector_push(conditions, condition);
  }
  transitions_free(&t);
  return good;
}

bool observers_take(Program *p, size_t count, TermVector *conditions, size_t *bad, Text *error, Account *account) {
  assert(count < p->threads.count);
  if (count == 0) return true;
  assert(bad && error);
  Observers o = {.program = p, .view = program_view(p), .first = (EdgeId)p->edges.count, .error = error};
  U32Vector_init(&o.path, account);
  U32Vector_init(&o.thread_of, account);
  bool good = compose(&o, count, conditions, bad, account);
  U32Vector_free(&o.thread_of);
  U32Vector_free(&o.path);
  program_free_view(o.view);
  if (good) remove_observers(p, count);
  return good;
}
