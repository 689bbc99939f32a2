// Inductive invariants of circuits, and their check. An invariant consists of cubes of states that are never reached
// and of pairs of literals that are always equal. It may come from any source.
//
// A cube is a set of literals over latches: latch number times two, plus one if the latch is 0 in the cube. A state is
// in the cube if all of its literals hold. The literals of a pair are literals of the circuit's graph; they are equal
// for all inputs. The invariant is the set of states that are in no cube and in which all pairs are equal.
//
// The check trusts nothing. With a solver of its own, on the circuit itself, it shows that the initial state is in the
// invariant, that no step leaves it, and that nothing bad can happen in it.
#ifndef HEDDLE_CIRCUIT_METHODS_CIRCUIT_INVARIANT_H
#define HEDDLE_CIRCUIT_METHODS_CIRCUIT_INVARIANT_H

#include "base/budget.h"
#include "circuit/model/circuit.h"

typedef struct Invariant {
  U32Vector literals;
  U32Vector starts; // per cube: the index of its first literal; then the end of the last cube
  U32Vector pairs;  // two literals each
} Invariant;

void invariant_init(Invariant *invariant, Account *account);
void invariant_free(Invariant *invariant);
void invariant_add(Invariant *invariant, uint32_t latch,
                   bool value);             // adds a literal to the open cube, which is behind the last one
void invariant_close(Invariant *invariant); // completes the open cube
void invariant_add_pair(Invariant *invariant, AigLiteral a, AigLiteral b);
// The number of cubes.
static inline size_t invariant_count(const Invariant *invariant) { return invariant->starts.count - 1; }

typedef enum InvariantFlaw {
  INVARIANT_HOLDS,
  INVARIANT_NOT_INITIAL,   // the initial state is not in it
  INVARIANT_NOT_INDUCTIVE, // a step leads out of it
  INVARIANT_NOT_SAFE,      // something bad can happen in it
  INVARIANT_UNCHECKED      // the budget is exhausted
} InvariantFlaw;
InvariantFlaw invariant_check(const Invariant *invariant, const Circuit *c, AigLiteral bad, Budget *budget,
                              Account *account);
const char *invariant_flaw_text(InvariantFlaw flaw);

#endif
