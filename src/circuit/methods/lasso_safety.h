// Liveness to safety: a lasso becomes a bad state that can be reached (Biere, Artho, Schuppan, "Liveness checking as safety
// checking", FMICS 2002).
//
// A second circuit is built. It has the latches and inputs of the question's circuit, with the same numbers. Behind these it has:
//
//   - an input `save`. When it is first set, the state before the step is saved as the beginning of the loop;
//   - a shadow for each latch, which keeps the saved value;
//   - flags: a state was saved; `always` failed in some step; and for each justice, it held in some step since the save.
//
// The bad states are those that equal the saved one, at least one step after the save, if each justice was seen since the save
// and `always` held in all steps so far. Whether a state is bad depends on latches only. So the step in which the bad state is
// seen is not part of the lasso any more, and the circuit needs no constraint.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_SAFETY_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_SAFETY_H

#include "circuit/methods/lasso_method.h"

typedef struct LassoSafety {
  const LassoQuestion *question;
  Circuit circuit; // has a graph, latches and inputs only
  AigLiteral bad;
  uint32_t save; // the number of the input
} LassoSafety;

void lasso_safety_init(LassoSafety *s, const LassoQuestion *question);
void lasso_safety_free(LassoSafety *s);
// Turns a trace of this circuit to a bad state into the question's lasso. False: the trace reaches no bad state.
bool lasso_safety_to_lasso(const LassoSafety *s, const CircuitTrace *found, LassoQuestion *question);

#endif
