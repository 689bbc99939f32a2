// Methods: ways to find out whether something bad can happen in a circuit.
//
// A method is a row of one table. It is asked about a literal of the circuit (over latches and inputs) and answers that it
// can never hold, or that it can, with a trace to where it does, or that it does not know, and why.
#ifndef HEDDLE_CIRCUIT_METHODS_METHOD_H
#define HEDDLE_CIRCUIT_METHODS_METHOD_H

#include "base/log.h"
#include "circuit/model/circuit_trace.h"
#include "verdict/verdict.h"

typedef enum MethodAnswer { METHOD_UNKNOWN, METHOD_UNREACHABLE, METHOD_REACHED } MethodAnswer;

typedef struct Question {
  const Circuit *circuit;
  AigLiteral bad;
  Budget *budget;
  Log *log;
  Account *account;
  // What methods answer beside:
  CircuitTrace *trace; // REACHED; empty at the start
  Text *reason;        // UNKNOWN: one line
  Text *covered;       // what was covered, if anything; may stay empty
  Result *result;      // for statistics only
} Question;

typedef struct Method {
  const char *name, *summary;
  MethodAnswer (*run)(Question *question);
} Method;

extern const Method method_auto;
extern const Method method_bmc;
extern const Method method_bdd;
extern const Method method_induction;
extern const Method method_pdr;
extern const Method *const circuit_methods[]; // ends with NULL
const Method *method_find(const char *name);  // NULL: there is none

#endif
