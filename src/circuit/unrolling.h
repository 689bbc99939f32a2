// A circuit over time: frames, each a copy of the circuit over the latches that the frame before it made.
//
// Frame 0 starts with all latches at 0, or with any values (for induction). Constants spread through the copies. In addition,
// a thread cannot stand where it gets in no fewer steps than have passed, which is built in if the start is known.
#ifndef HEDDLE_CIRCUIT_UNROLLING_H
#define HEDDLE_CIRCUIT_UNROLLING_H

#include "circuit/circuit.h"

typedef struct Unrolling {
  const Circuit *circuit;
  bool from_start;
  Aig aig;
  AigCopy copy;       // of the circuit into the last frame
  U32Vector latches;  // of all frames, one after the other: literals
  U32Vector inputs;   // likewise; inputs of the graph
  U32Vector distance; // per location: the fewest steps after which its thread is there; NO_ID: it never is
  uint32_t frames;
  Account *account;
} Unrolling;

void unrolling_init(Unrolling *u, const Circuit *circuit, bool from_start, Account *account);
void unrolling_free(Unrolling *u);
void unrolling_add_frame(Unrolling *u);
// The literal in the last frame of a literal of the circuit.
static inline AigLiteral unrolling_literal(Unrolling *u, AigLiteral of_circuit) {
  return aig_copy_literal(&u->copy, of_circuit);
}

#endif
