// Sets of states as terms: a decision diagram becomes choices over the bits of state variables, and nodes that the
// diagrams share are shared terms.
#ifndef HEDDLE_REACH_DOMAINS_DIAGRAM_FORMULA_H
#define HEDDLE_REACH_DOMAINS_DIAGRAM_FORMULA_H

#include "solver/bdd_space.h"
#include "symbolic/state_words.h"

typedef struct BddFormulas {
  const Words *words;
  Map terms; // node -> term; the nodes are kept alive
  U32Vector stack;
} BddFormulas;

void bdd_formulas_init(BddFormulas *f, const Words *words, Account *account);
void bdd_formulas_free(BddFormulas *f);
// The set over current variables, without what is known of the words anyway.
Term bdd_formula(BddFormulas *f, Bdd states);

#endif
