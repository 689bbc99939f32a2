#include "explicit/state_sources.h"

#include "base/map.h"

static uint64_t line_key(const Position *position) {
  return hash_mix((uint64_t)(uintptr_t)position->file) ^ position->line;
}

void state_sources_init(StateSources *sources, const Program *program, Account *account) {
  *sources = (StateSources){.program = program};
  U32Vector_init(&sources->chosen_at, account);
  U32Vector_resize(&sources->chosen_at, program->steps.count);
  U32Vector_init(&sources->line_of, account);
  U32Vector_init(&sources->first_step, account);
  U64Vector_init(&sources->reached_at, account);
  Map lines;
  map_init(&lines, account);
  for (LocationId id = 0; id < program->locations.count; id++) {
    uint32_t count;
    const EdgeId *edges = location_edges(program, id, &count);
    StepId step = count ? program->edges.data[edges[0]].first_step : NO_ID;
    uint64_t key = step == NO_ID ? 0 : line_key(&program->steps.data[step].position);
    uint64_t line = map_get_or(&lines, key, sources->first_step.count);
    if (line == sources->first_step.count) {
      map_put(&lines, key, line);
      U32Vector_push(&sources->first_step, step);
      U64Vector_push(&sources->reached_at, 0);
    }
    U32Vector_push(&sources->line_of, (uint32_t)line);
  }
  map_free(&lines);
}

void state_sources_free(StateSources *sources) {
  U32Vector_free(&sources->chosen_at);
  U32Vector_free(&sources->line_of);
  U32Vector_free(&sources->first_step);
  U64Vector_free(&sources->reached_at);
}

void state_sources_count(StateSources *sources, LocationId location, StepId chosen_at) {
  assert(location < sources->line_of.count);
  sources->states++;
  sources->reached_at.data[sources->line_of.data[location]]++;
  if (chosen_at != NO_ID && chosen_at < sources->chosen_at.count) sources->chosen_at.data[chosen_at]++;
}

// A count stands out if it is a notable part of the states: one in `share`.
static bool stands_out(const StateSources *sources, uint64_t count, uint64_t share) {
  static const uint64_t fewest = 1000;
  return count >= fewest && count * share >= sources->states;
}

static bool tell_step(const StateSources *sources, StepId step, const char *how, Text *out) {
  if (step == NO_ID) return false;
  const Position *position = &sources->program->steps.data[step].position;
  if (!position->file) return false;
  text_format(out, ", %s at %s:%u", how, position->file, (unsigned)position->line);
  return true;
}

void state_sources_tell(const StateSources *sources, Text *out) {
  static const uint64_t choice_share = 20, line_share = 5;
  StepId chosen = 0;
  for (StepId s = 1; s < sources->chosen_at.count; s++)
    if (sources->chosen_at.data[s] > sources->chosen_at.data[chosen]) chosen = s;
  if (sources->chosen_at.count && stands_out(sources, sources->chosen_at.data[chosen], choice_share) &&
      tell_step(sources, chosen, "most of which differ in the value of an input", out))
    return;
  size_t line = 0;
  for (size_t l = 1; l < sources->reached_at.count; l++)
    if (sources->reached_at.data[l] > sources->reached_at.data[line]) line = l;
  if (sources->reached_at.count && stands_out(sources, sources->reached_at.data[line], line_share))
    tell_step(sources, sources->first_step.data[line], "many of them", out);
}
