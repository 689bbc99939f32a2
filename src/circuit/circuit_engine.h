// The engine `circuit` (paper 002): the program as one sequential circuit, and a choice of methods that search it.
//
//   --schedule interleaved|stubborn|transactions   which threads run in a state (model/scheduler.h); default
//                                                  transactions
//   --method bmc|bdd|induction|pdr                 how the circuit is searched (methods/method.h)
//
// The preset `transactions` is what the paper measures: bounded model checking with on-the-fly transactions.
#ifndef HEDDLE_CIRCUIT_CIRCUIT_ENGINE_H
#define HEDDLE_CIRCUIT_CIRCUIT_ENGINE_H

#include "circuit/methods/method.h"
#include "verdict/engine.h"

extern const Engine circuit_engine;

// The options that the engine reads, parsed. Their words are ones that it accepts.
typedef struct CircuitOptions {
  Scheduling scheduling;
  bool symmetry;
  const Method *method;
} CircuitOptions;

CircuitOptions circuit_options(const EngineOptions *options);

// A circuit with all that it refers to.
typedef struct CircuitModel {
  Program *view; // the program after its passes; NULL: nothing was built
  Transitions transitions;
  Words words;
  Circuit circuit;
  bool has_circuit;
} CircuitModel;

// `symmetry`: equal threads begin in order, if the property allows it. Returns NULL, or why there is no circuit. The
// caller frees the model in either case.
const char *circuit_model_init(CircuitModel *m, Program *program, Property property, BlockSize size,
                               Scheduling scheduling, bool symmetry, Budget *budget, Account *account);
void circuit_model_free(CircuitModel *m);
// A question about the circuit, for the context. The caller adds what is asked, and owns trace, reason and justice.
Question circuit_question(QuestionKind kind, Circuit *c, Context *context, Budget *budget, Result *result,
                          CircuitTrace *trace, Text *reason);
// The kind of UNKNOWN that an unanswered question is.
ReasonKind circuit_reason(const Question *question);
void circuit_report_size(Result *result, const Circuit *c);
// Adds the cut that the edge meets to the result.
void circuit_report_cut(Result *result, const Circuit *c, const CircuitEdge *goal);

#endif
