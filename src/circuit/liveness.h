// The engine `circuit` for formulas: a circuit of infinite executions, the automaton of the formula beside it, and a
// choice of lasso methods.
//
// What counts as one step, and which threads may run in a state, must preserve what the formula says:
//
//   formula                 one step is                       threads that may run in a state
//   with NEXT               a single step or whole section    all; NEXT counts these steps
//   with fairness           a large block                     all; it would be unfair to leave a thread out
//   otherwise               a large block                     those that the requested scheduler selects
//
// Large blocks are sound with fairness. If a thread stays inside a block for ever, it waits at one of the block's
// steps, and there is no choice on the way to a step that waits (program/passes/large.c). So the thread stays before a
// block that it cannot take as long as it waits.
#ifndef HEDDLE_CIRCUIT_LIVENESS_H
#define HEDDLE_CIRCUIT_LIVENESS_H

#include "circuit/circuit_engine.h"
#include "circuit/model/monitor.h"

typedef struct LivenessModel {
  CircuitModel model;
  Monitor monitor;         // only if `monitored`
  bool monitored;          // there is a circuit
  const char *restriction; // what is used instead of the requested scheduler or blocks, and why; or NULL
} LivenessModel;

// Returns NULL, or why there is no model. The caller frees it in either case. `scheduling` is the requested one.
const char *liveness_model_init(LivenessModel *m, Program *program, const LtlProperty *ltl, Scheduling scheduling,
                                Budget *budget, Account *account);
void liveness_model_free(LivenessModel *m);

// Decides the formula of the context.
Result *liveness_run(Context *context, Budget *budget);

#endif
