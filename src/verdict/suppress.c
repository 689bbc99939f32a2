#include "verdict/suppress.h"

#include "program/settled.h"

#include <assert.h>
#include <fnmatch.h>
#include <string.h>

static bool names_file(const Suppression *suppression, const char *file) {
  if (!suppression->pattern) return strcmp(suppression->file, file) == 0;
  const char *slash = strrchr(file, '/');
  return fnmatch(suppression->file, file, 0) == 0 || (slash && fnmatch(suppression->file, slash + 1, 0) == 0);
}

const Suppression *suppressions_find(const SuppressionVector *suppressions, Property property, const char *file,
                                     uint32_t line) {
  for (size_t i = 0; file && i < suppressions->count; i++) {
    const Suppression *row = &suppressions->data[i];
    assert(row->file && row->first <= row->last);
    if (!(row->properties >> property & 1) || line < row->first || line > row->last) continue;
    if (names_file(row, file)) return row;
  }
  return NULL;
}

// Changes the step so that it cannot violate the property. False: it could not violate it before.
static bool excuse(Step *step, Property property) {
  bool access = step->access.address != TERM_NONE;
  switch (property) {
  case PROPERTY_UNREACH_CALL:
    if (step->kind != STEP_ERROR) return false;
    step->kind = STEP_HALT;
    return true;
  case PROPERTY_NO_DATA_RACE:
    if (step->kind == STEP_FREE) return step->excused = true;
    if (!access || step->access.synchronises) return false;
    return step->access.innocent = true;
  case PROPERTY_NO_DEADLOCK: return step->excused = step->kind == STEP_WAIT || step->kind == STEP_LOCK;
  case PROPERTY_VALID_MEMSAFETY: return step->excused = access || step->kind == STEP_FREE;
  case PROPERTY_NO_DIVISION_BY_ZERO: return step->excused = step->kind == STEP_DIVIDE;
  case PROPERTY_NO_OVERFLOW:
  case PROPERTY_VALID_MEMCLEANUP:
  case PROPERTY_VALID_MEMTRACK:
    return step->excused = step->kind == STEP_CHECK && property_has_check(property, step->check);
  case PROPERTY_LTL: // a violation of a formula has no place
  case PROPERTY_COUNT: break;
  }
  return false;
}

void suppress_places(Program *program, Property property, const SuppressionVector *suppressions) {
  for (size_t i = 0; suppressions->count && i < program->steps.count; i++) {
    Step *step = &program->steps.data[i];
    SettledPlace at = settled_place(&step->position);
    const Suppression *row = suppressions_find(suppressions, property, at.file, at.line);
    if (!row) { // blocks that are left may also be suppressed where they are allocated
      at = settled_step_place(step);
      row = suppressions_find(suppressions, property, at.file, at.line);
    }
    if (!row || !excuse(step, property)) continue;
    const Position place = {.file = at.file, .line = at.line};
    program_suppress(program, property_name(property), place, row->by, row->pattern);
  }
}
