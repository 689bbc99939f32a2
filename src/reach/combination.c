#include "reach/combination.h"

#define LARGE_OR_SINGLE {BLOCK_OPTION_LARGE, BLOCK_OPTION_SINGLE}
#define ALL_REDUCTIONS                                                                                                 \
  {REDUCTION_OPTION_MONOTONE, REDUCTION_OPTION_NONE, REDUCTION_OPTION_LOCAL, REDUCTION_OPTION_PERSISTENT,              \
   REDUCTION_OPTION_AWARE}
#define REDUCTIONS_BY_CONTROL {REDUCTION_OPTION_PERSISTENT, REDUCTION_OPTION_NONE, REDUCTION_OPTION_LOCAL}
#define SEARCHES {SEARCH_OPTION_DFS, SEARCH_OPTION_BFS}

const Combination combinations[] = {
    {DOMAIN_LABEL, LARGE_OR_SINGLE, ALL_REDUCTIONS, SEARCHES},
    {DOMAIN_EXPLICIT, LARGE_OR_SINGLE, ALL_REDUCTIONS, SEARCHES},
    {DOMAIN_PREDICATE, LARGE_OR_SINGLE, ALL_REDUCTIONS, SEARCHES},
    {DOMAIN_PREDICATE, {BLOCK_OPTION_LOOP, BLOCK_OPTION_WHOLE}, REDUCTIONS_BY_CONTROL, {0}},
    {DOMAIN_PRODUCT, LARGE_OR_SINGLE, ALL_REDUCTIONS, SEARCHES},
    {DOMAIN_BDD, LARGE_OR_SINGLE, REDUCTIONS_BY_CONTROL, {0}},
    {DOMAIN_PATH, {BLOCK_OPTION_WHOLE}, REDUCTIONS_BY_CONTROL, {0}},
};
const size_t combination_count = sizeof combinations / sizeof *combinations;

// Does the list have the value? Every list has `auto`.
static bool has(const unsigned *list, unsigned value) {
  if (value == 0) return true;
  for (; *list; list++)
    if (*list == value) return true;
  return false;
}

// --- why a combination is rejected ---

static void list_names(Text *error, NameTable names, const unsigned *list) {
  for (; *list; list++) text_format(error, ", %s", name_of(names, *list));
}

static void reject(Text *error, DomainKind domain, const char *option, const char *word) {
  text_format(error, "--domain %s does not go with --%s %s; it goes with --%s auto", name_of(domain_names, domain),
              option, word, option);
}

// Names the first option that the domain's row does not have. A domain may have several rows: the row with the block is
// used if there is one, and the message about the block lists the blocks of all rows of the domain.
static void explain(const ReachChoice *choice, Text *error) {
  const Combination *row = NULL;
  for (size_t i = 0; i < combination_count; i++) {
    if (combinations[i].domain != choice->domain) continue;
    if (!row || has(combinations[i].blocks, choice->block)) row = &combinations[i];
    if (has(combinations[i].blocks, choice->block)) break;
  }
  assert(row != NULL); // every word of --domain has a row
  if (!has(row->blocks, choice->block)) {
    reject(error, row->domain, "block", name_of(block_names, choice->block));
    for (size_t i = 0; i < combination_count; i++)
      if (combinations[i].domain == row->domain) list_names(error, block_names, combinations[i].blocks);
  } else if (!has(row->reductions, choice->reduction)) {
    reject(error, row->domain, "reduction", name_of(reduction_names, choice->reduction));
    list_names(error, reduction_names, row->reductions);
  } else {
    reject(error, row->domain, "search", name_of(search_names, choice->search));
    list_names(error, search_names, row->searches);
  }
}

// --- the choice ---

static unsigned resolve(unsigned value, const unsigned *list) { return value == 0 ? *list : value; }

bool combination_resolve(ReachChoice *choice, Text *error) {
  for (size_t i = 0; i < combination_count; i++) {
    const Combination *row = &combinations[i];
    if (row->domain != choice->domain || !has(row->blocks, choice->block)) continue;
    if (!has(row->reductions, choice->reduction) || !has(row->searches, choice->search)) continue;
    choice->block = (BlockOption)resolve(choice->block, row->blocks);
    choice->reduction = (ReductionOption)resolve(choice->reduction, row->reductions);
    choice->search = (SearchOption)resolve(choice->search, row->searches);
    return true;
  }
  explain(choice, error);
  return false;
}
