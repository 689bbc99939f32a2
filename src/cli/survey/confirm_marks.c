#include "cli/survey/confirm_marks.h"

#include "survey/effects.h"

#include <assert.h>

// --- findings ---

static bool is_place(const FindingPlace *place, const SurveyAccess *access) {
  return access->position.file && strcmp(place->file, access->position.file) == 0 &&
         place->line == access->position.line;
}

// Does the finding have exactly the lines of the pair?
static bool has_lines(const Finding *finding, const SurveyPair *pair) {
  const FindingPlaceVector *places = &finding->places;
  if (places->count == 1) return is_place(&places->data[0], &pair->first) && is_place(&places->data[0], &pair->second);
  if (places->count != 2) return false;
  bool straight = is_place(&places->data[0], &pair->first) && is_place(&places->data[1], &pair->second);
  return straight || (is_place(&places->data[0], &pair->second) && is_place(&places->data[1], &pair->first));
}

// A goal is named by its object, a surveyed place by its part, too: "queue" and "queue.head".
static bool has_name(const SurveyObject *object, const char *goal) {
  size_t length = strlen(goal);
  if (strncmp(goal, object->name, length) != 0) return false;
  char next = object->name[length];
  return next == '\0' || next == '.' || next == '[';
}

// Goals of blocks are named by the line that allocates them (verdict/goals.h).
static bool is_block(const SurveyObject *object, const char *goal) {
  if (!object->position.file) return false;
  Text name;
  text_init(&name, NULL);
  text_format(&name, "block of %s:%u", object->position.file, (unsigned)object->position.line);
  bool same = strcmp(name.data, goal) == 0;
  text_free(&name);
  return same;
}

static bool is_about(const Finding *finding, const SurveyObject *object) {
  for (size_t i = 0; i < finding->goals.count; i++)
    if (has_name(object, finding->goals.data[i]) || is_block(object, finding->goals.data[i])) return true;
  return false;
}

// What was found, and how it is told: the trace at the first mark only.
typedef struct Found {
  const CheckMessage *message;
  const char *rests; // what functions without their code did; NULL: none was called
  Arena *arena;
  bool told;
} Found;

// A function of the library that writes nothing, and of which no result is told.
static bool is_harmless(const Code *code, const char *name) {
  uint32_t function = code_find_function(code, name);
  const Effect *effect = effect_of(name);
  if (!effect || (function != NO_CODE_ID && code->functions[function].defined)) return false;
  uint8_t all = effect->rest;
  for (unsigned i = 0; i < EFFECT_ARGUMENTS; i++) all |= effect->arguments[i];
  const uint8_t reads = ARGUMENT_READ | ARGUMENT_DEEP_READ;
  return effect->synchronisation == SYNC_NONE && effect->result == RESULT_NUMBER && !(all & ~reads);
}

static void add_calls(const Result *result, const Code *code, Text *out) {
  const char *separator = "called without their code: ";
  unsigned harmless = 0;
  for (size_t i = 0; i < result->notes.count; i++) {
    const Note *note = &result->notes.data[i];
    if (note->kind != NOTE_REPLACED) continue;
    if (is_harmless(code, note->what.data)) {
      harmless++;
      continue;
    }
    text_format(out, "%s%s", separator, note->what.data);
    separator = ", ";
  }
  if (harmless)
    text_format(out, "%s%u function%s of the library that write%s nothing", separator, harmless,
                harmless == 1 ? "" : "s", harmless == 1 ? "s" : "");
}

// NULL: every function that was called ran its own code.
static const char *rests_of(const Result *result, const Code *code, Arena *arena) {
  Text calls, out;
  text_init(&calls, NULL);
  text_init(&out, NULL);
  add_calls(result, code, &calls);
  for (size_t i = 0; i < result->notes.count; i++)
    if (result->notes.data[i].kind == NOTE_UNDEFINED)
      text_format(&out, "%s%s", out.length ? ", " : "", result->notes.data[i].what.data);
  if (calls.length) text_format(&out, "%s%s", out.length ? "; " : "", calls.data);
  const char *rests = calls.length ? arena_string(arena, out.data) : NULL;
  text_free(&out);
  text_free(&calls);
  return rests;
}

static const char *trace_of(const Found *found) {
  Text notes;
  text_init(&notes, NULL);
  if (found->rests) result_tell_notes(found->message->result, &notes);
  const char *trace = arena_format(found->arena, "%s%s", found->message->trace.data, notes.data);
  text_free(&notes);
  return trace;
}

// An execution of the whole program counts for more than one of a slice.
static void mark_race(Found *found, SurveyMark *mark) {
  if (mark->standing == SURVEY_STANDS_SUPPRESSED || mark->standing == SURVEY_STANDS_CONFIRMED) return;
  if (found->rests && mark->standing == SURVEY_STANDS_SLICED) return;
  mark->standing = found->rests ? SURVEY_STANDS_SLICED : SURVEY_STANDS_CONFIRMED;
  mark->because = found->told ? NULL : trace_of(found);
  mark->rests = found->rests;
  found->told = true;
}

// The race was executed; so it is told, whether or not the survey has such a pair. Survey and execution contradict each
// other if the survey proved the object.
static void add_other_race(const Found *found, SurveyReport *report, Log *log) {
  const CheckMessage *message = found->message;
  if (found->rests) return; // functions without their code may have done what they never do
  StringVector_push(&report->other_races, arena_string(found->arena, message->trace.data));
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (object->status == SURVEY_PROVED && is_about(&message->finding, object))
      log_error(log, "internal error: a race on %s was executed, and the survey proved that there is none",
                object->name);
  }
}

// A pair that the survey tells stands for all with the same threads and locks. So the race of an object may be at a
// line that no pair has, beside one that some pair has.
static bool shares_line(const Finding *finding, const SurveyObject *object) {
  for (size_t i = 0; i < finding->places.count; i++)
    for (uint32_t k = 0; k < object->pair_count; k++)
      if (is_place(&finding->places.data[i], &object->pairs[k].first) ||
          is_place(&finding->places.data[i], &object->pairs[k].second))
        return true;
  return false;
}

static bool mark_objects(Found *found, SurveyReport *report) {
  const CheckMessage *message = found->message;
  bool matched = false;
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (object->status == SURVEY_PROVED || !is_about(&message->finding, object)) continue;
    if (!shares_line(&message->finding, object)) continue;
    mark_race(found, &report->objects[i]);
    matched = true;
  }
  return matched;
}

void confirm_mark_finding(const CheckMessage *message, const Code *code, SurveyReport *report, Arena *arena, Log *log) {
  Found found = {.message = message, .arena = arena, .rests = rests_of(message->result, code, arena)};
  bool matched = false;
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (object->status == SURVEY_PROVED || !is_about(&message->finding, object)) continue;
    for (uint32_t k = 0; k < object->pair_count; k++) {
      if (!has_lines(&message->finding, &object->pairs[k])) continue;
      matched = true;
      mark_race(&found, &report->pairs[report->objects[i].first_pair + k]);
    }
  }
  if (!matched && !mark_objects(&found, report)) add_other_race(&found, report, log);
}

// --- a proof ---

void confirm_exclude_all(const Result *result, SurveyReport *report, Arena *arena) {
  assert(result->answer == ANSWER_SAFE);
  report->excluded = true;
  for (uint32_t i = 0; i < report->survey->object_count; i++)
    if (report->objects[i].standing == SURVEY_STANDS_SLICED) report->objects[i].standing = SURVEY_STANDS_OPEN;
  for (uint32_t i = 0; i < report->pair_count; i++)
    if (report->pairs[i].standing != SURVEY_STANDS_CONFIRMED) report->pairs[i].standing = SURVEY_STANDS_EXCLUDED;
  Text line;
  text_init(&line, NULL);
  for (AssumptionCursor at = {0}; result_next_assumption(result, result->assumptions, &at, &line);)
    StringVector_push(&report->rests_on, arena_format(arena, "what is excluded: %s", line.data));
  text_free(&line);
}
