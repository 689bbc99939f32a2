// Impact for concurrent programs (paper: "Verifying Multi-threaded Software with Impact", Wachter, Kroening, Ouaknine):
// the tree is unwound, error paths that are infeasible strengthen the labels on them, and nodes whose label implies
// that of an earlier node at the same control vector are covered.
//
// The invariants of the paper hold between operations: the tree is well-labelled (a label and an edge imply the next
// label; a covered node's label implies its coverer's) and safe (error nodes are false or not yet looked at).
//
// Deviations. A node whose label became false counts as covered: nothing below it happens. Interpolants are weakest
// preconditions over the guards of an unsatisfiable core; where a walk is all constants, the first false guard is the
// core, and no solver is asked. Threads are born by their creator's step, so that unborn threads cost nothing.
#ifndef HEDDLE_REACH_IMPACT_H
#define HEDDLE_REACH_IMPACT_H

#include "base/log.h"
#include "reach/cover.h"
#include "reach/reduction.h"
#include "reach/walk.h"

// X(name): counters for the result's statistics.
#define IMPACT_STATISTICS(X)                                                                                           \
  X(nodes)                                                                                                             \
  X(cover_expansions)                                                                                                  \
  X(refinements)                                                                                                       \
  X(covers)                                                                                                            \
  X(uncovers)                                                                                                          \
  X(forced_tries)                                                                                                      \
  X(forced_covers)                                                                                                     \
  X(controls)                                                                                                          \
  X(implications)

typedef struct ImpactStatistics {
#define X(name) uint64_t name;
  IMPACT_STATISTICS(X)
#undef X
} ImpactStatistics;

typedef struct ImpactOptions {
  ReductionKind reduction;
  bool force_cover;
  bool breadth_first;
} ImpactOptions;

typedef enum ImpactAnswer { IMPACT_SAFE, IMPACT_UNSAFE, IMPACT_STOPPED, IMPACT_DIVERGED } ImpactAnswer;

typedef struct Impact {
  const Program *program;
  TermStore *terms;
  ImpactOptions options;
  Transitions transitions;
  ControlTable controls;
  ConjunctionTable labels;
  Tree tree;
  Reduction reduction;
  Implications implications;
  Walk walk;
  Preconditions preconditions;
  Solver *solver; // of walks
  U32Vector waitlist;
  U32Vector goals; // looked at first: what they teach is better known before anything is covered
  size_t next;     // breadth first: where the waitlist begins
  U32Vector uncovered;
  U32Vector met_cuts; // CutIds that an execution reaches; NO_ID: a pointer not foreseen
  NodeId error;       // after UNSAFE: the walk stands there, and `solver` has the model
  ImpactStatistics statistics;
  const char *diverged; // why
  Budget *budget;
  Log *log;
  Account *account;
} Impact;

void impact_init(Impact *impact, Program *program, const ImpactOptions *options, Budget *budget, Log *log,
                 Account *account);
void impact_free(Impact *impact);
ImpactAnswer impact_run(Impact *impact);

// --- between impact.c and refine.c ---
// Strengthens a label; what the node covered is uncovered and waits again. True if the label changed.
bool impact_strengthen(Impact *impact, NodeId node, Term formula);
typedef enum PathAnswer { PATH_INFEASIBLE, PATH_FEASIBLE, PATH_UNDECIDED } PathAnswer;
// Is the path to a goal feasible? If not, the labels on it are strengthened so that the goal's is false.
PathAnswer impact_refine(Impact *impact, NodeId goal);
// Tries to make the label of `node` imply that of `coverer` (force cover); true if it does now.
bool impact_force(Impact *impact, NodeId node, NodeId coverer);

#endif
