// The automaton of a formula beside a circuit: which infinite executions violate the formula.
//
// The formula's negation is followed by promises (ltl/promises.h): a latch for each, an input for each guess. In each step
// the automaton reads the state before the step. It pauses while a thread is inside a section, whose states are nobody's.
//
// Asked is for an execution (lasso.h) with
//
//   always    promises are kept; somebody moves, unless nobody surely can: then the state stays for ever
//   justice   what is promised to come comes; nobody is inside a section for ever; nobody is stopped for ever where no step
//             waits: at a false assumption, at an invalid dereference, at a division by zero; and with fairness: each thread
//             moves, or cannot surely move
//
// Who stands before a section that has no end is stopped for ever, or goes round in it for ever, which is nobody's execution
// either; but while it might have one later, to be kept from it is no injustice. So only `always` counts such a thread as one
// that can move (CircuitThread.could), and justice does not (CircuitThread.able).
//
// Whether somebody can move may depend on inputs in ways that are not followed; `surely` is then too little. So there may be
// executions here that the program does not have, and never the other way round: proofs are sound, and lassos are confirmed.
#ifndef HEDDLE_CIRCUIT_MODEL_MONITOR_H
#define HEDDLE_CIRCUIT_MODEL_MONITOR_H

#include "circuit/model/circuit.h"
#include "ltl/promises.h"
#include "ltl/property.h"

typedef struct Monitor {
  Circuit *circuit; // of infinite executions; gets latches and inputs
  Promises promises;
  U32Vector latches; // per promise
  U32Vector guesses; // per promise: a literal
  AigLiteral always;
  AigLiteral limit;           // the model may end here: at a cut, or at an atom's pointer that was not foreseen
  U32Vector untils, fairness; // the literals of justice: of the formula, and of executions
  Account *account;
} Monitor;

void monitor_init(Monitor *m, Circuit *circuit, const LtlProperty *ltl, Account *account);
void monitor_free(Monitor *m);

#endif
