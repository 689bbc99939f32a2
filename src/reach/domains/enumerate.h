// Enumeration: the values that a term can have under conditions, if they are few.
//
// Only conditions count that share variables with the term, directly or through other conditions. The conditions that
// are left out must be satisfiable together with them. If the variables have few bits together, all their values are
// tried. Otherwise a solver gives models. Answers are remembered.
#ifndef HEDDLE_REACH_DOMAINS_ENUMERATE_H
#define HEDDLE_REACH_DOMAINS_ENUMERATE_H

#include "solver/solver.h"

typedef struct Enumeration {
  TermStore *terms;
  unsigned most; // at most so many values count as few
  Solver *solver;
  uint32_t since_new; // number of queries to this solver
  uint64_t asked;     // number of queries in all
  Map known;          // conjunction of conditions << 32 | term -> its place in `lists`; UINT32_MAX: too many
  U32Vector lists;    // starts in `values`; one more than there are lists
  TermVector values;  // constants
  // Scratch.
  TermVector relevant, variables;
  Map seen; // variables
  Budget *budget;
  Account *account;
} Enumeration;

void enumeration_init(Enumeration *e, TermStore *terms, unsigned most, Budget *budget, Account *account);
void enumeration_free(Enumeration *e);
// Appends the term's values in ascending order. Returns false if there are more than `most` of them or the solver does
// not know.
bool enumerate_values(Enumeration *e, const Term *conditions, size_t count, Term term, TermVector *values);

#endif
