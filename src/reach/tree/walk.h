// Walks: the path from the root of the tree to a node, executed symbolically.
//
// The walk keeps the values of all state variables over the initial values and the inputs, with a trail, so that going
// to a node costs only where its path differs from the last one's. Programs with few inputs mostly give constants.
#ifndef HEDDLE_REACH_TREE_WALK_H
#define HEDDLE_REACH_TREE_WALK_H

#include "reach/tree/tree.h"
#include "transition/transition.h"

typedef struct WalkStep {
  NodeId node; // where it leads
  EdgeId edge;
  Term condition;  // of the edge, over initial values and inputs
  uint32_t trail;  // length of the trail before the step
  uint32_t inputs; // start of its fresh variables' instances in Walk.inputs
  bool excluded;   // a condition up to here is the constant false
} WalkStep;
VECTOR(WalkStepVector, WalkStep);

typedef struct Walk {
  const Transitions *transitions;
  const Tree *tree;
  TermStore *terms;
  WalkStepVector steps;
  Map values;         // state variable -> value; absent: initial
  Map initial;        // cell without an initial value -> the variable that stands for it
  UpdateVector trail; // old values (TERM_NONE: absent)
  TermVector inputs;  // instances of fresh variables
  Map substitution, cache;
  Account *account;
} Walk;

void walk_init(Walk *walk, const Transitions *transitions, const Tree *tree, Account *account);
void walk_free(Walk *walk);
void walk_to(Walk *walk, NodeId node);
void walk_reset(Walk *walk); // back to the root, whatever became of the nodes
// Is a condition on the walk the constant false?
bool walk_is_excluded(const Walk *walk);
// The value of a term over state variables at the end of the walk.
Term walk_value(Walk *walk, Term t);
// The variable or constant that stands for the initial value of a state variable.
Term walk_initial(Walk *walk, Term variable);

#endif
