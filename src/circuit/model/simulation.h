// Simulation of a trace on its circuit: what every literal is, step by step from the start.
#ifndef HEDDLE_CIRCUIT_MODEL_SIMULATION_H
#define HEDDLE_CIRCUIT_MODEL_SIMULATION_H

#include "circuit/model/circuit_trace.h"

typedef struct Simulation {
  const Circuit *c; // its graph must not grow meanwhile
  const CircuitTrace *trace;
  uint64_t *inputs, *nodes; // one assignment, in the lowest bit
  uint32_t step;            // so many were simulated
} Simulation;

void simulation_init(Simulation *s, const Circuit *c, const CircuitTrace *trace);
void simulation_free(Simulation *s);
// The next step of the trace, after what latches became in the last one. False: there is none, and all stays as it is.
bool simulation_next(Simulation *s);
// In the last step that was simulated.
static inline bool simulation_holds(const Simulation *s, AigLiteral literal) {
  return aig_simulated(s->nodes, literal) & 1;
}

#endif
