#include "judge/influence.h"

#include <assert.h>
#include <inttypes.h>

typedef struct Closure {
  Influence *influence;
  Map whole;  // keys of the cell sets whose cells all have influence
  bool grown; // since the last round over all steps
} Closure;

static void add_to(Closure *closure, Bitset *set, uint32_t index) {
  if (bitset_get(set, index)) return;
  bitset_set(set, index);
  closure->grown = true;
}

// Adds the variable or the cell of a term. Steps mention variables, observations mention cells.
static void add_mentioned(void *context, Term term) {
  Closure *closure = context;
  const Program *p = closure->influence->program;
  uint32_t index = term_variable_index(p->terms, term);
  uint32_t variable = index < p->variable_of.count ? p->variable_of.data[index] : NO_ID;
  uint32_t cell = index < p->cell_of.count ? p->cell_of.data[index] : NO_ID;
  assert(variable != NO_ID || cell != NO_ID);
  if (variable != NO_ID) add_to(closure, &closure->influence->variables, variable);
  if (cell != NO_ID) add_to(closure, &closure->influence->cells, cell);
}

static void add_term(Closure *closure, Term term) {
  if (term == TERM_NONE || value_is_fresh(term)) return;
  term_each_variable(closure->influence->program->terms, term, add_mentioned, closure);
}

static void add_cells(Closure *closure, CellSet set) {
  uint64_t key = cell_set_key(set);
  if (map_contains(&closure->whole, key)) return;
  map_put(&closure->whole, key, 1);
  const Program *p = closure->influence->program;
  const CellId *cells = cell_set_cells(p, set);
  for (uint32_t i = 0; i < set.count; i++) add_to(closure, &closure->influence->cells, cells[i]);
}

static bool touches_influence(const Closure *closure, CellSet set) {
  const Program *p = closure->influence->program;
  const CellId *cells = cell_set_cells(p, set);
  for (uint32_t i = 0; i < set.count; i++)
    if (bitset_get(&closure->influence->cells, cells[i])) return true;
  return false;
}

static void add_roots(Closure *closure) {
  const Program *p = closure->influence->program;
  for (size_t s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    add_term(closure, step->guard);
    add_term(closure, step->access.address);
    add_term(closure, step->operand);
  }
  for (size_t i = 0; i < p->observations.count; i++) add_term(closure, p->observations.data[i]);
  add_term(closure, p->unforeseen);
}

// Adds what the step writes into variables and cells that have influence.
static void add_sources(Closure *closure, const Step *step) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (bitset_get(&closure->influence->variables, step->assignments[i].variable))
      add_term(closure, step->assignments[i].value);
  if (step->access.address == TERM_NONE) return;
  if (step->access.writes && touches_influence(closure, step->access.cells)) add_term(closure, step->access.stored);
  if (step->access.reads && bitset_get(&closure->influence->variables, step->access.into))
    add_cells(closure, step->access.cells);
}

void influence_init(Influence *influence, const Program *program, Account *account) {
  *influence = (Influence){.program = program};
  bitset_init(&influence->variables, program->variables.count, account);
  bitset_init(&influence->cells, program->cells.count, account);
  live_variables(program, &influence->live, account);
  Closure closure = {.influence = influence};
  map_init(&closure.whole, account);
  add_roots(&closure);
  for (closure.grown = true; closure.grown;) {
    closure.grown = false;
    for (size_t s = program->steps.count; s-- > 0;) add_sources(&closure, &program->steps.data[s]);
  }
  map_free(&closure.whole);
}

void influence_free(Influence *influence) {
  live_variables_free(&influence->live);
  bitset_free(&influence->cells);
  bitset_free(&influence->variables);
}

// --- comparing ---

static void add_difference(Text *difference, const char *name, Bits a, Bits b) {
  text_format(difference, "%s is %" PRIu64 ", then %" PRIu64, name, (uint64_t)a, (uint64_t)b);
}

static bool same_variables(const Influence *influence, const Concrete *a, const Concrete *b, Text *difference) {
  const Program *p = influence->program;
  for (size_t v = bitset_next(&influence->variables, 0); v < p->variables.count;
       v = bitset_next(&influence->variables, v + 1)) {
    LocationId location = a->locations[p->variables.data[v].thread];
    if (a->variables[v] == b->variables[v] || !live_at(&influence->live, location, v)) continue;
    add_difference(difference, p->variables.data[v].name, a->variables[v], b->variables[v]);
    return false;
  }
  return true;
}

static bool same_cells(const Influence *influence, const Concrete *a, const Concrete *b, Text *difference) {
  const Program *p = influence->program;
  for (size_t c = bitset_next(&influence->cells, 0); c < p->cells.count; c = bitset_next(&influence->cells, c + 1)) {
    if (a->indeterminate[c] != b->indeterminate[c]) {
      text_format(difference, "%s holds any value at one of them only", p->cells.data[c].name);
      return false;
    }
    if (a->indeterminate[c] || a->cells[c] == b->cells[c]) continue;
    add_difference(difference, p->cells.data[c].name, a->cells[c], b->cells[c]);
    return false;
  }
  return true;
}

// The lifetime of an automatic variable can begin again, so it only matters whether it is live. A block is allocated at
// most once, so it also matters whether it was freed.
static bool same_lives(const Influence *influence, const Concrete *a, const Concrete *b, Text *difference) {
  const Program *p = influence->program;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    bool block = p->objects.data[o].storage == STORAGE_HEAP;
    bool same = block ? a->heap[o] == b->heap[o] : (a->heap[o] == HEAP_LIVE) == (b->heap[o] == HEAP_LIVE);
    if (p->objects.data[o].sized && a->heap[o] == HEAP_LIVE) same &= a->extent[o] == b->extent[o];
    if (same || (!block && !p->objects.data[o].dynamic)) continue;
    text_format(difference, "%s is not live at both, or not of the same size", p->objects.data[o].name);
    return false;
  }
  return true;
}

bool influence_agree(const Influence *influence, const Concrete *a, const Concrete *b, Text *difference) {
  const Program *p = influence->program;
  assert(a->program == p && b->program == p);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (a->locations[t] == b->locations[t] && a->stopped[t] == b->stopped[t]) continue;
    text_format(difference, "thread %s (%s) does not stand at the same place", p->threads.data[t].path,
                p->threads.data[t].routine);
    return false;
  }
  return same_variables(influence, a, b, difference) && same_cells(influence, a, b, difference) &&
         same_lives(influence, a, b, difference);
}
