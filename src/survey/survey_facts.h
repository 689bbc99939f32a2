// What the stations of a survey share: the program, and what earlier stations have found.
#ifndef HEDDLE_SURVEY_SURVEY_FACTS_H
#define HEDDLE_SURVEY_SURVEY_FACTS_H

#include "survey/sharing.h"
#include "survey/synchronisation/lock_families.h"
#include "survey/synchronisation/lock_names.h"
#include "survey/synchronisation/released.h"
#include "survey/synchronisation/semaphores.h"
#include "survey/threads/templates.h"

typedef struct SurveyFacts {
  const Code *code;
  const Pointing *pointing;
  Calls *calls;
  Templates *templates;
  Locks *locks;
  NumberSets sets;
  Sharing sharing;
  Released released;
  LockFamilies families;
  Bitset doubtful; // areas of which no lock excludes anything (doubtful_locks.h); empty unless `strict`
  bool strict;     // see SurveyOptions
  Semaphores semaphores;
  double deadline; // on clock_now's clock; 0: none
  Account *account;
} SurveyFacts;

#endif
