#include "explicit/explicit_options.h"

static const char *const reductions[] = {[EXPLICIT_REDUCTION_AUTO] = "auto",
                                         [EXPLICIT_REDUCTION_NONE] = "none",
                                         [EXPLICIT_REDUCTION_PERSISTENT] = "persistent",
                                         [EXPLICIT_REDUCTION_SLEEP] = "sleep"};
static const char *const searches[] = {[EXPLICIT_SEARCH_AUTO] = "auto",
                                       [EXPLICIT_SEARCH_EXHAUSTIVE] = "exhaustive",
                                       [EXPLICIT_SEARCH_RANDOM] = "random",
                                       [EXPLICIT_SEARCH_GUIDED] = "guided"};
const NameTable explicit_reduction_names = NAME_TABLE(reductions), explicit_search_names = NAME_TABLE(searches);

enum { MOST_INPUT_BITS = 24 };

ExplicitOptions explicit_options(const EngineOptions *options) {
  long bits = options->input_bits;
  ExplicitOptions parsed = {
      .reduction = (ExplicitReduction)name_parse(explicit_reduction_names, options->reduction),
      .search = (ExplicitSearch)name_parse(explicit_search_names, options->search),
      .random_runs = (uint64_t)options->random_runs,
      .seed = (uint64_t)options->seed,
      .input_bits = bits < 0                 ? 0
                    : bits > MOST_INPUT_BITS ? MOST_INPUT_BITS
                                             : (unsigned)bits,
      .max_states = (uint64_t)options->max_states,
      .symmetry = engine_symmetry(options),
  };
  if (options->exhaustive) parsed.search = EXPLICIT_SEARCH_EXHAUSTIVE;
  if (options->random_runs > 0 && parsed.search != EXPLICIT_SEARCH_GUIDED) parsed.search = EXPLICIT_SEARCH_RANDOM;
  return parsed;
}
