// The slice: what no guard, no address and no divisor depends on is removed. Every edge stays, so that a path of the
// slice is a path of the program; only assignments and accesses go.
#include "program/pass_list.h"
#include "program/rewrite.h"

typedef struct Slice {
  Program *program;
  StepUses uses;
  bool *variable; // relevant?
  bool *cell;
  Map whole; // cell sets of which all cells are relevant
  bool changed;
} Slice;

static void need_variable(Slice *slice, VariableId variable) {
  slice->changed |= !slice->variable[variable];
  slice->variable[variable] = true;
}

static void need_group(Slice *slice, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(&slice->uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++) need_variable(slice, variables[i]);
}

static void need_term(Slice *slice, VariableWalker *walker, Term t) {
  U32Vector found;
  U32Vector_init(&found, slice->program->account);
  variable_walker_start(walker);
  variable_walker_add(walker, t, &found);
  for (size_t i = 0; i < found.count; i++) need_variable(slice, found.data[i]);
  U32Vector_free(&found);
}

static void need_cells(Slice *slice, CellSet set) {
  uint64_t key = (uint64_t)set.first << 32 | set.count;
  if (map_contains(&slice->whole, key)) return;
  map_put(&slice->whole, key, 1);
  const uint32_t *cells = cell_set_cells(slice->program, set);
  for (uint32_t i = 0; i < set.count; i++) {
    slice->changed |= !slice->cell[cells[i]];
    slice->cell[cells[i]] = true;
  }
}

static bool touches_relevant(const Slice *slice, CellSet set) {
  const uint32_t *cells = cell_set_cells(slice->program, set);
  for (uint32_t i = 0; i < set.count; i++)
    if (slice->cell[cells[i]]) return true;
  return false;
}

static void seed(Slice *slice, VariableWalker *walker) {
  const Program *p = slice->program;
  for (size_t s = 0; s < p->steps.count; s++) {
    need_group(slice, (StepId)s, USES_ADDRESS);
    need_term(slice, walker, p->steps.data[s].guard);
    need_term(slice, walker, p->steps.data[s].operand);
  }
}

static void close_over(Slice *slice, VariableWalker *walker) {
  const Program *p = slice->program;
  slice->changed = true;
  while (slice->changed) {
    slice->changed = false;
    for (size_t s = p->steps.count; s-- > 0;) {
      const Step *step = &p->steps.data[s];
      for (uint32_t i = 0; i < step->assignment_count; i++)
        if (slice->variable[step->assignments[i].variable]) need_group(slice, (StepId)s, USES_FIRST_ASSIGNMENT + i);
      if (step->access.writes && touches_relevant(slice, step->access.cells))
        need_term(slice, walker, step->access.stored);
      if (step->access.reads && slice->variable[step->access.into]) need_cells(slice, step->access.cells);
    }
  }
}

static void drop_assignments(Slice *slice, Step *step) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++) kept += slice->variable[step->assignments[i].variable];
  if (kept == step->assignment_count) return;
  Assignment *assignments = arena_allocate(&slice->program->arena, kept * sizeof *assignments);
  uint32_t next = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (slice->variable[step->assignments[i].variable]) assignments[next++] = step->assignments[i];
  step->assignments = kept ? assignments : NULL;
  step->assignment_count = kept;
}

// An access goes if nothing depends on what it reads or writes, and it cannot be the end of the execution.
static void drop_access(Slice *slice, Step *step) {
  Program *p = slice->program;
  const Access *access = &step->access;
  if (access->address == TERM_NONE || step->kind != STEP_PLAIN) return;
  if (access->writes && touches_relevant(slice, access->cells)) return;
  if (access->reads && slice->variable[access->into]) return;
  if (access_is_certain(p, access))
    step_drop_access(step);
  else if (access->writes)
    step->access.stored = term_constant(p->terms, 8u * access->bytes, 0);
}

void pass_slice(Program *view) {
  Slice slice = {.program = view};
  size_t variables = view->variables.count, cells = view->cells.count;
  step_uses_init(&slice.uses, view, view->account);
  slice.variable = memory_allocate_zeroed(view->account, variables * sizeof *slice.variable);
  slice.cell = memory_allocate_zeroed(view->account, cells * sizeof *slice.cell);
  map_init(&slice.whole, view->account);
  VariableWalker walker;
  variable_walker_init(&walker, view, view->account);
  seed(&slice, &walker);
  close_over(&slice, &walker);
  for (size_t s = 0; s < view->steps.count; s++) {
    drop_access(&slice, &view->steps.data[s]);
    drop_assignments(&slice, &view->steps.data[s]);
  }
  variable_walker_free(&walker);
  map_free(&slice.whole);
  memory_free(view->account, slice.variable, variables * sizeof *slice.variable);
  memory_free(view->account, slice.cell, cells * sizeof *slice.cell);
  step_uses_free(&slice.uses);
  program_mark_cells(view);
}
