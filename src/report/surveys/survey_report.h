// A survey as people and programs read it: what stands of each object and each lock finding, and the files that tell
// it.
//
// The survey says what it proved. Here a standing is added: a warning may be known from an earlier run, suppressed in
// the source, confirmed by an execution (of the whole program, or of a slice), or excluded by a proof of the exact
// engines. The caller marks the pairs (and
// objects and lock findings) of which it knows more; survey_report_settle then gives each object its standing.
//
// Invariants: an object that the survey proved keeps that standing; a mark never makes PROVED out of anything else. The
// pairs of all objects are in one array, in the order of the objects. Numbers count what is told one by one: confirmed,
// warned and open objects, then lock findings, from 1 on; 0 is not numbered.
//
// A SurveyReport refers to its Survey, files and texts of marks, which must outlive it.
#ifndef HEDDLE_REPORT_SURVEYS_SURVEY_REPORT_H
#define HEDDLE_REPORT_SURVEYS_SURVEY_REPORT_H

#include "survey/survey.h"

// X(NAME, name in JSON, words for people). The order is that in which objects are told.
#define SURVEY_STANDINGS(X)                                                                                            \
  X(CONFIRMED, "confirmed", "confirmed")                  /* an execution with the race was found */                   \
  X(SLICED, "confirmed-in-slice", "confirmed in a slice") /* the same, if replaced functions do what it shows */       \
  X(WARNED, "warned", "warned")                                                                                        \
  X(OPEN, "open", "open")                                                                                              \
  X(KNOWN, "known", "known")                /* of the baseline: counted, not told again */                             \
  X(SUPPRESSED, "suppressed", "suppressed") /* by a comment or the settings */                                         \
  X(EXCLUDED, "excluded", "excluded")       /* the exact engines proved that it cannot happen */                       \
  X(PROVED, "proved", "proved")
typedef enum SurveyStanding {
#define X(name, text, words) SURVEY_STANDS_##name,
  SURVEY_STANDINGS(X)
#undef X
      SURVEY_STANDING_COUNT
} SurveyStanding;
const char *survey_standing_name(SurveyStanding standing);
const char *survey_standing_words(SurveyStanding standing);
static inline bool survey_standing_is_race(SurveyStanding standing) {
  return standing == SURVEY_STANDS_CONFIRMED || standing == SURVEY_STANDS_SLICED;
}

typedef struct SurveyMark {
  SurveyStanding standing;
  bool known;          // the baseline has it; of an object: also as many pairs that were left out
  const char *because; // what suppresses it, the trace that confirms it; NULL: nothing to tell
  const char *rests;   // of SLICED: what the functions without their code did; else NULL
  const char *tried;   // of an object: why it was not confirmed; NULL: that was not asked
  uint32_t number;
  uint32_t first_pair; // of an object: in SurveyReport.pairs
} SurveyMark;

typedef struct SurveyReport {
  const Survey *survey;
  SurveyMark *objects, *pairs, *locks; // like those of the survey
  uint32_t pair_count, numbered;
  uint32_t object_counts[SURVEY_STANDING_COUNT], lock_counts[SURVEY_STANDING_COUNT];
  bool excluded;            // the exact engines proved that the program has no other race than the confirmed ones
  StringVector rests_on;    // what that rests on, beside the survey's assumptions, and what is suppressed
  StringVector other_races; // traces of races that the exact engines executed and that are no pair
  bool all;                 // tell each proved object and each pair
  const char *const *files; // of the program, as the user named them
  size_t file_count;
  const char *project; // the directory of the compilation database, or NULL
  const char *version; // of Heddle
} SurveyReport;

// Marks are as the survey says; the members from `all` on are the caller's to set.
void survey_report_init(SurveyReport *report, const Survey *survey);
void survey_report_free(SurveyReport *report);
void survey_report_settle(SurveyReport *report);

// What an object is recognised by in another run: by survey_name_key of its name, and, if it has no pair, by its doubt.
uint64_t survey_object_fingerprint(const SurveyObject *object);
// The object that gets this number if it is settled as it is marked now; NO_CODE_ID: none gets it.
uint32_t survey_report_object_of(const SurveyReport *report, uint32_t number);
bool survey_report_has_races(const SurveyReport *report); // executed ones, after it was settled
bool survey_report_is_clean(const SurveyReport *report);  // all is proved, excluded, suppressed or known

// For people. `survey_report_explain`: false if there is no such number.
void survey_report_text(const SurveyReport *report, Text *out);
bool survey_report_explain(const SurveyReport *report, uint32_t number, Text *out);
void survey_report_result(const SurveyReport *report, Text *out); // the last line, without its end

// Files: JSON, which is a baseline for later runs; SARIF 2.1.0; a page.
void survey_report_json(const SurveyReport *report, Text *out);
void survey_report_sarif(const SurveyReport *report, Text *out);
void survey_report_page(const SurveyReport *report, Text *out);

#endif
