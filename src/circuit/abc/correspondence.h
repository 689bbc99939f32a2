// Signal correspondence: nodes of a circuit that are equal, or opposite, in all states that can be reached (van Eijk,
// "Sequential equivalence checking based on structural similarities", IEEE TCAD 2000).
//
// Candidates come from simulation from the start. They are refined by counterexamples until all that are left hold at the
// start, and in every step follow from each other. Each node is then the same as one of the smallest number, and a
// smaller circuit is made in which that one stands for all. It has the same latches and inputs by number; latches that
// nothing depends on any more are simply not in any cone.
//
// What is found are candidates for an invariant (invariant.h), which checks them again, without any of this.
#ifndef HEDDLE_CIRCUIT_ABC_CORRESPONDENCE_H
#define HEDDLE_CIRCUIT_ABC_CORRESPONDENCE_H

#include "circuit/methods/circuit_invariant.h"

typedef struct Correspondence {
  const Circuit *circuit;
  U32Vector same_as; // per node: a literal of a node that is not larger, with the same value
  uint32_t pairs;    // nodes that are the same as another one
  uint32_t rounds, questions;
  Circuit reduced; // its graph, latches and inputs only
  AigLiteral reduced_bad;
} Correspondence;

// If the budget does not last, nothing is found: the reduced circuit is a copy. For what `bad` depends on.
void correspondence_init(Correspondence *s, const Circuit *c, AigLiteral bad, Budget *budget, Account *account);
void correspondence_free(Correspondence *s);
// Adds the pairs to an invariant.
void correspondence_tell(const Correspondence *s, Invariant *invariant);

#endif
