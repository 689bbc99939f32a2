// Enumeration: the values that a term can have under conditions, if they are few.
//
// Only conditions that share variables with the term count, directly or by way of others: what is left out must be
// possible together with them. Few variables of few bits are tried one by one; else a solver gives models, and the
// answer is remembered.
#ifndef HEDDLE_REACH_DOMAINS_ENUMERATE_H
#define HEDDLE_REACH_DOMAINS_ENUMERATE_H

#include "solver/solver.h"

typedef struct Enumeration {
  TermStore *terms;
  unsigned most; // values that count as few
  Solver *solver;
  uint32_t since_new; // questions to this solver
  uint64_t asked;
  Map known;         // conjunction of conditions << 32 | term -> its place in `lists`; UINT32_MAX: too many
  U32Vector lists;   // starts in `values`; one more than there are lists
  TermVector values; // constants
  // Scratch.
  TermVector relevant, variables;
  Map seen; // variables
  Budget *budget;
  Account *account;
} Enumeration;

void enumeration_init(Enumeration *e, TermStore *terms, unsigned most, Budget *budget, Account *account);
void enumeration_free(Enumeration *e);
// Appends the term's values in ascending order; false: there are more than `most`, or the solver does not know.
bool enumerate_values(Enumeration *e, const Term *conditions, size_t count, Term term, TermVector *values);

#endif
