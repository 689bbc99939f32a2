#include "program/facts/places.h"

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

static bool is_label(const Place *place, const Label *label) {
  return is_function(place, label->function) && strcmp(label->name, place->mark.data) == 0;
}

// Is the first step of the edge one of that line? The start of a thread belongs to its creation.
static bool is_of_line(const Program *p, EdgeId edge, const char *function, uint32_t line) {
  const Step *step = edge_first_step(p, edge);
  return step->kind != STEP_START && step->position.line == line && step->position.function &&
         strcmp(step->position.function, function) == 0;
}

static bool line_has_steps(const Program *p, const char *function, uint32_t line) {
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (is_of_line(p, e, function, line)) return true;
  return false;
}

// The line of the first step behind a label, of any thread; 0 if there is none.
static uint32_t line_of_label(const Program *p, const Label *label) {
  for (size_t i = 0; i < MOST_LABEL_LINES && label->lines[i]; i++)
    if (line_has_steps(p, label->function, label->lines[i])) return label->lines[i];
  return 0;
}

static bool is_thread(const Program *p, const Place *place, ThreadId thread) {
  return !place->thread.length || strcmp(p->threads.data[thread].path, place->thread.data) == 0;
}

// Says what is wrong with a place that no step has.
static void explain(const Program *p, const Place *place, Text *error) {
  bool function = !place->function.length, thread = !place->thread.length, label = place->line != 0;
  for (size_t e = 0; e < p->edges.count; e++) function |= is_function(place, edge_first_step(p, e)->position.function);
  for (ThreadId t = 0; t < p->threads.count; t++) thread |= is_thread(p, place, t);
  for (size_t i = 0; i < p->labels.count; i++) label |= is_label(place, &p->labels.data[i]);
  if (!function)
    text_format(error, "no step is in a function %s", place->function.data);
  else if (!thread)
    text_format(error, "there is no thread %s", place->thread.data);
  else if (!label)
    text_format(error, "there is no label %s", place->mark.data);
  else
    text_add(error, "no thread takes a step there");
}

static bool observe_line(Program *p, uint32_t observation, const Place *place, const char *function, uint32_t line) {
  bool found = false;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    Location *location = &p->locations.data[p->edges.data[e].from];
    if (!is_of_line(p, e, function, line) || !is_thread(p, place, location->thread)) continue;
    location->observed |= UINT64_C(1) << observation;
    found = true;
  }
  return found;
}

// All labels of that name.
static bool observe_labels(Program *p, uint32_t observation, const Place *place, Text *error) {
  for (size_t i = 0; i < p->labels.count; i++) {
    const Label *label = &p->labels.data[i];
    if (!label->crowded || !is_label(place, label) || line_of_label(p, label) != label->crowded) continue;
    text_format(error, "label %s stands behind other statements of its line; put it on a line of its own", label->name);
    return false;
  }
  bool found = false;
  for (size_t i = 0; i < p->labels.count; i++) {
    const Label *label = &p->labels.data[i];
    uint32_t line = is_label(place, label) ? line_of_label(p, label) : 0;
    if (line) found |= observe_line(p, observation, place, label->function, line);
  }
  return found;
}

bool program_observe_place(Program *p, uint32_t observation, const char *text, Text *error) {
  assert(observation < MOST_OBSERVATIONS);
  Place place;
  place_parse(&place, text);
  bool found = false;
  if (!place.mark.length || (place.line && !place.function.length))
    text_add(error, "at() wants function:line, function:label or a label");
  else if (strchr(text, ',') && !place.thread.length)
    text_add(error, "the path of a thread is missing behind the comma");
  else if (place.line)
    found = observe_line(p, observation, &place, place.function.data, place.line);
  else
    found = observe_labels(p, observation, &place, error);
  if (!found && !error->length) explain(p, &place, error);
  place_free(&place);
  return found;
}
