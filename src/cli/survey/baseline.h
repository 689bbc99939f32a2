// A baseline: the JSON of an earlier survey. What was warned of or open there is known and is not told again.
//
// Things are recognised by their fingerprints, which do not depend on lines, and counted: if a function has one more
// access of a kind than before, one of its pairs is new. What was suppressed or excluded there is not known: it is told
// when that does not hold any more. An open object is known only if the same doubt was there, and what was left out of
// an object's list of pairs only if no more is left out than before.
#ifndef HEDDLE_CLI_SURVEY_BASELINE_H
#define HEDDLE_CLI_SURVEY_BASELINE_H

#include "report/surveys/survey_report.h"

// Marks what the file has. False, with one line in `error`, if the file cannot be read or is no survey.
bool baseline_apply(const char *path, SurveyReport *report, Text *error);

#endif
