// Which thread a join waits for.
//
// A join waits for a certain creation if the handle is read from a variable that exists once and that only this
// creation writes, and if nothing detaches the thread.
#ifndef HEDDLE_SURVEY_FLOW_HANDLES_H
#define HEDDLE_SURVEY_FLOW_HANDLES_H

#include "survey/survey_facts.h"

typedef struct Handles {
  U32Vector creations; // per statement that is a call: the creation that a join surely waits for, or NO_CODE_ID
} Handles;

void handles_init(Handles *handles, SurveyFacts *facts);
void handles_free(Handles *handles);
// The creation statement, executed at most once, whose thread has surely ended after the join; or NO_CODE_ID.
uint32_t handles_joined(const Handles *handles, uint32_t join);

#endif
