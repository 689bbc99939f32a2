// Combinations: which domain, block, reduction and search go together. One table, with a row for each kind of search.
//
// Domains that merge visit nodes in an order of their own, so they have no --search. They have no paths, so `monotone` is
// not for them; nor is `aware`, which needs labels that are inductive edge by edge and say less than everything.
#ifndef HEDDLE_REACH_COMBINATION_H
#define HEDDLE_REACH_COMBINATION_H

#include "base/text.h"
#include "verdict/engine.h"

// Each list ends with NULL and begins with what `auto` means.
typedef struct Combination {
  const char *domain;
  const char *blocks[4], *reductions[6], *searches[3];
} Combination;

extern const Combination combinations[];
extern const size_t combination_count;

// Puts what is meant in the place of every `auto`. False, with a reason, if no row has all that the options ask for.
bool combination_resolve(EngineOptions *options, Text *error);

#endif
