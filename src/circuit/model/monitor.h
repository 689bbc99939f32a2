// The automaton of a formula beside a circuit: which infinite executions violate the formula.
//
// The automaton follows the negation of the formula by promises (ltl/promises.h), with a latch and an input, the guess,
// for each promise. In each step it reads the state before the step. While a thread is inside an atomic section the
// automaton pauses, because the formula does not see the states inside a section.
//
// The query asks for an execution (methods/method.h) on which `constraint` holds in every step and each literal of
// justice holds infinitely often:
//
//   constraint  The promises are kept. A thread moves, unless no thread must be enabled; then the state stays for ever.
//   justice     Each event that was promised happens.
//             No thread is inside a section for ever.
//             No thread is disabled for ever: at a false assume step, at an invalid dereference, at a division by zero.
//             With fairness: each thread moves, or it is not the case that it must be enabled.
//
// A thread before a section that it cannot finish would be disabled for ever in it or loop for ever in it; neither
// counts as an execution. As long as the section may be finished in a later state, it is not unfair that the thread
// does not enter. So `constraint` counts a thread before a section with a loop as enabled
// (CircuitThread.must_be_enabled_into_section), and justice does not (CircuitThread.must_be_enabled_through_section).
//
// Whether a thread is enabled may depend on inputs in ways that are not followed. Both conditions are
// under-approximations of enabledness, so there may be executions here that the program does not have, and never the
// other way round: proofs are sound, and lassos are confirmed by the judge.
#ifndef HEDDLE_CIRCUIT_MODEL_MONITOR_H
#define HEDDLE_CIRCUIT_MODEL_MONITOR_H

#include "circuit/model/circuit.h"
#include "ltl/ltl_property.h"
#include "ltl/promises.h"

typedef struct Monitor {
  Circuit *circuit; // of infinite executions; the monitor adds latches and inputs to it
  Promises promises;
  U32Vector latches; // per promise: the number of its latch
  U32Vector guesses; // per promise: the literal of its input
  AigLiteral constraint;
  AigLiteral limit;           // the model may end here: at a cut, or at a pointer of an atom that was not foreseen
  U32Vector untils, fairness; // the literals of justice: those of the formula, and those of executions
  Account *account;
} Monitor;

void monitor_init(Monitor *m, Circuit *circuit, const LtlProperty *ltl, Account *account);
void monitor_free(Monitor *m);

#endif
