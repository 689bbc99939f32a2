// Simulation of a trace on its circuit: the value of every literal, step by step from the initial state.
#ifndef HEDDLE_CIRCUIT_MODEL_SIMULATION_H
#define HEDDLE_CIRCUIT_MODEL_SIMULATION_H

#include "circuit/model/circuit_trace.h"

typedef struct Simulation {
  const Circuit *c; // its graph must not grow during the simulation
  const CircuitTrace *trace;
  uint64_t *inputs, *nodes; // one assignment, in the lowest bit
  uint32_t step;            // how many steps were simulated
} Simulation;

void simulation_init(Simulation *s, const Circuit *c, const CircuitTrace *trace);
void simulation_free(Simulation *s);
// Simulates the next step of the trace, with the next values of the last step as latches. False: there is none; nothing
// changes.
bool simulation_next(Simulation *s);
// The value of a literal in the last step that was simulated.
static inline bool simulation_holds(const Simulation *s, AigLiteral literal) {
  assert(s->step > 0);
  return aig_simulated(s->nodes, literal) & 1;
}

#endif
