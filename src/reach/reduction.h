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
#ifndef HEDDLE_REACH_REDUCTION_H
#define HEDDLE_REACH_REDUCTION_H

#include "reach/transition.h"
#include "reach/tree.h"

typedef enum ReductionKind { REDUCE_NONE, REDUCE_LOCAL, REDUCE_MONOTONE } ReductionKind;

typedef struct Reduction {
  ReductionKind kind;
  const Transitions *transitions;
  const ControlTable *controls;
} Reduction;

// Is the edge impossible by control alone? A join waits for a thread that has not ended.
bool reduction_excludes(const Reduction *r, ControlId control, EdgeId edge);
// All threads that have a possible edge at this control vector and are not kept from it by a section.
ThreadMask reduction_enabled(const Reduction *r, ControlId control);
ThreadMask reduction_choice(const Reduction *r, const Tree *tree, NodeId node);

#endif
