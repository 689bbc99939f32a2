#include "report/surveys/survey_report.h"

#include "base/map.h"

#include <assert.h>

const char *survey_standing_name(SurveyStanding standing) {
  static const char *const names[] = {
#define X(name, text, words) text,
      SURVEY_STANDINGS(X)
#undef X
  };
  assert(standing < SURVEY_STANDING_COUNT);
  return names[standing];
}

const char *survey_standing_words(SurveyStanding standing) {
  static const char *const all[] = {
#define X(name, text, words) words,
      SURVEY_STANDINGS(X)
#undef X
  };
  assert(standing < SURVEY_STANDING_COUNT);
  return all[standing];
}

static SurveyStanding standing_of(SurveyStatus status) {
  return status == SURVEY_PROVED   ? SURVEY_STANDS_PROVED
         : status == SURVEY_WARNED ? SURVEY_STANDS_WARNED
                                   : SURVEY_STANDS_OPEN;
}

static SurveyMark *new_marks(uint32_t count) { return memory_allocate_zeroed(NULL, count * sizeof(SurveyMark)); }

static void free_marks(SurveyMark *marks, uint32_t count) { memory_free(NULL, marks, count * sizeof *marks); }

void survey_report_init(SurveyReport *report, const Survey *survey) {
  *report = (SurveyReport){.survey = survey};
  for (uint32_t i = 0; i < survey->object_count; i++) report->pair_count += survey->objects[i].pair_count;
  report->objects = new_marks(survey->object_count);
  report->pairs = new_marks(report->pair_count);
  report->locks = new_marks(survey->lock_count);
  uint32_t pair = 0;
  for (uint32_t i = 0; i < survey->object_count; i++) {
    const SurveyObject *object = &survey->objects[i];
    report->objects[i] = (SurveyMark){.standing = standing_of(object->status), .first_pair = pair};
    for (uint32_t k = 0; k < object->pair_count; k++)
      report->pairs[pair++].standing = object->status == SURVEY_WARNED ? SURVEY_STANDS_WARNED : SURVEY_STANDS_OPEN;
  }
  assert(pair == report->pair_count);
  for (uint32_t i = 0; i < survey->lock_count; i++) report->locks[i].standing = standing_of(survey->locks[i].status);
}

void survey_report_free(SurveyReport *report) {
  free_marks(report->objects, report->survey->object_count);
  free_marks(report->pairs, report->pair_count);
  free_marks(report->locks, report->survey->lock_count);
  StringVector_free(&report->rests_on);
  StringVector_free(&report->other_races);
  *report = (SurveyReport){.survey = NULL};
}

uint64_t survey_object_fingerprint(const SurveyObject *object) {
  return hash_mix(survey_name_key(object->name) ^ hash_mix((uint64_t)object->status << 8 | object->doubt));
}

// --- standings ---

static uint32_t count_pairs(const SurveyReport *report, uint32_t object, SurveyStanding standing) {
  uint32_t first = report->objects[object].first_pair, count = 0;
  for (uint32_t i = 0; i < report->survey->objects[object].pair_count; i++)
    count += report->pairs[first + i].standing == standing;
  return count;
}

// Of an object that is not proved. All its pairs must be settled, and none may have been left out of them, before the
// object is: what was left out may race as well.
static SurveyStanding settled_standing(const SurveyReport *report, uint32_t i) {
  const SurveyObject *object = &report->survey->objects[i];
  assert(object->status != SURVEY_PROVED);
  uint32_t suppressed = count_pairs(report, i, SURVEY_STANDS_SUPPRESSED);
  uint32_t known = count_pairs(report, i, SURVEY_STANDS_KNOWN);
  bool executed = report->objects[i].standing == SURVEY_STANDS_CONFIRMED; // at lines that are no pair
  if (executed || count_pairs(report, i, SURVEY_STANDS_CONFIRMED)) return SURVEY_STANDS_CONFIRMED;
  if (report->excluded) return SURVEY_STANDS_EXCLUDED;
  if (report->objects[i].standing == SURVEY_STANDS_SLICED || count_pairs(report, i, SURVEY_STANDS_SLICED))
    return SURVEY_STANDS_SLICED;
  bool whole = object->status == SURVEY_WARNED && object->pair_count && !object->pairs_left_out;
  if (whole && suppressed == object->pair_count) return SURVEY_STANDS_SUPPRESSED;
  if (report->objects[i].known && known + suppressed == object->pair_count) return SURVEY_STANDS_KNOWN;
  return standing_of(object->status);
}

static void number(SurveyReport *report, SurveyMark *marks, uint32_t count, SurveyStanding standing) {
  for (uint32_t i = 0; i < count; i++)
    if (marks[i].standing == standing) marks[i].number = ++report->numbered;
}

void survey_report_settle(SurveyReport *report) {
  const Survey *survey = report->survey;
  assert(!report->numbered && "it is settled once");
  for (uint32_t i = 0; i < survey->object_count; i++) {
    if (survey->objects[i].status != SURVEY_PROVED) report->objects[i].standing = settled_standing(report, i);
    report->object_counts[report->objects[i].standing]++;
  }
  for (uint32_t i = 0; i < survey->lock_count; i++) {
    SurveyMark *mark = &report->locks[i];
    if (mark->known && mark->standing != SURVEY_STANDS_PROVED) mark->standing = SURVEY_STANDS_KNOWN;
    report->lock_counts[mark->standing]++;
  }
  for (SurveyStanding s = SURVEY_STANDS_CONFIRMED; s <= SURVEY_STANDS_OPEN; s++)
    number(report, report->objects, survey->object_count, s);
  for (SurveyStanding s = SURVEY_STANDS_CONFIRMED; s <= SURVEY_STANDS_OPEN; s++)
    number(report, report->locks, survey->lock_count, s);
}

uint32_t survey_report_object_of(const SurveyReport *report, uint32_t number) {
  uint32_t counted = 0;
  for (SurveyStanding s = SURVEY_STANDS_CONFIRMED; s <= SURVEY_STANDS_OPEN; s++)
    for (uint32_t i = 0; i < report->survey->object_count; i++) {
      if (report->survey->objects[i].status == SURVEY_PROVED || settled_standing(report, i) != s) continue;
      if (++counted == number) return i;
    }
  return NO_CODE_ID;
}

bool survey_report_has_races(const SurveyReport *report) {
  return report->object_counts[SURVEY_STANDS_CONFIRMED] || report->object_counts[SURVEY_STANDS_SLICED] ||
         report->other_races.count;
}

bool survey_report_is_clean(const SurveyReport *report) {
  return report->survey->complete && !report->numbered && !report->other_races.count;
}
