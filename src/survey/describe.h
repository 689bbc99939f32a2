// Words for what a survey reports: accesses, locks, reasons. All texts are in the survey's arena.
#ifndef HEDDLE_SURVEY_DESCRIBE_H
#define HEDDLE_SURVEY_DESCRIBE_H

#include "survey/races.h"

typedef struct Describe {
  Survey *survey;
  SurveyFacts *facts;
  const Flow *flow;
  const Accesses *accesses;
} Describe;

const char *describe_locks(const Describe *d, SetId locks); // in order of their names, with commas
// By one site of each class, in Accesses.sites.
SurveyPair describe_pair(const Describe *d, const char *object, const RacePair *pair, uint32_t first, uint32_t second);
// A statement in a context that takes a lock while it holds others.
SurveyAccess describe_taking(const Describe *d, uint32_t statement, uint32_t context, uint32_t template_id,
                             SetId locks);
const char *describe_text(const Describe *d, Text *text); // a copy in the arena; frees the text

#endif
