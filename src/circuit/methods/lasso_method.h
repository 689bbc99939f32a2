// Lasso methods: ways to find out whether a circuit has an infinite execution of a kind.
//
// Asked is for an execution from the start in which `always` holds in every step, and each literal of `justice` in infinitely
// many steps. States are finite, so if there is one, there is one that ends in a loop. A method is a row of one table. It
// answers METHOD_REACHED with the inputs of such a lasso, METHOD_UNREACHABLE if there is none, or METHOD_UNKNOWN and why.
//
// All literals are over latches and inputs of the circuit, which are all 0 at the start (latches), and free in every step
// (inputs). Only latches, their `next`, inputs and these literals count here; what a circuit is otherwise (threads, edges)
// is for others, and a test may give a circuit that has nothing of that.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_METHOD_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_METHOD_H

#include "circuit/methods/method.h"

typedef struct LassoQuestion {
  Circuit *circuit; // methods may add gates to its graph, but leave its latches and inputs as they are
  AigLiteral always;
  U32Vector justice;
  Budget *budget;
  Log *log;
  Account *account;
  // What methods answer beside:
  CircuitTrace *trace; // REACHED: the inputs of all steps, stem and loop; empty at the start
  uint32_t loop_start; // REACHED: before this step and after the last one, latches are the same
  Text *reason;        // UNKNOWN: one line
  Text *covered;       // what was covered, if anything; may stay empty
  Result *result;      // for statistics only
} LassoQuestion;

typedef struct LassoMethod {
  const char *name, *summary; // the name is one of --method
  MethodAnswer (*run)(LassoQuestion *question);
} LassoMethod;

extern const LassoMethod lasso_auto;      // auto: the others in turn
extern const LassoMethod lasso_sat;       // bmc: a solver, on growing depth; seldom says that there is none
extern const LassoMethod lasso_bdd;       // bdd: fair cycles with decision diagrams
extern const LassoMethod lasso_pdr;       // pdr: liveness to safety, then property-directed reachability
extern const LassoMethod lasso_induction; // induction: liveness to safety, then induction

const LassoMethod *lasso_method_find(const char *name); // NULL: there is none
// Is the trace a lasso as asked for? By simulation; every method asserts it, and whoever asks them checks it.
bool lasso_is_one(const LassoQuestion *question);

#endif
