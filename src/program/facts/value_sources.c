#include "program/facts/value_sources.h"

#include "program/passes/rewrite.h"

typedef struct Spread {
  const Program *program;
  const Flow *flow;
  StepUses uses;
  Bitset *variables, *cells;
  Bitset full; // sets of which every cell was reached
  bool added;
} Spread;

static void add_variable(Spread *spread, VariableId variable) {
  if (bitset_add(spread->variables, variable)) spread->added = true;
}

static bool any_variable(const Spread *spread, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(&spread->uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++)
    if (bitset_get(spread->variables, variables[i])) return true;
  return false;
}

static bool any_cell(const Spread *spread, CellSet set) {
  const uint32_t *cells = cell_set_cells(spread->program, set);
  for (uint32_t i = 0; i < set.count; i++)
    if (bitset_get(spread->cells, cells[i])) return true;
  return false;
}

static void follow_step(Spread *spread, StepId s) {
  const Step *step = &spread->program->steps.data[s];
  const Access *access = &step->access;
  uint32_t set = spread->flow->set_of[s];
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (value_is_fresh(step->assignments[i].value) || any_variable(spread, s, USES_FIRST_ASSIGNMENT + i))
      add_variable(spread, step->assignments[i].variable);
  if (set == NO_ID) return;
  if (access->reads && !bitset_get(spread->variables, access->into) && any_cell(spread, access->cells))
    add_variable(spread, access->into);
  if (!access->writes || bitset_get(&spread->full, set)) return;
  // The variables of the guard count, too: more than needed.
  if (!value_is_fresh(access->stored) && !any_variable(spread, s, USES_REST)) return;
  bitset_set(&spread->full, set);
  for (uint32_t i = 0; i < access->cells.count; i++)
    bitset_set(spread->cells, cell_set_cells(spread->program, access->cells)[i]);
  spread->added = true;
}

void value_sources(const Program *p, const Flow *flow, Bitset *variables, Bitset *cells, Account *account) {
  Spread spread = {.program = p, .flow = flow, .variables = variables, .cells = cells, .added = true};
  step_uses_init(&spread.uses, p, account);
  bitset_init(&spread.full, flow->sets.count, account);
  for (CellId c = 0; c < p->cells.count; c++)
    if (p->cells.data[c].initial == TERM_NONE) bitset_set(cells, c);
  while (spread.added) {
    spread.added = false;
    for (StepId s = 0; s < p->steps.count; s++) follow_step(&spread, s);
  }
  bitset_free(&spread.full);
  step_uses_free(&spread.uses);
}
