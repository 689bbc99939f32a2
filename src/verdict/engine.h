// Engines: every engine is a row of one table (in cli), run in a child process.
#ifndef HEDDLE_VERDICT_ENGINE_H
#define HEDDLE_VERDICT_ENGINE_H

#include "base/budget.h"
#include "base/log.h"
#include "base/names.h"
#include "ltl/ltl_property.h"
#include "verdict/features.h"
#include "verdict/verdict.h"

// X(field, type, option name, argument, default, help): options that engines read. The command-line parser, the help
// text and the man page derive from this list. Types: INT, STRING, FLAG.
#define ENGINE_OPTIONS(X)                                                                                              \
  X(refine, STRING, "refine", "graph|solver|eager", "graph",                                                           \
    "order: graph analysis, order constraints solved on demand, or all order constraints at once")                     \
  X(unwind, INT, "unwind", "N", 0,                                                                                     \
    "order: unwind loops N times; 0: deepen until the bound does not matter; reach, domain path: at most N turns")     \
  X(reduction, STRING, "reduction", "auto|none|persistent|sleep|local|monotone|aware", "auto",                         \
    "replay: none, persistent, sleep; reach: none, local, monotone, persistent, aware")                                \
  X(symmetry, STRING, "symmetry", "auto|none", "auto",                                                                 \
    "whether executions that differ only in which of several equal threads does what are one")                         \
  X(domain, STRING, "domain", "label|explicit|predicate|explicit+predicate|bdd|path", "label",                         \
    "reach: what is known at a node: conditions from infeasible paths, values of variables, tracked predicates, "      \
    "sets of states as decision diagrams, all paths to it as formulas")                                                \
  X(simplify, STRING, "simplify", "yes|no", "no", "reach, domain path: put what alternatives have in common outside")  \
  X(prune, STRING, "prune", "lazy|full", "lazy",                                                                       \
    "reach: when more is tracked, keep what cannot be blamed, or start over")                                          \
  X(abstraction, STRING, "abstraction", "auto|cartesian|boolean", "auto",                                              \
    "reach: whether predicates hold after an edge, each by itself or in combination; auto: where a path needs it")     \
  X(precision, STRING, "precision", "global|location", "global",                                                       \
    "reach: variables and predicates are tracked everywhere, or at locations of threads")                              \
  X(enumerate, INT, "enumerate", "N", 8,                                                                               \
    "reach: follow the values of a tracked variable one by one if an edge leaves at most N; 0: never")                 \
  X(force_cover, STRING, "force-cover", "yes|no", "yes", "reach: strengthen labels so that nodes are covered")         \
  X(dependence, STRING, "dependence", "conditional|static", "conditional",                                             \
    "reach: may two steps be found independent by the states in which they are taken?")                                \
  X(check_reduction, FLAG, "check-reduction", "", 0,                                                                   \
    "reach: test every choice of the reduction against its definition, and a proof against full interleaving")         \
  X(block, STRING, "block", "auto|large|single|loop|whole", "auto",                                                    \
    "reach: what one edge holds: one access to shared memory with the local steps around it, or one access; loop, "    \
    "whole: large, and labels are found only at heads of loops, or not at all, with path formulas in between")         \
  X(schedule, STRING, "schedule", "interleaved|stubborn|transactions", "transactions",                                 \
    "circuit: threads that may run in a state: all, a stubborn set, one that knows transactions by locks")             \
  X(method, STRING, "method", "auto|bmc|bdd|induction|pdr", "auto",                                                    \
    "circuit: bounded model checking, decision diagrams, induction or property-directed reachability by ABC; "         \
    "auto: bmc, bdd and pdr in turn")                                                                                  \
  X(search, STRING, "search", "auto|exhaustive|random|guided|dfs|bfs", "auto",                                         \
    "replay: auto (some exhaustive search, random runs, then all of it), exhaustive, random, guided (random runs "     \
    "that "                                                                                                            \
    "begin where earlier ones came to new code); reach: dfs, bfs")                                                     \
  X(random_runs, INT, "random", "N", 0, "only N random runs")                                                          \
  X(exhaustive, FLAG, "exhaustive", "", 0, "only the exhaustive search")                                               \
  X(seed, INT, "seed", "N", 1, "seed of the random search")                                                            \
  X(input_bits, INT, "input-bits", "N", 8, "inputs of at most N bits are enumerated, wider ones sampled")              \
  X(max_states, INT, "max-states", "N", 0, "stop after N states; 0: no limit")

typedef struct EngineOptions {
#define OPTION_TYPE_INT long
#define OPTION_TYPE_STRING const char *
#define OPTION_TYPE_FLAG long
#define X(field, type, name, argument, fallback, help) OPTION_TYPE_##type field;
  ENGINE_OPTIONS(X)
#undef X
} EngineOptions;

// Is --symmetry "auto"? Without the option it is.
static inline bool engine_symmetry(const EngineOptions *options) {
  static const char *const words[] = {"auto", "none"};
  const NameTable table = NAME_TABLE(words);
  return options->symmetry == NULL || name_parse(table, options->symmetry) == 0;
}

typedef struct Context Context;

// What an engine says when it has found a violation and can go on: the schedule is judged elsewhere. True: it was a
// finding, or the engine had not yet heard of one; what is known is settled in Context.program now (program/settled.h),
// and the engine is to go on with the same search for other violations: its answer is about the rest. Views are the
// engine's business (view_settle). False: the violation is to be the engine's answer.
typedef bool (*TellViolation)(const Context *context, const Schedule *schedule);

struct Context {
  Program *program; // unreduced, prepared
  Property property;
  const LtlProperty *ltl; // NULL unless the property is PROPERTY_LTL
  const EngineOptions *options;
  Budget *budget;
  Log *log;         // progress sink
  bool may_grow;    // if a cut is met, the program can be lowered again with larger limits
  unsigned round;   // so often it was lowered before, with smaller limits
  bool again;       // its counterexample was not confirmed: it shall leave out what may have caused that
  bool alone;       // no other engine looks at the program
  unsigned growing; // bits 1 << CutKind: the cuts for which that holds
  double grow_at; // on clock_now's clock: an engine that has met one of these cuts by then should stop; 0: no such time
  // Learned before: no violation with loops unwound so often. A hint where to begin.
  unsigned unwound;
  TellViolation tell; // NULL: nothing is asked behind the first violation
  void *listener;     // of `tell`
  Account *account;
};

// Settings of an engine that are tried after its own choice, if the user gave no options of engines.
typedef struct EngineVariant {
  const char *settings; // as they are added to a command line, with a space before each word; NULL ends a list
  void (*set)(EngineOptions *options);
} EngineVariant;

// When an engine begins, beside others: the smaller, the sooner. Each of these has room for finer steps after it.
enum { BEGINS_SOON = 0, BEGINS_LATER = 10, BEGINS_LAST = 20 };

enum { MOST_JOINT_EDGES = 20000 }; // Engine.most_edges of the symbolic engines

typedef struct Engine {
  const char *name, *summary;
  unsigned properties; // bits 1 << Property it can decide
  const char *reads;   // names of the options that it reads, with spaces between
  // Its values of --reduction and --search, `auto` among them; NULL: its own `accepts` looks at them, if it reads them.
  const NameTable *reductions, *searches;
  bool stops_to_grow;   // it heeds Context.grow_at
  unsigned tries_again; // bits 1 << Property for which it heeds Context.again
  // Do its options go together? If not, says why. May be NULL: they do.
  bool (*accepts)(const EngineOptions *options, Text *error);
  // When `auto` begins it on a program with these features; NULL: after all others.
  unsigned (*begins)(const Features *features);
  // For races, deadlocks and single steps that fail, `auto` leaves programs of more edges to other engines, which name
  // what is in the way instead of running out of time; 0: no limit.
  size_t most_edges;
  const EngineVariant *variants;    // or NULL: it has none
  Result *(*run)(Context *context); // NULL: it is asked about the source, before the program is lowered
} Engine;

#endif
