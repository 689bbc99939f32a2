// The table of a survey on standard output: warnings first, numbered, then open objects, proved ones, lock orders, and
// what the proofs rest on.
#include "report/surveys/survey_words.h"

#include <assert.h>

enum {
  FEW_PROVED = 20,  // so many proved objects are told one by one, more are counted unless all are wanted
  MOST_PLACES = 10, // of lock orders in no cycle
};

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

// --- objects ---

// The standing of the pair that is told first.
static SurveyStanding leading(const SurveyMark *pairs, uint32_t count) {
  SurveyStanding best = SURVEY_STANDS_OPEN;
  for (uint32_t i = 0; i < count; i++)
    if (survey_standing_is_race(pairs[i].standing) && pairs[i].standing < best) best = pairs[i].standing;
  return best;
}

// "RACE?" and the pair that is most likely a bug among those that count.
static void add_pairs(const SurveyReport *report, uint32_t index, Text *out) {
  const SurveyObject *object = &report->survey->objects[index];
  const SurveyMark *mark = &report->objects[index];
  const SurveyMark *pairs = report->pairs + mark->first_pair;
  uint32_t told = 0, left = 0;
  SurveyStanding lead = leading(pairs, object->pair_count);
  bool race = survey_standing_is_race(lead);
  for (uint32_t i = 0; i < object->pair_count; i++) {
    bool counts = pairs[i].standing <= SURVEY_STANDS_OPEN;
    if (race && !told && pairs[i].standing != lead) continue;
    if (!counts || (told && !report->all)) {
      left += counts;
      continue;
    }
    text_add(out, told++ ? "\n        or " : survey_standing_is_race(pairs[i].standing) ? "RACE " : "RACE? ");
    survey_words_pair(&object->pairs[i], out);
  }
  left += object->pairs_left_out;
  if (left) text_format(out, " and %u more", (unsigned)left);
}

// What the execution in a slice rests on.
static void add_rests(const SurveyReport *report, uint32_t index, Text *out) {
  const SurveyMark *mark = &report->objects[index], *pairs = report->pairs + mark->first_pair;
  const char *rests = mark->rests;
  for (uint32_t i = 0; !rests && i < report->survey->objects[index].pair_count; i++)
    if (pairs[i].standing == SURVEY_STANDS_SLICED) rests = pairs[i].rests;
  if (!rests) return;
  text_add(out, "        rests on: ");
  survey_word(rests, out);
  text_add_char(out, '\n');
}

static void add_object(const SurveyReport *report, uint32_t index, Text *out) {
  const SurveyObject *object = &report->survey->objects[index];
  const SurveyMark *mark = &report->objects[index];
  if (mark->number)
    text_format(out, "%5u  ", (unsigned)mark->number);
  else
    text_add(out, "       ");
  survey_word(object->name, out);
  if (object->parts > 1) text_format(out, " (%u parts)", (unsigned)object->parts);
  text_add(out, ": ");
  if (object->status == SURVEY_PROVED) {
    survey_words_protection(object, out);
    text_format(out, " (%u place%s)", (unsigned)object->places, plural(object->places));
  } else {
    if (object->status == SURVEY_OPEN && !survey_standing_is_race(mark->standing)) {
      survey_words_doubt(object, out);
      if (object->pair_count) text_add(out, "; ");
    }
    add_pairs(report, index, out);
  }
  text_add_char(out, '\n');
  if (mark->standing == SURVEY_STANDS_SLICED) add_rests(report, index, out);
}

static void add_objects_to(const SurveyReport *report, uint32_t end, SurveyStanding standing, const char *heading,
                           Text *out) {
  if (!report->object_counts[standing]) return;
  text_format(out, "%s:\n", heading);
  for (uint32_t i = 0; i < end; i++)
    if (report->objects[i].standing == standing) add_object(report, i, out);
}

static void add_objects(const SurveyReport *report, SurveyStanding standing, const char *heading, Text *out) {
  add_objects_to(report, report->survey->object_count, standing, heading, out);
}

static void add_open(const SurveyReport *report, Text *out) {
  uint32_t end = survey_first_outside(report);
  add_objects_to(report, end, SURVEY_STANDS_OPEN, "open", out);
  survey_words_outside(report, end, out);
}

static void add_proved_counts(const Survey *survey, Text *out) {
  static const char *const names[] = {
#define X(id, name, text) name,
      SURVEY_PROTECTIONS(X)
#undef X
  };
  enum { KINDS = sizeof names / sizeof *names };
  uint32_t counts[KINDS] = {0};
  for (uint32_t i = 0; i < survey->object_count; i++)
    if (survey->objects[i].status == SURVEY_PROVED) counts[survey->objects[i].protection]++;
  text_add(out, "proved (--all lists them):\n");
  for (unsigned i = 0; i < KINDS; i++)
    if (counts[i]) text_format(out, "%7u  %s\n", (unsigned)counts[i], survey_protection_words((SurveyProtection)i));
}

static void add_proved(const SurveyReport *report, Text *out) {
  uint32_t count = report->object_counts[SURVEY_STANDS_PROVED];
  if (report->all || count <= FEW_PROVED)
    add_objects(report, SURVEY_STANDS_PROVED, "proved", out);
  else
    add_proved_counts(report->survey, out);
}

// What is not told one by one, unless all is.
static void add_others(const SurveyReport *report, SurveyStanding standing, const char *heading, Text *out) {
  uint32_t count = report->object_counts[standing];
  if (report->all)
    add_objects(report, standing, heading, out);
  else if (count)
    text_format(out, "%s: %u object%s\n", heading, (unsigned)count, plural(count));
}

// --- locks ---

static void add_lock(const SurveyReport *report, uint32_t index, Text *out) {
  const SurveyLockFinding *finding = &report->survey->locks[index];
  const SurveyMark *mark = &report->locks[index];
  if (mark->number)
    text_format(out, "%5u  %s ", (unsigned)mark->number, survey_words_lock_kind(finding->kind));
  else
    text_add(out, "       ");
  survey_words_lock(finding, out);
  if (finding->detail && *finding->detail) {
    text_add(out, " (");
    survey_word(finding->detail, out);
    text_add_char(out, ')');
  }
  text_add_char(out, '\n');
}

static void add_locks(const SurveyReport *report, Text *out) {
  const Survey *survey = report->survey;
  uint32_t quiet = 0;
  if (survey->lock_count) text_add(out, "lock orders:\n");
  for (uint32_t i = 0; i < survey->lock_count; i++)
    if (report->locks[i].number) add_lock(report, i, out);
  for (uint32_t i = 0; i < survey->lock_count; i++) {
    if (report->locks[i].number) continue;
    if (report->all || quiet < MOST_PLACES) add_lock(report, i, out);
    quiet++;
  }
  if (!report->all && quiet > MOST_PLACES)
    text_format(out, "       and %u more (--all)\n", (unsigned)(quiet - MOST_PLACES));
}

// --- the rest ---

// How many places touch objects of each standing: a place counts once for each object.
static void add_places(const SurveyReport *report, Text *out) {
  uint64_t places[SURVEY_STANDING_COUNT] = {0};
  for (uint32_t i = 0; i < report->survey->object_count; i++)
    places[report->objects[i].standing] += report->survey->objects[i].places;
  const char *separator = "places with accesses:";
  for (SurveyStanding s = 0; s < SURVEY_STANDING_COUNT; s++) {
    if (!places[s]) continue;
    text_format(out, "%s %llu of %s objects", separator, (unsigned long long)places[s], survey_standing_words(s));
    separator = ",";
  }
  if (*separator == ',') text_add_char(out, '\n');
}

static void add_totals(const Survey *survey, Text *out) {
  const SurveyTotals *totals = &survey->totals;
  text_format(out, "looked at: %llu line%s, ", (unsigned long long)totals->lines, plural(totals->lines));
  text_format(out, "%llu function%s, %llu statement%s, %llu shared access%s, %llu kind%s of thread\n",
              (unsigned long long)totals->functions, plural(totals->functions), (unsigned long long)totals->statements,
              plural(totals->statements), (unsigned long long)totals->shared_accesses,
              totals->shared_accesses == 1 ? "" : "es", (unsigned long long)totals->threads, plural(totals->threads));
}

// 12345 as "12,345".
static void add_grouped(uint64_t number, Text *out) {
  if (number >= 1000) add_grouped(number / 1000, out);
  text_format(out, number >= 1000 ? ",%03u" : "%u", (unsigned)(number % 1000));
}

static unsigned percent(uint64_t part, uint64_t whole) { return whole ? (unsigned)(part * 100 / whole) : 0; }

static void add_dereference_counts(const SurveyDereferences *d, Text *out) {
  add_grouped(d->by_pointers, out);
  text_add(out, " by pointers");
  if (d->by_pointers)
    text_format(out, ": %u %% cannot be null, %u %% cannot be freed, %u %% are in range; %u %% all three",
                percent(d->not_null, d->by_pointers), percent(d->not_freed, d->by_pointers),
                percent(d->in_range, d->by_pointers), percent(d->all, d->by_pointers));
  text_add(out, d->by_pointers ? ", and " : ", ");
  add_grouped(d->by_name, out);
  text_add(out, " by name\n");
}

static void add_dereferences(const SurveyReport *report, Text *out) {
  const Survey *survey = report->survey;
  text_add(out, "dereferences: ");
  add_dereference_counts(&survey->totals.dereferences, out);
  for (uint32_t i = 0; report->all && i < survey->function_count; i++) {
    text_add(out, "       ");
    survey_word(survey->functions[i].name, out);
    text_add(out, ": ");
    add_dereference_counts(&survey->functions[i].dereferences, out);
  }
}

static void add_assumptions(const SurveyReport *report, Text *out) {
  const Survey *survey = report->survey;
  if (survey->assumption_count + report->rests_on.count) text_add(out, "this rests on:\n");
  for (uint32_t i = 0; i < survey->assumption_count; i++) {
    text_add(out, "  ");
    survey_word(survey->assumptions[i], out);
    text_add_char(out, '\n');
  }
  for (size_t i = 0; i < report->rests_on.count; i++) {
    text_add(out, "  ");
    survey_word(report->rests_on.data[i], out);
    text_add_char(out, '\n');
  }
}

static void add_traces(const SurveyMark *marks, uint32_t count, SurveyStanding standing, Text *out) {
  for (uint32_t i = 0; i < count; i++)
    if (marks[i].standing == standing && marks[i].because) text_add(out, marks[i].because);
}

void survey_report_text(const SurveyReport *report, Text *out) {
  for (SurveyStanding s = SURVEY_STANDS_CONFIRMED; s <= SURVEY_STANDS_SLICED; s++) {
    add_objects(report, s, survey_standing_words(s), out);
    add_traces(report->objects, report->survey->object_count, s, out);
    add_traces(report->pairs, report->pair_count, s, out);
  }
  for (size_t i = 0; i < report->other_races.count; i++)
    text_format(out, "another race:\n%s", report->other_races.data[i]);
  add_objects(report, SURVEY_STANDS_WARNED, "warnings", out);
  add_open(report, out);
  add_others(report, SURVEY_STANDS_KNOWN, "known from the baseline", out);
  add_others(report, SURVEY_STANDS_SUPPRESSED, "suppressed", out);
  add_others(report, SURVEY_STANDS_EXCLUDED, "excluded by the exact engines", out);
  add_proved(report, out);
  add_locks(report, out);
  add_places(report, out);
  add_totals(report->survey, out);
  add_dereferences(report, out);
  add_assumptions(report, out);
}

// --- the last line ---

static void add_count(uint32_t count, const char *what, const char **separator, Text *out) {
  if (!count) return;
  text_format(out, "%s%u %s", *separator, (unsigned)count, what);
  *separator = ", ";
}

void survey_report_result(const SurveyReport *report, Text *out) {
  const Survey *survey = report->survey;
  const char *separator = " ";
  text_add(out, "survey:");
  for (SurveyStanding s = 0; s < SURVEY_STANDING_COUNT; s++)
    add_count(report->object_counts[s], survey_standing_words(s), &separator, out);
  if (!survey->object_count && survey->complete) text_add(out, " no shared objects");
  size_t others = report->other_races.count;
  if (others) text_format(out, "; %zu other race%s", others, plural(others));
  uint32_t locks = report->lock_counts[SURVEY_STANDS_WARNED] + report->lock_counts[SURVEY_STANDS_OPEN];
  if (locks) text_format(out, "; %u lock finding%s", (unsigned)locks, plural(locks));
  if (!survey->complete) {
    text_add(out, survey->object_count ? "; not complete: " : " not complete: ");
    survey_word(survey->incomplete_reason ? survey->incomplete_reason : "a limit was met", out);
  }
}
