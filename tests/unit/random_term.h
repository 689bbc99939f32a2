// Random terms for property tests.
//
// A random term is first drawn as a list of operators with explicit operands (a RandomTree), and then built through the
// simplifying constructors. The list keeps the term as it was meant: evaluating it operator by operator gives the value
// that whatever the constructors made of it must have, too. Equal seeds give equal terms.
#ifndef HEDDLE_TESTS_RANDOM_TERM_H
#define HEDDLE_TESTS_RANDOM_TERM_H

#include "term/term.h"

enum {
  RANDOM_FLOATING_POINT = 1,
  RANDOM_ARRAYS = 2,             // uses the array variables given, which must exist
  RANDOM_FLOATING_REMAINDER = 4, // FP_REM as well, which no solver has
};

typedef struct RandomNode {
  TermOperator op;
  Sort sort;
  unsigned high, low; // EXTRACT
  Bits value;         // CONSTANT
  Term variable;      // VARIABLE
  uint32_t children[3];
} RandomNode;
VECTOR(RandomTree, RandomNode); // operands before operators; the last node is the term

uint64_t random_next(uint64_t *state);

// A term of `width` bits over the variables (of any widths; they are extended or cut as needed).
Term random_term(TermStore *store, uint64_t *state, const Term *variables, size_t variable_count, unsigned width,
                 unsigned depth, unsigned features);

// The same in two steps. `random_tree` clears `tree` first; `random_build` leaves the term of node i in terms[i].
void random_tree(RandomTree *tree, const TermStore *store, uint64_t *state, const Term *variables,
                 size_t variable_count, unsigned width, unsigned depth, unsigned features);
Term random_build(TermStore *store, const RandomTree *tree, TermVector *terms);

#endif
