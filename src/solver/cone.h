// Which terms a back end can take: whether some operator occurs anywhere below a term, remembered across questions.
#ifndef HEDDLE_SOLVER_CONE_H
#define HEDDLE_SOLVER_CONE_H

#include "base/map.h"
#include "term/term.h"

typedef struct ConeCheck {
  const TermStore *store;
  bool (*interesting)(const TermStore *store, Term t); // false: nothing below `t` can be unwanted
  bool (*unwanted)(const TermStore *store, Term t);    // this operator itself
  Map clean;                                           // terms without anything unwanted
  Map unclean;                                         // terms asked about that have something
  TermVector stack;
} ConeCheck;

void cone_init(ConeCheck *check, const TermStore *store, bool (*interesting)(const TermStore *, Term),
               bool (*unwanted)(const TermStore *, Term), Account *account);
void cone_free(ConeCheck *check);
bool cone_is_clean(ConeCheck *check, Term t);

#endif
