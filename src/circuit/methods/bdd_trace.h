// From sets of states, ring by ring, to the inputs of an execution.
//
// First backward: in each ring, states (a conjunction of literals) from which one edge leads to those of the next ring.
// Then forward on the circuit itself: a solver finds inputs with which the step takes this edge and arrives there. The
// values of dead words are left open, because in the diagrams they may be anything.
#ifndef HEDDLE_CIRCUIT_METHODS_BDD_TRACE_H
#define HEDDLE_CIRCUIT_METHODS_BDD_TRACE_H

#include "circuit/methods/bdd_system.h"
#include "circuit/methods/method.h"

// `rings`: the sets of states that are new after 0, 1, ... steps; each state has a predecessor in the ring before.
// `bad`: some states of the last ring. Adds the steps to the question's trace. False: it had to stop (the system's flaw
// says why), or no inputs fit, which is a bug.
bool bdd_trace_find(BddSystem *y, const U32Vector *rings, Bdd bad, const Question *question);

#endif
