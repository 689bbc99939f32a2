// Relevant values: a backward closure from guards, addresses, operands and observations over assignments, loads and
// stores. Each term, variable, cell and set of cells is looked at once.
#include "program/facts/facts.h"
#include "program/facts/flow.h"
#include "program/passes/rewrite.h"

#include <assert.h>

typedef struct Closure {
  const Program *program;
  RelevantValues *relevant;
  Flow flow;
  Bitset seen;                       // terms whose variables are all relevant
  Bitset loaded;                     // sets of which all cells are relevant
  Bitset stored;                     // sets of which all stored values are relevant
  U32Vector variables, cells, terms; // work lists
} Closure;

static void need_cell(Closure *closure, CellId cell) {
  if (bitset_add(&closure->relevant->cells, cell)) U32Vector_push(&closure->cells, cell);
}

// Steps mention variables, observations mention cells.
static void need_mentioned(Closure *closure, Term t) {
  const Program *p = closure->program;
  VariableId variable = program_variable_of_term(p, t);
  CellId cell = program_cell_of_term(p, t);
  if (variable != NO_ID && bitset_add(&closure->relevant->variables, variable))
    U32Vector_push(&closure->variables, variable);
  if (cell != NO_ID) need_cell(closure, cell);
}

static void need_term(Closure *closure, Term t) {
  const TermStore *terms = closure->program->terms;
  if (t == TERM_NONE || value_is_fresh(t) || !bitset_add(&closure->seen, t)) return;
  U32Vector_push(&closure->terms, t);
  while (closure->terms.count > 0) {
    Term next = U32Vector_pop(&closure->terms);
    if (term_operator(terms, next) == TERM_VARIABLE) need_mentioned(closure, next);
    for (unsigned i = 0; i < term_arity(terms, next); i++) {
      Term child = term_child(terms, next, i);
      if (bitset_add(&closure->seen, child)) U32Vector_push(&closure->terms, child);
    }
  }
}

static void need_roots(Closure *closure) {
  const Program *p = closure->program;
  for (size_t s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    need_term(closure, step->guard);
    need_term(closure, step->access.address);
    need_term(closure, step->operand);
  }
  for (size_t i = 0; i < p->observations.count; i++) need_term(closure, p->observations.data[i]);
  need_term(closure, p->unforeseen);
  for (size_t i = 0; i < p->supposed.count; i++) {
    const Object *object = &p->objects.data[p->supposed.data[i]];
    if (object->cell_count) need_cell(closure, object->first_cell);
  }
}

static void need_loaded(Closure *closure, uint32_t set) {
  if (set == NO_ID || !bitset_add(&closure->loaded, set)) return;
  assert(set < closure->flow.sets.count);
  CellSet cells = closure->flow.sets.data[set];
  for (uint32_t i = 0; i < cells.count; i++) need_cell(closure, cell_set_cells(closure->program, cells)[i]);
}

// Adds the values from which a relevant variable is computed.
static void need_sources_of_variable(Closure *closure, VariableId variable) {
  const Flow *flow = &closure->flow;
  uint32_t count;
  const uint32_t *definitions = lists_at(&flow->of_variable, variable, &count);
  for (uint32_t i = 0; i < count; i++) {
    Definition definition = flow->definitions.data[definitions[i]];
    if (definition.assignment == FLOW_LOAD)
      need_loaded(closure, flow->set_of[definition.step]);
    else
      need_term(closure, closure->program->steps.data[definition.step].assignments[definition.assignment].value);
  }
}

// Adds the values that are stored into a relevant cell.
static void need_sources_of_cell(Closure *closure, CellId cell) {
  const Flow *flow = &closure->flow;
  uint32_t sets, writers;
  const uint32_t *set = lists_at(&flow->of_cell, cell, &sets);
  for (uint32_t i = 0; i < sets; i++) {
    if (!bitset_add(&closure->stored, set[i])) continue;
    const uint32_t *steps = lists_at(&flow->writers, set[i], &writers);
    for (uint32_t k = 0; k < writers; k++) need_term(closure, closure->program->steps.data[steps[k]].access.stored);
  }
}

static void close_over(Closure *closure) {
  while (closure->variables.count > 0 || closure->cells.count > 0) {
    if (closure->variables.count > 0)
      need_sources_of_variable(closure, U32Vector_pop(&closure->variables));
    else
      need_sources_of_cell(closure, U32Vector_pop(&closure->cells));
  }
}

void relevant_values(const Program *p, RelevantValues *relevant, Account *account) {
  *relevant = (RelevantValues){.direction = FACT_MAY_ADD};
  bitset_init(&relevant->variables, p->variables.count, account);
  bitset_init(&relevant->cells, p->cells.count, account);
  Closure closure = {.program = p, .relevant = relevant};
  flow_init(&closure.flow, p, account);
  bitset_init(&closure.seen, term_store_size(p->terms) + 1, account);
  bitset_init(&closure.loaded, closure.flow.sets.count, account);
  bitset_init(&closure.stored, closure.flow.sets.count, account);
  U32Vector_init(&closure.variables, account);
  U32Vector_init(&closure.cells, account);
  U32Vector_init(&closure.terms, account);
  need_roots(&closure);
  close_over(&closure);
  assert(closure.terms.count == 0);
  U32Vector_free(&closure.terms);
  U32Vector_free(&closure.cells);
  U32Vector_free(&closure.variables);
  bitset_free(&closure.stored);
  bitset_free(&closure.loaded);
  bitset_free(&closure.seen);
  flow_free(&closure.flow);
}

void relevant_values_free(RelevantValues *relevant) {
  bitset_free(&relevant->cells);
  bitset_free(&relevant->variables);
}
