#include "judge/wording.h"

#include <assert.h>
#include <inttypes.h>

void wording_position(Text *out, const Position *position) {
  if (position->file == NULL) return;
  text_format(out, " at %s:%" PRIu32, position->file, position->line);
}

void wording_thread(Text *out, const Program *program, ThreadId thread) {
  assert(thread < program->threads.count);
  const Thread *t = &program->threads.data[thread];
  text_format(out, "thread %s (%s)", t->label, t->routine);
}

static const Step *step_of(const Program *program, EdgeId edge) { return edge_first_step(program, edge); }

static void wording_access(Text *out, const Program *program, EdgeId edge, ThreadId thread) {
  const Step *step = step_of(program, edge);
  text_add(out, step->kind == STEP_FREE ? "freed" : step->access.writes ? "written" : "read");
  wording_position(out, &step->position);
  text_add(out, " in ");
  wording_thread(out, program, thread);
  if (step->access.is_volatile) text_add(out, " (volatile)");
}

void wording_race(Text *out, const Program *program, const Race *race) {
  text_format(out, "data race on %s: ", program->cells.data[race->cell].name);
  wording_access(out, program, race->first, race->first_thread);
  text_add(out, ", ");
  wording_access(out, program, race->second, race->second_thread);
  bool named = step_of(program, race->first)->access.is_volatile || step_of(program, race->second)->access.is_volatile;
  if (named) text_add(out, "; volatile does not synchronise (see --volatile)");
}

void wording_outcome(Text *out, const Program *program, ThreadId thread, EdgeId edge, StepOutcome outcome,
                     const StepEffect *effect) {
  const char *what = "the property is violated";
  if (outcome == OUTCOME_ERROR) what = "an error is reached";
  if (outcome == OUTCOME_INVALID_ACCESS) what = "invalid dereference";
  if (outcome == OUTCOME_INVALID_FREE) what = "invalid free";
  if (outcome == OUTCOME_ZERO_DIVISOR) what = "division by zero";
  text_add(out, what);
  wording_position(out, &step_of(program, edge)->position);
  text_add(out, " in ");
  wording_thread(out, program, thread);
  if (effect->complaint != NULL) text_format(out, ": %s (address 0x%" PRIx64 ")", effect->complaint, effect->address);
}

// The first step at the location that waits; if no step waits, the first step; NULL: there is no step.
static const Step *waiting_step(const Program *program, LocationId location) {
  uint32_t count;
  const EdgeId *edges = location_edges(program, location, &count);
  const Step *found = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const Step *step = step_of(program, edges[i]);
    if (found == NULL || step_waits(step)) found = step;
  }
  return found;
}

void wording_deadlock(Text *out, const Program *program, const Concrete *state) {
  text_add(out, "deadlock: ");
  const char *separator = "";
  for (ThreadId t = 0; t < program->threads.count; t++) {
    if (concrete_can_wait(state, t) != RUN_WAITS) continue;
    text_add(out, separator);
    wording_thread(out, program, t);
    text_add(out, " waits");
    const Step *step = waiting_step(program, state->locations[t]);
    if (step != NULL) wording_position(out, &step->position);
    separator = ", ";
  }
}
