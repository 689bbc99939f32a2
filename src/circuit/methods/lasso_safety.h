// Lassos as something bad that can happen (Biere, Artho, Schuppan, "Liveness checking as safety checking", FMICS 2002).
//
// A circuit of its own: the latches and inputs of the question's circuit, by the same numbers, and after them an input
// `save` with which the state before a step is kept, once, as the one where the loop begins; a shadow per latch that keeps
// it; and flags: that it was kept, that `always` did not hold in some step, and per justice that it held in some step since.
// What is bad is a matter of latches alone: the state is the one that was kept, after at least one step, all justice was
// seen, and `always` held in all steps so far. The step in which it can be seen is not part of the lasso any more. So the
// circuit needs no constraint.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_SAFETY_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_SAFETY_H

#include "circuit/methods/lasso_method.h"

typedef struct LassoSafety {
  const LassoQuestion *question;
  Circuit circuit; // its graph, latches and inputs only
  AigLiteral bad;
  uint32_t save; // number of the input
} LassoSafety;

void lasso_safety_init(LassoSafety *s, const LassoQuestion *question);
void lasso_safety_free(LassoSafety *s);
// Turns a trace of this circuit, to something bad, into the lasso that the question gets. False: nothing bad happens in it.
bool lasso_safety_tell(const LassoSafety *s, const CircuitTrace *found, LassoQuestion *question);

#endif
