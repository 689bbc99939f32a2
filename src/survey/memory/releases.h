// Which blocks may be freed, and which may change their size.
//
// Direction of the facts: may-add.
#ifndef HEDDLE_SURVEY_MEMORY_RELEASES_H
#define HEDDLE_SURVEY_MEMORY_RELEASES_H

#include "survey/survey_facts.h"

typedef struct Releases {
  Bitset freed;   // areas: some statement, or outside code, may free the block (realloc does, too)
  bool all_freed; // a function that frees may be called in a way that is not followed
} Releases;

void releases_init(Releases *releases, const SurveyFacts *facts);
void releases_free(Releases *releases);

// The object that the address is in may end before the process does: it is a block that may be freed, or nothing is
// known of it. (Of automatic and thread-local objects this says nothing.)
bool releases_may_free(const Releases *releases, const SurveyFacts *facts, uint32_t area);

#endif
