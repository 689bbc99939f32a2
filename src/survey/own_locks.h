// Locks of an access, in names that mean the same for all accesses to the area.
//
// A lock that is held by a register's name is good for an access if it is in the object that is accessed: two accesses
// that each hold the lock at the same offset from the beginning of their object are of different objects, or hold the
// same lock.
//
// Direction of the fact: must.
#ifndef HEDDLE_SURVEY_OWN_LOCKS_H
#define HEDDLE_SURVEY_OWN_LOCKS_H

#include "survey/survey_facts.h"

// Of the locks in the state, for an access of so many bytes at `address`, as far as it goes to `place`.
SetId own_locks(SurveyFacts *facts, SetId locks, CodeOperand address, AreaPlace place, uint64_t size);

#endif
