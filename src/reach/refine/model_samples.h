// Samples: states that solvers gave as answers, kept because they answer other questions as well. Whether one formula
// implies another is mostly refuted by a state that refuted a similar pair before.
//
// A sample is any valuation of all variables: what its solver was not asked about is 0. Arrays are all 0.
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
// Keeps the values that the solver's model has for the variables of these formulas, of width 64 at most.
void samples_add(Samples *s, Solver *solver, const Term *formulas, size_t count);
// Does a sample meet all conditions and not the formula?
bool samples_refute(Samples *s, const Term *conditions, size_t count, Term formula);
// Every sample that meets all conditions, the newest first.
void samples_each(Samples *s, const Term *conditions, size_t count, void (*visit)(void *context, Model *model),
                  void *context);

#endif
