// Combinations: which domain, block, reduction and search go together. One table, with a row for each kind of search.
//
// A domain that merges (domains/domain.h) visits nodes in an order of its own, so it has no --search. Its nodes have no
// single path from the root, so the reduction `monotone` does not go with it. Neither does `aware`: that reduction
// needs labels that are inductive edge by edge and that leave some cells out.
#ifndef HEDDLE_REACH_COMBINATION_H
#define HEDDLE_REACH_COMBINATION_H

#include "base/text.h"
#include "reach/reach_options.h"

// Each list ends with 0. Its first entry is what `auto` means (of the reduction only where goals are of one thread: see
// reach_engine.c). 0 is the value of `auto` itself.
typedef struct Combination {
  DomainKind domain;
  unsigned blocks[4];     // of BlockOption
  unsigned reductions[6]; // of ReductionOption
  unsigned searches[3];   // of SearchOption
} Combination;

extern const Combination combinations[];
extern const size_t combination_count;

// Replaces every `auto` by its meaning. Returns false, with a reason in `error`, if no row has all that the choice asks
// for.
bool combination_resolve(ReachChoice *choice, Text *error);

#endif
