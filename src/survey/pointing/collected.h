// A Pointing: the solver at its end, and the sets in the form in which they are asked for.
#ifndef HEDDLE_SURVEY_POINTING_COLLECTED_H
#define HEDDLE_SURVEY_POINTING_COLLECTED_H

#include "survey/pointing/constraints.h"

// What is computed when it is asked for. Only a cache: a Pointing is const for those that ask.
typedef struct FunctionCache {
  Arena arena;
  Map ranges; // node -> CalleeRange *
} FunctionCache;

struct Pointing {
  Solver solver;
  Account *account;
  Arena arena;
  PlaceRange *ranges;   // per node that did not forward
  CalleeRange *callees; // per statement
  FunctionCache *functions;
};

// Nothing is collected if the solver was late.
void answers_collect(Pointing *pointing);
void answers_free(Pointing *pointing);

#endif
