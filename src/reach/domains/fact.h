// Facts: literals that say which value a variable has, `variable == constant`. A variable of width 1, or its negation, is
// a fact as well.
#ifndef HEDDLE_REACH_DOMAINS_FACT_H
#define HEDDLE_REACH_DOMAINS_FACT_H

#include "term/term.h"

// False: the literal is no fact. `value` is a constant.
bool fact_read(TermStore *terms, Term literal, Term *variable, Term *value);

#endif
