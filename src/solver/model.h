// Values of terms in one model, remembered: reading many terms that share subterms costs each subterm once.
//
// A Model wraps a valuation of the variables, which has to stay the same until the next `model_reset`. All values
// follow from the variables, so they are consistent with each other whatever a back end knows about a term. The one
// exception is an equality of arrays, which is not always decided by reading elements: a back end that has such
// equalities evaluates them itself (`equality_of`).
#ifndef HEDDLE_SOLVER_MODEL_H
#define HEDDLE_SOLVER_MODEL_H

#include "base/map.h"
#include "term/term.h"

VECTOR(ModelValueVector, Bits);

typedef struct ModelSource {
  TermValuation valuation;
  Bits (*equality_of)(void *context, Term equality); // with the valuation's context; NULL: by reading elements
} ModelSource;

typedef struct Model {
  const TermStore *store;
  ModelSource source;
  Map positions; // of a term's value in `values`
  ModelValueVector values;
  TermVector stack;
} Model;

void model_init(Model *model, const TermStore *store, Account *account);
void model_free(Model *model);
void model_reset(Model *model, ModelSource source);
Bits model_value(Model *model, Term t);

#endif
