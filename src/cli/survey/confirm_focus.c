#include "cli/survey/confirm_focus.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct FocusLine {
  const char *file;
  uint32_t line;
} FocusLine;
VECTOR(FocusLineVector, FocusLine);

static int compare_lines(const void *a, const void *b) {
  const FocusLine *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

static void add_access(Focus *focus, FocusLineVector *lines, const SurveyAccess *access) {
  U32Vector_push(&focus->statements, access->statement);
  if (access->position.file) FocusLineVector_push(lines, (FocusLine){access->position.file, access->position.line});
}

static void add_object(Focus *focus, FocusLineVector *lines, const SurveyReport *report, uint32_t index) {
  const SurveyObject *object = &report->survey->objects[index];
  bool led = false;
  for (uint32_t i = 0; i < object->pair_count; i++) {
    SurveyStanding standing = report->pairs[report->objects[index].first_pair + i].standing;
    if (standing == SURVEY_STANDS_SUPPRESSED || standing == SURVEY_STANDS_CONFIRMED) continue;
    add_access(focus, lines, &object->pairs[i].first);
    add_access(focus, lines, &object->pairs[i].second);
    if (!led) U32Vector_push(&focus->leading, object->pairs[i].first.statement);
    if (!led) U32Vector_push(&focus->leading, object->pairs[i].second.statement);
    led = true;
  }
}

// Line 0 of each file of the code: where its lines begin.
static void add_files(FocusLineVector *lines, const Code *code) {
  Map seen;
  map_init(&seen, NULL);
  for (uint32_t i = 0; i < code->position_count; i++) {
    const char *file = code->positions[i].file;
    uint64_t key = file ? hash_bytes(file, strlen(file)) : 0;
    if (!file || map_contains(&seen, key)) continue;
    map_put(&seen, key, 1);
    FocusLineVector_push(lines, (FocusLine){file, 0});
  }
  map_free(&seen);
}

static void suppress_between(Focus *focus, const char *file, uint32_t first, uint32_t last) {
  if (first > last) return;
  const Suppression row = {.properties = 1u << PROPERTY_NO_DATA_RACE,
                           .file = file,
                           .first = first,
                           .last = last,
                           .by = "the question about other lines"};
  SuppressionVector_push(&focus->rows, row);
}

static void add_rows(Focus *focus, const FocusLineVector *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    const FocusLine *line = &lines->data[i];
    bool last = i + 1 == lines->count || strcmp(lines->data[i + 1].file, line->file) != 0;
    assert(i == 0 || compare_lines(&lines->data[i - 1], line) <= 0);
    suppress_between(focus, line->file, line->line + 1, last ? UINT32_MAX : lines->data[i + 1].line - 1);
  }
}

void focus_init(Focus *focus, const Code *code, const SurveyReport *report, const uint32_t *objects, size_t count) {
  *focus = (Focus){.rows = {0}};
  FocusLineVector lines;
  FocusLineVector_init(&lines, NULL);
  add_files(&lines, code);
  for (size_t i = 0; i < count; i++) add_object(focus, &lines, report, objects[i]);
  if (lines.count) qsort(lines.data, lines.count, sizeof *lines.data, compare_lines);
  add_rows(focus, &lines);
  FocusLineVector_free(&lines);
}

void focus_free(Focus *focus) {
  SuppressionVector_free(&focus->rows);
  U32Vector_free(&focus->statements);
  U32Vector_free(&focus->leading);
}
