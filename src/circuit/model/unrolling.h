// A circuit over time: frames, each a copy of the circuit over the latches' next values of the frame before it.
//
// Frame 0 begins with all latches 0, or with any values (for induction). Constants are propagated through the copies.
//
// If frame 0 is the initial state, each thread is at one place in each frame. A frame then has one literal per place,
// made of the edges that lead there: a place that cannot be reached yet is false by construction, and so is all that
// depends on it. The bits of program counters are made of these literals. If only one thread can move in a frame, the
// inputs for selection are constants that select it, since a step without a move leads to no new state. This is wrong
// for a circuit in which latches change in such steps, or for a query for which such steps count; the caller then keeps
// idle steps.
//
// The next value of any other latch is what its `next` says. A circuit may have no threads at all; then program
// counters are latches like others.
#ifndef HEDDLE_CIRCUIT_MODEL_UNROLLING_H
#define HEDDLE_CIRCUIT_MODEL_UNROLLING_H

#include "circuit/model/circuit.h"

VECTOR(CopiesVector, U32Vector);

typedef struct Unrolling {
  const Circuit *circuit;
  bool from_start;
  bool idles; // any thread can be selected, even if only one can move
  Aig aig;
  AigCopy copy;      // copies the circuit into the last frame
  U32Vector latches; // of all frames, one after the other: literals
  U32Vector inputs;  // likewise; inputs of the graph, or constants
  U32Vector places;  // of the last frame, thread by thread: the thread is there
  uint32_t frames;
  bool keeps; // literals can be asked for in frames before the last one, from `kept_from` on
  uint32_t kept_from;
  CopiesVector kept; // of these frames: AigCopy.known
  Account *account;
} Unrolling;

void unrolling_init(Unrolling *u, const Circuit *circuit, bool from_start, Account *account);
void unrolling_keep_idle_steps(Unrolling *u); // to be called before the first frame
// Keeps frames, so that unrolling_literal_at works; from now on only from `frame` on.
void unrolling_keep_from(Unrolling *u, uint32_t frame);
void unrolling_free(Unrolling *u);
void unrolling_add_frame(Unrolling *u);
// The literal in the last frame of a literal of the circuit.
static inline AigLiteral unrolling_literal(Unrolling *u, AigLiteral of_circuit) {
  assert(u->frames > 0);
  return aig_copy_literal(&u->copy, of_circuit);
}
// The same in an earlier frame, which was kept.
AigLiteral unrolling_literal_at(Unrolling *u, uint32_t frame, AigLiteral of_circuit);

#endif
