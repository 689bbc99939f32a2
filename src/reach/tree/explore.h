// The exploration of an abstract reachability tree: EXPAND, CLOSE and the loop over the waitlist, for every domain,
// reduction and search order (paper: "Verifying Multi-threaded Software with Impact", Wachter, Kroening, Ouaknine,
// algorithm 1).
//
// The tree is unwound. When a goal (an error or a cut) is reached, the domain checks the path to it. If the path is
// infeasible, the domain refines the labels on it. A node is covered if its label implies the label of an earlier node
// with the same control vector. The invariants of the paper hold between operations: the tree is well-labelled (a label
// and an edge imply the next label; a covered node's label implies its coverer's label) and safe (the label of a goal
// is false, or the goal was not visited yet).
//
// Differences from the paper. A node whose label became false counts as covered, because none of its successors is
// reachable. A thread is started by the step that creates it, so a thread that is not started costs nothing. Only nodes
// that were visited cover other nodes.
//
// If the domain merges, all labels that arrive at a control vector while a node waits there are joined into that node.
// The tree is then a graph (merge_links.h). The parent of a node is the source of the first step that led to it.
//
// If the reduction depends on what labels mention (`aware`), that set grows with the tree. When no node waits, each
// visited node whose expanded threads are no longer a persistent set waits again (paper 003, algorithm 4).
#ifndef HEDDLE_REACH_TREE_EXPLORE_H
#define HEDDLE_REACH_TREE_EXPLORE_H

#include "base/log.h"
#include "reach/domains/domain.h"
#include "reach/domains/precision.h"
#include "reach/reduce/reduction.h"
#include "reach/refine/feasibility.h"
#include "reach/tree/merge_links.h"
#include "reach/tree/waitlist.h"
#include "transition/joint_index.h"

// X(name): counters for the result's statistics.
#define EXPLORE_STATISTICS(X)                                                                                          \
  X(nodes)                                                                                                             \
  X(cover_expansions)                                                                                                  \
  X(regrown)                                                                                                           \
  X(refinements)                                                                                                       \
  X(merges)                                                                                                            \
  X(iterations)                                                                                                        \
  X(covers)                                                                                                            \
  X(uncovers)                                                                                                          \
  X(forced_tries)                                                                                                      \
  X(forced_covers)                                                                                                     \
  X(separations)                                                                                                       \
  X(choices_checked)                                                                                                   \
  X(controls)                                                                                                          \
  X(ordered_threads) /* threads that begin only after an equal one */                                                  \
  X(implications)

typedef struct ExploreStatistics {
#define X(name) uint64_t name;
  EXPLORE_STATISTICS(X)
#undef X
} ExploreStatistics;

// What is discarded when the precision grows. LAZY: the subtree of the pivot (Domain.pivot). FULL: the whole tree.
typedef enum Prune { PRUNE_LAZY, PRUNE_FULL } Prune;

// The kind of predicate abstraction (abstract.h). AUTOMATIC: Cartesian until a path needs more.
typedef enum AbstractionChoice { ABSTRACT_AUTOMATIC, ABSTRACT_CARTESIAN, ABSTRACT_BOOLEAN } AbstractionChoice;

typedef struct ExploreOptions {
  const ReductionKind *reduction;
  bool symmetry; // equal threads begin in the order of their creation (transition/begin_order.h)
  bool force_cover;
  bool conditional; // whether two steps are dependent may depend on the state
  uint64_t checked; // at most so many choices of the reduction are checked (reduction_check.h)
  SearchOrder order;
  Prune prune;
  uint32_t most_iterations; // where iterations are counted: the limit for each loop; 0: none
  bool simplify;            // simplify the formula of the goals before it is solved (domain `path`)
  AbstractionChoice abstraction;
  bool local_precision;     // items are tracked at locations, not everywhere (tracking.h)
  unsigned enumerate;       // domain `explicit`: at most so many labels after an edge; 0 and 1: never more than one
  bool no_cover_expansions; // omits cover expansions, which is unsound: for the test that shows why they are needed
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
  Links links;           // used if the domain merges
  Candidates candidates; // used if the domain's labels have parts
  LabelPartVector parts; // scratch: the parts of a label
  JointIndex joints;
  Reduction reduction;
  Precision precision;     // used if the reduction depends on it
  uint32_t precision_seen; // its stamp when wait_for_precision last examined all nodes
  Feasibility feasibility;
  Waitlist waitlist;
  Domain *domain;               // not owned
  struct ReductionCheck *check; // NULL: reductions are not checked
  const char *flaw;             // after UNDECIDED: the reason
  bool broken;                  // and it is a mistake of ours
  U32Vector uncovered;          // scratch: nodes that lost their cover and do not wait yet
  U32Vector labels;             // scratch: the labels of the last `post`
  U32Vector met_cuts;           // CutIds that an execution reaches; NO_ID: a pointer whose target was not foreseen
  bool iterations_cut;          // some loop can continue after the most iterations
  NodeId error;                 // after UNSAFE: the end of the walk; the solver of `feasibility` has the model
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

// --- accessors ---
// Code outside this folder uses these functions, not the members of Explorer.

static inline const Program *explorer_program(const Explorer *x) { return x->program; }
static inline TermStore *explorer_terms(const Explorer *x) { return x->terms; }
static inline Account *explorer_account(const Explorer *x) { return x->account; }
static inline Budget *explorer_budget(const Explorer *x) { return x->budget; }
static inline bool explorer_stopped(const Explorer *x) { return x->budget->reason != STOP_NONE; } // the budget ended
static inline const ExploreOptions *explorer_options(const Explorer *x) { return &x->options; }
static inline const Transitions *explorer_transitions(const Explorer *x) { return &x->transitions; }
static inline const ControlTable *explorer_controls(const Explorer *x) { return &x->controls; }
static inline ControlId explorer_initial_control(Explorer *x) { return control_initial(&x->controls); }
static inline const Tree *explorer_tree(const Explorer *x) { return &x->tree; }
static inline const Links *explorer_links(const Explorer *x) { return &x->links; }
static inline LabelId explorer_label(const Explorer *x, NodeId node) { return tree_node(&x->tree, node)->label; }
// The label of the node as a formula.
static inline Term explorer_formula(const Explorer *x, NodeId node) {
  return x->domain->operations->formula(x->domain, explorer_label(x, node));
}
static inline Feasibility *explorer_feasibility(Explorer *x) { return &x->feasibility; }
static inline Walk *explorer_walk(Explorer *x) { return &x->feasibility.walk; }
static inline ExploreStatistics *explorer_statistics(Explorer *x) { return &x->statistics; }
static inline const Reduction *explorer_reduction(const Explorer *x) { return &x->reduction; }
// The cells that labels mention; empty if the reduction does not depend on them.
static inline const Precision *explorer_precision(const Explorer *x) { return &x->precision; }
// The waiting nodes, if the domain merges, in no particular order.
static inline size_t explorer_waiting_count(const Explorer *x) { return x->waitlist.heap.count; }
static inline NodeId explorer_waiting(const Explorer *x, size_t i) {
  assert(i < x->waitlist.heap.count);
  return x->waitlist.heap.data[i].node;
}
// Results of the exploration: see the members.
static inline const char *explorer_flaw(const Explorer *x) { return x->flaw; }
static inline bool explorer_broken(const Explorer *x) { return x->broken; }
static inline NodeId explorer_error(const Explorer *x) { return x->error; }
static inline const U32Vector *explorer_met_cuts(const Explorer *x) { return &x->met_cuts; }
static inline bool explorer_iterations_cut(const Explorer *x) { return x->iterations_cut; }

// --- for domains ---

// Some loop can continue after the most iterations.
static inline void explorer_cut_iterations(Explorer *x) { x->iterations_cut = true; }
// Replaces the label of the node by a stronger one. The nodes that it covered are uncovered and wait
// again.
void explorer_strengthen(Explorer *x, NodeId node, LabelId label);
// For domains that merge, which choose the path to a goal from the goal up to the root: makes the link the last step of
// the tree's path to the link's node.
void explorer_choose_link(Explorer *x, LinkId link);
// Called once after the links up to the root were chosen: updates the depths on the path and resets the walk.
void explorer_finish_path(Explorer *x, NodeId goal);

#endif
