// Which dereferences of the program cannot be of a null pointer, of an object that has ended, or out of range.
//
// The definitions are those of `check --property valid-memsafety`. Looked at are the functions that some thread may
// run. The calls of functions without a body are not looked at.
//
// Direction of the facts: must, for each access up to the first invalid one of an execution. What is not excluded is
// not a warning.
#ifndef HEDDLE_SURVEY_MEMORY_DEREFERENCES_H
#define HEDDLE_SURVEY_MEMORY_DEREFERENCES_H

#include "survey/survey.h"
#include "survey/survey_facts.h"

// Fills in the functions of the survey and the totals about dereferences. False: the deadline has passed.
bool dereferences_find(Survey *survey, const SurveyFacts *facts, const uint32_t *entries, size_t entry_count);

#endif
