// Reductions: which threads need to be expanded at a node (paper: section IV).
//
//   none      all that are born and can do something
//   local     the first thread whose next action touches nothing shared, alone; else all (the paper's sPOR)
//   monotone  all but those whose action is independent of the step that led here and whose number is smaller
//             (the paper's dPOR: only monotonic paths); needs cover expansions
//
// While a thread is inside an atomic section, it alone is expanded. `local` looks at the control vector only, so
// covering needs no care; `monotone` looks at the incoming edge, so a covering node owes what the covered one would have
// expanded (TreeNode.owed).
//
// Dependence may be conditional (paper: IV-D): two accesses through pointers or indices conflict in some states only.
// `monotone` then asks whether the label of the node before the step excludes that; since labels only get stronger, a
// thread that was left out once may be left out for good.
#ifndef HEDDLE_REACH_REDUCTION_H
#define HEDDLE_REACH_REDUCTION_H

#include "reach/transition.h"
#include "reach/tree.h"

typedef struct Reduction Reduction;
typedef struct ReductionKind {
  const char *name;
  bool looks_at_precision; // choices may get larger when the precision grows
  // Of the threads that can move, those to expand.
  ThreadMask (*choose)(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled);
} ReductionKind;

extern const ReductionKind reduction_none, reduction_local, reduction_monotone;

struct Reduction {
  const ReductionKind *kind;
  const Transitions *transitions;
  const ControlTable *controls;
  // Does the label of the node exclude the condition? NULL: dependence is not conditional.
  bool (*excludes)(void *context, NodeId node, Term condition);
  void *context;
  Map conflicts; // edge << 32 | location -> the condition under which they conflict
};

void reduction_init(Reduction *r, const ReductionKind *kind, const Transitions *transitions,
                    const ControlTable *controls, Account *account);
void reduction_free(Reduction *r);

// Is the edge impossible by control alone? A join waits for a thread that has not ended.
bool reduction_excludes(const Reduction *r, ControlId control, EdgeId edge);
// All threads that have a possible edge at this control vector and are not kept from it by a section.
ThreadMask reduction_enabled(const Reduction *r, ControlId control);
ThreadMask reduction_choice(Reduction *r, const Tree *tree, NodeId node);
// Conditions that the label of the node's parent would have to exclude for the choice to be smaller.
void reduction_wishes(Reduction *r, const Tree *tree, NodeId node, TermVector *conditions);

#endif
