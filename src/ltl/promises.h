// From a formula to a Büchi automaton, symbolically: a state is the set of formulas that are promised to hold from the
// next position on.
//
// Only some formulas can be promised: the operands of NEXT, and UNTIL and RELEASE formulas (which may hold again at the
// next position). A step reads a letter and guesses the promises that it makes. It must keep the promises of the step
// before it:
//
//   keeps(X a)   = a is promised
//   keeps(a U b) = keeps(b) or (keeps(a) and a U b is promised)
//   keeps(a R b) = keeps(b) and (keeps(a) or a R b is promised)
//
// Other formulas are kept gate by gate. The first step must keep the whole formula. A run is accepting if it fulfils
// each UNTIL again and again: infinitely often it is not promised by the step before, or keeps(b). So there are as many
// sets of accepting steps as UNTILs (generalised Büchi).
//
// A word satisfies the formula if and only if it has an accepting run: formulas have no negation but at atoms, so an
// unneeded promise can only forbid. Nothing is exponential here: promises are latches, guesses are inputs.
#ifndef HEDDLE_LTL_PROMISES_H
#define HEDDLE_LTL_PROMISES_H

#include "ltl/formula.h"

#define NO_PROMISE UINT32_MAX

typedef struct Promises {
  const LtlStore *store;
  Ltl formula;
  U32Vector promised;   // the formulas that can be promised, each once
  U32Vector promise_of; // per formula of the store: its index in `promised`, or NO_PROMISE
  U32Vector untils;     // indices in `promised` of the UNTIL formulas: the acceptance sets, in this order
} Promises;

void promises_init(Promises *p, const LtlStore *store, Ltl formula, Account *account);
void promises_free(Promises *p);

// The functions with which the caller builds gates. `context` is passed to them; a PromiseValue is a literal, a
// decision diagram or a truth value.
typedef uint32_t PromiseValue;
typedef struct PromiseGates {
  PromiseValue (*constant)(void *context, bool value);
  PromiseValue (*atom)(void *context, uint32_t atom, bool positive);
  PromiseValue (*guess)(void *context, uint32_t promise); // this step makes the promise
  PromiseValue (*both)(void *context, PromiseValue a, PromiseValue b);
  PromiseValue (*either)(void *context, PromiseValue a, PromiseValue b);
} PromiseGates;

// Computes keeps(a): `kept` gets a value for each formula of the store up to the whole formula.
void promises_keep(const Promises *p, const PromiseGates *gates, void *context, U32Vector *kept);

#endif
