// Reductions: which threads need to be expanded at a node (paper: section IV).
//
//   none        all that are born and can do something
//   local       the first thread whose next action touches nothing shared, alone; else all (the paper's sPOR)
//   monotone    all but those whose action is independent of the step that led here and whose number is smaller
//               (the paper's dPOR: only monotonic paths); needs cover expansions
//   persistent  a persistent set of threads (persistent.h)
//   aware       the same, in the system in which cells that no label mentions have any value (persistent.h)
//
// While a thread is inside an atomic section, it alone is expanded. All but `monotone` look at the control vector only, so
// covering needs no care; `monotone` looks at the incoming edge, so a covering node owes what the covered one would have
// expanded (TreeNode.owed).
//
// Dependence may be conditional (paper: IV-D): two accesses through pointers or indices conflict in some states only.
// `monotone` then asks whether the label of the node before the step excludes that; since labels only get stronger, a
// thread that was left out once may be left out for good.
#ifndef HEDDLE_REACH_REDUCE_REDUCTION_H
#define HEDDLE_REACH_REDUCE_REDUCTION_H

#include "reach/reduce/persistent_threads.h"

typedef struct Reduction Reduction;
// What a choice that leaves threads out is, by the definition that reduction_check.h tests.
typedef enum ReductionClaim { CLAIMS_MONOTONE, CLAIMS_ALL, CLAIMS_LOCAL, CLAIMS_PERSISTENT } ReductionClaim;

typedef struct ReductionKind {
  const char *name;
  ReductionClaim claim;
  bool by_control;         // looks at nothing but the control vector (and what is tracked): a coverer owes nothing
  bool looks_at_precision; // choices may get larger when the precision grows
  void (*open)(Reduction *r, Account *account); // NULL: there is nothing to compute beforehand
  void (*close)(Reduction *r);
  // Of the threads that can move, those to expand.
  ThreadMask (*choose)(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled);
} ReductionKind;

extern const ReductionKind reduction_none, reduction_local, reduction_monotone;
extern const ReductionKind reduction_persistent, reduction_aware;

struct Reduction {
  const ReductionKind *kind;
  const Transitions *transitions;
  const ControlTable *controls;
  // Does the label of the node exclude the condition? NULL: dependence is not conditional.
  bool (*excludes)(void *context, NodeId node, Term condition);
  void *context;
  Barriers barriers;
  Map conflicts;          // edge << 32 | location -> the condition under which they conflict
  PersistentFacts *facts; // of `persistent` and `aware`
  const Tracks *tracks;   // for `aware`: set by who knows the labels; NULL: everything is tracked
  ValidChoices valid;     // of `persistent` and `aware`
};

void reduction_init(Reduction *r, const ReductionKind *kind, const Transitions *transitions,
                    const ControlTable *controls, Account *account);
void reduction_free(Reduction *r);

// Is the edge impossible by control alone? A join waits for a thread that has not ended, or another thread holds the lock.
bool reduction_excludes(const Reduction *r, ControlId control, EdgeId edge);
// All threads that have a possible edge at this control vector and are not kept from it by a section.
ThreadMask reduction_enabled(const Reduction *r, ControlId control);
ThreadMask reduction_choice(Reduction *r, const Tree *tree, NodeId node);
// Conditions that the label of the node's parent would have to exclude for the choice to be smaller.
void reduction_wishes(Reduction *r, const Tree *tree, NodeId node, TermVector *conditions);

#endif
