// The engine `circuit` (paper 002): the program as one sequential circuit, and a choice of methods to look into it.
//
//   --schedule interleaved|stubborn|transactions   who may run in a state (scheduler.h); default transactions
//   --method bmc|bdd|induction|pdr                 how it is searched (method.h)
//
// The preset `transactions` is what the paper measures: bounded model checking with on-the-fly transactions.
#ifndef HEDDLE_CIRCUIT_CIRCUIT_ENGINE_H
#define HEDDLE_CIRCUIT_CIRCUIT_ENGINE_H

#include "circuit/model/circuit.h"
#include "verdict/engine.h"

extern const Engine circuit_engine;

// A circuit with all that it rests on.
typedef struct CircuitModel {
  Program *view; // NULL: there is nothing
  Transitions transitions;
  Words words;
  Circuit circuit;
  bool has_circuit;
} CircuitModel;

// NULL, or why there is none. To be freed in either case.
const char *circuit_model_init(CircuitModel *m, Program *program, Property property, BlockSize size,
                               Scheduling scheduling, Budget *budget, Account *account);
void circuit_model_free(CircuitModel *m);
void circuit_report_size(Result *result, const Circuit *c);
// Adds the cut that the edge meets to the result.
void circuit_report_cut(Result *result, const Program *program, const Circuit *c, const CircuitEdge *goal);
// Interleaved for anything else.
Scheduling scheduling_parse(const char *name);

#endif
