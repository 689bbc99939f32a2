// Facts: literals that give the value of a variable, `variable == constant`. A variable of width 1, and its negation,
// is a fact as well.
#ifndef HEDDLE_REACH_DOMAINS_FACT_H
#define HEDDLE_REACH_DOMAINS_FACT_H

#include "term/term.h"

// Reads the variable and its constant value from a literal. Returns false if the literal is no fact.
bool fact_read(TermStore *terms, Term literal, Term *variable, Term *value);

#endif
