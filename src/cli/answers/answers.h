// What a check found, per property: its answer, its findings and how many of its goals are settled.
//
// A property is UNSAFE if it has a finding; otherwise UNKNOWN if one is contradicted; otherwise it has the answer of
// the rest. The worst of all answers (UNSAFE,
// then UNKNOWN, then SAFE) is that of the check. PropertyAnswers point into the messages that they summarise.
#ifndef HEDDLE_CLI_ANSWERS_ANSWERS_H
#define HEDDLE_CLI_ANSWERS_ANSWERS_H

#include "cli/run/message.h"

typedef struct PropertyAnswer {
  Property property;
  Answer answer;
  const CheckMessage *findings; // `violations` of them, one behind the other
  size_t violations;
  const CheckMessage *contradicted; // `contradictions` of them: UNKNOWN, with the finding whose goals are open for that
  size_t contradictions;
  const CheckMessage *rest; // SAFE or UNKNOWN: what is said about all but the findings; NULL: it was not looked at
  // The numbers of goals. The last three add up to the first.
  size_t goals, proved, violated, open;
} PropertyAnswer;
VECTOR(PropertyAnswerVector, PropertyAnswer);

// Appends a row for each property, in the order of the messages.
void answers_summarise(const CheckMessageVector *messages, PropertyAnswerVector *answers);
Answer answers_worst(const PropertyAnswerVector *answers);
// The message of the property that stands for it where one alone is told: the first finding, else the rest.
const CheckMessage *answer_told(const PropertyAnswer *answer);
// Why the property, or what is left of it, is UNKNOWN; NULL: it is not.
const Result *answer_unknown(const PropertyAnswer *answer);
// Are there several properties several violations, or contradictions, so that a table is shown?
bool answers_are_several(const PropertyAnswerVector *answers);

#endif
