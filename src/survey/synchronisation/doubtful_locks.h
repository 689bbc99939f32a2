// Locks that need not exclude anything, for proofs that take less for granted (SurveyOptions.strict).
//
// The locks of an area are doubtful if outside code may reach them, if the area is a block or an automatic object in
// which nothing initialises a lock, or if some thread may unlock one of them that it does not surely hold. All areas
// are if it is not known which lock a thread unlocks.
//
// Direction of the fact: doubtful is may-add.
#ifndef HEDDLE_SURVEY_SYNCHRONISATION_DOUBTFUL_LOCKS_H
#define HEDDLE_SURVEY_SYNCHRONISATION_DOUBTFUL_LOCKS_H

#include "survey/flow/contexts.h"

// Adds areas to `doubtful`, which has a bit for each. True if a lock may be taken that nothing initialises.
bool doubtful_locks_find(Bitset *doubtful, SurveyFacts *facts, Flow *flow);

#endif
