// Reductions: which threads need to be expanded at a node (paper: section IV).
//
//   none        all enabled threads
//   local       the first thread whose next action accesses nothing shared, alone; else all (the paper's sPOR)
//   monotone    all threads except those whose action is independent of the step that led to the node and whose number
//               is smaller than that of the step's thread (the paper's dPOR: only monotonic paths); needs cover
//               expansions
//   persistent  a persistent set of threads (persistent_threads.h)
//   aware       a persistent set in the system in which cells that no label mentions have any value
//               (persistent_threads.h)
//
// Equal threads may be expected to begin in the order of their creation (transition/begin_order.h). This restricts the
// program, not the choice: a thread that is held is not enabled, and the step that lets it begin is dependent on its
// first step.
//
// While a thread is inside an atomic section, only that thread is expanded. All reductions but `monotone` depend only
// on the control vector, so they do not restrict covering. `monotone` depends on the incoming edge. There, a covering
// node owes the threads that the covered node would have expanded (TreeNode.owed).
//
// Dependence may be conditional (paper: IV-D): two accesses through pointers or indices may conflict in some states
// only. `monotone` then asks whether the label of the node before the step excludes the conflict. Labels only get
// stronger, so a thread that was left out once may be left out for ever.
#ifndef HEDDLE_REACH_REDUCE_REDUCTION_H
#define HEDDLE_REACH_REDUCE_REDUCTION_H

#include "reach/reduce/persistent_threads.h"
#include "transition/joint_index.h"

typedef struct Reduction Reduction;
// The definition by which a choice may leave threads out. reduction_check.h tests choices against it.
typedef enum ReductionClaim { CLAIMS_MONOTONE, CLAIMS_ALL, CLAIMS_LOCAL, CLAIMS_PERSISTENT } ReductionClaim;

typedef struct ReductionKind {
  const char *name;
  ReductionClaim claim;
  bool by_control;         // depends only on the control vector (and on what is tracked): a coverer owes nothing
  bool looks_at_precision; // choices may get larger when labels mention more cells
  void (*open)(Reduction *r, Account *account); // NULL: there is nothing to compute in advance
  void (*close)(Reduction *r);                  // NULL: there is nothing to free
  // The threads of `enabled` that are to be expanded.
  ThreadMask (*choose)(Reduction *r, const Tree *tree, NodeId node, ThreadMask enabled);
} ReductionKind;

extern const ReductionKind reduction_none, reduction_local, reduction_monotone;
extern const ReductionKind reduction_persistent, reduction_aware;

struct Reduction {
  const ReductionKind *kind;
  const Transitions *transitions;
  const ControlTable *controls;
  // Does the label of the node exclude the condition? NULL: dependence does not depend on states.
  bool (*excludes)(void *context, NodeId node, Term condition);
  void *context;
  HeldLocks locks;
  BeginOrder begins;      // none unless reduction_order_begins was called
  Map conflicts;          // edge << 32 | location -> the condition under which they conflict
  PersistentFacts *facts; // of `persistent` and `aware`
  const Tracks *tracks;   // of `aware`: set by the code that knows the labels; NULL: all cells are tracked
  ValidChoices valid;     // of `persistent` and `aware`
};

void reduction_init(Reduction *r, const ReductionKind *kind, const Transitions *transitions,
                    const ControlTable *controls, Account *account);
void reduction_free(Reduction *r);
// From now on, equal threads begin in the order of their creation. To be called before the first choice.
void reduction_order_begins(Reduction *r, Account *account);

// Does the control vector alone exclude the edge? It does if a join waits for a thread that has not ended, or if
// another thread holds the lock that the edge takes.
bool reduction_excludes(const Reduction *r, ControlId control, EdgeId edge);
// The threads that may be enabled at this control vector: they have an edge that control does not exclude, are not
// held, and no other thread is inside a section.
ThreadMask reduction_enabled(const Reduction *r, ControlId control);
ThreadMask reduction_choice(Reduction *r, const Tree *tree, NodeId node);
// Appends the conditions of conflicts that the label of the node's parent does not exclude. If it excluded one, the
// choice at the node would be smaller.
void reduction_open_conflicts(Reduction *r, const Tree *tree, NodeId node, TermVector *conditions);

#endif
