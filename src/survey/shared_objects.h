// From parts and pairs to the objects of a survey.
#ifndef HEDDLE_SURVEY_SHARED_OBJECTS_H
#define HEDDLE_SURVEY_SHARED_OBJECTS_H

#include "survey/describe.h"

// Fills in the objects of the survey and the totals about them. `complete` is set before.
void objects_report(Describe *d, const Races *races);

#endif
