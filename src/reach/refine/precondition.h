// Weakest preconditions: what must hold before an edge so that a formula holds after it, whatever the edge's fresh
// variables are.
//
// A fresh variable is split by its values (up to 3 bits), resolved by an equality, or found irrelevant by the solver. What is
// left after that is either *dropped*, which gives a stronger formula that may be too strong, or becomes a *parameter*: a
// variable that stands for no part of the state, for all values of which the formula holds. The parameters of one fresh
// variable are the same ones each time, so that formulas along different paths can meet.
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
// `guarded`: the edge's guard may be used (guard => ...). Never TERM_NONE; false if nothing better is found.
Term precondition(Preconditions *w, EdgeId edge, Term formula, bool guarded);
// What excludes a condition over the state before the edge and its fresh variables.
Term precondition_excludes(Preconditions *w, EdgeId edge, Term condition);

#endif
