// Suppressions in a survey: what comments and the settings take out of the question (cli/run/suppressions.h).
//
// A pair is suppressed if one of its accesses that is not atomic is at a line that is suppressed for no-data-race; a
// lock finding, if one of its locks is taken at a line that is suppressed for no-deadlock. What is suppressed is among
// what the survey rests on.
#ifndef HEDDLE_CLI_SURVEY_SILENCE_H
#define HEDDLE_CLI_SURVEY_SILENCE_H

#include "base/arena.h"
#include "report/surveys/survey_report.h"
#include "verdict/suppress.h"

// `warnings` gets lines about comments that cannot be read. Texts are made in the arena.
void silence_apply(SurveyReport *report, const SuppressionVector *given, Arena *arena, Text *warnings);

#endif
