// The parts of building a circuit: threads and their edges (circuit.c), then stubborn sets (scheduler.c), then the next
// values of latches (next_state.c).
#ifndef HEDDLE_CIRCUIT_MODEL_CIRCUIT_BUILD_H
#define HEDDLE_CIRCUIT_MODEL_CIRCUIT_BUILD_H

#include "circuit/model/circuit.h"

// Adds a latch and returns its number. It keeps its value until its `next` is set.
uint32_t circuit_add_latch(Circuit *c, LatchKind kind, uint32_t of, uint32_t place);
AigLiteral circuit_add_input(Circuit *c, InputKind kind, uint32_t of);
// The literal in the circuit of a literal of the words' graph.
static inline AigLiteral circuit_literal(Circuit *c, AigLiteral of_words) {
  return aig_copy_literal(&c->from_words, of_words);
}
// Says which inputs of the circuit are the fresh values of an edge. Before its terms become literals.
void circuit_connect_fresh(Circuit *c, EdgeId e);
// Adds the goals that are about several threads: races and deadlocks (joint_goals.c). After all other edges.
void circuit_add_joint_goals(Circuit *c);
// In a state without a deadlock that the program has settled, from its finding `first` on.
AigLiteral circuit_no_settled_deadlock(Circuit *c, size_t first);
// Sets `next` of all latches. Needs `taken` of all edges.
void circuit_build_next(Circuit *c);

#endif
