// Formats of printf, scanf and their relatives.
#ifndef HEDDLE_SURVEY_FORMATS_H
#define HEDDLE_SURVEY_FORMATS_H

#include "survey/survey_facts.h"

// May a format be something else than a constant text of the program? Such a one may contain the conversion %n, or
// %m. (May: true is no proof that there is one.)
bool formats_may_be_built(const SurveyFacts *facts);

#endif
