// The engine `circuit` for formulas: a circuit of infinite executions, the automaton of the formula beside it, and a choice
// of lasso methods.
//
// What one step is, and who may run in a state, must keep what the formula says:
//
//   large blocks, and the scheduler that was asked for    unless one of the following
//   single steps and whole sections, everybody            with NEXT, which counts these
//   large blocks, everybody                               with fairness: who is left out by a scheduler is passed over
//
// Blocks may stay with fairness: who stays for ever inside a block, by its steps, waits there, and there is no choice on the
// way to where a block waits (program/passes/large.c); so it stands before a block that it cannot take as long as it waits.
#ifndef HEDDLE_CIRCUIT_LIVENESS_H
#define HEDDLE_CIRCUIT_LIVENESS_H

#include "circuit/circuit_engine.h"
#include "circuit/methods/lasso_method.h"
#include "circuit/model/monitor.h"

typedef struct LivenessModel {
  CircuitModel model;
  Monitor monitor; // only if there is a circuit
  bool monitored;
  const char *restriction; // why not all that was asked for is done, or NULL
} LivenessModel;

// NULL, or why there is none. To be freed in either case. `scheduling`: what is asked for.
const char *liveness_model_init(LivenessModel *m, Program *program, const LtlProperty *ltl, Scheduling scheduling,
                                Budget *budget, Account *account);
void liveness_model_free(LivenessModel *m);

Result *liveness_run(Context *context, Budget *budget);

#endif
