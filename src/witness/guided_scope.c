#include "witness/guided_scope.h"

#include <assert.h>

// The one live local of that name; NO_ID if there is none, or more than one (`several`).
static VariableId find_local(const GuidedScope *scope, const char *name, bool *several) {
  const Program *p = scope->state->program;
  VariableId found = NO_ID;
  for (VariableId v = 0; v < p->variables.count; v++) {
    const Variable *variable = &p->variables.data[v];
    if (variable->thread != scope->thread || variable->temporary || !variable->name) continue;
    if (strcmp(variable->name, name) != 0) continue;
    // A variable that is not live has no value, and hides other variables of its name.
    if (found != NO_ID || !live_at(&scope->state->live, scope->location, v)) *several = true;
    found = v;
  }
  return *several ? NO_ID : found;
}

static CellId find_cell(const GuidedScope *scope, const char *path) {
  const Program *p = scope->state->program;
  CellId found = NO_ID;
  for (CellId c = 0; c < p->cells.count; c++) {
    const Object *object = &p->objects.data[p->cells.data[c].object];
    if (object->storage != STORAGE_GLOBAL && object->owner != scope->thread) continue;
    if (!p->cells.data[c].name || strcmp(p->cells.data[c].name, path) != 0) continue;
    if (found != NO_ID) return NO_ID;
    found = c;
  }
  return found;
}

static bool value_of(void *context, const char *path, uint64_t *value, unsigned *width) {
  const GuidedScope *scope = context;
  const Program *p = scope->state->program;
  assert(scope->thread < p->threads.count && scope->location < p->locations.count);
  if (strcmp(path, "\\result") == 0) {
    *value = scope->result;
    *width = scope->result_width;
    return scope->has_result;
  }
  bool several = false;
  VariableId local = find_local(scope, path, &several);
  if (several) return false;
  if (local != NO_ID) {
    *width = term_width(p->terms, variable_term(p, local));
    *value = (uint64_t)scope->state->concrete.variables[local];
    return *width <= 64;
  }
  CellId cell = find_cell(scope, path);
  if (cell == NO_ID || scope->state->concrete.indeterminate[cell]) return false;
  *width = 8 * p->cells.data[cell].bytes;
  *value = (uint64_t)scope->state->concrete.cells[cell];
  return *width <= 64;
}

Truth guided_scope_truth(const GuidedScope *scope, const char *expression) {
  ExpressionScope names = {.value_of = value_of, .context = (void *)(uintptr_t)scope};
  return expression_evaluate(expression, &names);
}

bool guided_scope_has_no_value(const GuidedScope *scope, const char *expression) {
  ExpressionScope names = {.value_of = value_of, .context = (void *)(uintptr_t)scope};
  return expression_has_no_value(expression, &names);
}
