// Inductive invariants of circuits: cubes of states that are never reached and pairs of literals that are always equal,
// found by whatever means, and their check.
//
// A cube is a set of literals over latches: latch number times two, plus one if the latch is 0 there. A state is in the
// cube if all of them hold. A pair is of literals of the circuit's graph; they are equal whatever the inputs are. The
// invariant is the set of states in none of the cubes and with all pairs equal.
//
// The check trusts nothing: by a solver of its own, on the circuit itself, the start is in the invariant, no step leads
// out of it, and nothing bad can happen in it.
#ifndef HEDDLE_CIRCUIT_METHODS_CIRCUIT_INVARIANT_H
#define HEDDLE_CIRCUIT_METHODS_CIRCUIT_INVARIANT_H

#include "base/budget.h"
#include "circuit/model/circuit.h"

typedef struct Invariant {
  U32Vector literals;
  U32Vector starts; // per cube: its first literal; and the end of the last one
  U32Vector pairs;  // two literals each
} Invariant;

void invariant_init(Invariant *invariant, Account *account);
void invariant_free(Invariant *invariant);
void invariant_add(Invariant *invariant, uint32_t latch, bool value); // to the last cube, which is still open
void invariant_close(Invariant *invariant);                           // the last cube is complete
void invariant_add_pair(Invariant *invariant, AigLiteral a, AigLiteral b);
static inline size_t invariant_count(const Invariant *invariant) { return invariant->starts.count - 1; }

typedef enum InvariantFlaw {
  INVARIANT_HOLDS,
  INVARIANT_NOT_INITIAL,   // it does not hold at the start
  INVARIANT_NOT_INDUCTIVE, // a step leads out of it
  INVARIANT_NOT_SAFE,      // something bad can happen in it
  INVARIANT_UNCHECKED      // the budget is exhausted
} InvariantFlaw;
InvariantFlaw invariant_check(const Invariant *invariant, const Circuit *c, AigLiteral bad, Budget *budget,
                              Account *account);
const char *invariant_flaw_text(InvariantFlaw flaw);

#endif
