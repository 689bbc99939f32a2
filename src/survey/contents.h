// What areas hold: for library functions that follow pointers in the memory that they get (vprintf, readv).
//
// Direction of the fact: may-add, by areas.
#ifndef HEDDLE_SURVEY_CONTENTS_H
#define HEDDLE_SURVEY_CONTENTS_H

#include "survey/survey_facts.h"

typedef struct Contents {
  Bitset *held; // per area: areas whose addresses may be in it
  size_t areas;
  Account *account;
} Contents;

void contents_init(Contents *contents, const SurveyFacts *facts);
void contents_free(Contents *contents);
// Adds the areas that pointers behind the operand reach.
void contents_reach(const Contents *contents, const SurveyFacts *facts, CodeOperand operand, Bitset *areas);

#endif
