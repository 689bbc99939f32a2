// Walks: the path from the root of the tree to a node, executed symbolically, and weakest preconditions along it.
//
// The walk keeps the values of all state variables over the initial values and the inputs, with a trail, so that going
// to a node costs only where its path differs from the last one's. Programs with few inputs mostly give constants.
//
// A weakest precondition of a formula along an edge is a formula over the state before it that makes the formula hold
// after it, whatever the edge's fresh variables are. Where those cannot be got rid of, a stronger formula is given.
#ifndef HEDDLE_REACH_WALK_H
#define HEDDLE_REACH_WALK_H

#include "reach/transition.h"
#include "reach/tree.h"
#include "solver/solver.h"

typedef struct WalkStep {
  NodeId node; // where it leads
  EdgeId edge;
  Term condition;  // of the edge, over initial values and inputs
  uint32_t trail;  // length of the trail before the step
  uint32_t inputs; // start of its fresh variables' instances in Walk.inputs
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
// The value of a term over state variables at the end of the walk.
Term walk_value(Walk *walk, Term t);
// The variable or constant that stands for the initial value of a state variable.
Term walk_initial(Walk *walk, Term variable);

typedef struct Preconditions {
  const Transitions *transitions;
  TermStore *terms;
  Solver *solver; // for formulas with fresh variables
  Map substitution, cache;
} Preconditions;

void preconditions_init(Preconditions *w, const Transitions *transitions, Solver *solver, Account *account);
void preconditions_free(Preconditions *w);
// `guarded`: the edge's guard may be used (guard => ...). Never TERM_NONE; false if nothing better is found.
Term precondition(Preconditions *w, EdgeId edge, Term formula, bool guarded);

#endif
