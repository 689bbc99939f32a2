#include "verdict/finding.h"

#include "program/settled.h"
#include "verdict/json.h"

#include <assert.h>

void finding_init(Finding *finding, ViolationKind kind) {
  *finding = (Finding){.kind = kind};
  arena_init(&finding->arena, NULL);
}

void finding_free(Finding *finding) {
  FindingPlaceVector_free(&finding->places);
  StringVector_free(&finding->goals);
  arena_free(&finding->arena);
}

static int compare_places(const FindingPlace *a, const FindingPlace *b) {
  int order = strcmp(a->file, b->file);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

void finding_add_place(Finding *finding, const char *file, uint32_t line) {
  if (!file || !line) return;
  FindingPlace place = {file, line};
  size_t at = 0;
  while (at < finding->places.count && compare_places(&finding->places.data[at], &place) < 0) at++;
  if (at < finding->places.count && compare_places(&finding->places.data[at], &place) == 0) return;
  place.file = arena_string(&finding->arena, file);
  FindingPlaceVector_push(&finding->places, place);
  for (size_t i = finding->places.count - 1; i > at; i--) finding->places.data[i] = finding->places.data[i - 1];
  finding->places.data[at] = place;
}

void finding_add_goal(Finding *finding, const char *goal) {
  for (size_t i = 0; i < finding->goals.count; i++)
    if (strcmp(finding->goals.data[i], goal) == 0) return;
  StringVector_push(&finding->goals, arena_string(&finding->arena, goal));
}

bool finding_is_same(const Finding *a, const Finding *b) {
  if (a->kind != b->kind || a->places.count != b->places.count) return false;
  for (size_t i = 0; i < a->places.count; i++)
    if (compare_places(&a->places.data[i], &b->places.data[i]) != 0) return false;
  if (a->kind != VIOLATION_RACE) return true;
  return a->goals.count == 1 && b->goals.count == 1 && strcmp(a->goals.data[0], b->goals.data[0]) == 0;
}

// The kind of the steps that the finding settles.
static StepKind settled_step(ViolationKind kind) {
  switch (kind) {
  case VIOLATION_ERROR: return STEP_ERROR;
  case VIOLATION_FREE: return STEP_FREE;
  case VIOLATION_DIVISION: return STEP_DIVIDE;
  case VIOLATION_OVERFLOW:
  case VIOLATION_CLEANUP:
  case VIOLATION_LEAK: return STEP_CHECK;
  default: return STEP_PLAIN;
  }
}

static size_t most_places(ViolationKind kind) {
  return kind == VIOLATION_DEADLOCK ? MOST_SETTLED_PLACES : kind == VIOLATION_RACE ? 2 : 1;
}

bool finding_settle(const Finding *finding, Program *program) {
  size_t count = finding->places.count;
  if (!count || count > most_places(finding->kind)) return false;
  if (finding->kind == VIOLATION_RACE && finding->goals.count != 1) return false;
  SettledFinding settled = {.kind = SETTLED_STEP, .place_count = (uint32_t)count};
  for (size_t i = 0; i < count; i++)
    settled.places[i] = (SettledPlace){finding->places.data[i].file, finding->places.data[i].line};
  if (finding->kind == VIOLATION_DEADLOCK) settled.kind = SETTLED_DEADLOCK;
  if (finding->kind == VIOLATION_RACE) {
    settled.kind = SETTLED_RACE;
    settled.object = finding->goals.data[0];
    settled.place_count = 2;
    if (count == 1) settled.places[1] = settled.places[0];
  }
  if (settled.kind == SETTLED_STEP) settled.step = settled_step(finding->kind);
  program_settle(program, &settled);
  return true;
}

void finding_write_json(const Finding *finding, Text *out) {
  text_add_char(out, '{');
  finding_add_members(finding, out);
  text_add_char(out, '}');
}

void finding_add_members(const Finding *finding, Text *out) {
  text_format(out, "\"kind\": \"%s\", \"places\": [", violation_kind_name(finding->kind));
  for (size_t i = 0; i < finding->places.count; i++) {
    text_add(out, i ? ", {\"file\": " : "{\"file\": ");
    json_add_string(out, finding->places.data[i].file);
    text_format(out, ", \"line\": %u}", (unsigned)finding->places.data[i].line);
  }
  text_add(out, "], \"goals\": [");
  for (size_t i = 0; i < finding->goals.count; i++) {
    text_add(out, i ? ", " : "");
    json_add_string(out, finding->goals.data[i]);
  }
  text_add_char(out, ']');
}

static bool read_kind(const cJSON *object, ViolationKind *kind) {
  const char *name = json_string(object, "kind");
  for (unsigned i = 0; name && i < VIOLATION_KIND_COUNT; i++) {
    if (strcmp(name, violation_kind_name((ViolationKind)i)) != 0) continue;
    *kind = (ViolationKind)i;
    return true;
  }
  return false;
}

bool finding_read_json(const cJSON *object, Finding *finding, Text *error) {
  assert(!finding->places.count && !finding->goals.count);
  const cJSON *places = cJSON_GetObjectItemCaseSensitive(object, "places"), *item;
  const cJSON *goals = cJSON_GetObjectItemCaseSensitive(object, "goals");
  bool good = read_kind(object, &finding->kind) && cJSON_IsArray(places) && cJSON_IsArray(goals);
  cJSON_ArrayForEach(item, places) {
    const char *file = json_string(item, "file");
    uint32_t line;
    good = good && file && json_index(item, "line", &line);
    if (good) finding_add_place(finding, file, line);
  }
  cJSON_ArrayForEach(item, goals) {
    good = good && cJSON_IsString(item);
    if (good) finding_add_goal(finding, item->valuestring);
  }
  if (!good) text_add(error, "not a finding");
  return good;
}
