// Lasso methods: ways to decide whether a circuit has an infinite execution of some kind.
//
// The question asks for an execution from the initial state in which `always` holds in every step and each literal of `justice`
// holds in infinitely many steps. There are finitely many states, so if there is such an execution, there is a lasso of this
// kind. A method is a row of one table. It answers METHOD_REACHED with the inputs of such a lasso, METHOD_UNREACHABLE if there
// is none, or METHOD_UNKNOWN and why.
//
// All literals are over latches and inputs of the circuit. Latches are 0 in the initial state, and inputs are free in every
// step. Methods use only latches, their `next`, inputs and these literals, and not the circuit's threads and edges. So a test
// may use a circuit that has none of these.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_METHOD_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_METHOD_H

#include "circuit/methods/method.h"

typedef struct LassoQuestion {
  Circuit *circuit; // methods may add gates to its graph, but do not change its latches and inputs
  AigLiteral always;
  U32Vector justice;
  Budget *budget;
  Log *log;
  Account *account;
  // Filled in by methods:
  CircuitTrace *trace; // REACHED: the inputs of all steps, stem and loop; empty before
  uint32_t loop_start; // REACHED: latches have the same values before this step and after the last one
  Text *reason;        // UNKNOWN: one line
  Text *covered;       // UNKNOWN: the part of the question that was answered; may stay empty
  Result *result;      // for statistics only
} LassoQuestion;

typedef struct LassoMethod {
  const char *name, *summary; // the name is a value of --method
  MethodAnswer (*run)(LassoQuestion *question);
} LassoMethod;

extern const LassoMethod lasso_auto;      // auto: the other methods one after the other
extern const LassoMethod lasso_sat;       // bmc: a solver, with growing depth; seldom proves that there is no lasso
extern const LassoMethod lasso_bdd;       // bdd: fair cycles with decision diagrams
extern const LassoMethod lasso_pdr;       // pdr: liveness to safety, then property-directed reachability
extern const LassoMethod lasso_induction; // induction: liveness to safety, then induction

const LassoMethod *lasso_method_find(const char *name); // NULL: there is no method of this name
// Is the trace a lasso that the question asks for? Decided by simulation. Every method asserts it, and the engine checks it.
bool lasso_is_valid(const LassoQuestion *question);

#endif
