#include "program/places.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct Place {
  Text function, mark, thread; // empty: not said
  uint32_t line;               // 0: `mark` is a label
} Place;

static void add_trimmed(Text *out, const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin)) begin++;
  while (end > begin && isspace((unsigned char)end[-1])) end--;
  text_add_bytes(out, begin, (size_t)(end - begin));
}

static void place_parse(Place *place, const char *text) {
  *place = (Place){0};
  text_init(&place->function, NULL);
  text_init(&place->mark, NULL);
  text_init(&place->thread, NULL);
  const char *end = text + strlen(text), *comma = strchr(text, ','), *colon = strchr(text, ':');
  const char *stop = comma ? comma : end;
  if (comma) add_trimmed(&place->thread, comma + 1, end);
  if (colon && colon < stop) add_trimmed(&place->function, text, colon);
  add_trimmed(&place->mark, colon && colon < stop ? colon + 1 : text, stop);
  char *rest;
  unsigned long line = strtoul(place->mark.data, &rest, 10);
  if (place->mark.length && *rest == '\0' && line <= UINT32_MAX) place->line = (uint32_t)line;
}

static void place_free(Place *place) {
  text_free(&place->function);
  text_free(&place->mark);
  text_free(&place->thread);
}

static bool is_function(const Place *place, const char *function) {
  return !place->function.length || (function && strcmp(function, place->function.data) == 0);
}

static bool is_here(const Program *p, const Place *place, const Position *position) {
  if (!is_function(place, position->function)) return false;
  if (place->line) return position->line == place->line;
  for (size_t i = 0; i < p->labels.count; i++) {
    const Label *label = &p->labels.data[i];
    if (strcmp(label->name, place->mark.data) == 0 && position->line == label->line && position->function &&
        strcmp(label->function, position->function) == 0)
      return true;
  }
  return false;
}

static bool is_thread(const Program *p, const Place *place, ThreadId thread) {
  return !place->thread.length || strcmp(p->threads.data[thread].path, place->thread.data) == 0;
}

// What is wrong with a place that no step has.
static void explain(const Program *p, const Place *place, Text *error) {
  bool function = !place->function.length, thread = !place->thread.length, label = place->line != 0;
  for (size_t e = 0; e < p->edges.count; e++)
    function |= is_function(place, p->steps.data[p->edges.data[e].first_step].position.function);
  for (ThreadId t = 0; t < p->threads.count; t++) thread |= is_thread(p, place, t);
  for (size_t i = 0; i < p->labels.count; i++)
    label |= is_function(place, p->labels.data[i].function) && strcmp(p->labels.data[i].name, place->mark.data) == 0;
  if (!function)
    text_format(error, "no step is in a function %s", place->function.data);
  else if (!thread)
    text_format(error, "there is no thread %s", place->thread.data);
  else if (!label)
    text_format(error, "there is no label %s", place->mark.data);
  else
    text_add(error, "nobody takes a step there");
}

bool program_observe_place(Program *p, uint32_t observation, const char *text, Text *error) {
  assert(observation < MOST_OBSERVATIONS);
  Place place;
  place_parse(&place, text);
  bool found = false;
  bool complete = place.mark.length && (!place.line || place.function.length);
  if (!complete) text_add(error, "at() wants function:line, function:label or a label");
  for (EdgeId e = 0; e < p->edges.count && complete; e++) {
    const Step *step = &p->steps.data[p->edges.data[e].first_step];
    Location *location = &p->locations.data[p->edges.data[e].from];
    if (step->kind == STEP_START || !is_here(p, &place, &step->position) || !is_thread(p, &place, location->thread))
      continue;
    location->observed |= UINT64_C(1) << observation;
    found = true;
  }
  if (complete && !found) explain(p, &place, error);
  place_free(&place);
  return found;
}
