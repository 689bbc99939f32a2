// Weakest preconditions: what must hold before an edge so that a formula holds after it for all values of the edge's
// fresh variables.
//
// A fresh variable of at most 3 bits is split by its values. A wider one may be resolved by an equality, or the solver
// may find it irrelevant. Otherwise there are two ways: the variable is *dropped*, which gives a stronger formula that
// may be too strong, or it becomes a *parameter*. A parameter is a variable that stands for no part of the state; the
// formula holds for all its values. The same fresh variable gets the same parameters each time, so formulas along
// different paths can be equal.
#ifndef HEDDLE_REACH_REFINE_PRECONDITION_H
#define HEDDLE_REACH_REFINE_PRECONDITION_H

#include "solver/solver.h"
#include "transition/transition.h"

typedef struct Preconditions {
  const Transitions *transitions;
  TermStore *terms;
  Solver *solver; // for formulas with fresh variables
  bool exact;     // parameters instead of stronger formulas
  Map parameters; // fresh variable << 8 | number -> its parameter
  Map known;      // edge << 33 | guarded << 32 | formula -> its precondition, if not exact
  Map substitution, cache;
} Preconditions;

void preconditions_init(Preconditions *w, const Transitions *transitions, Solver *solver, Account *account);
void preconditions_free(Preconditions *w);
// With `guarded`, the formula need only hold after the edge if its guard holds (guard => ...). Never returns TERM_NONE;
// returns false if no weaker precondition is found.
Term precondition(Preconditions *w, EdgeId edge, Term formula, bool guarded);
// A formula over the state before the edge that excludes the condition, which may mention the edge's fresh variables.
Term precondition_excludes(Preconditions *w, EdgeId edge, Term condition);

#endif
