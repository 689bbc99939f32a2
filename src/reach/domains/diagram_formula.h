// Sets of states as terms: a decision diagram becomes a term of choices over the bits of state variables. Diagram nodes
// that are shared become shared terms.
#ifndef HEDDLE_REACH_DOMAINS_DIAGRAM_FORMULA_H
#define HEDDLE_REACH_DOMAINS_DIAGRAM_FORMULA_H

#include "solver/bdd_space.h"
#include "symbolic/state_words.h"

typedef struct BddFormulas {
  const Words *words;
  Map terms; // node -> term; each such node has a reference that keeps it alive
  U32Vector stack;
} BddFormulas;

void bdd_formulas_init(BddFormulas *f, const Words *words, Account *account);
void bdd_formulas_free(BddFormulas *f);
// The set as a term over current variables. Facts that hold in all states (words_facts) are not repeated in it.
Term bdd_formula(BddFormulas *f, Bdd states);

#endif
