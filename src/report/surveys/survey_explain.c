// One numbered object or lock finding in full: why a race could not be excluded, and what would exclude it.
#include "report/source_text.h"
#include "report/surveys/survey_words.h"

#include <assert.h>

static void add_line(const char *name, const char *text, Text *out) {
  if (!text || !*text) return;
  text_format(out, "      %s: ", name);
  survey_word(text, out);
  text_add_char(out, '\n');
}

// What is around an access, or around the call that takes a lock.
static void add_surroundings(Sources *sources, const SurveyAccess *access, Text *out) {
  text_add(out, " in ");
  survey_word(access->function ? access->function : "?", out);
  text_add_char(out, '\n');
  Text line;
  text_init(&line, NULL);
  if (access->position.file && sources_add_line(sources, access->position.file, access->position.line, &line))
    add_line("line", line.data, out);
  text_free(&line);
  add_line("thread", access->thread, out);
  add_line("calls", access->calls, out);
  add_line("locks held", *access->locks ? access->locks : "none", out);
}

static void add_access(Sources *sources, const char *name, const SurveyAccess *access, Text *out) {
  text_format(out, "    %s: ", name);
  survey_words_place(&access->position, out);
  survey_words_kind(access, out);
  add_surroundings(sources, access, out);
}

static void add_pair(Sources *sources, const SurveyPair *pair, const SurveyMark *mark, uint32_t number, Text *out) {
  text_format(out, "  pair %u (%s, rank %u):\n", (unsigned)number, survey_standing_words(mark->standing), pair->rank);
  add_access(sources, "first ", &pair->first, out);
  add_access(sources, "second", &pair->second, out);
  if (mark->rests) {
    text_add(out, "    the execution in a slice rests on: ");
    survey_word(mark->rests, out);
    text_add_char(out, '\n');
  }
  if (pair->reason && *pair->reason) {
    text_add(out, "    why it is not excluded: ");
    survey_word(pair->reason, out);
    text_add_char(out, '\n');
  }
  if (pair->remedy && *pair->remedy) {
    text_add(out, "    what would exclude it: ");
    survey_word(pair->remedy, out);
    text_add_char(out, '\n');
  }
}

static void explain_object(const SurveyReport *report, uint32_t index, Sources *sources, Text *out) {
  const SurveyObject *object = &report->survey->objects[index];
  const SurveyMark *mark = &report->objects[index];
  text_format(out, "%u: ", (unsigned)mark->number);
  survey_word(object->name, out);
  text_format(out, " (%s)", survey_standing_words(mark->standing));
  if (object->position.file) {
    text_add(out, ", from ");
    survey_words_place(&object->position, out);
  }
  text_add_char(out, '\n');
  if (object->status == SURVEY_OPEN) {
    text_add(out, "  why it is open: ");
    survey_words_doubt(object, out);
    text_add_char(out, '\n');
  }
  if (mark->tried && !survey_standing_is_race(mark->standing)) {
    text_add(out, "  why it is not confirmed: ");
    survey_word(mark->tried, out);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < object->pair_count; i++)
    add_pair(sources, &object->pairs[i], &report->pairs[mark->first_pair + i], i + 1, out);
  if (object->pairs_left_out) text_format(out, "  and %u more pairs\n", (unsigned)object->pairs_left_out);
}

static void explain_lock(const SurveyReport *report, uint32_t index, Sources *sources, Text *out) {
  const SurveyLockFinding *finding = &report->survey->locks[index];
  text_format(out, "%u: %s\n", (unsigned)report->locks[index].number, survey_words_lock_kind(finding->kind));
  if (finding->detail && *finding->detail) {
    text_add(out, "  why: ");
    survey_word(finding->detail, out);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < finding->step_count; i++) {
    text_add(out, "  ");
    survey_words_step(&finding->steps[i], out);
    text_add(out, ": ");
    survey_words_place(&finding->steps[i].at.position, out);
    add_surroundings(sources, &finding->steps[i].at, out);
  }
}

bool survey_report_explain(const SurveyReport *report, uint32_t number, Text *out) {
  if (!number || number > report->numbered) return false;
  Sources sources;
  sources_init(&sources, NULL);
  for (uint32_t i = 0; i < report->survey->object_count; i++)
    if (report->objects[i].number == number) explain_object(report, i, &sources, out);
  for (uint32_t i = 0; i < report->survey->lock_count; i++)
    if (report->locks[i].number == number) explain_lock(report, i, &sources, out);
  sources_free(&sources);
  return true;
}
