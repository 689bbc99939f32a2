// Which thread a join waits for.
//
// A join waits for a certain creation if the handle is read from a variable that exists once and that only this
// creation writes, and if nothing detaches the thread. A loop that counts joins all threads of a loop that created them
// in the same array, with the same numbers: they have ended when it is left at its header. If the function is executed
// more than once, the array must be its own, and each execution must join its threads before it ends.
#ifndef HEDDLE_SURVEY_FLOW_HANDLES_H
#define HEDDLE_SURVEY_FLOW_HANDLES_H

#include "survey/survey_facts.h"

typedef struct JoiningLoop {
  uint32_t header;   // block
  uint32_t creation; // all threads that it creates have ended after the loop
} JoiningLoop;
VECTOR(JoiningLoopVector, JoiningLoop);

typedef struct Handles {
  JoiningLoopVector loops;
  U32Vector creations; // per statement that is a call: the creation that a join surely waits for, or NO_CODE_ID
} Handles;

void handles_init(Handles *handles, SurveyFacts *facts);
void handles_free(Handles *handles);
// The creation statement whose thread (one of its threads, if it is in a loop) has surely ended after the join; or
// NO_CODE_ID.
uint32_t handles_joined(const Handles *handles, uint32_t join);

#endif
