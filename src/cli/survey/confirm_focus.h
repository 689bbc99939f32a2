// The lines at which a run of the exact engines looks for races: all others are suppressed in its question.
#ifndef HEDDLE_CLI_SURVEY_CONFIRM_FOCUS_H
#define HEDDLE_CLI_SURVEY_CONFIRM_FOCUS_H

#include "report/surveys/survey_report.h"
#include "verdict/suppress.h"

typedef struct Focus {
  SuppressionVector rows; // of every file of the code: what is between the lines
  U32Vector statements;   // of the accesses
  U32Vector leading;      // the same of the pair of each object that is most likely a bug
} Focus;

// `objects`: their pairs that are neither suppressed nor confirmed count.
void focus_init(Focus *focus, const Code *code, const SurveyReport *report, const uint32_t *objects, size_t count);
void focus_free(Focus *focus);

#endif
