// Formulas with what disjuncts have in common put outside: (a & b & c) | (a & b & d & e) becomes a & b & (c | d & e)
// (paper: "SMT-based Model Checking of Concurrent Programs", Kolesnykov, listing 3.1).
//
// A choice between two formulas (ite) counts as the disjunction that it is, and the negation of a disjunction as a
// conjunction. All subformulas are done, each once; terms that are no connectives are left as they are.
#ifndef HEDDLE_TERM_FACTOR_H
#define HEDDLE_TERM_FACTOR_H

#include "term/term.h"

// An equivalent formula. `cache` keeps what was done, from Term to Term, and may be shared between calls.
Term term_factor(TermStore *store, Term formula, Map *cache);

#endif
