// From sets of states, ring by ring, to the inputs of an execution.
//
// First back: of each ring a few states (a conjunction of literals) that lead to those of the next one by one edge. Then
// forward on the circuit itself: a solver is asked for inputs with which the step takes this edge and arrives there. What dead
// words are is left open, for in diagrams they may have been anything.
#ifndef HEDDLE_CIRCUIT_METHODS_BDD_TRACE_H
#define HEDDLE_CIRCUIT_METHODS_BDD_TRACE_H

#include "circuit/methods/bdd_system.h"
#include "circuit/methods/method.h"

// `rings`: the sets of states after 0, 1, ... steps, each of a state that something comes from in the one before. `bad`: some
// of the last ring. False: it had to stop (the system's flaw says why), or no inputs fit, which is an error.
bool bdd_trace_find(BddSystem *y, const U32Vector *rings, Bdd bad, const Question *question);

#endif
