#include "cli/survey/silence.h"

#include "base/file.h"
#include "cli/run/suppressions.h"

#include <assert.h>

typedef struct Silence {
  SuppressionVector rows;
  StringVector files; // whose comments were read
  SurveyReport *report;
  Arena *arena;
  Text *warnings;
} Silence;

static void read_comments(Silence *s, const CodePosition *at) {
  if (!at->file) return;
  for (size_t i = 0; i < s->files.count; i++)
    if (strcmp(s->files.data[i], at->file) == 0) return;
  StringVector_push(&s->files, at->file);
  Text source;
  text_init(&source, NULL);
  if (file_read(&source, at->file, FILE_MOST_DATA, NULL))
    suppressions_read(&s->rows, at->file, source.data, source.length, s->arena, s->warnings);
  text_free(&source);
}

static void read_all(Silence *s) {
  const Survey *survey = s->report->survey;
  for (uint32_t i = 0; i < survey->object_count; i++)
    for (uint32_t k = 0; k < survey->objects[i].pair_count; k++) {
      read_comments(s, &survey->objects[i].pairs[k].first.position);
      read_comments(s, &survey->objects[i].pairs[k].second.position);
    }
  for (uint32_t i = 0; i < survey->lock_count; i++)
    for (uint32_t k = 0; survey->locks[i].status != SURVEY_PROVED && k < survey->locks[i].step_count; k++)
      read_comments(s, &survey->locks[i].steps[k].at.position);
}

static const char *told(const Silence *s, const Suppression *row, const CodePosition *at) {
  return arena_format(s->arena, "%s:%u is suppressed by %s", at->file, (unsigned)at->line, row->by);
}

static void rest_on(Silence *s, const char *line) {
  StringVector *lines = &s->report->rests_on;
  for (size_t i = 0; i < lines->count; i++)
    if (strcmp(lines->data[i], line) == 0) return;
  StringVector_push(lines, line);
}

// NULL: it is not suppressed.
static const char *find(const Silence *s, Property property, const SurveyAccess *access) {
  const Suppression *row = suppressions_find(&s->rows, property, access->position.file, access->position.line);
  return row ? told(s, row, &access->position) : NULL;
}

static void mark(Silence *s, SurveyMark *marked, const char *because) {
  marked->standing = SURVEY_STANDS_SUPPRESSED;
  marked->because = because;
  rest_on(s, because);
}

static void mark_pair(Silence *s, const SurveyPair *pair, SurveyMark *marked) {
  const char *because = pair->first.atomic ? NULL : find(s, PROPERTY_NO_DATA_RACE, &pair->first);
  if (!because && !pair->second.atomic) because = find(s, PROPERTY_NO_DATA_RACE, &pair->second);
  if (because) mark(s, marked, because);
}

static void mark_lock(Silence *s, const SurveyLockFinding *finding, SurveyMark *marked) {
  const char *because = NULL;
  for (uint32_t i = 0; finding->status != SURVEY_PROVED && i < finding->step_count && !because; i++)
    because = find(s, PROPERTY_NO_DEADLOCK, &finding->steps[i].at);
  if (because) mark(s, marked, because);
}

void silence_apply(SurveyReport *report, const SuppressionVector *given, Arena *arena, Text *warnings) {
  Silence s = {.report = report, .arena = arena, .warnings = warnings};
  const Survey *survey = report->survey;
  for (size_t i = 0; i < given->count; i++) SuppressionVector_push(&s.rows, given->data[i]);
  read_all(&s);
  for (uint32_t i = 0; s.rows.count && i < survey->object_count; i++)
    for (uint32_t k = 0; k < survey->objects[i].pair_count; k++)
      mark_pair(&s, &survey->objects[i].pairs[k], &report->pairs[report->objects[i].first_pair + k]);
  for (uint32_t i = 0; s.rows.count && i < survey->lock_count; i++) mark_lock(&s, &survey->locks[i], &report->locks[i]);
  StringVector_free(&s.files);
  SuppressionVector_free(&s.rows);
}
