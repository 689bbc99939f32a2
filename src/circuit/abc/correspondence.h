// Signal correspondence: nodes of a circuit that are equal, or opposite, in all reachable states (van Eijk, "Sequential
// equivalence checking based on structural similarities", IEEE TCAD 2000).
//
// Candidates come from simulation from the initial state. Counterexamples refine them until all candidates that are
// left hold in the initial state and are inductive: if all hold in a state, all hold after a step. Then each node is
// replaced by the equal node of the smallest number, which gives a smaller circuit. It has the same latches and inputs
// by number; a latch that no literal depends on any more is in no cone.
//
// The result is a candidate for an invariant. methods/circuit_invariant.h checks it again, without any code of this
// file.
#ifndef HEDDLE_CIRCUIT_ABC_CORRESPONDENCE_H
#define HEDDLE_CIRCUIT_ABC_CORRESPONDENCE_H

#include "circuit/methods/circuit_invariant.h"

typedef struct Correspondence {
  const Circuit *circuit;
  U32Vector same_as; // per node: an equal literal, of a node with the same or a smaller number
  uint32_t pairs;    // how many nodes are equal to another one
  uint32_t rounds, questions;
  Circuit reduced; // its graph, latches and inputs only
  AigLiteral reduced_bad;
} Correspondence;

// Considers the nodes that `bad` depends on. If the budget is exhausted, no pair is found, and the reduced circuit is a
// copy.
void correspondence_init(Correspondence *s, const Circuit *c, AigLiteral bad, Budget *budget, Account *account);
void correspondence_free(Correspondence *s);
// Adds the pairs to an invariant.
void correspondence_add_pairs(const Correspondence *s, Invariant *invariant);

#endif
