// Slices: these passes remove what no relevant value (facts.h) depends on. Every edge stays, so a path of a slice is a
// path of the program.
//
// "slice" removes assignments and accesses. "values" removes values only: it removes assignments to irrelevant
// variables and replaces what is stored to irrelevant cells by 0. Every access stays, since it may race, be invalid, or
// let another thread wait.
#include "program/facts/facts.h"
#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

static bool touches_relevant(const Program *p, const RelevantValues *relevant, CellSet set) {
  const uint32_t *cells = cell_set_cells(p, set);
  for (uint32_t i = 0; i < set.count; i++)
    if (bitset_get(&relevant->cells, cells[i])) return true;
  return false;
}

static void drop_assignments(Program *p, const RelevantValues *relevant, Step *step) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    kept += bitset_get(&relevant->variables, step->assignments[i].variable);
  if (kept == step->assignment_count) return;
  Assignment *assignments = arena_allocate(&p->arena, kept * sizeof *assignments);
  uint32_t next = 0;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (bitset_get(&relevant->variables, step->assignments[i].variable)) assignments[next++] = step->assignments[i];
  step->assignments = kept ? assignments : NULL;
  step->assignment_count = kept;
}

// Nothing depends on what the access stores: it stores 0.
static void drop_stored(Program *p, Step *step) {
  step->access.stored = term_constant(p->terms, 8u * step->access.bytes, 0);
}

static bool writes_nothing_relevant(const Program *p, const RelevantValues *relevant, const Access *access) {
  return access->writes && !touches_relevant(p, relevant, access->cells);
}

static void drop_value(Program *p, const RelevantValues *relevant, Step *step) {
  if (step->access.address == TERM_NONE) return;
  if (writes_nothing_relevant(p, relevant, &step->access)) drop_stored(p, step);
}

// Removes an access if nothing depends on what it reads or writes and it is never invalid.
static void drop_access(Program *p, const RelevantValues *relevant, Step *step) {
  const Access *access = &step->access;
  if (access->address == TERM_NONE || step->kind != STEP_PLAIN) return;
  if (access->writes && !writes_nothing_relevant(p, relevant, access)) return;
  if (access->reads && bitset_get(&relevant->variables, access->into)) return;
  if (access_is_certain(p, access))
    step_drop_access(step);
  else if (access->writes)
    drop_stored(p, step);
}

static void slice_by(Program *view, void (*drop)(Program *p, const RelevantValues *relevant, Step *step)) {
  RelevantValues relevant;
  relevant_values(view, &relevant, view->account);
  for (size_t s = 0; s < view->steps.count; s++) {
    drop(view, &relevant, &view->steps.data[s]);
    drop_assignments(view, &relevant, &view->steps.data[s]);
  }
  relevant_values_free(&relevant);
}

void pass_slice(Program *view) {
  slice_by(view, drop_access);
  program_mark_cells(view);
}

void pass_values(Program *view) { slice_by(view, drop_value); }
