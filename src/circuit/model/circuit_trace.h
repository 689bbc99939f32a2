// Counterexamples: the inputs of the circuit, step by step from the initial state, until an error (or a cut) can
// happen.
//
// All methods give a counterexample in this form. The circuit determines the rest: it is simulated with the inputs, and
// each edge that a step takes becomes steps of a schedule.
#ifndef HEDDLE_CIRCUIT_MODEL_CIRCUIT_TRACE_H
#define HEDDLE_CIRCUIT_MODEL_CIRCUIT_TRACE_H

#include "circuit/model/circuit.h"
#include "transition/path_schedule.h"

typedef struct CircuitTrace {
  ByteVector inputs; // per step, the values (0 or 1) of all inputs in their order
  uint32_t steps;    // including the last one, in which the goal can happen
} CircuitTrace;

void circuit_trace_init(CircuitTrace *trace, Account *account);
void circuit_trace_free(CircuitTrace *trace);
void circuit_trace_clear(CircuitTrace *trace);
void circuit_trace_shorten(CircuitTrace *trace, const Circuit *c, uint32_t steps); // keeps the first steps
// Adds a last step with all inputs 0. The pointer is valid until the next one is added.
uint8_t *circuit_trace_add(CircuitTrace *trace, const Circuit *c);

// The goal that is possible in the last step of the trace: an error, or else a cut. NULL if there is none; then the
// method that made the trace has a bug.
typedef struct TraceEnd {
  const CircuitEdge *goal;
  bool is_error;
} TraceEnd;
TraceEnd circuit_trace_end(const Circuit *c, const CircuitTrace *trace);
// The schedule of a lasso: all steps are taken, and the loop begins with the step `loop_start`. `whole`: the unreduced
// program.
Schedule *circuit_trace_lasso_schedule(const Circuit *c, const CircuitTrace *trace, uint32_t loop_start,
                                       const Program *whole, Property property);
// The schedule of a trace to an error.
Schedule *circuit_trace_schedule(const Circuit *c, const CircuitTrace *trace, const Program *whole, Property property);

#endif
