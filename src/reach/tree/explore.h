// The exploration of an abstract reachability tree: EXPAND, CLOSE and the loop over the waitlist, for every domain,
// reduction and search order (paper: "Verifying Multi-threaded Software with Impact", Wachter, Kroening, Ouaknine,
// algorithm 1).
//
// The tree is unwound; a goal (an error or a cut) that comes up is shown to the domain, which refines the labels on the
// path to it if the path is infeasible; nodes whose label implies that of an earlier node at the same control vector are
// covered. The invariants of the paper hold between operations: the tree is well-labelled (a label and an edge imply the
// next label; a covered node's label implies its coverer's) and safe (goals are false or not yet looked at).
//
// Deviations. A node whose label became false counts as covered: nothing below it happens. Threads are born by their
// creator's step, so that unborn threads cost nothing. Only nodes whose turn has come cover others.
//
// Domains that merge have one node for all that arrives at a control vector while it waits: the tree then is a graph
// (links.h), of which every node has its first way in as its parent.
//
// If the reduction looks at what labels mention (`aware`), that grows while the tree does. When nothing is left to look
// at, nodes whose expanded threads are no persistent set any more wait again (paper 003, algorithm 4).
#ifndef HEDDLE_REACH_TREE_EXPLORE_H
#define HEDDLE_REACH_TREE_EXPLORE_H

#include "base/log.h"
#include "reach/domains/domain.h"
#include "reach/domains/precision.h"
#include "reach/reduce/reduction.h"
#include "reach/refine/feasibility.h"
#include "reach/tree/merge_links.h"
#include "reach/tree/waitlist.h"

// X(name): counters for the result's statistics.
#define EXPLORE_STATISTICS(X)                                                                                          \
  X(nodes)                                                                                                             \
  X(cover_expansions)                                                                                                  \
  X(regrown)                                                                                                           \
  X(refinements)                                                                                                       \
  X(merges)                                                                                                            \
  X(turns)                                                                                                             \
  X(covers)                                                                                                            \
  X(uncovers)                                                                                                          \
  X(forced_tries)                                                                                                      \
  X(forced_covers)                                                                                                     \
  X(separations)                                                                                                       \
  X(choices_checked)                                                                                                   \
  X(controls)                                                                                                          \
  X(implications)

typedef struct ExploreStatistics {
#define X(name) uint64_t name;
  EXPLORE_STATISTICS(X)
#undef X
} ExploreStatistics;

// When the precision grows: start over, or keep what cannot be blamed.
typedef enum Prune { PRUNE_LAZY, PRUNE_FULL } Prune;

// Of predicates (abstract.h). Automatic: Cartesian until a path needs more.
typedef enum AbstractionChoice { ABSTRACT_AUTOMATIC, ABSTRACT_CARTESIAN, ABSTRACT_BOOLEAN } AbstractionChoice;

typedef struct ExploreOptions {
  const ReductionKind *reduction;
  bool force_cover;
  bool conditional; // dependence may depend on the state
  uint64_t checked; // so many choices of the reduction are checked (reduction_check.h)
  SearchOrder order;
  Prune prune;
  uint32_t most_turns; // where turns are counted, loops are followed so often; 0: as often as they go on
  bool simplify;       // formulas before they are solved, where they are large (domain `path`)
  AbstractionChoice abstraction;
  bool local_precision; // tracked at locations, not everywhere (tracking.h)
  unsigned enumerate; // values: at most so many labels after an edge where one is not known; 0, 1: never more than one
  bool no_cover_expansions; // leaves them out, which is not sound: for the test that shows why they are needed
} ExploreOptions;

typedef enum ExploreAnswer { EXPLORE_SAFE, EXPLORE_UNSAFE, EXPLORE_STOPPED, EXPLORE_UNDECIDED } ExploreAnswer;

struct ReductionCheck;

typedef struct Explorer {
  const Program *program;
  TermStore *terms;
  ExploreOptions options;
  Transitions transitions;
  ControlTable controls;
  Tree tree;
  Links links;           // of domains that merge
  Candidates candidates; // of domains whose labels have parts
  LabelPartVector parts; // of a label
  Reduction reduction;
  Precision precision;     // if the reduction looks at it
  uint32_t precision_seen; // its stamp when all nodes were looked at last
  Feasibility feasibility;
  Waitlist waitlist;
  Domain *domain;               // not owned
  struct ReductionCheck *check; // NULL: reductions are not checked
  const char *flaw;             // after UNDECIDED: why
  U32Vector uncovered;
  U32Vector labels;   // of the last post
  U32Vector met_cuts; // CutIds that an execution reaches; NO_ID: a pointer not foreseen
  bool turns_cut;     // some loop goes on after the most turns
  NodeId error;       // after UNSAFE: the walk stands there, and the solver of `feasibility` has the model
  ExploreStatistics statistics;
  Budget *budget;
  Log *log;
  Account *account;
} Explorer;

void explorer_init(Explorer *x, Program *program, const ExploreOptions *options, Budget *budget, Log *log,
                   Account *account);
void explorer_free(Explorer *x);
// Explores with the domain, which works on this explorer's tree.
ExploreAnswer explorer_run(Explorer *x, Domain *domain);

// For domains: the label becomes stronger; what the node covered is uncovered and waits again.
void explorer_strengthen(Explorer *x, NodeId node, LabelId label);
// For domains that merge: the path to `node` in the tree is to come by this link, from now on. Goals are settled from the
// goal up to the root.
void explorer_settle(Explorer *x, LinkId link);
// ... and then, once: depths and the walk follow.
void explorer_settled(Explorer *x, NodeId goal);

#endif
