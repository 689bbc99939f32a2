// Counterexamples: what the inputs of the circuit are, step by step from the start, until an error (or a cut) can happen.
//
// Whatever method found it, a counterexample is only this: the circuit says the rest. It is simulated, and every edge that
// is taken becomes steps of a schedule.
#ifndef HEDDLE_CIRCUIT_MODEL_CIRCUIT_TRACE_H
#define HEDDLE_CIRCUIT_MODEL_CIRCUIT_TRACE_H

#include "circuit/model/circuit.h"
#include "transition/path_schedule.h"

typedef struct CircuitTrace {
  ByteVector inputs; // per step, the values (0 or 1) of all inputs in their order
  uint32_t steps;    // with the last, in which the goal can happen
} CircuitTrace;

void circuit_trace_init(CircuitTrace *trace, Account *account);
void circuit_trace_free(CircuitTrace *trace);
// A new last step, with all inputs 0; valid until the next one.
uint8_t *circuit_trace_add(CircuitTrace *trace, const Circuit *c);

// The edge that can lead to a goal at the end of the trace: to an error, or else to a cut; NO_ID if there is none, which is
// an error of whoever made the trace.
typedef struct TraceEnd {
  const CircuitEdge *goal;
  bool is_error;
} TraceEnd;
TraceEnd circuit_trace_end(const Circuit *c, const CircuitTrace *trace);
// The schedule of a lasso: all steps are taken, and the loop begins with this one.
Schedule *circuit_trace_tell_lasso(const Circuit *c, const CircuitTrace *trace, uint32_t loop_start,
                                   const Program *whole, Property property);
// The schedule of a trace to an error.
Schedule *circuit_trace_tell(const Circuit *c, const CircuitTrace *trace, const Program *whole, Property property);

#endif
