// Methods: ways to decide whether something bad can happen in a circuit.
//
// A method is a row of one table. The question names a literal of the circuit, over latches and inputs. The method answers that
// the literal can never hold, or that it can, with a trace to a step in which it holds, or that it does not know, and why.
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
  // Filled in by methods:
  CircuitTrace *trace; // REACHED: the trace; empty before
  Text *reason;        // UNKNOWN: one line
  Text *covered;       // UNKNOWN: the part of the question that was answered; may stay empty
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
const Method *method_find(const char *name);  // NULL: there is no method of this name

#endif
