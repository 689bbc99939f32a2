#include "explicit/machine/indeterminate.h"

#include "program/facts/flow.h"
#include "program/passes/rewrite.h"

// --- carriers ---

typedef struct Search {
  const Program *program;
  Indeterminate *result;
  VariableWalker walker;
  U32Vector found;
  bool changed;
} Search;

static void demote(Search *search, VariableId variable) {
  if (!bitset_get(&search->result->carriers, variable)) return;
  bitset_reset(&search->result->carriers, variable);
  search->changed = true;
}

static void demote_mentioned(Search *search, Term t) {
  if (t == TERM_NONE || value_is_fresh(t)) return;
  search->found.count = 0;
  variable_walker_start(&search->walker);
  variable_walker_add(&search->walker, t, &search->found);
  for (size_t i = 0; i < search->found.count; i++) demote(search, search->found.data[i]);
}

static VariableId bare_variable(const Program *p, Term t) {
  bool bare = t != TERM_NONE && !value_is_fresh(t) && term_operator(p->terms, t) == TERM_VARIABLE;
  return bare ? program_variable_of_term(p, t) : NO_ID;
}

// The value goes somewhere as it is if it is a variable's, and not the one that the same step loads.
static bool is_copy(const Program *p, const Step *step, Term value) {
  VariableId variable = bare_variable(p, value);
  bool loaded = step->access.address != TERM_NONE && step->access.reads && variable == step->access.into;
  return variable != NO_ID && !loaded;
}

static void demote_used(Search *search, const Step *step) {
  const Program *p = search->program;
  demote_mentioned(search, step->guard);
  demote_mentioned(search, step->operand);
  demote_mentioned(search, step->access.address);
  if (step->access.address != TERM_NONE && step->access.writes &&
      !(is_copy(p, step, step->access.stored) && access_is_whole(p, &step->access)))
    demote_mentioned(search, step->access.stored);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (!is_copy(p, step, step->assignments[i].value)) demote_mentioned(search, step->assignments[i].value);
}

// What is copied to a variable that is used is used.
static void demote_copied(Search *search, const Step *step) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (!bitset_get(&search->result->carriers, step->assignments[i].variable))
      demote_mentioned(search, step->assignments[i].value);
}

static void find_carriers(Indeterminate *result, const Program *p, Account *account) {
  Search search = {.program = p, .result = result, .changed = true};
  variable_walker_init(&search.walker, p, account);
  U32Vector_init(&search.found, account);
  for (VariableId v = 0; v < p->variables.count; v++)
    if (term_width(p->terms, variable_term(p, v)) <= 64) bitset_set(&result->carriers, v);
  for (StepId s = 0; s < p->steps.count; s++) demote_used(&search, &p->steps.data[s]);
  while (search.changed) {
    search.changed = false;
    for (StepId s = 0; s < p->steps.count; s++) demote_copied(&search, &p->steps.data[s]);
  }
  U32Vector_free(&search.found);
  variable_walker_free(&search.walker);
}

// --- what may be indeterminate ---

static bool add_cells(Indeterminate *result, const Program *p, CellSet set) {
  bool added = false;
  for (uint32_t i = 0; i < set.count; i++) added |= bitset_add(&result->cells, cell_set_cells(p, set)[i]);
  return added;
}

static bool any_cell(const Indeterminate *result, const Program *p, CellSet set) {
  for (uint32_t i = 0; i < set.count; i++)
    if (bitset_get(&result->cells, cell_set_cells(p, set)[i])) return true;
  return false;
}

VariableId indeterminate_carrier(const Indeterminate *indeterminate, const Program *program, Term term) {
  VariableId variable = bare_variable(program, term);
  bool carrier = variable != NO_ID && bitset_get(&indeterminate->carriers, variable) &&
                 bitset_get(&indeterminate->variables, variable);
  assert(!carrier || term_width(program->terms, term) <= 64);
  return carrier ? variable : NO_ID;
}

bool indeterminate_carries(const Indeterminate *indeterminate, const Program *program, const Step *step) {
  const Access *access = &step->access;
  return access->address != TERM_NONE && access->reads && bitset_get(&indeterminate->carriers, access->into) &&
         access_is_whole(program, access);
}

static bool spread(Indeterminate *result, const Program *p, const Step *step) {
  bool added = false;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    Term value = step->assignments[i].value;
    if (value == VALUE_INDETERMINATE || indeterminate_carrier(result, p, value) != NO_ID)
      added |= bitset_add(&result->variables, step->assignments[i].variable);
  }
  const Access *access = &step->access;
  if (access->address == TERM_NONE) return added;
  if (indeterminate_carries(result, p, step) && !bitset_get(&result->variables, access->into) &&
      any_cell(result, p, access->cells))
    added |= bitset_add(&result->variables, access->into);
  bool forgets = access->stored == VALUE_INDETERMINATE || indeterminate_carrier(result, p, access->stored) != NO_ID;
  if (access->writes && forgets) added |= add_cells(result, p, access->cells);
  return added;
}

void indeterminate_find(Indeterminate *indeterminate, const Program *program, bool carry, Account *account) {
  const Program *p = program;
  bitset_init(&indeterminate->variables, p->variables.count, account);
  bitset_init(&indeterminate->cells, p->cells.count, account);
  bitset_init(&indeterminate->carriers, p->variables.count, account);
  if (carry) find_carriers(indeterminate, p, account);
  for (CellId c = 0; c < p->cells.count; c++)
    if (p->cells.data[c].initial == TERM_NONE) bitset_set(&indeterminate->cells, c);
  for (bool added = true; added;) {
    added = false;
    for (StepId s = 0; s < p->steps.count; s++) added |= spread(indeterminate, p, &p->steps.data[s]);
  }
}

void indeterminate_free(Indeterminate *indeterminate) {
  bitset_free(&indeterminate->carriers);
  bitset_free(&indeterminate->cells);
  bitset_free(&indeterminate->variables);
}
