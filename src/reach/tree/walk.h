// Walks: the path from the root of the tree to a node, executed symbolically.
//
// A walk keeps the values of all state variables over the initial values and the inputs, with a trail of old values. So
// going to a node costs only as much as its path differs from the previous path. In programs with few inputs most
// values are constants.
#ifndef HEDDLE_REACH_TREE_WALK_H
#define HEDDLE_REACH_TREE_WALK_H

#include "reach/tree/tree.h"
#include "transition/transition.h"

typedef struct WalkStep {
  NodeId node; // where the step leads
  EdgeId edge;
  Term condition;  // of the edge, over initial values and inputs
  uint32_t trail;  // length of the trail before the step
  uint32_t inputs; // start of its fresh variables' instances in Walk.inputs
  bool excluded;   // the condition of this step or of an earlier one is the constant false
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
void walk_reset(Walk *walk); // back to the root; works even if the nodes of the walk were removed
// Is a condition on the walk the constant false?
bool walk_is_excluded(const Walk *walk);
// The value of a term over state variables at the end of the walk.
Term walk_value(Walk *walk, Term t);
// The variable or constant that stands for the initial value of a state variable.
Term walk_initial(Walk *walk, Term variable);

#endif
