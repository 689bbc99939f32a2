#include "reach/combination.h"

#include <string.h>

#define ALL_REDUCTIONS {"monotone", "none", "local", "persistent", "aware"}
#define REDUCTIONS_BY_CONTROL {"persistent", "none", "local"}

const Combination combinations[] = {
    {"label", {"large", "single"}, ALL_REDUCTIONS, {"dfs", "bfs"}},
    {"explicit", {"large", "single"}, ALL_REDUCTIONS, {"dfs", "bfs"}},
    {"predicate", {"large", "single"}, ALL_REDUCTIONS, {"dfs", "bfs"}},
    {"predicate", {"loop", "whole"}, REDUCTIONS_BY_CONTROL, {NULL}},
    {"explicit+predicate", {"large", "single"}, ALL_REDUCTIONS, {"dfs", "bfs"}},
    {"bdd", {"large", "single"}, REDUCTIONS_BY_CONTROL, {NULL}},
    {"path", {"whole"}, REDUCTIONS_BY_CONTROL, {NULL}},
};
const size_t combination_count = sizeof combinations / sizeof *combinations;

static bool has(const char *const *words, const char *word) {
  if (strcmp(word, "auto") == 0) return true;
  for (; *words; words++)
    if (strcmp(*words, word) == 0) return true;
  return false;
}

// --- why a combination is rejected ---

static void list(Text *error, const char *option, const char *const *words) {
  text_format(error, "; it goes with --%s auto", option);
  for (; *words; words++) text_format(error, ", %s", *words);
}

// Names the first option that the domain's row does not have. A domain may have several rows: the row with the block is
// used if there is one, and the message about the block lists the blocks of all rows of the domain.
static void explain(const EngineOptions *options, Text *error) {
  const Combination *row = NULL;
  for (size_t i = 0; i < combination_count; i++) {
    if (strcmp(combinations[i].domain, options->domain) != 0) continue;
    if (!row || has(combinations[i].blocks, options->block)) row = &combinations[i];
    if (has(combinations[i].blocks, options->block)) break;
  }
  if (!row) {
    text_format(error, "reach has no --domain %s", options->domain);
  } else if (!has(row->blocks, options->block)) {
    text_format(error, "--domain %s does not go with --block %s; it goes with --block auto", row->domain,
                options->block);
    for (size_t i = 0; i < combination_count; i++)
      for (const char *const *word = combinations[i].blocks; *word && strcmp(combinations[i].domain, row->domain) == 0;
           word++)
        text_format(error, ", %s", *word);
  } else if (!has(row->reductions, options->reduction)) {
    text_format(error, "--domain %s does not go with --reduction %s", row->domain, options->reduction);
    list(error, "reduction", row->reductions);
  } else {
    text_format(error, "--domain %s does not go with --search %s", row->domain, options->search);
    list(error, "search", row->searches);
  }
}

// --- the choice ---

static void put_first(const char **option, const char *const *words) {
  if (strcmp(*option, "auto") == 0 && *words) *option = *words;
}

bool combination_resolve(EngineOptions *options, Text *error) {
  for (size_t i = 0; i < combination_count; i++) {
    const Combination *row = &combinations[i];
    if (strcmp(row->domain, options->domain) != 0 || !has(row->blocks, options->block)) continue;
    if (!has(row->reductions, options->reduction) || !has(row->searches, options->search)) continue;
    put_first(&options->block, row->blocks);
    put_first(&options->reduction, row->reductions);
    put_first(&options->search, row->searches);
    return true;
  }
  explain(options, error);
  return false;
}
