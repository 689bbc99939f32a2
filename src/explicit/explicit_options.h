// The options that the explicit engine reads, parsed.
#ifndef HEDDLE_EXPLICIT_EXPLICIT_OPTIONS_H
#define HEDDLE_EXPLICIT_EXPLICIT_OPTIONS_H

#include "verdict/engine.h"

typedef enum ExplicitReduction {
  EXPLICIT_REDUCTION_AUTO, // persistent sets
  EXPLICIT_REDUCTION_NONE, // all threads in every state, and the program as it is
  EXPLICIT_REDUCTION_PERSISTENT,
  EXPLICIT_REDUCTION_SLEEP // persistent sets and sleep sets
} ExplicitReduction;

typedef enum ExplicitSearch {
  EXPLICIT_SEARCH_AUTO, // a part of the exhaustive search, random runs, the rest of it
  EXPLICIT_SEARCH_EXHAUSTIVE,
  EXPLICIT_SEARCH_RANDOM,
  EXPLICIT_SEARCH_GUIDED // random runs that begin where earlier ones came to new code
} ExplicitSearch;

extern const NameTable explicit_reduction_names, explicit_search_names; // the words of --reduction and --search

typedef struct ExplicitOptions {
  ExplicitReduction reduction;
  ExplicitSearch search; // --random and --exhaustive choose it, too
  uint64_t random_runs;  // of EXPLICIT_SEARCH_RANDOM; 0: as long as there is time
  uint64_t seed;
  unsigned input_bits; // inputs of at most so many bits are enumerated
  uint64_t max_states; // 0: no limit
  bool symmetry;       // exchange equal threads, if the reduction is EXPLICIT_REDUCTION_AUTO or _PERSISTENT
} ExplicitOptions;

// The words of the options are ones that the engine accepts.
ExplicitOptions explicit_options(const EngineOptions *options);

#endif
