#include "reach/reach_options.h"

// --- names ---

static const char *const domains[] = {[DOMAIN_LABEL] = "label",
                                      [DOMAIN_EXPLICIT] = "explicit",
                                      [DOMAIN_PREDICATE] = "predicate",
                                      [DOMAIN_PRODUCT] = "explicit+predicate",
                                      [DOMAIN_BDD] = "bdd",
                                      [DOMAIN_PATH] = "path"};
static const char *const blocks[] = {[BLOCK_OPTION_AUTO] = "auto",
                                     [BLOCK_OPTION_LARGE] = "large",
                                     [BLOCK_OPTION_SINGLE] = "single",
                                     [BLOCK_OPTION_LOOP] = "loop",
                                     [BLOCK_OPTION_WHOLE] = "whole"};
static const char *const reductions[] = {[REDUCTION_OPTION_AUTO] = "auto",
                                         [REDUCTION_OPTION_NONE] = "none",
                                         [REDUCTION_OPTION_PERSISTENT] = "persistent",
                                         [REDUCTION_OPTION_SLEEP] = "sleep",
                                         [REDUCTION_OPTION_LOCAL] = "local",
                                         [REDUCTION_OPTION_MONOTONE] = "monotone",
                                         [REDUCTION_OPTION_AWARE] = "aware"};
static const char *const searches[] = {[SEARCH_OPTION_AUTO] = "auto",     [SEARCH_OPTION_EXHAUSTIVE] = "exhaustive",
                                       [SEARCH_OPTION_RANDOM] = "random", [SEARCH_OPTION_GUIDED] = "guided",
                                       [SEARCH_OPTION_DFS] = "dfs",       [SEARCH_OPTION_BFS] = "bfs"};
static const char *const prunings[] = {[PRUNE_LAZY] = "lazy", [PRUNE_FULL] = "full"};
static const char *const abstractions[] = {
    [ABSTRACT_AUTOMATIC] = "auto", [ABSTRACT_CARTESIAN] = "cartesian", [ABSTRACT_BOOLEAN] = "boolean"};
// Options with two words: the index is the value of the flag.
static const char *const no_yes[] = {"no", "yes"};
static const char *const precisions[] = {"global", "location"};
static const char *const dependences[] = {"static", "conditional"};

const NameTable domain_names = NAME_TABLE(domains), block_names = NAME_TABLE(blocks);
const NameTable reduction_names = NAME_TABLE(reductions), search_names = NAME_TABLE(searches);

// --- parsing ---

ReachChoice reach_choice(const EngineOptions *options) {
  return (ReachChoice){.domain = (DomainKind)name_parse(domain_names, options->domain),
                       .block = (BlockOption)name_parse(block_names, options->block),
                       .reduction = (ReductionOption)name_parse(reduction_names, options->reduction),
                       .search = (SearchOption)name_parse(search_names, options->search)};
}

DomainKind reach_domain(const ReachChoice *choice) {
  if (choice->domain != DOMAIN_PREDICATE) return choice->domain;
  if (choice->block == BLOCK_OPTION_LOOP) return DOMAIN_BLOCKS;
  return choice->block == BLOCK_OPTION_WHOLE ? DOMAIN_PATH : DOMAIN_PREDICATE; // one block: formulas of all paths
}

static const ReductionKind *reduction_of(ReductionOption option) {
  static const ReductionKind *const kinds[] = {[REDUCTION_OPTION_NONE] = &reduction_none,
                                               [REDUCTION_OPTION_PERSISTENT] = &reduction_persistent,
                                               [REDUCTION_OPTION_LOCAL] = &reduction_local,
                                               [REDUCTION_OPTION_MONOTONE] = &reduction_monotone,
                                               [REDUCTION_OPTION_AWARE] = &reduction_aware};
  assert(option < sizeof kinds / sizeof *kinds && kinds[option] != NULL);
  return kinds[option];
}

static bool parse_flag(const char *const *names, const char *name) {
  return name_parse((NameTable){.names = names, .count = 2}, name);
}

ExploreOptions reach_explore_options(const EngineOptions *options, const ReachChoice *choice) {
  ExploreOptions parsed = {.reduction = reduction_of(choice->reduction)};
#ifndef NDEBUG
  parsed.checked = 200; // a sample, in builds with asserts
#endif
  if (options->check_reduction) parsed.checked = UINT64_MAX;
  parsed.force_cover = parse_flag(no_yes, options->force_cover);
  parsed.conditional = parse_flag(dependences, options->dependence);
  parsed.simplify = parse_flag(no_yes, options->simplify);
  parsed.local_precision = parse_flag(precisions, options->precision);
  parsed.prune = (Prune)name_parse((NameTable)NAME_TABLE(prunings), options->prune);
  parsed.abstraction = (AbstractionChoice)name_parse((NameTable)NAME_TABLE(abstractions), options->abstraction);
  parsed.order = choice->search == SEARCH_OPTION_BFS ? SEARCH_BREADTH_FIRST : SEARCH_DEPTH_FIRST;
  parsed.most_iterations = (uint32_t)options->unwind;
  parsed.enumerate = options->enumerate < 0 ? 0 : (unsigned)options->enumerate;
  return parsed;
}
