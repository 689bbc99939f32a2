// A circuit over time: frames, each a copy of the circuit over the latches that the frame before it made.
//
// Frame 0 starts with all latches at 0, or with any values (for induction). Constants spread through the copies.
//
// If the start is known, threads stand at one place each, and a frame has one literal per place, made of the edges that lead
// there: a place that cannot be reached yet is false by construction, and so is what would happen there. The bits of program
// counters are made of these literals. And if only one thread can move in a frame, it is selected, for a step in which nobody
// moves leads to nothing new: the inputs of selection are constants then. Where latches change in such steps, or where they
// count for something, whoever unrolls has to ask for them.
//
// Latches of other kinds than program counters are what their `next` says, whatever they are. A circuit may have no threads
// at all; then program counters are such latches, too.
#ifndef HEDDLE_CIRCUIT_MODEL_UNROLLING_H
#define HEDDLE_CIRCUIT_MODEL_UNROLLING_H

#include "circuit/model/circuit.h"

typedef struct Unrolling {
  const Circuit *circuit;
  bool from_start;
  bool idles; // selection is free, even if only one thread can move
  Aig aig;
  AigCopy copy;      // of the circuit into the last frame
  U32Vector latches; // of all frames, one after the other: literals
  U32Vector inputs;  // likewise; inputs of the graph, or constants
  U32Vector places;  // of the last frame, thread by thread: the thread stands there
  uint32_t frames;
  Account *account;
} Unrolling;

void unrolling_init(Unrolling *u, const Circuit *circuit, bool from_start, Account *account);
void unrolling_keep_idle_steps(Unrolling *u); // before the first frame
void unrolling_free(Unrolling *u);
void unrolling_add_frame(Unrolling *u);
// The literal in the last frame of a literal of the circuit.
static inline AigLiteral unrolling_literal(Unrolling *u, AigLiteral of_circuit) {
  return aig_copy_literal(&u->copy, of_circuit);
}

#endif
