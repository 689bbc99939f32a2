// Samples: models of earlier queries, kept because they answer further queries. A state that refuted one implication
// often refutes a similar one.
//
// A sample is a valuation of all variables. A variable that did not occur in the sample's query is 0. Arrays are all 0.
#ifndef HEDDLE_REACH_REFINE_MODEL_SAMPLES_H
#define HEDDLE_REACH_REFINE_MODEL_SAMPLES_H

#include "solver/solver.h"

enum { MOST_SAMPLES = 24 };

typedef struct Sample {
  Map values; // variable -> value
  Model model;
} Sample;

typedef struct Samples {
  const TermStore *terms;
  Sample samples[MOST_SAMPLES]; // a ring
  uint32_t count, next;
  Account *account;
} Samples;

void samples_init(Samples *s, const TermStore *terms, Account *account);
void samples_free(Samples *s);
// Adds a sample: the values of the solver's model for the variables of these formulas that have at most 64 bits.
void samples_add(Samples *s, Solver *solver, const Term *formulas, size_t count);
// Is there a sample that satisfies all conditions and not the formula?
bool samples_refute(Samples *s, const Term *conditions, size_t count, Term formula);
// Visits every sample that satisfies all conditions, the newest first.
void samples_each(Samples *s, const Term *conditions, size_t count, void (*visit)(void *context, Model *model),
                  void *context);

#endif
