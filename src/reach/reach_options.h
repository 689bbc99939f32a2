// The options of the engine `reach` as enumerations. They are parsed once from the strings of EngineOptions, whose
// words stand in ENGINE_OPTIONS (verdict/engine.h). Each option has a table of names.
#ifndef HEDDLE_REACH_REACH_OPTIONS_H
#define HEDDLE_REACH_REACH_OPTIONS_H

#include "base/names.h"
#include "reach/domains/domains.h"
#include "verdict/engine.h"

// `auto` is 0 where an option has it, so that a list of values can end with it.
typedef enum BlockOption {
  BLOCK_OPTION_AUTO,
  BLOCK_OPTION_LARGE,
  BLOCK_OPTION_SINGLE,
  BLOCK_OPTION_LOOP,
  BLOCK_OPTION_WHOLE
} BlockOption;
// The engine `reach` has no REDUCTION_OPTION_SLEEP, SEARCH_OPTION_EXHAUSTIVE, _RANDOM and _GUIDED. The command line
// accepts these words for other engines, so combination.h rejects them here.
typedef enum ReductionOption {
  REDUCTION_OPTION_AUTO,
  REDUCTION_OPTION_NONE,
  REDUCTION_OPTION_PERSISTENT,
  REDUCTION_OPTION_SLEEP,
  REDUCTION_OPTION_LOCAL,
  REDUCTION_OPTION_MONOTONE,
  REDUCTION_OPTION_AWARE
} ReductionOption;
typedef enum SearchOption {
  SEARCH_OPTION_AUTO,
  SEARCH_OPTION_EXHAUSTIVE,
  SEARCH_OPTION_RANDOM,
  SEARCH_OPTION_GUIDED,
  SEARCH_OPTION_DFS,
  SEARCH_OPTION_BFS
} SearchOption;

extern const NameTable domain_names, block_names, reduction_names, search_names;

// The options that must go together (combination.h).
typedef struct ReachChoice {
  DomainKind domain; // not DOMAIN_BLOCKS, which is no word of --domain
  BlockOption block;
  ReductionOption reduction;
  SearchOption search;
} ReachChoice;

ReachChoice reach_choice(const EngineOptions *options);
// The domain that --domain and --block select together.
DomainKind reach_domain(const ReachChoice *choice);
// The options of the exploration. `choice` was resolved by combination_resolve.
ExploreOptions reach_explore_options(const EngineOptions *options, const ReachChoice *choice);

#endif
